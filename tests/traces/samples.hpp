// SPDX-License-Identifier: BSD-3-Clause
// Runs and folders for the tests of this room.
#pragma once

#include "engine/run/run.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace traces::samples {

using engine::MessageRecord;
using engine::Picoseconds;
using engine::Range;
using engine::Rank;
using engine::Round;
using engine::Run;
using engine::RunBuilder;

/// A folder of one test's own, gone with it.
class Scratch {
public:
    explicit Scratch(const std::filesystem::path& within = std::filesystem::temp_directory_path()) {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        std::string name{info->test_suite_name()};
        name += std::string{"-"} + info->name() + "-" + std::to_string(::getpid());
        for (char& c : name)
            if (c == '/') c = '-';
        path_ = within / name;
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    [[nodiscard]] std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

inline void put(const std::filesystem::path& file, std::string_view content) {
    std::ofstream{file, std::ios::binary} << content;
}

inline std::string contentOf(const std::filesystem::path& file) {
    std::ostringstream content;
    content << std::ifstream{file, std::ios::binary}.rdbuf();
    return content.str();
}

/// Names of everything in `folder`, sorted, with '/' behind folders.
inline std::vector<std::string> listing(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator{folder})
        names.push_back(entry.path().filename().string() + (entry.is_directory() ? "/" : ""));
    std::sort(names.begin(), names.end());
    return names;
}

/// A message of `bytes` bytes that keeps both ports busy in [begin, end).
inline MessageRecord message(int from, int to, int round, engine::Bytes bytes, int begin, int end) {
    return {Rank{from},         Rank{to},         Round{round},       bytes,
            Picoseconds{begin}, Picoseconds{end}, Picoseconds{begin}, Picoseconds{end}};
}

/// Three ranks hand a token round: two stages, one range each.
inline Run tokenRing() {
    RunBuilder builder{3, 3, {{"there", Round{0}, 2}, {"and back", Round{2}, 1}}};
    const std::vector<Range> what{{0, 10}};
    for (int k = 0; k < 3; ++k) {
        builder.message(message(k, (k + 1) % 3, k, 10, 100 * k, 100 * k + 70), what);
        builder.turn({Rank{k}, Round{k}, Picoseconds{100 * k}, Picoseconds{100 * k + 70}});
        builder.turn({Rank{(k + 1) % 3}, Round{k}, Picoseconds{100 * k}, Picoseconds{100 * k + 70}});
    }
    Run run = builder.finish();
    run.setting.on = "threads";
    return run;
}

}  // namespace traces::samples

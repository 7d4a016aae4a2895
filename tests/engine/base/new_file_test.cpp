// SPDX-License-Identifier: BSD-3-Clause
// Files that appear whole or not at all: nothing of the user's goes, whoever else writes, and nothing of ours is left.
#include "engine/base/new_file.hpp"
#include "engine/base/error.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

namespace {

namespace fs = std::filesystem;
using engine::Existing;
using engine::NewFile;

class Files : public ::testing::Test {
protected:
    Files() {
        std::string name = (fs::temp_directory_path() / "files-XXXXXX").string();
        if (::mkdtemp(name.data()) != nullptr) folder = name;
    }
    ~Files() override { fs::remove_all(folder); }

    [[nodiscard]] fs::path at(const char* name) const { return folder / name; }
    void put(const char* name, std::string_view content) const { std::ofstream{at(name)} << content; }
    [[nodiscard]] std::string contents(const char* name) const {
        std::ostringstream words;
        words << std::ifstream{at(name)}.rdbuf();
        return words.str();
    }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> found;
        for (const auto& entry : fs::directory_iterator{folder}) found.push_back(entry.path().filename().string());
        std::sort(found.begin(), found.end());
        return found;
    }
    /// What refuses `work`; empty when nothing does.
    template <class Work>
    static std::string refusal(Work work) {
        try {
            work();
            return "";
        } catch (const engine::Error& error) {
            return error.what();
        }
    }

    fs::path folder;
};

using Names = std::vector<std::string>;

TEST_F(Files, appearWhenTheyAreComplete) {
    NewFile file{at("a.csv")};
    file.out() << "one line\n";
    EXPECT_FALSE(fs::exists(at("a.csv")));
    file.publish();
    EXPECT_EQ(contents("a.csv"), "one line\n");
    EXPECT_EQ(names(), Names{"a.csv"});
}

TEST_F(Files, leaveNothingWhenTheyAreGivenUp) {
    EXPECT_THROW(
        {
            NewFile file{at("a.csv")};
            file.out() << std::string(1'000'000, 'x');
            throw engine::Cancelled{};
        },
        engine::Cancelled);
    EXPECT_EQ(names(), Names{});
    std::stop_source source;
    source.request_stop();
    EXPECT_THROW((NewFile{at("a.csv"), Existing::refuse, source.get_token()}.out() << std::string(1'000'000, 'x')),
                 engine::Cancelled);
    EXPECT_EQ(names(), Names{});
}

TEST_F(Files, takeNobodysPlace) {
    put("mine.csv", "mine");
    put("mine.csv.part", "mine, too");
    fs::create_symlink("nowhere", at("link.csv"));
    EXPECT_EQ(refusal([&] { NewFile{at("mine.csv")}; }),
              "cannot write '" + at("mine.csv").string() + "': it is there already");
    EXPECT_NE(refusal([&] { NewFile{at("link.csv")}; }), "") << "a link that leads nowhere is there, too";
    EXPECT_EQ(refusal([&] { engine::writeFile(at("folder/a.csv"), "x"); }),
              "cannot write '" + at("folder/a.csv").string() + "': its folder does not exist");
    EXPECT_EQ(names(), (Names{"link.csv", "mine.csv", "mine.csv.part"}));
    EXPECT_EQ(contents("mine.csv"), "mine");
    EXPECT_EQ(contents("mine.csv.part"), "mine, too");
}

TEST_F(Files, refuseANameThatWasTakenMeanwhile) {
    NewFile first{at("a.csv")};
    NewFile second{at("a.csv")};
    first.out() << "first";
    second.out() << "second";
    second.publish();
    EXPECT_NE(refusal([&] { first.publish(); }), "");
    EXPECT_EQ(contents("a.csv"), "second");
}

TEST_F(Files, haveOneWinnerOfManyWriters) {
    std::atomic<int> winners{0};
    {
        std::vector<std::jthread> writers;
        for (int i = 0; i < 8; ++i)
            writers.emplace_back(
                [&] { winners += refusal([&] { engine::writeFile(at("a.csv"), "whole"); }).empty() ? 1 : 0; });
    }
    EXPECT_EQ(winners, 1);
    EXPECT_EQ(contents("a.csv"), "whole");
    EXPECT_EQ(names(), Names{"a.csv"});
}

TEST_F(Files, replaceWhenAskedAndNeverThroughALink) {
    put("a.csv", "old");
    ::chmod(at("a.csv").c_str(), 0640);
    engine::writeFile(at("a.csv"), "new", Existing::replace);
    EXPECT_EQ(contents("a.csv"), "new");
    EXPECT_EQ(fs::status(at("a.csv")).permissions(), fs::perms{0640}) << "who may read it stays so";
    put("target", "mine");
    fs::create_symlink("target", at("link"));
    engine::writeFile(at("link"), "new", Existing::replace);
    EXPECT_EQ(contents("target"), "mine");
    EXPECT_FALSE(fs::is_symlink(at("link")));
    fs::create_directory(at("folder"));
    EXPECT_NE(refusal([&] { engine::writeFile(at("folder"), "x", Existing::replace); }), "");
    ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
    EXPECT_NE(refusal([&] { engine::writeFile(at("pipe"), "x", Existing::replace); }), "");
    EXPECT_TRUE(fs::is_fifo(at("pipe")));
}

TEST_F(Files, sayWhenTheyBecomeTooLarge) {
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{.rlim_cur = 100'000, .rlim_max = before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string large(1'000'000, 'x');
    const std::string said = refusal([&] { engine::writeFile(at("a.csv"), large); });
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(said,
              "cannot write '" + at("a.csv").string() + "': files may not become as large as this one (ulimit -f)");
    EXPECT_EQ(names(), Names{});
}

TEST_F(Files, areReadWholeOrRefused) {
    put("words", "of a file");
    EXPECT_EQ(engine::contentOf(at("words"), 9, "no"), "of a file");
    EXPECT_EQ(refusal([&] { engine::contentOf(at("words"), 8, "no"); }),
              "no: it is larger than 8 B, the most that is read");
    EXPECT_EQ(refusal([&] { engine::contentOf(at("none"), 8, "no"); }), "no: it does not exist");
    EXPECT_EQ(refusal([&] { engine::contentOf(folder, 8, "no"); }), "no: it is a folder");
    ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
    for (const fs::path& file : {at("pipe"), fs::path{"/dev/zero"}, fs::path{"/dev/null"}})
        EXPECT_EQ(refusal([&] { engine::contentOf(file, 8, "no"); }), "no: it is no file of a fixed size") << file;
    EXPECT_NE(refusal([&] { engine::contentOf("/proc/self/mem", 8, "no"); }), "");
    EXPECT_FALSE(engine::contentOf("/proc/self/status", 1 << 20, "no").empty()) << "says that it is empty";
    put("large", std::string(100'000, 'x'));
    EXPECT_EQ(engine::contentOf(at("large"), 1 << 20, "no").size(), 100'000U);
}

}  // namespace

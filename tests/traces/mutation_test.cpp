// SPDX-License-Identifier: BSD-3-Clause
// Damaged archives: bits flipped, bytes changed, cut, doubled and moved, in any of their files. Whatever comes of it is
// a recording or one sentence; nothing crashes, hangs, or asks for memory by a number that lies.
//
// COLLSCOPE_MUTATIONS says how many archives to damage (2000); under the sanitizers 200000 take about an hour.
#include "engine/error.hpp"
#include "engine/text.hpp"
#include "tests/traces/samples.hpp"
#include "traces/archive.hpp"
#include "traces/clocks.hpp"
#include "traces/run_of.hpp"

#include <algorithm>
#include <chrono>
#include <random>

#include <sys/resource.h>

namespace {

using traces::samples::contentOf;
using traces::samples::put;
using traces::samples::Scratch;
namespace fs = std::filesystem;

std::int64_t mutations() {
    const char* asked = std::getenv("COLLSCOPE_MUTATIONS");
    return asked == nullptr ? 2000 : engine::readInteger(asked, "COLLSCOPE_MUTATIONS", 0, 1'000'000'000);
}

std::int64_t peakMemory() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * 1024;
}

class Mutator {
public:
    explicit Mutator(std::uint32_t seed) : random_{seed} {}

    std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

    std::string damage(std::string content) {
        for (std::size_t times = 1 + below(4); times > 0; --times) once(content);
        return content;
    }

private:
    void once(std::string& content) {
        constexpr unsigned char telling[]{0, 1, 2, 3, 5, 6, 8, 127, 128, 254, 255};
        const std::size_t at = below(content.size());
        const std::size_t length = below(std::min<std::size_t>(content.size() - at, 64) + 1);
        switch (content.empty() ? 5 : below(8)) {
            case 0:
            case 1:
                content[at] = static_cast<char>(content[at] ^ (1 << below(8)));
                break;
            case 2:
            case 3:
                content[at] = static_cast<char>(telling[below(std::size(telling))]);
                break;
            case 4:
                content.resize(at);
                break;
            case 5:
                content.insert(at, 1 + below(8), static_cast<char>(telling[below(std::size(telling))]));
                break;
            case 6:
                content.insert(below(content.size()), content.substr(at, length));
                break;
            default:
                content.erase(at, length);
                break;
        }
    }

    std::mt19937 random_;
};

/// Reads it and asks what every view asks. Errors are sentences.
void look(const fs::path& archive) {
    try {
        const traces::RecordingPtr recording = traces::readRecording(archive);
        const traces::Recording fitted = traces::corrected(*recording, traces::fitClocks(*recording));
        traces::communicationOf(fitted);
        traces::runOf(*recording);
    } catch (const engine::Error& error) {
        EXPECT_EQ(std::string{error.what()}.find('\n'), std::string::npos) << error.what();
    }
}

void damageOften(const fs::path& original, const Scratch& scratch, std::int64_t times, std::uint32_t seed) {
    const fs::path copy = scratch / "copy";
    fs::copy(original, copy, fs::copy_options::recursive);
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator{copy}) {
        fs::permissions(entry.path(), fs::perms::owner_all, fs::perm_options::add);
        if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    ASSERT_FALSE(files.empty());
    const std::size_t global = static_cast<std::size_t>(
        std::count_if(files.begin(), files.end(), [&](const fs::path& file) { return file.parent_path() == copy; }));
    std::partition(files.begin(), files.end(), [&](const fs::path& file) { return file.parent_path() == copy; });
    Mutator mutator{seed};
    for (std::int64_t i = 0; i < times; ++i) {
        // Anchor and definitions are few and matter most.
        const fs::path& file = files[mutator.below(2) == 0 ? mutator.below(global) : mutator.below(files.size())];
        const std::string whole = contentOf(file);
        put(file, mutator.damage(whole));
        SCOPED_TRACE(engine::text(file.string(), ", seed ", seed, ", mutation ", i));
        const auto begin = std::chrono::steady_clock::now();
        ASSERT_NO_THROW(look(copy));
        ASSERT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds{30});
        put(file, whole);
    }
    EXPECT_LT(peakMemory(), std::int64_t{3} << 30);
}

fs::path sharedTraces() {
    const char* named = std::getenv("COLLSCOPE_SHARED_TRACES");
    return named != nullptr ? fs::path{named} : fs::path{COLLSCOPE_SOURCE} / ".." / "shared" / "traces";
}

TEST(Mutations, ofOurArchivesAreReadOrRefused) {
    const Scratch scratch;
    traces::write(traces::samples::tokenRing(), scratch / "ring");
    damageOften(scratch / "ring", scratch, mutations() / 2, 1);
}

class SharedMutations : public testing::TestWithParam<const char*> {};

TEST_P(SharedMutations, areReadOrRefused) {
    const fs::path folder = sharedTraces() / GetParam();
    if (!fs::exists(folder)) GTEST_SKIP() << folder << " is not there; COLLSCOPE_SHARED_TRACES names its parent";
    damageOften(folder, Scratch{}, mutations() / 6, 2);
}

INSTANTIATE_TEST_SUITE_P(Shared, SharedMutations,
                         testing::Values("pipit-ping-pong", "sstmacro-mpi-coverage-10", "tracer-stencil4d-32"),
                         [](const auto& test) {
                             std::string name = test.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

}  // namespace

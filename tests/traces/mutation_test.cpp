// SPDX-License-Identifier: BSD-3-Clause
// Damaged archives: bits flipped, bytes changed, cut, doubled and moved, in any of their files. Whatever comes of it is
// a recording or one sentence; nothing crashes, hangs, or asks for memory by a number that lies.
//
// COLLSCOPE_MUTATIONS says how many archives to damage (2000), COLLSCOPE_MUTATION_SEED which ones (1): another seed is
// another set. What a crash was about lies in the folder of the test, under /dev/shm where that is there.
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "tests/support/places.hpp"
#include "tests/support/programs/told_program.hpp"
#include "tests/traces/samples.hpp"
#include "traces/clocks/clocks.hpp"
#include "traces/export/copy.hpp"
#include "traces/index/index_validation.hpp"
#include "traces/recording/archive.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <set>

#include <sys/resource.h>
#include <unistd.h>

namespace {

using traces::samples::contentOf;
using traces::samples::put;
using traces::samples::Scratch;
namespace fs = std::filesystem;

std::int64_t numberIn(const char* variable, std::int64_t usual) {
    const char* asked = std::getenv(variable);
    return asked == nullptr ? usual : engine::readInteger(asked, variable, 0, 1'000'000'000);
}

std::int64_t mutations() { return numberIn("COLLSCOPE_MUTATIONS", 2000); }

/// Files that are written over and over again had better be in memory.
fs::path quickFolder() {
    const fs::path memory = "/dev/shm";
    return ::access(memory.c_str(), W_OK) == 0 ? memory : fs::temp_directory_path();
}

std::int64_t peakMemory() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * 1024;
}

class Mutator {
public:
    /// Every archive and every mutation of it has numbers of its own, so that one can be repeated alone.
    Mutator(std::int64_t seed, std::string_view archive, std::int64_t mutation)
        : state_{std::hash<std::string_view>{}(archive)} {
        for (const std::int64_t number : {seed, mutation}) state_ = next() ^ static_cast<std::uint64_t>(number);
    }

    std::size_t below(std::size_t limit) { return limit == 0 ? 0 : next() % limit; }

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
            case 1: content[at] = static_cast<char>(content[at] ^ (1 << below(8))); break;
            case 2:
            case 3: content[at] = static_cast<char>(telling[below(std::size(telling))]); break;
            case 4: content.resize(at); break;
            case 5: content.insert(at, 1 + below(8), static_cast<char>(telling[below(std::size(telling))])); break;
            case 6: content.insert(below(content.size()), content.substr(at, length)); break;
            default: content.erase(at, length); break;
        }
    }

    /// SplitMix64 (Steele et al. 2014).
    std::uint64_t next() {
        std::uint64_t mixed = state_ += 0x9E3779B97F4A7C15ULL;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
        return mixed ^ (mixed >> 31);
    }

    std::uint64_t state_;
};

/// Reads it and asks what every view asks. Errors are sentences.
void look(const fs::path& archive) {
    try {
        const traces::RecordingPtr recording = traces::readRecording(archive);
        const traces::Recording fitted = traces::corrected(*recording, traces::fitClocks(*recording));
        traces::communicationOf(fitted);
        traces::runOf(*recording);
        EXPECT_TRUE(traces::index::plausible(*recording)) << "it refers to what is not there";
    } catch (const engine::Error& error) {
        EXPECT_EQ(std::string{error.what()}.find('\n'), std::string::npos) << error.what();
    }
}

/// Shared traces have licences and explanations beside them.
bool isOfArchive(const fs::path& file) {
    return file.extension() == ".otf2" || file.extension() == ".def" || file.extension() == ".evt";
}

void damageOften(const fs::path& original, const Scratch& scratch, std::int64_t times) {
    struct File {
        fs::path path;
        std::string whole;
    };
    const fs::path copy = scratch / "copy";
    fs::copy(original, copy, fs::copy_options::recursive);
    std::vector<File> files;
    for (const auto& entry : fs::recursive_directory_iterator{copy}) {
        fs::permissions(entry.path(), fs::perms::owner_all, fs::perm_options::add);
        if (isOfArchive(entry.path())) files.push_back({entry.path(), contentOf(entry.path())});
    }
    // Anchor and definitions are few and matter most.
    std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.path < b.path; });
    const auto rest = std::stable_partition(files.begin(), files.end(),
                                            [&](const File& file) { return file.path.parent_path() == copy; });
    const auto global = static_cast<std::size_t>(rest - files.begin());
    ASSERT_GT(global, 0U);
    const std::int64_t seed = numberIn("COLLSCOPE_MUTATION_SEED", 1);
    const std::string name = original.filename().string();
    for (std::int64_t i = 0; i < times; ++i) {
        Mutator mutator{seed, name, i};
        const File& file = files[mutator.below(2) == 0 ? mutator.below(global) : mutator.below(files.size())];
        put(file.path, mutator.damage(file.whole));
        SCOPED_TRACE(engine::text(file.path.string(), ", seed ", seed, ", mutation ", i));
        const auto begin = std::chrono::steady_clock::now();
        ASSERT_NO_THROW(look(copy));
        ASSERT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds{30});
        put(file.path, file.whole);
    }
    EXPECT_LT(peakMemory(), std::int64_t{3} << 30);
}

TEST(Mutations, ofOurArchivesAreReadOrRefused) {
    const Scratch scratch{quickFolder()};
    traces::write(traces::samples::tokenRing(), scratch / "ring");
    damageOften(scratch / "ring", scratch, mutations() / 2);
}

TEST(Mutations, ofMetricsAreReadOrRefused) {
    const Scratch scratch{quickFolder()};
    traces::RecordingBuilder b{2};
    for (const int rank : {0, 1}) {
        b.enter(rank, traces::Picoseconds{0}, "main");
        b.samples(rank, b.metric({.name = "load", .description = "", .unit = ""}),
                  {traces::Picoseconds{1}, traces::Picoseconds{2}, traces::Picoseconds{3}}, {1, 2.5, -3});
    }
    traces::writeCopy(b.finish(), scratch / "measured");
    damageOften(scratch / "measured", scratch, mutations() / 4);
}

/// Whoever looks at notices takes what they refer to on trust.
TEST(Mutations, ofNoticesAreReadOrRefused) {
    const Scratch scratch{quickFolder()};
    traces::writeCopy(support::toldProgram(), scratch / "told");
    std::set<traces::NoticeKind> met;
    const traces::RecordingPtr whole = traces::readRecording(scratch / "told");
    for (const traces::Column<traces::Notice>& its : whole->notices)
        for (const traces::Notice& notice : its) met.insert(notice.kind);
    ASSERT_EQ(met.size(), static_cast<std::size_t>(traces::NoticeKind::tryFile) + 1) << "every kind is damaged";
    damageOften(scratch / "told", scratch, mutations() / 2);
}

class SharedMutations : public testing::TestWithParam<const char*> {};

TEST_P(SharedMutations, areReadOrRefused) {
    const fs::path folder = support::sharedTraces() / GetParam();
    if (!fs::exists(folder)) GTEST_SKIP() << folder << " is not there; COLLSCOPE_SHARED_TRACES names its parent";
    damageOften(folder, Scratch{quickFolder()}, mutations() / 6);
}

INSTANTIATE_TEST_SUITE_P(Shared, SharedMutations,
                         testing::Values("pipit-ping-pong", "sstmacro-mpi-coverage-10", "tracer-stencil4d-32"),
                         [](const auto& test) {
                             std::string name = test.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

}  // namespace

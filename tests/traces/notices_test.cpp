// SPDX-License-Identifier: BSD-3-Clause
// What threads tell of teams and locks: written, read, kept in an index and cut. What Score-P writes is read in
// tests/scripts/traces/otf2_threads_test.py.
#include "tests/traces/samples.hpp"
#include "traces/export/copy.hpp"
#include "traces/export/excerpt.hpp"
#include "traces/reading/locations/file_notices.hpp"
#include "traces/recording/archive.hpp"
#include "traces/recording/recording_builder.hpp"

#include <map>
#include <random>
#include <set>

namespace of_notices {
namespace {

using traces::Notice;
using traces::NoticeKind;
using traces::Picoseconds;
using traces::Rank;
using traces::Recording;
using traces::samples::Scratch;

constexpr auto firstOfFile = static_cast<unsigned>(NoticeKind::openFile);
constexpr auto kindsOfFile = static_cast<unsigned>(NoticeKind::tryFile) - firstOfFile + 1;

/// What a location may tell of three files next: operations take the lowest slot that is free.
struct FileNotices {
    std::map<std::uint16_t, std::uint32_t> underWay;  ///< files by slot

    template <class Below>
    void operator()(traces::RecordingBuilder& b, int location, Picoseconds now, Below below) {
        Notice notice{
            .time = now, .subject = below(3), .kind = static_cast<NoticeKind>(firstOfFile + below(kindsOfFile))};
        if (notice.kind == NoticeKind::openFile) notice.detail = static_cast<std::uint8_t>(below(3));
        if (notice.kind == NoticeKind::beginOperation) {
            while (underWay.contains(notice.slot)) ++notice.slot;
            underWay[notice.slot] = notice.subject;
            notice.detail = static_cast<std::uint8_t>(below(4));
            notice.number = below(1000);
        } else if (notice.kind == NoticeKind::seekFile) {
            notice.number = below(1000);
        } else if (notice.kind > NoticeKind::seekFile) {
            notice.detail = static_cast<std::uint8_t>(below(2));
        } else if (notice.kind >= NoticeKind::endOperation) {
            if (underWay.empty()) return;
            const auto ended = std::next(underWay.begin(), below(static_cast<unsigned>(underWay.size())));
            notice.slot = ended->first, notice.subject = ended->second;
            if (notice.kind == NoticeKind::endOperation) notice.number = below(1000);
            underWay.erase(ended);
        }
        b.notice(location, notice);
    }
};

/// Calls and notices of a rank and its thread, many at one time: which came first is known by their order alone.
Recording told(unsigned seed) {
    std::mt19937 random{seed};
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    traces::RecordingBuilder b{1};
    b.thread(Rank{0}, "worker");
    b.rest().files = {{"a.dat", "POSIX I/O"}, {"a.dat", "MPI I/O"}, {"", ""}};
    FileNotices file;
    for (const int location : {0, 1}) {
        std::int64_t now = 0;
        int depth = 0;
        b.enter(location, Picoseconds{0}, "main");
        for (int i = 0; i < 40; ++i) {
            now += below(3) == 0 ? 1 : 0;
            const std::size_t what = below(4);
            if (what == 0 && depth < 4) {
                b.enter(location, Picoseconds{now}, below(2) == 0 ? "a" : "b");
                ++depth;
            } else if (what == 1 && depth > 0) {
                b.leave(location, Picoseconds{now});
                --depth;
            } else if (what > 1) {
                if (below(3) == 0) {
                    file(b, location, Picoseconds{now}, below);
                    continue;
                }
                const auto kind = static_cast<NoticeKind>(below(6));
                const bool lock = kind == NoticeKind::acquireLock || kind == NoticeKind::releaseLock;
                b.notice(location, {.time = Picoseconds{now},
                                    .number = kind == NoticeKind::fork || lock ? below(100) : 0,
                                    .subject = lock ? below(9) : 0U,
                                    .kind = kind,
                                    .detail = static_cast<std::uint8_t>(lock ? 7 : 0)});
            }
        }
        for (; depth >= 0; --depth) b.leave(location, Picoseconds{++now});
        file.underWay.clear();
    }
    return b.finish();
}

TEST(Notices, comeBackFromAnArchiveInTheirOrder) {
    const Scratch scratch;
    for (unsigned seed = 0; seed < 40; ++seed) {
        const Recording original = told(seed);
        const auto place = scratch / ("copy" + std::to_string(seed));
        traces::writeCopy(original, place);
        const traces::RecordingPtr copy = traces::readRecording(place);
        EXPECT_EQ(copy->notices, original.notices) << seed;
        EXPECT_EQ(copy->files, original.files);
        EXPECT_EQ(copy->states, original.states) << seed;
        for (const traces::NotRecorded& absence : copy->absences)
            EXPECT_NE(absence.what, traces::Absence::passedOver) << absence.words;
    }
}

TEST(Notices, keepTheRolesOfRegions) {
    const Scratch scratch;
    Recording original = told(1);
    const std::array roles{traces::RegionRole::barrier, traces::RegionRole::implicitBarrier,
                           traces::RegionRole::critical};
    for (std::size_t i = 0; i < roles.size(); ++i) original.regions.at(i).role = roles[i];
    traces::writeCopy(original, scratch / "copy");
    const traces::RecordingPtr copy = traces::readRecording(scratch / "copy");
    for (std::size_t i = 0; i < roles.size(); ++i) EXPECT_EQ(copy->regions.at(i).role, roles[i]);
}

TEST(FileOperations, areToldApartWhileTheyAreUnderWay) {
    traces::reading::FileOperations operations;
    const auto slots = [](const std::optional<std::uint16_t>& slot) { return slot ? static_cast<int>(*slot) : -1; };
    EXPECT_EQ(slots(operations.begin({7, 1})), 0);
    EXPECT_EQ(slots(operations.begin({7, 2})), 1);
    EXPECT_EQ(slots(operations.begin({8, 1})), 2);
    EXPECT_EQ(slots(operations.end({7, 1})), 0);
    EXPECT_EQ(slots(operations.end({7, 1})), -1) << "not under way";
    EXPECT_EQ(slots(operations.begin({9, 9})), 0) << "free again";
    EXPECT_EQ(slots(operations.begin({9, 9})), 0) << "one that never ended is lost";
    EXPECT_EQ(slots(operations.end({8, 1})), 2);
    EXPECT_EQ(slots(operations.end({7, 2})), 1);
    EXPECT_EQ(slots(operations.begin({7, 3})), 1);
}

TEST(Notices, areCutWithAPart) {
    int leftOut = 0;
    for (unsigned seed = 0; seed < 40; ++seed) {
        const Recording all = told(seed);
        const traces::TimeSpan span{Picoseconds{3}, Picoseconds{9}};
        const Recording part = traces::excerptOf(all, {.span = span, .ranks = {}});
        for (const std::size_t location : {0U, 1U}) {
            std::vector<Notice> wanted;
            std::set<std::uint16_t> begun;  // an operation that began before the part is none of its
            for (Notice notice : all.notices[location]) {
                if (notice.time < span.begin || notice.time >= span.end) continue;
                if (notice.kind == NoticeKind::beginOperation) begun.insert(notice.slot);
                const bool ends = notice.kind == NoticeKind::endOperation || notice.kind == NoticeKind::cancelOperation;
                if (ends && begun.erase(notice.slot) == 0) {
                    ++leftOut;
                    continue;
                }
                const traces::States& states = all.states[location];
                const std::uint32_t before = notice.entered;
                notice.entered = 0;
                for (std::uint32_t call = 0; call < before; ++call)
                    if (states.end[call] >= span.begin && states.begin[call] < span.end) ++notice.entered;
                wanted.push_back(notice);
            }
            EXPECT_EQ(std::vector<Notice>(part.notices[location].begin(), part.notices[location].end()), wanted);
        }
    }
    EXPECT_GT(leftOut, 0) << "the programs have what is judged";
}

}  // namespace
}  // namespace of_notices

// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/program/file_use.hpp"

#include "app/analysis/calls/event_walk.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::FileOperation;
using traces::Notice;
using traces::NoticeKind;
using traces::Recording;

namespace {

/// Adds up what locations tell, one after the other.
class UsingFiles {
public:
    UsingFiles(const Recording& recording, const Part& part)
        : recording_{recording},
          part_{part},
          span_{part.span(recording.duration)},
          uses_(recording.files.size()),
          ranks_(uses_.size()) {
        for (std::uint32_t file = 0; file < uses_.size(); ++file) uses_[file].file = file;
    }

    void look(std::size_t location) {
        const Rank rank = recording_.locations[location].rank;
        if (!part_.has(rank)) return;
        const traces::States& states = recording_.states[location];
        std::unordered_map<std::uint16_t, Notice> underWay;
        Picoseconds locked{};
        eachNotice(
            states, recording_.notices[location].span(),
            [&](const Notice& notice, std::span<const std::size_t> around) {
                if (!isOfFile(notice.kind)) return;
                if (notice.kind == NoticeKind::lockFile) {
                    const Picoseconds entered = around.empty() ? notice.time : states.begin[around.back()];
                    locks(notice, std::max(entered, std::exchange(locked, notice.time)));
                } else if (notice.kind == NoticeKind::seekFile) {
                    if (part_.overlaps(notice.time, notice.time)) ++used(notice).seeks;
                } else if (notice.kind == NoticeKind::beginOperation) {
                    const auto [entry, isNew] = underWay.try_emplace(notice.slot, notice);
                    if (!isNew) neverEnded(std::exchange(entry->second, notice));
                } else if (notice.kind == NoticeKind::openFile) {
                    if (part_.overlaps(notice.time, notice.time)) ++used(notice).opens;
                } else if (notice.kind == NoticeKind::endOperation || notice.kind == NoticeKind::cancelOperation) {
                    if (const auto begun = underWay.extract(notice.slot)) ended(rank, begun.mapped(), notice);
                }
            });
        for (const auto& [slot, begun] : underWay) neverEnded(begun);
        for (const std::uint32_t file : touched_) ranks_[file].insert(rank);
        touched_.clear();
    }

    std::vector<FileUse> all() && {
        for (FileUse& use : uses_)
            use.ranks = std::count_if(ranks_[use.file].begin(), ranks_[use.file].end(),
                                      [](Rank rank) { return rank != traces::noRank; });
        std::erase_if(uses_, [&](const FileUse& use) { return ranks_[use.file].empty(); });
        std::stable_sort(uses_.begin(), uses_.end(),
                         [](const FileUse& a, const FileUse& b) { return a.time > b.time; });
        return std::move(uses_);
    }

private:
    /// The file of a notice, with which the location did something.
    FileUse& used(const Notice& notice) {
        touched_.insert(notice.subject);
        return uses_[notice.subject];
    }

    static std::int64_t& countOf(FileUse& use, const Notice& begun, std::int64_t& others) {
        switch (static_cast<FileOperation>(begun.detail)) {
            case FileOperation::read: return use.reads;
            case FileOperation::write: return use.writes;
            default: return others;
        }
    }

    void locks(const Notice& had, Picoseconds since) {
        if (!part_.overlaps(since, had.time)) return;
        FileUse& use = used(had);
        ++use.locks;
        use.lockWait += std::max(Picoseconds{}, std::min(had.time, span_.end) - std::max(since, span_.begin));
    }

    void neverEnded(const Notice& begun) {
        std::int64_t others = 0;
        if (part_.overlaps(begun.time, begun.time)) ++countOf(used(begun), begun, others);
    }

    void ended(Rank rank, const Notice& begun, const Notice& end) {
        if (!part_.overlaps(begun.time, end.time)) return;
        FileUse& use = used(begun);
        std::int64_t others = 0;
        ++countOf(use, begun, others);
        const auto bytes = static_cast<engine::Bytes>(end.number);
        if (end.kind == NoticeKind::endOperation && begun.detail == static_cast<std::uint8_t>(FileOperation::read))
            use.read += bytes;
        if (end.kind == NoticeKind::endOperation && begun.detail == static_cast<std::uint8_t>(FileOperation::write))
            use.written += bytes;
        const Picoseconds from = std::max(begun.time, span_.begin);
        const Picoseconds time = std::max(Picoseconds{}, std::min(end.time, span_.end) - from);
        use.time += time;
        if (use.longest && time <= *use.longest) return;
        use.longest = time;
        use.begin = from;
        use.slowest = rank;
    }

    const Recording& recording_;
    const Part& part_;
    traces::TimeSpan span_;
    std::vector<FileUse> uses_;          ///< by file
    std::vector<std::set<Rank>> ranks_;  ///< by file: who did something with it
    std::set<std::uint32_t> touched_;    ///< files of the location that is looked at
};

}  // namespace

std::vector<FileUse> fileUses(const Recording& recording, const Selection& selection) {
    if (recording.files.empty() || selection.part.choosesMessages() || !selection.communicators.empty()) return {};
    UsingFiles files{recording, selection.part};
    for (std::size_t location = 0; location < recording.notices.size(); ++location) files.look(location);
    return std::move(files).all();
}

}  // namespace app::analysis

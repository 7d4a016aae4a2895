// SPDX-License-Identifier: BSD-3-Clause
// Finished schedules at work on groups of ranks, all at once, and among the leaders of the groups: the parts that
// compose.cpp puts collectives in two levels together from.
#pragma once

#include "engine/schedule/kernel.hpp"
#include "engine/shapes/grouping.hpp"
#include "engine/stages/partial_results.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace engine {

/// What becomes of the messages of a group's schedule on the way into the whole.
struct Translation {
    bool results = false;  ///< its bytes are results of a reduction, in slot 0; otherwise they are what they are
    Bytes unit = 1;        ///< results: bytes of the vector that one byte of its line stands for
    Bytes vector = 0;      ///< results: bytes of the vector
};

/// An `out` that translates ranges, and bytes to results.
template <class Out>
class Translated {
public:
    /// `shift`: where the group's byte line begins on that of the whole.
    Translated(Out& out, const Translation& how, Bytes shift) : out_{&out}, how_{&how}, shift_{shift} {}

    void send(Rank to, std::span<const Range> what) {
        if (!how_->results) out_->send(to, shifted(what));
        else if (isWhole(what)) out_->sendPartial(to, 0, how_->vector);
        else out_->sendPartial(to, 0, shifted(what));
    }
    void receive(Rank from, std::span<const Range> what) {
        if (!how_->results) out_->receive(from, shifted(what));
        else if (isWhole(what)) out_->receivePartial(from, 1, Action::keep, how_->vector);
        else out_->receivePartial(from, 1, Action::keep, shifted(what));
    }
    template <class What>
    void sendPartial(Rank to, int slot, const What& what) {
        out_->sendPartial(to, slot, what);
    }
    template <class What>
    void receivePartial(Rank from, Slots slots, Action action, const What& what) {
        out_->receivePartial(from, slots, action, what);
    }

private:
    [[nodiscard]] bool isWhole(std::span<const Range> what) const {
        Bytes bytes = 0;
        for (const Range range : what) bytes += range.size();
        return bytes * how_->unit == how_->vector;
    }
    /// Valid until the next one on the same thread.
    [[nodiscard]] std::span<const Range> shifted(std::span<const Range> what) const {
        thread_local std::vector<Range> moved;
        moved.assign(what.begin(), what.end());
        for (Range& range : moved) range = {range.begin * how_->unit + shift_, range.end * how_->unit + shift_};
        return moved;
    }

    Out* out_;
    const Translation* how_;
    Bytes shift_;
};

/// What one group runs.
struct GroupPart {
    SchedulePtr schedule;
    Translation translation{};
};

/// A schedule's round with its messages translated, peers included.
template <class Out, class ToGlobal>
void repeatIn(const Borrowed::Now& kernel, const Translation& how, Bytes shift, Rank local, const ToGlobal& toGlobal,
              Out& out) {
    PeersMapped<Out, ToGlobal> mapped{out, toGlobal};
    if (shift == 0 && !how.results) return kernel(local, mapped);
    Translated<PeersMapped<Out, ToGlobal>> translated{mapped, how, shift};
    kernel(local, translated);
}

/// All groups at once. `parts` are of the kinds of groups, `kindOf` says which a group is, `shiftOf` where its byte
/// line begins on that of the whole.
template <class KindOf, class ShiftOf>
class InsideAll : public ByRound<InsideAll<KindOf, ShiftOf>> {
public:
    InsideAll(const shapes::Grouping& grouping, const std::vector<GroupPart>& parts, KindOf kindOf, ShiftOf shiftOf)
        : grouping_{grouping}, kindOf_{std::move(kindOf)}, shiftOf_{std::move(shiftOf)} {
        for (const GroupPart& part : parts)
            kinds_.push_back({part.schedule->facts().rounds, Borrowed{part.schedule}, part.translation});
    }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        Now now{*this, {}};
        for (const Kind& kind : kinds_)
            now.kernels.push_back(kind.kernel.now(round.value < kind.rounds ? round : Round{0}));
        now.round = round;
        use(now);
    }

private:
    struct Kind {
        std::int64_t rounds;
        Borrowed kernel;
        Translation translation;
    };

    /// What all groups do in one round.
    struct Now {
        const InsideAll& all;
        std::vector<Borrowed::Now> kernels;
        Round round{};

        /// The kind of a group that is not done; -1 when it is.
        [[nodiscard]] std::int32_t busy(std::int32_t group) const {
            const std::int32_t kind = all.kindOf_(group);
            return round.value < all.kinds_[asSize(kind)].rounds ? kind : -1;
        }
        template <class Out>
        void operator()(Rank rank, Out& out) const {
            const std::int32_t group = all.grouping_.groupOf(rank);
            const std::int32_t kind = busy(group);
            if (kind < 0) return;
            const std::int32_t first = all.grouping_.first(group);
            repeatIn(
                kernels[asSize(kind)], all.kinds_[asSize(kind)].translation, all.shiftOf_(group),
                Rank{rank.value - first}, [first](Rank local) { return Rank{first + local.value}; }, out);
        }
        template <class Call>
        void each(Rank first, Rank last, const Call& call) const {
            if (!(first < last)) return;
            for (std::int32_t group = all.grouping_.groupOf(first); group <= all.grouping_.groupOf(last - 1); ++group) {
                const std::int32_t begin = all.grouping_.first(group);
                const std::int32_t size = all.grouping_.size(group);
                if (const std::int32_t kind = busy(group); kind >= 0)
                    kernels[asSize(kind)].each(Rank{std::max(first.value - begin, 0)},
                                               Rank{std::min(last.value - begin, size)},
                                               [&](Rank local) { call(Rank{begin + local.value}); });
            }
        }
    };

    shapes::Grouping grouping_;
    KindOf kindOf_;
    ShiftOf shiftOf_;
    std::vector<Kind> kinds_;
};

/// A schedule among the leaders of the groups: its rank g is the leader of group g.
class Between : public ByRound<Between> {
public:
    Between(const shapes::Grouping& grouping, const GroupPart& outer)
        : grouping_{grouping}, outer_{outer.schedule}, translation_{outer.translation} {}

    template <class Use>
    void prepare(Round round, const Use& use) const {
        use(Now{grouping_, outer_.now(round), translation_});
    }

private:
    struct Now {
        const shapes::Grouping& grouping;
        Borrowed::Now leaders;
        const Translation& how;

        template <class Out>
        void operator()(Rank rank, Out& out) const {
            const std::int32_t group = grouping.groupOf(rank);
            if (rank != grouping.leader(group)) return;
            repeatIn(
                leaders, how, 0, Rank{group}, [this](Rank local) { return grouping.leader(local.value); }, out);
        }
        template <class Call>
        void each(Rank first, Rank last, const Call& call) const {
            if (!(first < last)) return;
            leaders.each(Rank{grouping.groupOf(first)}, Rank{grouping.groupOf(last - 1) + 1}, [&](Rank group) {
                const Rank leader = grouping.leader(group.value);
                if (first <= leader && leader < last) call(leader);
            });
        }
    };

    shapes::Grouping grouping_;
    Borrowed outer_;
    Translation translation_;
};

}  // namespace engine

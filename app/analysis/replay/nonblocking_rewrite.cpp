// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/replay/nonblocking_rewrite.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace app::analysis {

using emulation::Does;
using emulation::Operations;
using engine::Picoseconds;
using engine::Rank;
using traces::Recording;

namespace {

/// Another rank, a communicator and a tag.
using Channel = std::tuple<Rank, std::int32_t, std::uint32_t>;

/// Whether a rank that takes part gets nothing, and so waits for nothing.
bool getsNothing(const traces::Collective& collective, Rank rank) {
    switch (collective.operation) {
        case traces::Operation::bcast:
        case traces::Operation::scatter:
        case traces::Operation::scatterv: return rank == collective.root;
        case traces::Operation::reduce:
        case traces::Operation::gather:
        case traces::Operation::gatherv: return collective.root != traces::noRank && rank != collective.root;
        default: return false;
    }
}

/// The program of one rank.
class OfRank {
public:
    OfRank(const Recording& recording, Rank rank, Overlapped& made)
        : recording_{recording},
          rank_{rank},
          made_{made},
          doings_{made.program.program.ranks[rank]},
          begun_{made.program.begun[rank]},
          moved_(doings_.size()) {}

    void change() {
        for (std::size_t at = 0; at < doings_.size(); ++at) findReceive(at);
        std::ranges::stable_sort(earlier_, {}, &Earlier::place);
        for (std::size_t at = 0; at < doings_.size(); ++at) take(at);
        const Picoseconds end = made_.program.spent[rank_].end;
        for (const auto& [channel, number] : sends_) add(Does::awaitsSend, number, end);
        for (const auto& [communicator, ending] : collectives_) finish(ending, end);
        doings_ = std::move(changed_);
        begun_ = std::move(changedBegun_);
    }

private:
    /// A receive that is posted in front of what is at that place.
    struct Earlier {
        std::size_t place = 0;
        std::int64_t message = 0;
    };
    /// A collective that goes on beside.
    struct Ending {
        std::int64_t number = 0;
        std::int64_t lingers = 0;
    };

    [[nodiscard]] Channel channelOf(std::int64_t message, Rank other) const {
        const traces::Messages& m = recording_.messages;
        return {other, m.communicator[engine::asSize(message)], m.tag[engine::asSize(message)]};
    }
    [[nodiscard]] Channel sendsOn(std::int64_t m) const {
        return channelOf(m, recording_.messages.to[engine::asSize(m)]);
    }
    [[nodiscard]] Channel receivesOn(std::int64_t m) const {
        return channelOf(m, recording_.messages.from[engine::asSize(m)]);
    }
    [[nodiscard]] bool blocks(std::int64_t message, traces::MessageFlags flag) const {
        return (recording_.messages.flags[engine::asSize(message)] & flag) == 0;
    }
    [[nodiscard]] const traces::Collective& instanceOf(std::int64_t collective) const {
        return recording_.collectives.instances[made_.program.collectives[engine::asSize(collective)].instance];
    }

    /// Where a receive that blocks can be posted.
    void findReceive(std::size_t at) {
        const Does what = doings_.what(at);
        const std::int64_t number = doings_.number(at);
        if (begun_[at] < made_.program.setUp.ends[rank_]) start_ = at + 1;
        if (what != Does::receives && what != Does::awaitsReceive) return;
        std::size_t& free = free_.try_emplace(receivesOn(number), start_).first->second;
        if (what == Does::receives && blocks(number, traces::flag::receiveNonBlocking) && begun_[free] < begun_[at]) {
            earlier_.push_back({free, number});
            moved_[at] = true;
            ++made_.receives;
        }
        free = at + 1;
    }

    void take(std::size_t at) {
        const Does what = doings_.what(at);
        const std::int64_t number = doings_.number(at);
        const Picoseconds begun = begun_[at];
        for (; posted_ < earlier_.size() && earlier_[posted_].place == at; ++posted_)
            add(Does::receives, earlier_[posted_].message, begun);
        if (moved_[at]) return;
        if (what == Does::sends) {
            if (const auto before = sends_.find(sendsOn(number)); before != sends_.end()) {
                add(Does::awaitsSend, before->second, begun);
                sends_.erase(before);
            }
        } else if (what == Does::awaitsSend && blocks(number, traces::flag::sendNonBlocking)) {
            sends_.emplace(sendsOn(number), number);
            ++made_.sends;
            return;
        } else if ((what == Does::enters || what == Does::starts) &&
                   !made_.program.collectives[engine::asSize(number)].isSynchronisation()) {
            const std::int32_t communicator = instanceOf(number).communicator;
            if (const auto before = collectives_.find(communicator); before != collectives_.end()) {
                finish(before->second, begun);
                collectives_.erase(before);
            }
            const bool isKnown = made_.program.collectives[engine::asSize(number)].problem != nullptr;
            if (what == Does::enters && isKnown && getsNothing(instanceOf(number), rank_)) {
                add(Does::starts, number, begun);
                collectives_[communicator] = {number, doings_.number(at + 1)};
                ++made_.collectives;
                leftOut_ = at + 1;
                return;
            }
        } else if (what == Does::lingers && at == leftOut_) {
            return;
        }
        add(what, number, begun);
    }

    void finish(const Ending& ending, Picoseconds begun) {
        add(Does::ends, ending.number, begun);
        add(Does::lingers, ending.lingers, begun);
    }

    void add(Does what, std::int64_t number, Picoseconds begun) {
        changed_.add(what, number);
        changedBegun_.push_back(begun);
    }

    const Recording& recording_;
    Rank rank_;
    Overlapped& made_;
    Operations& doings_;
    std::vector<Picoseconds>& begun_;
    std::map<Channel, std::size_t> free_;         // from which place on it has a buffer for the next message
    std::size_t start_ = 0;                       // the place behind MPI_Init
    std::vector<Earlier> earlier_;                // by place
    std::size_t posted_ = 0;                      // so many of these
    std::vector<bool> moved_;                     // by place: a receive that is among these
    std::map<Channel, std::int64_t> sends_;       // that nobody has awaited yet
    std::map<std::int32_t, Ending> collectives_;  // likewise, by communicator
    std::size_t leftOut_ = 0;                     // the place behind the one of these that was started last
    Operations changed_;
    std::vector<Picoseconds> changedBegun_;
};

}  // namespace

Overlapped overlapped(const Recording& recording, RecordedProgram program) {
    Overlapped made{.program = std::move(program)};
    for (const Rank rank : made.program.program.ranks.ids()) OfRank{recording, rank, made}.change();
    return made;
}

}  // namespace app::analysis

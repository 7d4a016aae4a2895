// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/collectives/message_groups.hpp"

#include "app/analysis/calls/activity.hpp"
#include "app/analysis/containers/mostly_sorted.hpp"
#include "app/analysis/containers/sorted_runs.hpp"
#include "engine/base/parallel.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::Call;
using traces::Messages;
using traces::noIndex;
using traces::noRank;
using traces::Participant;
using traces::Recording;
using traces::States;
namespace {

/// What messages of one stretch have in common.
struct Common {
    std::int32_t communicator = 0;
    std::int64_t collectives = 0;   ///< of it that the sender had left before
    std::int32_t region = noIndex;  ///< function of the program that the sender was in
    std::int64_t call = 0;          ///< which call of it
    bool nonBlocking = false;

    friend auto operator<=>(const Common&, const Common&) = default;
};

/// Tells for messages of one rank, in the order of sending, which call of a function of the program they lie in.
class Calls {
public:
    Calls(const Recording& recording, Rank rank) : recording_{recording} {
        const std::int32_t location = recording.locationOf(rank);
        if (location != noIndex && static_cast<std::size_t>(location) < recording.states.size())
            states_ = &recording.states[static_cast<std::size_t>(location)];
    }

    /// The innermost function below the outermost one, and how many calls of it came before.
    std::pair<std::int32_t, std::int64_t> at(Picoseconds time) {
        if (states_ == nullptr) return {noIndex, 0};
        for (; next_ < states_->size() && states_->begin[next_] <= time; ++next_) {
            const std::int32_t region = states_->region[next_];
            const traces::Region& its = recording_.regions[static_cast<std::size_t>(region)];
            if (isMpiCall(its) || isKnownByCalls(its)) continue;
            open_.push_back({region, states_->depth[next_], states_->end[next_], calls_[region]++});
        }
        while (!open_.empty() && open_.back().end < time) open_.pop_back();
        for (auto call = open_.rbegin(); call != open_.rend(); ++call)
            if (call->end >= time && call->depth > 0) return {call->region, call->number};
        return {noIndex, 0};
    }

private:
    struct Open {
        std::int32_t region;
        std::uint16_t depth;
        Picoseconds end;
        std::int64_t number;
    };
    const Recording& recording_;
    const States* states_ = nullptr;
    std::size_t next_ = 0;
    std::vector<Open> open_;
    std::map<std::int32_t, std::int64_t> calls_;
};

/// When ranks left the collectives of their communicators.
class LeavingTimes {
public:
    explicit LeavingTimes(const Recording& recording) {
        for (const traces::Collective& collective : recording.collectives.instances)
            // Handles are made and freed between messages that belong together.
            if (isCommunication(collective.operation))
                for (const Participant& part : recording.collectives.of(collective))
                    times_[{collective.communicator, part.rank}].push_back(part.end);
        for (auto& [who, times] : times_)
            if (!std::is_sorted(times.begin(), times.end())) std::sort(times.begin(), times.end());
    }

    [[nodiscard]] std::span<const Picoseconds> of(std::int32_t communicator, Rank rank) const {
        const auto entry = times_.find({communicator, rank});
        return entry == times_.end() ? std::span<const Picoseconds>{} : std::span<const Picoseconds>{entry->second};
    }

private:
    std::map<std::pair<std::int32_t, Rank>, std::vector<Picoseconds>> times_;
};

/// Tells for messages of one rank how many collectives of their communicator it had left before.
class Leaving {
public:
    Leaving(const LeavingTimes& all, Rank rank) : all_{all}, rank_{rank} {}

    std::int64_t before(std::int32_t communicator, Picoseconds time) {
        if (communicator != communicator_) {
            of_ = all_.of(communicator, rank_);
            communicator_ = communicator, left_ = 0;
        }
        // Mostly no other one was left since the last message.
        if ((left_ > 0 && of_[left_ - 1] > time) || (left_ < of_.size() && of_[left_] <= time))
            left_ = static_cast<std::size_t>(std::upper_bound(of_.begin(), of_.end(), time) - of_.begin());
        return static_cast<std::int64_t>(left_);
    }

private:
    const LeavingTimes& all_;
    Rank rank_;
    std::span<const Picoseconds> of_;  ///< those of `communicator_`
    std::int32_t communicator_ = noIndex;
    std::size_t left_ = 0;
};

/// Messages of one rank that follow each other with one mark.
struct Marked {
    Common mark;
    std::uint32_t first = 0;  ///< place among those that were chosen
    std::uint32_t count = 0;
};

/// Of messages of one rank: those at places `first` up to `behind` of `messages`, in the order of marks.
std::vector<Marked> mark(const Recording& recording, const LeavingTimes& times, const ChosenMessages& messages,
                         std::size_t first, std::size_t behind) {
    const Messages& m = recording.messages;
    const Rank rank = m.from[messages[first]];
    Leaving leaving{times, rank};
    Calls calls{recording, rank};
    std::vector<Marked> found;
    for (std::size_t k = first; k < behind; ++k) {
        const std::uint32_t i = messages[k];
        Common mark{.communicator = m.communicator[i],
                    .collectives = leaving.before(m.communicator[i], m.sendBegin[i]),
                    .nonBlocking = (m.flags[i] & traces::flag::sendNonBlocking) != 0};
        std::tie(mark.region, mark.call) = calls.at(m.sendBegin[i]);
        if (found.empty() || found.back().mark != mark) found.push_back({mark, static_cast<std::uint32_t>(k), 0});
        ++found.back().count;
    }
    sortMostlySorted(std::span{found}, [](const Marked& a, const Marked& b) { return a.mark < b.mark; });
    return found;
}

/// Messages of one stretch, one sender after the other, and how often each sender repeats its own.
class Repetitions {
public:
    Repetitions(const Recording& recording, const Stretch& stretch)
        : messages_{recording.messages}, indices_{stretch.messages} {
        std::int64_t most = 0;
        for (std::size_t k = 0; k < indices_.size(); ++k) {
            if (k > 0 && messages_.from[indices_[k]] == messages_.from[indices_[k - 1]]) continue;
            if (k > 0) most = std::gcd(most, static_cast<std::int64_t>(k - begins_.back()));
            begins_.push_back(k);
        }
        if (begins_.empty()) return;
        most = std::gcd(most, static_cast<std::int64_t>(indices_.size() - begins_.back()));
        begins_.push_back(indices_.size());
        const traces::Communicator& communicator =
            recording.communicators[static_cast<std::size_t>(stretch.communicator)];
        if (most < 2 || !communicator.remote.empty()) return;
        for (std::int64_t times = most; times > 1; --times)
            if (most % times == 0 && isRepeated(times)) {
                if (areSeparateExchanges(patternOfOne(times, communicator.members), times)) times_ = times;
                return;
            }
    }

    /// 1: the messages are one exchange.
    [[nodiscard]] std::int64_t times() const { return times_; }
    /// Puts the messages of each time together.
    void separate() {
        std::vector<std::uint32_t> separate;
        separate.reserve(indices_.size());
        for (std::size_t time = 0; time < static_cast<std::size_t>(times_); ++time)
            eachSender([&](std::span<const std::uint32_t> its) {
                const std::size_t length = its.size() / static_cast<std::size_t>(times_);
                const auto part = its.subspan(time * length, length);
                separate.insert(separate.end(), part.begin(), part.end());
            });
        std::ranges::copy(separate, indices_.begin());
    }

private:
    template <class Take>
    void eachSender(Take take) const {
        for (std::size_t k = 0; k + 1 < begins_.size(); ++k)
            take(std::span<const std::uint32_t>{indices_.subspan(begins_[k], begins_[k + 1] - begins_[k])});
    }

    [[nodiscard]] bool isRepeated(std::int64_t times) const {
        const auto isSame = [&](std::uint32_t a, std::uint32_t b) {
            return messages_.to[a] == messages_.to[b] && messages_.bytes[a] == messages_.bytes[b] &&
                   messages_.tag[a] == messages_.tag[b];
        };
        bool is = true;
        eachSender([&](std::span<const std::uint32_t> its) {
            const std::size_t length = its.size() / static_cast<std::size_t>(times);
            for (std::size_t k = length; k < its.size() && is; ++k) is = isSame(its[k], its[k - length]);
        });
        return is;
    }

    [[nodiscard]] MessagePattern patternOfOne(std::int64_t times, const std::vector<Rank>& members) const {
        std::map<Rank, Rank> place;
        for (std::size_t i = 0; i < members.size(); ++i) place[members[i]] = Rank{static_cast<std::int32_t>(i)};
        std::vector<Ends> ends;
        eachSender([&](std::span<const std::uint32_t> its) {
            for (const std::uint32_t i : its.first(its.size() / static_cast<std::size_t>(times))) {
                const auto from = place.find(messages_.from[i]), to = place.find(messages_.to[i]);
                if (from != place.end() && to != place.end()) ends.push_back({from->second, to->second});
            }
        });
        return patternOf(std::move(ends), static_cast<std::int32_t>(members.size()));
    }

    const Messages& messages_;
    std::span<std::uint32_t> indices_;
    std::vector<std::size_t> begins_;  ///< of the messages of each sender, and behind all
    std::int64_t times_ = 1;
};

}  // namespace

bool areSeparateExchanges(const MessagePattern& pattern, std::int64_t times) {
    if (pattern.ranks < 3) return false;  // ping-pong
    const std::int64_t others = pattern.ranks - 1;
    switch (pattern.kind) {
        case PatternKind::none: return false;
        // Each step of an allgather or a reduce-scatter on a ring is a shift, also where it is divided into segments; a
        // pipelined broadcast goes along a chain.
        case PatternKind::shift: return pattern.pairs == pattern.ranks && times % others != 0;
        // So are steps in both directions.
        case PatternKind::exchange: return pattern.by == 1 || (times != others / 2 && times != pattern.ranks / 2);
        case PatternKind::tree: return pattern.isStar;
        case PatternKind::allToAll: return true;
    }
    return false;
}

Stretches stretchesOf(const Recording& recording, const ChosenMessages& messages) {
    const Messages& m = recording.messages;
    const LeavingTimes times{recording};
    std::vector<std::size_t> begins;  // of the messages of a rank, and behind all
    for (std::size_t k = 0; k < messages.size(); ++k)
        if (k == 0 || m.from[messages[k]] != m.from[messages[k - 1]]) begins.push_back(k);
    begins.push_back(messages.size());
    std::vector<std::vector<Marked>> ofRank(begins.size() - 1);
    engine::parallelFor(ofRank.size(),
                        [&](std::size_t k) { ofRank[k] = mark(recording, times, messages, begins[k], begins[k + 1]); });
    std::vector<Marked> marked;
    for (std::vector<Marked>& its : ofRank) {
        marked.insert(marked.end(), its.begin(), its.end());
        its = {};
    }
    std::vector<std::uint32_t> order(marked.size());
    std::iota(order.begin(), order.end(), 0U);
    mergeRuns(order, [&](std::uint32_t a, std::uint32_t b) { return marked[a].mark < marked[b].mark; });
    Stretches stretches;
    stretches.indices.resize(messages.size());
    const std::span<std::uint32_t> indices{stretches.indices};
    std::size_t next = 0;
    for (std::size_t k = 0; k < order.size();) {
        const Common& mark = marked[order[k]].mark;
        const std::size_t first = next;
        for (; k < order.size() && marked[order[k]].mark == mark; ++k)
            for (std::uint32_t i = 0; i < marked[order[k]].count; ++i)
                indices[next++] = messages[marked[order[k]].first + i];
        Stretch stretch{mark.communicator, indices.subspan(first, next - first)};
        Repetitions repeated{recording, stretch};
        const auto often = static_cast<std::size_t>(repeated.times());
        if (often > 1) repeated.separate();
        const std::size_t length = stretch.messages.size() / often;
        for (std::size_t time = 0; time < often; ++time)
            stretches.all.push_back({mark.communicator, stretch.messages.subspan(time * length, length)});
    }
    return stretches;
}

}  // namespace app::analysis

// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/critical_path/critical_path.hpp"

#include "app/analysis/messages/message_ends.hpp"
#include "app/analysis/selection/partial_runs.hpp"

#include <algorithm>

namespace app::analysis {

using engine::MessageRecord;
using engine::Picoseconds;
using engine::Rank;

namespace {

/// Walks back from the end of a message.
class Walk {
public:
    /// `seen`: of each message whether it was met; none at first.
    Walk(const engine::Run& run, OverEnds& over, const std::vector<Picoseconds>& arrived, std::vector<bool>& seen)
        : run_{run}, over_{over}, arrived_{arrived}, seen_{seen} {}

    /// To `end`, and what its rank let pass until `time`; of a longer way the last `most` messages.
    Chain to(const MessageEnd& end, Picoseconds time, std::size_t most) {
        std::optional<MessageEnd> at = end;
        now_ = time;
        rank_ = rankOf(end);
        std::size_t left = most;
        for (; at && left > 0; --left) {
            pass(at->end);
            at = back(*at);
        }
        if (!at) pass(Picoseconds{});
        std::reverse(chain_.steps.begin(), chain_.steps.end());
        std::reverse(chain_.messages.begin(), chain_.messages.end());
        return std::move(chain_);
    }

    [[nodiscard]] const std::vector<std::uint32_t>& met() const { return met_; }

private:
    [[nodiscard]] Rank rankOf(const MessageEnd& end) const {
        return end.isSend ? run_.messages.from()[end.message] : run_.messages.to()[end.message];
    }

    /// `rank_` was inactive back to `time`.
    void pass(Picoseconds time) {
        if (time >= now_) return;
        chain_.steps.push_back({false, rank_, rank_, {}, 0, time, now_});
        now_ = time;
    }

    /// Follows the message that `end` belongs to, and says what came before it.
    std::optional<MessageEnd> back(const MessageEnd& end) {
        seen_[end.message] = true;
        met_.push_back(end.message);
        const MessageRecord m = run_.messages[end.message];
        // A send that was over before the message arrived stands for itself; its receiver had no part in it.
        const bool alone = end.isSend && m.sendEnd < m.receiveEnd;
        const Picoseconds begin = std::max(Picoseconds{}, alone ? m.sendBegin : transferBegin(m));
        if (begin < now_) {
            chain_.steps.push_back({true, m.from, m.to, m.round, m.bytes, begin, now_});
            chain_.messages.push_back(end.message);
            now_ = begin;
        }
        const auto ofSender = before(m.from, end.message);
        const auto ofReceiver = alone ? std::nullopt : before(m.to, end.message);
        bool senderLast = alone || m.sendBegin > m.receiveBegin;
        const auto ready = [&](Rank rank, const std::optional<MessageEnd>& former) {
            return std::max(arrived_[rank.index()], former ? former->end : Picoseconds{});
        };
        if (!alone && m.sendBegin == m.receiveBegin) senderLast = ready(m.from, ofSender) >= ready(m.to, ofReceiver);
        rank_ = senderLast ? m.from : m.to;
        return senderLast ? ofSender : ofReceiver;
    }

    /// What `rank` finished last before now. Clocks that are apart could lead in circles: nothing is taken twice.
    [[nodiscard]] std::optional<MessageEnd> before(Rank rank, std::uint32_t message) {
        const auto found = over_.before(rank, now_, message);
        return found && !seen_[found->message] ? found : std::nullopt;
    }

    const engine::Run& run_;
    OverEnds& over_;
    const std::vector<Picoseconds>& arrived_;
    std::vector<bool>& seen_;
    std::vector<std::uint32_t> met_;
    Chain chain_;
    Picoseconds now_{};
    Rank rank_;
};

/// The end of a message that comes last of all.
std::optional<MessageEnd> lastOf(const engine::Run& run) {
    std::optional<MessageEnd> latest;
    for (std::uint32_t i = 0; i < run.messages.size(); ++i) {
        const MessageRecord m = run.messages[i];
        for (const MessageEnd& end :
             {MessageEnd{m.receiveBegin, m.receiveEnd, i, false}, MessageEnd{m.sendBegin, m.sendEnd, i, true}})
            if (!latest || end.end > latest->end) latest = end;
    }
    return latest;
}

std::vector<PathStep> wholePath(const engine::Run& run, const MessageEnd& end, Picoseconds time) {
    OverEnds over{run};
    std::vector<bool> seen(run.messages.size());
    const std::vector<Picoseconds> arrived = arrivalTimes(run);
    return Walk{run, over, arrived, seen}.to(end, time, run.messages.size()).steps;
}

/// Walks back through calls.
class CallWalk {
public:
    CallWalk(const traces::Recording& recording, const std::vector<BlockingCall>& calls, traces::TimeSpan within)
        : recording_{recording}, within_{within}, all_{recording}, threads_(engine::asSize(all_.count())) {
        for (const BlockingCall& call : calls)
            threads_[engine::asSize(all_.placeOf(call.rank, call.thread))].push_back(&call);
        for (auto& its : threads_)
            std::stable_sort(its.begin(), its.end(),
                             [](const BlockingCall* a, const BlockingCall* b) { return a->end < b->end; });
    }

    std::vector<PathStep> steps() {
        if (std::all_of(threads_.begin(), threads_.end(), [](const auto& its) { return its.empty(); })) return {};
        now_ = within_.end;
        place_ = lastAtWork().value;
        while (const BlockingCall* call = before()) {
            to(call->end, pause());
            to(call->until(), stepIn(*call));
            if (call->waited()) place_ = all_.placeOf(call->late, call->lateThread);
        }
        to(within_.begin, pause());
        std::reverse(path_.begin(), path_.end());
        return std::move(path_);
    }

private:
    /// Whose own doing ended last: what comes after it entered MPI_Finalize is not its own.
    [[nodiscard]] Rank lastAtWork() const {
        std::vector<Picoseconds> ends(engine::asSize(recording_.ranks));
        for (std::size_t i = 0; i < recording_.locations.size(); ++i) {
            const traces::Location& location = recording_.locations[i];
            if (!location.speaksForRank) continue;
            Picoseconds end = location.last;
            const traces::States& states = recording_.states[i];
            for (std::size_t s = states.size(); s-- > 0 && states.end[s] >= end;)
                if (recording_.regions[engine::asSize(states.region[s])].call == traces::Call::setup)
                    end = std::min(end, states.begin[s]);
            ends[location.rank.index()] = std::min(end, within_.end);
        }
        for (std::size_t rank = 0; rank < ends.size(); ++rank) {
            std::optional<Picoseconds> waitsFrom;  // until the end of the time
            for (const BlockingCall* call : threads_[rank]) {
                if (call->begin >= within_.end) continue;
                ends[rank] = std::max(ends[rank], std::min(call->end, within_.end));
                if (call->waited() && call->until() >= within_.end)
                    waitsFrom = std::min(call->begin, waitsFrom.value_or(call->begin));
            }
            if (waitsFrom) ends[rank] = *waitsFrom;
        }
        return Rank{static_cast<std::int32_t>(std::max_element(ends.begin(), ends.end()) - ends.begin())};
    }

    /// The call that the thread was in last before now; never again one that it was in then.
    const BlockingCall* before() {
        auto& its = threads_[engine::asSize(place_)];
        while (!its.empty() && (its.back()->end > now_ || its.back()->begin >= now_)) its.pop_back();
        if (its.empty()) return nullptr;
        const BlockingCall* call = its.back();
        its.pop_back();
        return call;
    }

    [[nodiscard]] PathStep pause() const {
        const auto [rank, thread] = all_.at(place_);
        return {.rank = rank, .to = rank, .thread = thread};
    }

    [[nodiscard]] PathStep stepIn(const BlockingCall& call) const {
        if (call.message == Wait::none)
            return {.rank = call.rank,
                    .to = call.rank,
                    .instance = call.instance,
                    .thread = call.thread,
                    .isAfterLock = call.kind == WaitKind::windowContention};
        const traces::Messages& m = recording_.messages;
        return {
            .isMessage = true, .rank = m.from[call.message], .to = m.to[call.message], .bytes = m.bytes[call.message]};
    }

    /// Back to `time`, by this step.
    void to(Picoseconds time, PathStep step) {
        time = std::max(time, within_.begin);
        if (time >= now_) return;
        step.begin = time;
        step.end = now_;
        path_.push_back(step);
        now_ = time;
    }

    const traces::Recording& recording_;
    traces::TimeSpan within_;
    Threads all_;
    std::vector<std::vector<const BlockingCall*>> threads_;  ///< by place: its calls by their ends
    std::vector<PathStep> path_;
    Picoseconds now_{};
    std::int32_t place_ = 0;  ///< of the thread that the path is on
};

}  // namespace

std::vector<PathStep> criticalPath(const traces::Recording& recording, const std::vector<BlockingCall>& calls,
                                   traces::TimeSpan within) {
    return CallWalk{recording, calls, within}.steps();
}

std::vector<PathStep> criticalPath(const engine::Run& run) {
    const std::optional<MessageEnd> end = lastOf(run);
    return end ? wholePath(run, *end, run.duration) : std::vector<PathStep>{};
}

std::vector<PathStep> criticalPath(const engine::Run& run, std::uint32_t message) {
    const Picoseconds end = run.messages.receiveEnd()[message];
    return wholePath(run, {run.messages.receiveBegin()[message], end, message, false}, end);
}

Chains::Chains(const engine::Run& run)
    : run_{run}, over_{run}, arrived_{arrivalTimes(run)}, seen_(run.messages.size()) {}

Chain Chains::to(std::uint32_t message, std::size_t most) {
    const Picoseconds end = run_.messages.receiveEnd()[message];
    Walk walk{run_, over_, arrived_, seen_};
    Chain chain = walk.to({run_.messages.receiveBegin()[message], end, message, false}, end, most);
    // A message of no length is met, too, but is no step.
    for (const std::uint32_t met : walk.met()) seen_[met] = false;
    return chain;
}

std::optional<std::uint32_t> Chains::ofRank(Rank rank, Picoseconds time) {
    const std::optional<MessageEnd> end = over_.after(rank, time);
    return end ? std::optional{end->message} : std::nullopt;
}

PathTotals totalsOf(const std::vector<PathStep>& path) {
    PathTotals totals;
    for (const PathStep& step : path) {
        const Picoseconds time = step.end - step.begin;
        if (step.isMessage) {
            ++totals.messages;
            totals.bytes += step.bytes;
            totals.moving += time;
        } else {
            totals.between += time;
        }
    }
    return totals;
}

}  // namespace app::analysis

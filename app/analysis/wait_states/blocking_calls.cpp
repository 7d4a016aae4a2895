// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/wait_states/blocking_calls.hpp"

#include "app/analysis/calls/mpi_call_timeline.hpp"
#include "app/analysis/calls/send_modes.hpp"
#include "app/analysis/calls/thread_ids.hpp"
#include "app/analysis/containers/mostly_sorted.hpp"
#include "engine/base/parallel.hpp"
#include "traces/recording/by_rank.hpp"
#include "traces/storage/large_pages.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>
#include <numeric>
#include <span>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::Messages;
using traces::Recording;

namespace {

/// One end of a message within the call that it kept.
struct Kept {
    Picoseconds begin{};  ///< of the call
    std::uint32_t message = 0;
    bool sends = false;
    bool firstIsEnough = false;
    ThreadNumber thread = 0;  ///< of its rank
};

template <class T>
using Large = std::vector<T, traces::LargePageAllocator<T>>;

/// Empty, with room for `count`.
template <class T>
void roomFor(Large<T>& values, std::size_t count) {
    values.clear();
    if (count <= values.capacity()) return;
    values = {};
    values.reserve(count);
}

/// The calls of a rank, and the ends of messages that they come from. What took room for one rank takes it for the
/// next: fresh memory has to be cleared first, which costs more than what is written to it.
struct CallsOfRank {
    Large<Kept> ends;
    Large<BlockingCall> calls;
};

/// Ends of sends and of receives, each in the order of their calls, as one sequence: of one call the sends come first.
class InOrderOfCalls {
public:
    InOrderOfCalls(std::span<const Kept> sends, std::span<const Kept> receives) : sends_{sends}, receives_{receives} {}

    [[nodiscard]] bool empty() const { return sends_.empty() && receives_.empty(); }
    /// How many are left.
    [[nodiscard]] std::size_t receives() const { return receives_.size(); }
    [[nodiscard]] const Kept& front() const { return sendsFirst() ? sends_.front() : receives_.front(); }
    void next() {
        std::span<const Kept>& its = sendsFirst() ? sends_ : receives_;
        its = its.subspan(1);
    }

private:
    [[nodiscard]] bool sendsFirst() const {
        return receives_.empty() || (!sends_.empty() && sends_.front().begin <= receives_.front().begin);
    }
    std::span<const Kept> sends_, receives_;
};

/// When the earliest of those messages was sent that are received from a certain one on; receives are sorted by calls.
class EarliestBehind {
public:
    /// `sent`: when which message was.
    EarliestBehind(std::span<const Kept> receives, std::span<const Picoseconds> sent)
        : receives_{receives}, sent_{sent}, behind_(receives.size() / together + 1) {
        behind_.back() = among(receives.subspan((behind_.size() - 1) * together));
        for (std::size_t k = behind_.size() - 1; k-- > 0;)
            behind_[k] = std::min(behind_[k + 1], among(receives.subspan(k * together, together)));
    }

    [[nodiscard]] Picoseconds from(std::size_t place) const {
        const std::size_t next = (place + together - 1) / together;
        if (next == behind_.size()) return among(receives_.subspan(place));
        return std::min(behind_[next], among(receives_.subspan(place, next * together - place)));
    }

private:
    static constexpr std::size_t together = 1024;

    [[nodiscard]] Picoseconds among(std::span<const Kept> some) const {
        Picoseconds earliest = Picoseconds::max();
        for (const Kept& end : some) earliest = std::min(earliest, sent_[end.message]);
        return earliest;
    }

    std::span<const Kept> receives_;
    std::span<const Picoseconds> sent_;
    std::vector<Picoseconds> behind_;  ///< from each `together`-th on
};

/// A receiver that waits while a message that was sent before is there, which it takes in a later call, takes them in
/// the wrong order, unless the call receives others, too. `receives` and `calls` are sorted by calls; `sent`: when
/// which message was; `earliest`: of what is taken in calls behind these.
void tellWrongOrder(std::span<BlockingCall> calls, std::span<const Kept> receives, std::span<const Picoseconds> sent,
                    Picoseconds earliest) {
    for (std::size_t i = calls.size(); i-- > 0;) {
        for (; !receives.empty() && receives.back().begin > calls[i].begin;
             receives = receives.first(receives.size() - 1))
            earliest = std::min(earliest, sent[receives.back().message]);
        BlockingCall& call = calls[i];
        // A call that completes several receives takes them in any order.
        const bool isOne = receives.size() < 2 || receives[receives.size() - 2].begin < call.begin;
        if (isOne && call.kind == WaitKind::lateSender && call.waited() && earliest < sent[call.message])
            call.kind = WaitKind::wrongOrder;
    }
}

/// What the calls of a rank are found from.
struct EndsOfCalls {
    std::size_t sends = 0;              ///< the first ones of CallsOfRank::ends
    std::span<const Picoseconds> sent;  ///< by message
    bool areOfThreads = false;          ///< several threads call MPI: what one receives says nothing of another's order
};

constexpr std::size_t allAtOnce = ~std::size_t{0};

/// Hands the calls that the ends lie in to `take`, in their order, at most so many at once: ends of one call become
/// one. Sorts both by their calls. `callOf(end)` is what one of them alone would be.
template <class CallOf, class Take>
void join(CallsOfRank& its, const EndsOfCalls& of, std::size_t atOnce, CallOf callOf, Take take) {
    Large<BlockingCall>& calls = its.calls;
    const auto earlier = [](const Kept& a, const Kept& b) { return a.begin < b.begin; };
    const auto ofSends = std::span{its.ends}.first(of.sends), ofReceives = std::span{its.ends}.subspan(of.sends);
    sortMostlySorted(ofSends, earlier);
    sortMostlySorted(ofReceives, earlier);
    const EarliestBehind earliest{ofReceives, of.sent};
    roomFor(calls, std::min(its.ends.size(), atOnce));
    for (InOrderOfCalls ends{ofSends, ofReceives}; !ends.empty();) {
        calls.clear();
        const std::size_t before = ofReceives.size() - ends.receives();
        while (!ends.empty() && calls.size() < atOnce) {
            const bool firstIsEnough = ends.front().firstIsEnough;
            const std::size_t first = ofReceives.size() - ends.receives();
            BlockingCall call = callOf(ends.front());
            Picoseconds over = call.end;
            for (ends.next(); !ends.empty() && ends.front().begin == call.begin && ends.front().thread == call.thread;
                 ends.next()) {
                const BlockingCall other = callOf(ends.front());
                over = std::max(over, other.end);
                if (firstIsEnough ? other.until() < call.until() : call.until() < other.until()) call = other;
            }
            // Requests are completed one after the other: a send that is found complete behind a receive may have been
            // so before. The receive counts if its sender is the same rank, or came nearly as late.
            if (call.kind == WaitKind::lateReceiver && !firstIsEnough) {
                const BlockingCall send = call;
                for (const Kept& end : ofReceives.subspan(first, ofReceives.size() - ends.receives() - first)) {
                    const BlockingCall other = callOf(end);
                    if (!other.waited() || send.came > other.end) continue;
                    const bool isNearly = 10 * (send.came - other.came) <= send.came - send.begin;
                    if (other.late != send.late && !isNearly) continue;
                    if (call.kind == WaitKind::lateReceiver || other.came > call.came) call = other;
                }
            }
            // It lasts as long as any of them, but is kept waiting by this one no longer than that one takes.
            call.came = std::min(call.came, std::max(call.begin, call.end));
            if (!firstIsEnough) call.end = over;
            calls.push_back(call);
        }
        const std::size_t behind = ofReceives.size() - ends.receives();
        if (!of.areOfThreads)
            tellWrongOrder(calls, ofReceives.subspan(before, behind - before), of.sent, earliest.from(behind));
        take(std::span<const BlockingCall>{calls});
    }
}

/// Who sends is kept only where the receiver came before the message was gone, and not by an eager message.
BlockingCall sending(Rank from, Rank to, Picoseconds begin, Picoseconds end, Picoseconds receiverCame,
                     std::uint32_t message, bool isEager = false) {
    return {.rank = from,
            .begin = begin,
            .end = end,
            .kind = WaitKind::lateReceiver,
            .late = to,
            .came = end > receiverCame && from != to && !isEager ? receiverCame : begin,
            .message = message};
}

BlockingCall receiving(Rank from, Rank to, Picoseconds begin, Picoseconds end, Picoseconds senderCame,
                       std::uint32_t message) {
    return {.rank = to,
            .begin = begin,
            .end = end,
            .kind = WaitKind::lateSender,
            .late = from,
            .came = from != to ? senderCame : begin,
            .message = message};
}

void tell(const engine::Progress& progress, std::int32_t rank, std::int32_t ranks) {
    progress.at(static_cast<double>(rank) / static_cast<double>(std::max(ranks, 1)));
}

constexpr std::size_t worthThreads = std::size_t{1} << 16;  // ends of messages

/// The chosen messages of a recording, by rank.
class OfRecording {
public:
    OfRecording(const Recording& recording, const Selection& selection)
        : OfRecording{recording, selectedMessages(recording, selection)} {}

    [[nodiscard]] std::size_t endsOf(Rank rank) const {
        return firstSent_[rank.index() + 1] - firstSent_[rank.index()] + receives_.of(rank).size();
    }

    /// Hands the calls of a rank to `take`, at most so many at once.
    template <class Take>
    void find(Rank rank, CallsOfRank& its, std::size_t atOnce, Take take) const {
        roomFor(its.ends, endsOf(rank));
        its.calls.clear();
        if (endsOf(rank) == 0) return;
        const Messages& m = recording_.messages;
        const MpiCalls calls{recording_, regions_, locations_[rank.index()]};
        Large<Kept>& kept = its.ends;
        const bool areOfThreads = calls.locations() > 1;
        const auto callOfEnd = [&](bool sends, bool posted, Picoseconds begin, Picoseconds completed) {
            if (!areOfThreads) return posted || !sends ? calls.at(completed) : calls.beginning(begin, completed);
            // The thread that posted a request is taken to complete it.
            const std::optional<MpiCall> first = calls.beginning(begin, posted ? begin : completed);
            if (!posted || !first) return first;
            const std::optional<MpiCall> last = calls.at(completed, first->location);
            return last ? last : calls.at(completed);
        };
        const auto keep = [&](std::uint32_t i, bool sends, bool posted, Picoseconds begin, Picoseconds completed) {
            const std::optional<MpiCall> call = callOfEnd(sends, posted, begin, completed);
            // Where no call is known that completed it, nothing says that the rank waited.
            if (posted && !call) return;
            kept.push_back({!call                        ? begin
                            : !sends && probed(*call, i) ? call->probing->begin
                                                         : call->begin,
                            i, sends, call && call->firstIsEnough,
                            areOfThreads && call ? threads_[call->location] : ThreadNumber{0}});
        };
        for (std::size_t k = firstSent_[rank.index()]; k < firstSent_[rank.index() + 1]; ++k) {
            const std::uint32_t i = chosen_[k];
            if ((m.flags[i] & traces::flag::sendEndUnknown) == 0)
                keep(i, true, (m.flags[i] & traces::flag::sendNonBlocking) != 0, m.sendBegin[i], m.sendEnd[i]);
        }
        const EndsOfCalls ends{kept.size(), m.sendBegin.span(), areOfThreads};
        for (const std::uint32_t k : receives_.of(rank)) {
            const std::uint32_t i = chosen_[k];
            keep(i, false, (m.flags[i] & traces::flag::receiveNonBlocking) != 0, m.receiveBegin[i], m.receiveEnd[i]);
        }
        const auto callOf = [&](const Kept& end) {
            const std::uint32_t i = end.message;
            BlockingCall call = end.sends
                                    ? sending(rank, m.to[i], end.begin, m.sendEnd[i], m.receiveBegin[i], i, isEager(i))
                                    : receiving(m.from[i], rank, end.begin, m.receiveEnd[i], m.sendBegin[i], i);
            call.thread = end.thread;
            if (!posting_.empty()) call.lateThread = end.sends ? posting_[i].receive : posting_[i].send;
            return call;
        };
        join(its, ends, atOnce, callOf, take);
    }

private:
    [[nodiscard]] bool isEager(std::uint32_t i) const {
        return recording_.messages.bytes[i] <= eagerLimit_ && (synchronous_.empty() || synchronous_[i] == 0);
    }

    /// Whether a probe before the call that received message `i` waited for it: it was sent before that was over.
    [[nodiscard]] bool probed(const MpiCall& call, std::uint32_t i) const {
        const Messages& m = recording_.messages;
        return call.probing && (m.flags[i] & traces::flag::receiveNonBlocking) == 0 &&
               m.sendBegin[i] <= call.probing->end;
    }

    OfRecording(const Recording& recording, ChosenMessages chosen)
        : recording_{recording},
          chosen_{std::move(chosen)},
          firstSent_(engine::asSize(recording.ranks) + 1),
          receives_{receivers(), recording.ranks},
          locations_{locationsOfRanks(recording)},
          regions_{recording},
          eagerLimit_{eagerLimit(recording).value_or(-1)} {
        if (eagerLimit_ >= 0) synchronous_ = synchronousSends(recording);
        findThreads();
        ranks_ = {};
        for (std::size_t k = 0; k < chosen_.size(); ++k) ++firstSent_[recording.messages.from[chosen_[k]].index() + 1];
        std::partial_sum(firstSent_.begin(), firstSent_.end(), firstSent_.begin());
    }

    /// Of the chosen messages; of all of them as they lie.
    std::span<const Rank> receivers() {
        const std::span<const Rank> all = recording_.messages.to.span();
        if (chosen_.size() == all.size()) return all;
        for (std::size_t k = 0; k < chosen_.size(); ++k) ranks_.push_back(all[chosen_[k]]);
        return ranks_;
    }

    /// Where ranks call MPI on several threads: which threads posted both ends of each message.
    void findThreads() {
        threads_.resize(recording_.locations.size());
        const Threads threads{recording_};
        for (std::int32_t place = recording_.ranks; place < threads.count(); ++place) {
            const auto [rank, thread] = threads.at(place);
            threads_[engine::asSize(threads.locationOf(rank, thread))] = thread;
        }
        std::vector<std::optional<MpiCalls>> calls(locations_.size());
        bool areSeveral = false;
        for (std::size_t rank = 0; rank < calls.size(); ++rank) {
            if (locations_[rank].size() < 2) continue;
            calls[rank].emplace(recording_, regions_, locations_[rank]);
            if (calls[rank]->locations() < 2) calls[rank].reset();
            areSeveral = areSeveral || calls[rank];
        }
        if (!areSeveral) return;
        const auto threadAt = [&](Rank rank, Picoseconds time) {
            if (!calls[rank.index()]) return ThreadNumber{0};
            const std::optional<MpiCall> call = calls[rank.index()]->beginning(time, time);
            return call ? threads_[call->location] : ThreadNumber{0};
        };
        const Messages& m = recording_.messages;
        posting_.resize(m.size());
        for (std::size_t i = 0; i < m.size(); ++i)
            posting_[i] = {threadAt(m.from[i], m.sendBegin[i]), threadAt(m.to[i], m.receiveBegin[i])};
    }

    struct PostingThreads {
        ThreadNumber send = 0;
        ThreadNumber receive = 0;
    };

    const Recording& recording_;
    ChosenMessages chosen_;               ///< which lie by their senders
    std::vector<Rank> ranks_;             ///< while they are grouped
    std::vector<std::size_t> firstSent_;  ///< of those a rank sent, and behind the last one
    traces::Grouped receives_;
    LocationsOfRanks locations_;
    MpiRegions regions_;
    engine::Bytes eagerLimit_;
    std::vector<std::uint8_t> synchronous_;
    std::vector<ThreadNumber> threads_;    ///< by location
    std::vector<PostingThreads> posting_;  ///< by message; empty where each rank calls MPI on one thread
};

WaitKind kindOf(CollectiveWait wait) {
    switch (wait) {
        case CollectiveWait::atBarrier: return WaitKind::atBarrier;
        case CollectiveWait::lateBroadcast: return WaitKind::lateBroadcast;
        case CollectiveWait::earlyReduce: return WaitKind::earlyReduce;
        case CollectiveWait::earlyScan: return WaitKind::earlyScan;
        default: return WaitKind::atNxN;
    }
}

WaitKind kindOf(Arrivals::FurtherWait::For whom) {
    switch (whom) {
        case Arrivals::FurtherWait::For::contributor: return WaitKind::lateContributor;
        case Arrivals::FurtherWait::For::root: return WaitKind::lateRoot;
        case Arrivals::FurtherWait::For::member: break;
    }
    return WaitKind::lateMember;
}

}  // namespace

void eachBlockingCall(const Recording& recording, const Selection& selection, const TakeCalls& take,
                      const engine::Progress& progress) {
    const OfRecording all{recording, selection};
    std::vector<CallsOfRank> found;
    for (Rank first{0}; first.value < recording.ranks;) {
        const Rank behind =
            engine::worthTogether(first, recording.ranks, worthThreads, [&](Rank rank) { return all.endsOf(rank); });
        found.resize(engine::asSize(behind.value - first.value));
        engine::parallelFor(
            found.size(),
            [&](std::size_t k) {
                const Rank rank{first.value + static_cast<std::int32_t>(k)};
                all.find(rank, found[k], allAtOnce, [](const auto&) {});
            },
            [&] { tell(progress, first.value, recording.ranks); });
        for (const CallsOfRank& its : found) take(its.calls);
        first = behind;
    }
}

void eachBlockingCallInParallel(const Recording& recording, const Selection& selection, const TakeCallsOfRank& take,
                                const engine::Progress& progress) {
    constexpr std::size_t nearby = 4096;  // so few that they stay near the processor
    const OfRecording all{recording, selection};
    std::vector<CallsOfRank> rooms;  // that nobody uses at present
    std::mutex guard;
    std::atomic<std::int32_t> done{0};
    engine::parallelFor(
        engine::asSize(recording.ranks),
        [&](std::size_t k) {
            const Rank rank{static_cast<std::int32_t>(k)};
            CallsOfRank room;
            if (const std::lock_guard lock{guard}; !rooms.empty()) {
                room = std::move(rooms.back());
                rooms.pop_back();
            }
            all.find(rank, room, nearby,
                     [&](std::span<const BlockingCall> calls) { take(rank, all.endsOf(rank), calls); });
            ++done;
            const std::lock_guard lock{guard};
            rooms.push_back(std::move(room));
        },
        [&] { tell(progress, done, recording.ranks); });
}

void eachBlockingCall(const Recording& recording, const Selection& selection, const std::vector<Instance>& instances,
                      const TakeCalls& take, const engine::Progress& progress) {
    std::vector<BlockingCall> chosen;
    const auto takeChosen = [&](std::span<const BlockingCall> its) {
        if (selection.part.ranks.empty()) return take(its);
        chosen.clear();
        std::copy_if(its.begin(), its.end(), std::back_inserter(chosen),
                     [&](const BlockingCall& call) { return selection.part.has(call.rank); });
        take(chosen);
    };
    for (std::uint32_t i = 0; i < instances.size(); ++i)
        if (instances[i].isCollective()) takeChosen(blockingCalls(instances[i], i));
    eachBlockingCall(recording, selection, takeChosen, progress);
}

std::vector<BlockingCall> blockingCalls(const Instance& collective, std::uint32_t number) {
    std::vector<BlockingCall> calls;
    if (collective.isAmongNeighbours()) return calls;  // ranks wait for messages
    const Arrivals arrivals = arrivalsOf(collective);
    auto more = arrivals.further.begin();
    for (std::size_t place = 0; place < collective.stays.size(); ++place) {
        if (!collective.stays[place]) continue;
        const std::optional<Picoseconds> begin = collective.blockedFrom(place);
        if (!begin) continue;
        BlockingCall call{.rank = collective.ranks[place],
                          .thread = collective.threadAt(place),
                          .begin = *begin,
                          .end = collective.stays[place]->end,
                          .kind = kindOf(arrivals.kind),
                          .lateThread = collective.threadAt(place),
                          .late = collective.ranks[place],
                          .came = *begin,
                          .instance = number};
        if (arrivals.perRank[place] > Picoseconds{}) {
            const std::size_t late = arrivals.awaited[place].index();
            call.late = collective.ranks[late];
            call.lateThread = collective.threadAt(late);
            call.came = *begin + arrivals.perRank[place];
        }
        // It waits on, for another rank, as if that were another call.
        for (; more != arrivals.further.end() && more->place == place; ++more) {
            if (call.waited()) {
                call.end = more->begin;
                calls.push_back(call);
            }
            call.begin = more->begin;
            call.end = collective.stays[place]->end;
            call.kind = kindOf(more->whom);
            call.late = collective.ranks[more->late];
            call.lateThread = collective.threadAt(more->late);
            call.came = more->begin + more->time;
            call.isProven = more->isProven;
        }
        calls.push_back(call);
    }
    return calls;
}

void eachBlockingCall(const engine::Run& run, const TakeCalls& take, const engine::Progress& progress) {
    const engine::Messages& m = run.messages;
    const traces::Grouped sends{m.from(), run.ranks};
    const traces::Grouped receives{m.to(), run.ranks};
    CallsOfRank its;
    for (Rank rank{0}; rank.value < run.ranks; ++rank) {
        if (rank.value % 64 == 0) tell(progress, rank.value, run.ranks);
        Large<Kept>& kept = its.ends;
        kept.clear();
        for (const std::uint32_t i : sends.of(rank)) kept.push_back({m.sendBegin()[i], i, true});
        for (const std::uint32_t i : receives.of(rank)) kept.push_back({m.receiveBegin()[i], i, false});
        const auto callOf = [&](const Kept& end) {
            const std::uint32_t i = end.message;
            return end.sends ? sending(rank, m.to()[i], end.begin, m.sendEnd()[i], m.receiveBegin()[i], i)
                             : receiving(m.from()[i], rank, end.begin, m.receiveEnd()[i], m.sendBegin()[i], i);
        };
        join(its, {sends.of(rank).size(), m.sendBegin()}, allAtOnce, callOf, take);
    }
}

}  // namespace app::analysis

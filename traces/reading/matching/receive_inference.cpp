// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/matching/receive_inference.hpp"

#include "engine/base/parallel.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

namespace traces::reading {
namespace {

/// A send, seen from its receiver.
struct Incoming {
    std::uint32_t sender = 0;
    std::uint32_t index = 0;    ///< among its sends
    std::uint32_t stretch = 0;  ///< between two meetings
};

/// A receive or a request for one.
struct Asked {
    std::uint32_t index = 0;
    std::uint32_t stretch = 0;
};

bool isRequest(const End& end) { return (end.flags & (End::open | End::cancelled)) == End::open; }

/// Meetings before a time.
class Stretches {
public:
    Stretches(std::span<const Interval> meetings, std::size_t common)
        : meetings_{meetings.first(std::min(common, meetings.size()))} {}
    /// Times rise.
    std::uint32_t at(std::int64_t time) {
        while (next_ < meetings_.size() && meetings_[next_].begin < time) ++next_;
        return static_cast<std::uint32_t>(next_);
    }

private:
    std::span<const Interval> meetings_;
    std::size_t next_ = 0;
};

/// A part in which as many were sent as were asked for, or the rest.
class Part {
public:
    Part(std::vector<RankEnds>& ranks, std::size_t receiver, Partners& partners, std::span<const Interval> waits,
         std::span<const Incoming> sends, std::span<const Asked> asked)
        : ranks_{ranks},
          receiver_{receiver},
          receives_{ranks[receiver].receives},
          partners_{partners},
          waits_{waits},
          asked_{asked} {
        for (const Incoming& send : sends) {
            Sender& from = senders_[send.sender];
            const End& end = endOf(send);
            envelopes_[keyOf(send.sender, end)].places.push_back(from.sends.size());
            from.sends.push_back(send.index);
        }
        for (auto& [rank, sender] : senders_) sender.taken.resize(sender.sends.size());
        for (const Asked& one : asked_) {
            const End& end = receives_[one.index];
            if (isRequest(end)) together(one);
            else ++envelopes_[keyOf(static_cast<std::uint32_t>(end.peer.value), end)].known;
        }
        for (auto& [key, envelope] : envelopes_) {
            const std::size_t more = envelope.places.size() - std::min(envelope.known, envelope.places.size());
            if (more > 0) senders_[std::get<0>(key)].forRequests += more;
        }
    }

    void match() {
        const bool isClear = plan();
        std::size_t batch = 0, inBatch = 0;
        for (const Asked& one : asked_) {
            const End& end = receives_[one.index];
            if (!isRequest(end)) {
                const auto sender = static_cast<std::uint32_t>(end.peer.value);
                Envelope& envelope = envelopes_[keyOf(sender, end)];
                if (isClear || envelope.known >= envelope.places.size()) takeKnown(sender, envelope, one.index);
                continue;
            }
            if (inBatch == batches_[batch].size) ++batch, inBatch = 0;
            if (isClear) takeFor(one.index, order_[inBatch % order_.size()], waitOf(batch, inBatch));
            ++inBatch;
        }
    }

private:
    /// Sends that fit the same receives.
    struct Envelope {
        std::vector<std::size_t> places;  ///< in Sender::sends
        std::size_t next = 0;
        std::size_t known = 0;  ///< receives that say they got one of them
    };
    struct Sender {
        std::vector<std::uint32_t> sends;
        std::vector<bool> taken;
        std::size_t next = 0;         ///< that a request may have got
        std::size_t forRequests = 0;  ///< in all
    };
    /// Requests that are posted before the rank waits again.
    struct Batch {
        std::size_t size = 0;
        std::span<const Interval> waits;  ///< behind them
    };
    using Key = std::tuple<std::uint32_t, std::int32_t, std::uint32_t>;

    static Key keyOf(std::uint32_t sender, const End& end) { return {sender, end.communicator, end.tag}; }
    [[nodiscard]] End& endOf(const Incoming& send) { return ranks_[send.sender].sends[send.index]; }

    void together(const Asked& request) {
        const std::int64_t begin = receives_[request.index].begin;
        const auto notBefore = [&](std::int64_t time) {
            return std::partition_point(waits_.begin(), waits_.end(),
                                        [&](const Interval& wait) { return wait.begin < time; });
        };
        const auto next = notBefore(begin);
        if (batches_.empty() || next != latest_) {
            if (!batches_.empty()) batches_.back().waits = {latest_, next};
            batches_.push_back({0, {next, waits_.end()}});
        }
        latest_ = next;
        ++batches_.back().size;
    }

    /// Which senders the requests of a batch were for, one after the other; false where that is not clear.
    bool plan() {
        if (batches_.empty()) return true;
        std::size_t left = 0, requests = 0;
        for (const auto& [rank, sender] : senders_)
            if (sender.forRequests > 0) left += sender.forRequests, order_.push_back(rank);
        for (const Batch& batch : batches_) requests += batch.size;
        if (left != requests) return false;
        if (order_.size() == 1) return true;
        const std::size_t times = batches_.size();
        if (std::any_of(batches_.begin(), batches_.end(),
                        [&](const Batch& batch) { return batch.size != batches_.front().size; }) ||
            std::any_of(order_.begin(), order_.end(),
                        [&](std::uint32_t rank) { return senders_[rank].forRequests % times != 0; }))
            return false;
        std::vector<std::uint32_t> slots;
        for (const std::uint32_t rank : order_) slots.insert(slots.end(), senders_[rank].forRequests / times, rank);
        order_ = std::move(slots);
        return true;
    }

    [[nodiscard]] std::int64_t waitOf(std::size_t batch, std::size_t inBatch) const {
        const std::span<const Interval> waits = batches_[batch].waits;
        return waits.empty() ? -1 : waits[std::min(inBatch, waits.size() - 1)].end;
    }

    void takeKnown(std::uint32_t rank, Envelope& envelope, std::uint32_t receive) {
        Sender& sender = senders_[rank];
        while (envelope.next < envelope.places.size() && sender.taken[envelope.places[envelope.next]]) ++envelope.next;
        if (envelope.next == envelope.places.size()) return;
        join(rank, sender, envelope.places[envelope.next++], receive);
    }

    void takeFor(std::uint32_t receive, std::uint32_t rank, std::int64_t until) {
        Sender& sender = senders_[rank];
        const auto isForRequests = [&](std::size_t place) {
            const Envelope& envelope = envelopes_[keyOf(rank, ranks_[rank].sends[sender.sends[place]])];
            return envelope.places.size() > envelope.known;
        };
        while (sender.next < sender.sends.size() && (sender.taken[sender.next] || !isForRequests(sender.next)))
            ++sender.next;
        if (sender.next == sender.sends.size()) return;
        End& its = receives_[receive];
        const End& send = ranks_[rank].sends[sender.sends[sender.next]];
        its.end = std::max(its.begin, until);
        its.peer = Rank{static_cast<std::int32_t>(rank)};
        its.communicator = send.communicator;
        its.tag = send.tag;
        its.bytes = send.bytes;
        its.flags |= End::inferred;
        join(rank, sender, sender.next++, receive);
    }

    void join(std::uint32_t rank, Sender& sender, std::size_t place, std::uint32_t receive) {
        sender.taken[place] = true;
        partners_.join(rank, sender.sends[place], receiver_, receive);
    }

    std::vector<RankEnds>& ranks_;
    std::size_t receiver_;
    Blocks<End>& receives_;
    Partners& partners_;
    std::span<const Interval> waits_;
    std::span<const Asked> asked_;
    std::map<std::uint32_t, Sender> senders_;
    std::map<Key, Envelope> envelopes_;
    std::vector<Batch> batches_;
    std::span<const Interval>::iterator latest_{};  ///< the first wait behind the latest request
    std::vector<std::uint32_t> order_;
};

void matchReceiver(std::vector<RankEnds>& ranks, std::size_t receiver, Partners& partners,
                   std::span<const Interval> waits, Growing<Incoming>& sends, Stretches stretches, Storage* storage) {
    std::sort(sends.begin(), sends.end(), [](const Incoming& a, const Incoming& b) {
        return std::tie(a.stretch, a.sender, a.index) < std::tie(b.stretch, b.sender, b.index);
    });
    const Blocks<End>& receives = ranks[receiver].receives;
    Growing<Asked> asked{storage};
    for (std::uint32_t i = 0; i < receives.size(); ++i) {
        const End& end = receives[i];
        if ((end.flags & End::cancelled) == 0 && (isRequest(end) || end.peer != noRank))
            asked.push_back({i, stretches.at(end.begin)});
    }
    std::size_t sent = 0, got = 0;  // of the part
    std::size_t s = 0, a = 0;
    const auto close = [&] {
        Part{ranks, receiver, partners, waits, sends.span().subspan(sent, s - sent), asked.span().subspan(got, a - got)}
            .match();
        sent = s, got = a;
    };
    while (s < sends.size() || a < asked.size()) {
        std::uint32_t stretch = 0xffffffff;
        if (s < sends.size()) stretch = sends[s].stretch;
        if (a < asked.size()) stretch = std::min(stretch, asked[a].stretch);
        while (s < sends.size() && sends[s].stretch == stretch) ++s;
        while (a < asked.size() && asked[a].stretch == stretch) ++a;
        if (s - sent == a - got) close();
    }
    if (s > sent || a > got) close();
}

/// One for each rank.
template <class T>
std::vector<Growing<T>> growing(std::size_t ranks, Storage* storage) {
    std::vector<Growing<T>> all;
    all.reserve(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) all.emplace_back(storage);
    return all;
}

}  // namespace

CallsOfRanks meetingsOf(const PartsOfRanks& parts, const World& world, Storage* storage) {
    CallsOfRanks meetings = growing<Interval>(parts.size(), storage);
    for (std::size_t rank = 0; rank < parts.size(); ++rank)
        for (const CollectivePart& part : parts[rank])
            if (!part.nonBlocking && part.communicator != noIndex &&
                world.communicators[engine::asSize(part.communicator)].members.size() == parts.size() &&
                joinsAll(static_cast<Operation>(part.operation)))
                meetings[rank].push_back({part.begin, part.end});
    return meetings;
}

CallsOfRanks waitsOf(const Recording& recording, std::size_t ranks, Storage* storage) {
    CallsOfRanks waits = growing<Interval>(ranks, storage);
    for (std::size_t i = 0; i < recording.states.size(); ++i) {
        if (!recording.locations[i].speaksForRank) continue;
        const States& states = recording.states[i];
        for (std::size_t s = 0; s < states.size(); ++s)
            if (recording.regions[engine::asSize(states.region[s])].call == Call::wait)
                waits[recording.locations[i].rank.index()].push_back({states.begin[s].count(), states.end[s].count()});
    }
    return waits;
}

Partners matchInferring(std::vector<RankEnds>& ranks, const CallsOfRanks& meetings, const CallsOfRanks& waits,
                        Storage* storage) {
    std::size_t common = meetings.empty() ? 0 : meetings.front().size();
    for (const Growing<Interval>& its : meetings) common = std::min(common, its.size());
    Partners partners = nobodyFor(ranks, storage);
    std::vector<Growing<Incoming>> incoming = growing<Incoming>(ranks.size(), storage);
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        const Blocks<End>& sends = ranks[rank].sends;
        Stretches stretches{meetings[rank].span(), common};
        for (std::uint32_t i = 0; i < sends.size(); ++i)
            if (sends[i].peer != noRank && (sends[i].flags & End::cancelled) == 0)
                incoming[sends[i].peer.index()].push_back({rank, i, stretches.at(sends[i].begin)});
    }
    engine::parallelFor(ranks.size(), [&](std::size_t receiver) {
        matchReceiver(ranks, receiver, partners, waits[receiver].span(), incoming[receiver],
                      Stretches{meetings[receiver].span(), common}, storage);
        incoming[receiver] = Growing<Incoming>{};
    });
    return partners;
}

}  // namespace traces::reading

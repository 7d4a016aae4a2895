// SPDX-License-Identifier: BSD-3-Clause
#include "traces/otf2/foreign.hpp"

#include "engine/error.hpp"
#include "engine/text.hpp"
#include "traces/otf2/communicators.hpp"
#include "traces/otf2/halves.hpp"
#include "traces/otf2/vocabulary.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>

namespace traces::otf2 {

using engine::Picoseconds;
using engine::Rank;
using engine::Round;
using engine::Run;
using engine::text;

namespace {

/// Gathers the messages of all ranks, one rank after the other. Times stay in ticks of the archive's clock.
class Listening {
public:
    Listening(const Source& source, const Definitions& definitions, const Communicators& communicators)
        : source_{source}, definitions_{definitions}, communicators_{communicators} {}

    void begin(std::int32_t rank) {
        rank_ = rank;
        calls_.clear();
        unfinished_.clear();
        sendRequests_.clear();
        receiveRequests_.clear();
    }

    [[nodiscard]] EventCallbacks callbacks() const;

    std::vector<Half> sends;
    std::vector<Half> receives;  ///< in the order they were posted; those of no peer never completed
    std::int64_t collectives = 0;
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    std::exception_ptr failure;

private:
    struct Call {
        std::int64_t begin = 0;
        bool isMpi = false;
    };
    struct Envelope {
        std::uint32_t peer;
        OTF2_CommRef communicator;
        std::uint32_t tag;
        std::uint64_t bytes;
    };

    /// Every event comes through here: it may be the first or the last of all.
    template <class Body>
    static OTF2_CallbackCode at(void* self, OTF2_TimeStamp time, Body body) {
        auto& all = *static_cast<Listening*>(self);
        return guarded(all.failure, [&] {
            if (time > static_cast<std::uint64_t>(largest))
                all.source_.damaged("an event lies after the end of all times");
            const auto now = static_cast<std::int64_t>(time);
            all.first = std::min(all.first, now);
            all.last = std::max(all.last, now);
            body(all, now);
        });
    }

    [[nodiscard]] Half half(const Envelope& envelope, std::int64_t begin, std::int64_t end) const {
        return {.self = rank_,
                .peer = communicators_.rankOf(envelope.communicator, envelope.peer, rank_),
                .communicator = envelope.communicator,
                .place = 0,
                .tag = envelope.tag,
                .bytes = static_cast<std::int64_t>(std::min<std::uint64_t>(envelope.bytes, largest)),
                .begin = begin,
                .end = end};
    }

    void enter(std::int64_t now, OTF2_RegionRef region) {
        const auto entry = definitions_.regions.find(region);
        calls_.push_back({now, entry != definitions_.regions.end() && entry->second.paradigm == OTF2_PARADIGM_MPI});
    }
    void leave(std::int64_t now) {
        for (const std::size_t send : unfinished_) sends[send].end = now;
        unfinished_.clear();
        if (!calls_.empty()) calls_.pop_back();
    }
    /// When the MPI call that records an event began; `now` outside of any.
    [[nodiscard]] std::int64_t callBegin(std::int64_t now) const {
        return !calls_.empty() && calls_.back().isMpi ? calls_.back().begin : now;
    }

    void send(std::int64_t now, const Envelope& envelope) {
        if (!calls_.empty() && calls_.back().isMpi) unfinished_.push_back(sends.size());
        sends.push_back(half(envelope, now, now));
    }
    void receive(std::int64_t now, const Envelope& envelope) {
        receives.push_back(half(envelope, callBegin(now), now));
    }

    void postSend(std::int64_t now, const Envelope& envelope, std::uint64_t request) {
        sendRequests_[request] = sends.size();
        sends.push_back(half(envelope, now, now));
    }
    void completeSend(std::int64_t now, std::uint64_t request) {
        if (const auto posted = sendRequests_.extract(request)) sends[posted.mapped()].end = now;
    }
    void postReceive(std::int64_t now, std::uint64_t request) {
        receiveRequests_[request] = receives.size();
        receives.push_back({.self = rank_, .peer = nobody, .begin = now, .end = now});
    }
    void completeReceive(std::int64_t now, const Envelope& envelope, std::uint64_t request) {
        const auto posted = receiveRequests_.extract(request);
        if (!posted) return receive(now, envelope);
        Half& waiting = receives[posted.mapped()];
        waiting = half(envelope, waiting.begin, now);
    }
    void cancel(std::uint64_t request) { receiveRequests_.erase(request); }

    const Source& source_;
    const Definitions& definitions_;
    const Communicators& communicators_;
    std::int32_t rank_ = 0;
    std::vector<Call> calls_;
    std::vector<std::size_t> unfinished_;  ///< blocking sends of the call the rank is in
    std::unordered_map<std::uint64_t, std::size_t> sendRequests_;
    std::unordered_map<std::uint64_t, std::size_t> receiveRequests_;
};

EventCallbacks Listening::callbacks() const {
    using Place = OTF2_LocationRef;
    using Time = OTF2_TimeStamp;
    using Position = std::uint64_t;
    using List = OTF2_AttributeList*;
    const std::string doing = "read the archive " + source_.name();
    EventCallbacks callbacks{checked(OTF2_EvtReaderCallbacks_New(), doing)};
    OTF2_EvtReaderCallbacks* to = callbacks.get();
    const auto moment = [](Place, Time time, Position, void* self, List) {
        return at(self, time, [](Listening&, std::int64_t) {});
    };
    check(OTF2_EvtReaderCallbacks_SetEnterCallback(
              to,
              [](Place, Time time, Position, void* self, List, OTF2_RegionRef region) {
                  return at(self, time, [&](Listening& all, std::int64_t now) { all.enter(now, region); });
              }),
          doing);
    check(OTF2_EvtReaderCallbacks_SetLeaveCallback(to,
                                                   [](Place, Time time, Position, void* self, List, OTF2_RegionRef) {
                                                       return at(self, time, [&](Listening& all, std::int64_t now) {
                                                           all.leave(now);
                                                       });
                                                   }),
          doing);
    check(
        OTF2_EvtReaderCallbacks_SetMpiSendCallback(to,
                                                   [](Place, Time time, Position, void* self, List, std::uint32_t peer,
                                                      OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes) {
                                                       return at(self, time, [&](Listening& all, std::int64_t now) {
                                                           all.send(now, {peer, comm, tag, bytes});
                                                       });
                                                   }),
        doing);
    check(
        OTF2_EvtReaderCallbacks_SetMpiRecvCallback(to,
                                                   [](Place, Time time, Position, void* self, List, std::uint32_t peer,
                                                      OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes) {
                                                       return at(self, time, [&](Listening& all, std::int64_t now) {
                                                           all.receive(now, {peer, comm, tag, bytes});
                                                       });
                                                   }),
        doing);
    check(OTF2_EvtReaderCallbacks_SetMpiIsendCallback(
              to,
              [](Place, Time time, Position, void* self, List, std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag,
                 std::uint64_t bytes, std::uint64_t request) {
                  return at(self, time, [&](Listening& all, std::int64_t now) {
                      all.postSend(now, {peer, comm, tag, bytes}, request);
                  });
              }),
          doing);
    check(OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(
              to,
              [](Place, Time time, Position, void* self, List, std::uint64_t request) {
                  return at(self, time, [&](Listening& all, std::int64_t now) { all.completeSend(now, request); });
              }),
          doing);
    check(OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(
              to,
              [](Place, Time time, Position, void* self, List, std::uint64_t request) {
                  return at(self, time, [&](Listening& all, std::int64_t now) { all.postReceive(now, request); });
              }),
          doing);
    check(OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(
              to,
              [](Place, Time time, Position, void* self, List, std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag,
                 std::uint64_t bytes, std::uint64_t request) {
                  return at(self, time, [&](Listening& all, std::int64_t now) {
                      all.completeReceive(now, {peer, comm, tag, bytes}, request);
                  });
              }),
          doing);
    check(OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(
              to,
              [](Place, Time time, Position, void* self, List, std::uint64_t request) {
                  return at(self, time, [&](Listening& all, std::int64_t) { all.cancel(request); });
              }),
          doing);
    check(
        OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(
            to, [](Place, Time time, Position, void* self, List, OTF2_CollectiveOp, OTF2_CommRef, std::uint32_t,
                   std::uint64_t,
                   std::uint64_t) { return at(self, time, [](Listening& all, std::int64_t) { ++all.collectives; }); }),
        doing);
    check(OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(to, moment), doing);
    check(OTF2_EvtReaderCallbacks_SetProgramBeginCallback(
              to, [](Place, Time time, Position, void* self, List, OTF2_StringRef, std::uint32_t,
                     const OTF2_StringRef*) { return at(self, time, [](Listening&, std::int64_t) {}); }),
          doing);
    check(OTF2_EvtReaderCallbacks_SetProgramEndCallback(to,
                                                        [](Place, Time time, Position, void* self, List, std::int64_t) {
                                                            return at(self, time, [](Listening&, std::int64_t) {});
                                                        }),
          doing);
    return callbacks;
}

/// Ticks since the first event, as picoseconds.
class Clock {
public:
    Clock(const Source& source, std::uint64_t ticksPerSecond, std::int64_t zero)
        : source_{source}, ticksPerSecond_{ticksPerSecond}, zero_{zero} {}

    [[nodiscard]] Picoseconds operator()(std::int64_t ticks) const {
        const __int128 time = static_cast<__int128>(ticks - zero_) * otf2::ticksPerSecond / ticksPerSecond_;
        if (time > largest) source_.damaged("it lasts longer than 50 days");
        return Picoseconds{static_cast<std::int64_t>(time)};
    }

private:
    const Source& source_;
    std::uint64_t ticksPerSecond_;
    std::int64_t zero_;
};

/// How each rank spent `duration`. Times of one rank overlap in any way here.
std::vector<engine::RankTimes> rankTimes(const engine::Messages& messages, std::int32_t ranks, Picoseconds duration) {
    using Interval = std::pair<Picoseconds, Picoseconds>;
    std::vector<std::vector<Interval>> intervals(static_cast<std::size_t>(ranks));
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const engine::MessageRecord m = messages[i];
        intervals[static_cast<std::size_t>(m.from.value)].emplace_back(m.sendBegin, m.sendEnd);
        intervals[static_cast<std::size_t>(m.to.value)].emplace_back(m.receiveBegin, m.receiveEnd);
    }
    std::vector<engine::RankTimes> perRank;
    for (std::vector<Interval>& own : intervals) {
        std::sort(own.begin(), own.end());
        Picoseconds busy{}, last{};
        for (const auto& [begin, end] : own) {
            busy += std::max(Picoseconds{}, end - std::max(begin, last));
            last = std::max(last, end);
        }
        perRank.push_back({busy, last - busy, duration - last});
    }
    return perRank;
}

Run assemble(const Source& source, const Definitions& definitions, const Listening& all, std::int32_t ranks) {
    Run run;
    run.setting.on = "trace";
    run.ranks = ranks;
    const Clock clock{source, definitions.ticksPerSecond, std::min(all.first, all.last)};
    if (all.first <= all.last) run.duration = clock(all.last);
    const std::vector<std::size_t> partner = match(all.sends, all.receives, ranks);
    engine::RoundTimes round{run.duration, {}, 0, 0, 0};
    for (std::size_t i = 0; i < all.sends.size(); ++i) {
        if (partner[i] == alone) continue;
        const Half& send = all.sends[i];
        const Half& receive = all.receives[partner[i]];
        const engine::MessageRecord message{Rank{send.self},      Rank{send.peer},   Round{0},
                                            send.bytes,           clock(send.begin), clock(send.end),
                                            clock(receive.begin), clock(receive.end)};
        run.messages.push(message, {});
        round.begin = std::min({round.begin, message.sendBegin, message.receiveBegin});
        round.end = std::max({round.end, message.sendEnd, message.receiveEnd});
        round.bytes += message.bytes;
        round.largest = std::max(round.largest, message.bytes);
    }
    round.messages = run.messageCount = static_cast<std::int64_t>(run.messages.size());
    run.byteCount = round.bytes;
    if (round.messages > 0) {
        run.rounds = 1;
        run.perRound.push_back(round);
    }
    run.perRank = rankTimes(run.messages, ranks, run.duration);
    return run;
}

void addRemarks(const Listening& all, Run& run) {
    run.remarks.emplace_back("rounds were not recorded");
    run.remarks.emplace_back("message contents were not recorded");
    const std::int64_t sends = static_cast<std::int64_t>(all.sends.size()) - run.messageCount;
    const std::int64_t receives = static_cast<std::int64_t>(all.receives.size()) - run.messageCount;
    if (sends != 0 || receives != 0)
        run.remarks.push_back(
            text("messages with only one half were left out: ", sends, " sends, ", receives, " receives"));
    if (all.collectives != 0)
        run.remarks.push_back(text(all.collectives, " calls of collectives were recorded without their messages"));
}

}  // namespace

Run readForeign(Source& source, const engine::Progress& progress) {
    const Definitions definitions = source.definitions();
    const Communicators communicators{definitions};
    const std::vector<Location>& locations = communicators.locations();
    if (locations.empty()) source.damaged("it has no ranks");
    source.select(locations);
    Listening all{source, definitions, communicators};
    const EventCallbacks callbacks = all.callbacks();
    std::uint64_t events = 0;
    for (const Location& location : locations) events += location.events;
    source.expect(events);
    for (std::size_t rank = 0; rank < locations.size(); ++rank) {
        all.begin(static_cast<std::int32_t>(rank));
        source.events(locations[rank], callbacks, &all, all.failure, progress);
    }
    Run run = assemble(source, definitions, all, static_cast<std::int32_t>(locations.size()));
    addRemarks(all, run);
    return run;
}

}  // namespace traces::otf2

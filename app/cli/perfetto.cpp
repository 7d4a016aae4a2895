// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/perfetto.hpp"

#include "app/cli/trace_events.hpp"
#include "engine/text.hpp"

#include <map>
#include <string>
#include <utility>

namespace app::cli {
namespace {

using engine::Rank;
using engine::text;

/// Numbers the messages of a rank within a round: each port becomes a row of its own, so that none overlap.
class Lanes {
public:
    int next(Rank rank, engine::Round round) {
        auto& [latest, lane] = byRank_[rank.value];
        lane = latest == round ? lane + 1 : 0;
        latest = round;
        return lane;
    }

private:
    std::map<std::int32_t, std::pair<engine::Round, int>> byRank_;
};

/// The events of another tool's recording.
class Recorded {
public:
    Recorded(const traces::Recording& recording, std::ostream& out) : all_{recording}, events_{out, about(recording)} {}

    void write() {
        names();
        for (std::size_t i = 0; i < all_.states.size(); ++i) calls(i);
        collectives();
        messages();
        halves();
        events_.close();
    }

private:
    /// Threads of a process by their locations; 0 and 1 are its messages and its collectives.
    static constexpr std::int64_t messageThread = 0, collectiveThread = 1, firstLocation = 2;

    static std::string about(const traces::Recording& recording) {
        std::string missing;
        for (const auto& absence : recording.absences)
            missing += (missing.empty() ? "" : ",") + jsonString(absence.words);
        return text(R"("otherData":{"trace":)", jsonString(recording.name), R"(,"not recorded":[)", missing, "]},\n");
    }
    [[nodiscard]] std::int64_t processOf(Rank rank) const { return rank == traces::noRank ? all_.ranks : rank.value; }
    [[nodiscard]] EventThread threadOf(std::size_t location) const {
        return {processOf(all_.locations[location].rank), firstLocation + static_cast<std::int64_t>(location)};
    }

    void names() {
        for (std::int32_t rank = 0; rank < all_.ranks; ++rank) {
            events_.nameProcess(rank, text("rank ", rank));
            events_.nameThread({rank, messageThread}, "messages");
            events_.nameThread({rank, collectiveThread}, "collectives");
        }
        for (std::size_t i = 0; i < all_.locations.size(); ++i) events_.nameThread(threadOf(i), all_.locations[i].name);
    }

    void calls(std::size_t location) {
        const traces::States& states = all_.states[location];
        const EventThread thread = threadOf(location);
        for (std::size_t i = 0; i < states.size(); ++i) {
            const traces::Region& region = all_.regions[static_cast<std::size_t>(states.region[i])];
            const char* category = region.call == traces::Call::none ? "call" : "mpi";
            if (region.recorded == traces::Recorded::no)
                events_.slice(region.name, category, thread, states.begin[i], states.end[i],
                              {{"messages", "not recorded"}});
            else events_.slice(region.name, category, thread, states.begin[i], states.end[i]);
        }
    }

    void collectives() {
        for (const traces::Collective& instance : all_.collectives.instances) {
            const std::string& communicator = all_.communicators[static_cast<std::size_t>(instance.communicator)].name;
            for (const traces::Participant& part : all_.collectives.of(instance))
                events_.slice(nameOf(instance.operation), "collective", {part.rank.value, collectiveThread}, part.begin,
                              part.end,
                              {{"communicator", communicator},
                               {"sent", part.sent},
                               {"received", part.received},
                               {"complete", instance.complete}});
        }
    }

    void messages() {
        for (std::size_t i = 0; i < all_.messages.size(); ++i) {
            const traces::Message m = all_.messages[i];
            const EventThread from{m.from.value, messageThread};
            const EventThread to{m.to.value, messageThread};
            events_.slice("send", "message", from, m.sendBegin, m.sendEnd,
                          {{"to", m.to.value}, {"bytes", m.bytes}, {"tag", m.tag}});
            const EventDetail sender{"from", m.from.value}, size{"bytes", m.bytes}, label{"tag", m.tag};
            if ((m.flags & traces::flag::receiveInferred) != 0)
                events_.slice("receive", "message", to, m.receiveBegin, m.receiveEnd,
                              {sender, size, label, {"inferred", true}});
            else events_.slice("receive", "message", to, m.receiveBegin, m.receiveEnd, {sender, size, label});
            events_.arrow(i, from, m.sendBegin, to, m.receiveEnd);
        }
    }

    void halves() {
        for (const traces::Half& half : all_.halves)
            events_.instant(text(half.side == traces::Side::send ? "send" : "receive", " without its other end"),
                            "half", {processOf(half.self), messageThread}, half.begin);
    }

    const traces::Recording& all_;
    TraceEvents events_;
};

}  // namespace

void writePerfetto(const engine::Run& run, std::ostream& out) {
    TraceEvents events{out};
    for (std::int32_t rank = 0; rank < run.ranks; ++rank) events.nameProcess(rank, text("rank ", rank));
    Lanes sends;
    Lanes receives;
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const engine::MessageRecord m = run.messages[i];
        const EventThread from{m.from.value, 2 * sends.next(m.from, m.round)};
        const EventThread to{m.to.value, 2 * receives.next(m.to, m.round) + 1};
        const EventDetails details{{"round", m.round.value}, {"bytes", m.bytes}};
        events.slice(text("to ", m.to), {}, from, m.sendBegin, m.sendEnd, details);
        events.slice(text("from ", m.from), {}, to, m.receiveBegin, m.receiveEnd, details);
        events.arrow(i, from, m.sendBegin, to, m.receiveBegin);
    }
    events.close();
}

void writePerfetto(const traces::Recording& recording, std::ostream& out) { Recorded{recording, out}.write(); }

}  // namespace app::cli

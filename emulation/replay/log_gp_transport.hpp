// SPDX-License-Identifier: BSD-3-Clause
// The messages of a replay under LogGP, by the costs of clocks/log_gp.hpp.
//
// A rank has one processor and one port each way. Its processor computes, combines, sends and receives, one thing after
// the other: of what it could do it takes what it could have done first. Of several sends that is the one that was
// posted first, once the out-port is free; a receive, once the message is there and waited for. Of what it could have
// done at the same moment it takes computing first, then sends, then receives in the order in which they came through
// the in-port. A rendezvous is sent when its receive has been posted, too.
//
// The in-port takes messages in the order in which they arrive, waited for or not; of one collective those of a round
// after all that the rank receives in earlier rounds.
#pragma once

#include "emulation/conditions.hpp"
#include "emulation/replay/port_transport.hpp"

#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

namespace emulation {

/// Of a member of a collective: its messages come in round by round.
struct ReceiverQueue {
    std::uint32_t awaited = 0;         ///< in the rounds that are open
    std::uint32_t taken = 0;           ///< that the in-port has taken
    std::vector<ReplayEvent> waiting;  ///< of later rounds, whose first bytes have come
};

/// Something for a processor to do.
struct ProcessorTask {
    enum class What : std::uint8_t { computes, sends, receives };

    engine::Picoseconds since{};  ///< when it could be done, but for the processor and the out-port
    What what = What::computes;
    std::int64_t collective = -1;        ///< that it is for; -1: none
    std::uint32_t order = 0;             ///< of sends and receives
    InFlightMessage* message = nullptr;  ///< likewise
    std::int32_t process = -1;           ///< that computes
    engine::Picoseconds lasts{};         ///< of computing
    engine::Picoseconds end{};           ///< when it was done

    friend bool operator>(const ProcessorTask& a, const ProcessorTask& b) {
        const auto all = [](const ProcessorTask& t) {
            return std::tuple{t.since, t.what, t.what == What::receives ? -1 : t.collective, t.order};
        };
        return all(a) > all(b);
    }
};

class LogGPTransport {
public:
    /// `factors`: of all ranks, empty: all 1. `conditions` outlive the object.
    LogGPTransport(std::int32_t ranks, const Conditions& conditions, engine::ById<Rank, Factor> factors);

    // What processes do, at the time that events have come to or later:

    void postSend(InFlightMessage& message, engine::Picoseconds now);
    /// A rendezvous may be sent.
    void expect(InFlightMessage& message, engine::Picoseconds now);
    /// The receiver works on it when it is there. More than once is like once.
    void want(InFlightMessage& message, engine::Picoseconds now);
    /// The processor of `rank` is kept for so long.
    void occupy(std::int32_t process, Rank rank, std::int64_t collective, engine::Picoseconds lasts,
                engine::Picoseconds now);
    void wake(std::int32_t process, engine::Picoseconds when) {
        events_.push({.time = when, .what = Moves::process, .order = static_cast<std::uint32_t>(process)});
    }

    [[nodiscard]] bool empty() const { return events_.empty(); }
    /// What happens next; it is reported once.
    ReplayEvent next();
    /// The first byte of a message has come.
    void comes(const ReplayEvent& event);
    /// What the processor takes at this moment, if anything; the message knows when.
    std::optional<ProcessorTask> work(Rank rank, engine::Picoseconds now);

private:
    using Tasks = std::priority_queue<ProcessorTask, std::vector<ProcessorTask>, std::greater<>>;

    /// A processor and its ports.
    struct Machine {
        engine::Picoseconds free{};  ///< from then on
        engine::Picoseconds out{};   ///< likewise
        engine::Picoseconds in{};
        std::uint32_t taken = 0;  ///< messages, by the in-port
        Tasks sends;
        Tasks others;
    };

    [[nodiscard]] bool meets(const InFlightMessage& message) const;
    [[nodiscard]] Factor factorOf(Rank rank) const { return factors_.empty() ? Factor{} : factors_[rank]; }
    void askToSend(InFlightMessage& message, engine::Picoseconds since);
    void askToReceive(InFlightMessage& message, engine::Picoseconds since);
    void look(Rank rank);
    void send(ProcessorTask& task, Machine& machine);
    void receive(ProcessorTask& task);

    const engine::Model& model_;
    engine::ById<Rank, Factor> factors_;
    engine::ById<Rank, Machine> machines_;
    std::priority_queue<ReplayEvent, std::vector<ReplayEvent>, std::greater<>> events_;
};

}  // namespace emulation

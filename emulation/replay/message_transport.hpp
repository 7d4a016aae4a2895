// SPDX-License-Identifier: BSD-3-Clause
// The messages of a replay in flight, by that one of three rules which its conditions ask for: ports
// (port_transport.hpp), links that are shared fairly (fair_transport.hpp), or processors under LogGP
// (log_gp_transport.hpp).
#pragma once

#include "emulation/replay/fair_transport.hpp"
#include "emulation/replay/log_gp_transport.hpp"
#include "emulation/replay/port_transport.hpp"

#include <memory>

namespace emulation {

/// The messages of a replay in virtual time: at ports, under LogGP, or at fair shares of links.
class MessageTransport {
public:
    /// Ports take messages byte by byte if `byByte`. `factors`: of all ranks, empty: all 1. `network` and `conditions`
    /// outlive the object.
    MessageTransport(const Network& network, const Conditions& conditions, bool byByte,
                     const engine::ById<Rank, Factor>& factors)
        : ports_{network.ranks(), conditions, byByte},
          fair_{isFair(conditions.sharing) ? std::make_unique<FairTransport>(network, conditions) : nullptr},
          logGP_{conditions.model.logGP ? std::make_unique<LogGPTransport>(network.ranks(), conditions, factors)
                                        : nullptr} {}

    /// When the latest thing happened.
    [[nodiscard]] engine::Picoseconds now() const { return time_; }
    /// Whether links are shared fairly.
    [[nodiscard]] bool sharesFairly() const { return fair_ != nullptr; }
    /// The processors under LogGP, which then take sends and receives in turn; else null.
    [[nodiscard]] LogGPTransport* processors() const { return logGP_.get(); }
    /// Of all ranks, where neither is so.
    [[nodiscard]] Ports& ports() { return ports_.ports(); }
    /// Whether its sender waits for its receiver.
    [[nodiscard]] bool meets(const InFlightMessage& message) const {
        return fair_ ? fair_->meets(message) : ports_.meets(message);
    }

    // What processes do, at this time or later; all posts come in the order of time:

    /// The process goes on at that time.
    void wake(std::int32_t process, engine::Picoseconds when) {
        if (fair_) fair_->wake(process, when);
        else if (logGP_) logGP_->wake(process, when);
        else ports_.wake(process, when);
    }
    void postSend(InFlightMessage& message, engine::Picoseconds when) {
        if (fair_) fair_->postSend(message, when);
        else if (logGP_) logGP_->postSend(message, when);
        else ports_.postSend(message, when);
    }
    void postReceive(InFlightMessage& message, engine::Picoseconds when) {
        if (fair_) fair_->postReceive(message, when);
        else if (logGP_) logGP_->expect(message, when), logGP_->want(message, when);
        else ports_.postReceive(message, when);
    }

    /// Processes all events in the order of their times. Calls `handler.proceed(process)` when a process can go on,
    /// `arrived(message)` when the arrival of a message is known, `worked(task)` when a processor has finished a task,
    /// and `passed()` from time to time.
    template <class Handler>
    void processEvents(Handler& handler) {
        if (fair_) processFairly(handler);
        else if (logGP_)
            processIn(*logGP_, handler, [&](const ReplayEvent& event) {
                if (event.what == Moves::comes) logGP_->comes(event);
                else if (const auto task = logGP_->work(Rank{static_cast<std::int32_t>(event.order)}, time_))
                    handler.worked(*task);
            });
        else
            processIn(ports_, handler, [&](const ReplayEvent& event) {
                if (event.what == Moves::comes) ports_.comes(*event.message, time_);
                else if (event.what == Moves::leaves) ports_.leave(*event.message, time_);
                else if (ports_.move(*event.message, time_)) handler.arrived(*event.message);
            });
    }

private:
    /// Processes act when that is their event; `otherwise` takes all others.
    template <class Transport, class Handler, class Otherwise>
    void processIn(Transport& transport, Handler& handler, Otherwise otherwise) {
        for (std::int64_t count = 0; !transport.empty(); ++count) {
            const ReplayEvent event = transport.next();
            time_ = event.time;
            if (event.what == Moves::process) handler.proceed(static_cast<std::int32_t>(event.order));
            else otherwise(event);
            if ((count & 0xFFFF) == 0) handler.passed();
        }
    }

    /// The same where links are shared fairly.
    template <class Handler>
    void processFairly(Handler& handler) {
        for (fair_->settle(time_); !fair_->empty(); fair_->settle(time_)) {
            const FairTransport::Moment moment = fair_->next();
            time_ = moment.time;
            for (const std::int32_t process : moment.processes) handler.proceed(process);
            for (InFlightMessage* const message : moment.messages) {
                message->left = message->there = true;
                handler.arrived(*message);
            }
            handler.passed();
        }
    }

    PortTransport ports_;
    std::unique_ptr<FairTransport> fair_;
    std::unique_ptr<LogGPTransport> logGP_;
    engine::Picoseconds time_{};
};

}  // namespace emulation

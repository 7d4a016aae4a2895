// SPDX-License-Identifier: BSD-3-Clause
// An allreduce in two halves: `start` sends what can be sent and returns; `test` and `wait` do the rest. Between them
// the rank computes. One state machine over any allreduce of the catalogue, on any transport. A barrier is an allreduce
// of vectors without bytes.
//
// Source: End et al. 2016, sections I and II (GASPI's split-phase collectives: GASPI_BLOCK, GASPI_TEST and timeouts,
// the preparation kept from call to call, one call at a time).
#pragma once

#include "engine/live/records/round_records.hpp"
#include "engine/live/splitphase/route.hpp"
#include "engine/live/splitphase/transport.hpp"

#include <chrono>
#include <limits>

namespace engine::splitphase {

using Nanoseconds = std::chrono::nanoseconds;

/// Nanoseconds of the monotonic clock, the one of all records.
inline std::int64_t now() {
    return std::chrono::duration_cast<Nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Receives the events; fills in their execution.
class Witness {
public:
    virtual ~Witness() = default;
    virtual void saw(live::Event event) noexcept = 0;
};

/// One rank's side of one allreduce after another. `plan` and `transport` must outlive it.
class Allreduce {
public:
    static constexpr Nanoseconds block = Nanoseconds::max();  ///< wait as long as it takes

    /// Throws Error when the plan cannot run split-phase (requireSplitPhase). `witness` may be null.
    Allreduce(const Plan& plan, Rank rank, Transport& transport, Witness* witness = nullptr);

    /// Uses the user's operation from the next call on. Throws Error when the schedule cannot keep operands in their
    /// places and they must be, or while a call is in progress.
    void combineWith(Combine combine, Operands operands);

    /// Begins a call with this rank's vector, which may be changed afterwards. Does not wait for other ranks, except
    /// over one-sided MPI on a network without remote writes. Throws Error while a call is in progress.
    void start(std::span<const std::byte> vector);
    /// Does what can be done now; true when the call is done. Throws Error when none was started.
    bool test();
    /// Tests until the call is done, or until `timeout` has passed, after which it may be waited for again. False when
    /// the time was over first.
    bool wait(Nanoseconds timeout = block);

    /// The combined vector of the last call. Throws Error unless that is done.
    [[nodiscard]] std::span<const std::byte> result();
    [[nodiscard]] const Route& route() const { return route_; }
    [[nodiscard]] const RankBuffers& buffers() const { return buffers_; }

private:
    enum class State : std::uint8_t { never, underWay, done };

    void send(const Step& step);
    bool receive(const Step& step);
    void apply(const Step& step);
    void tell(live::Kind kind, std::int64_t begin, const Step& step, std::size_t place, const Message& message,
              std::size_t bytes);

    const Plan& plan_;
    Rank rank_;
    Route route_;
    Transport& transport_;
    Witness* witness_;
    RankBuffers buffers_;
    State state_ = State::never;
    std::int64_t call_ = -1;
    std::size_t at_ = 0;  // step
    bool sent_ = false;   // the step's messages are out
    std::int64_t stepBegan_ = 0;
    std::size_t missing_ = 0;
    std::vector<std::optional<std::span<const std::byte>>> arrivals_;  // of the step
    std::vector<std::byte> gathered_;                                  // parts of a vector on their way out
};

}  // namespace engine::splitphase

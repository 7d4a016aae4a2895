// SPDX-License-Identifier: BSD-3-Clause
// The cursor of a run that is played. It is a function of a clock, never a sum of ticks:
//     time = anchor time + (clock now - anchor clock) x rate
// so that late or lost ticks change nothing, and tests move the clock by hand.
#pragma once

#include "engine/base/types.hpp"

#include <chrono>
#include <functional>

namespace app::gui {

/// The cursor is always within the run.
class PlayClock final {
public:
    /// Time that only rises, from any beginning.
    using Source = std::function<std::chrono::nanoseconds()>;

    static constexpr double slowest = 1.0 / 16;
    static constexpr double fastest = 16;

    /// The computer's clock that only rises.
    static Source steady();

    /// Without a source: that one.
    explicit PlayClock(Source source = {});

    /// A run of that duration and number of rounds, from its start, paused; at speed 1 a round takes about 0.8 s.
    void load(engine::Picoseconds duration, std::int64_t rounds);

    [[nodiscard]] engine::Picoseconds time() const { return time_; }
    [[nodiscard]] engine::Picoseconds duration() const { return duration_; }
    [[nodiscard]] bool playing() const { return playing_; }
    [[nodiscard]] bool looping() const { return looping_; }
    [[nodiscard]] double speed() const { return speed_; }

    /// Starts; at the end of the run it starts over. False when there is nothing to start.
    bool play();
    /// False when it was paused.
    bool pause();
    /// Moves the cursor, within the run; goes on from there.
    void seek(engine::Picoseconds time);
    /// Reads the clock and moves the cursor; stops at the end unless it loops.
    void tick();
    void setLooping(bool looping) { looping_ = looping; }
    /// Clamped to slowest..fastest; what is no number changes nothing. False when it has that speed.
    bool setSpeed(double speed);

private:
    void anchor();

    Source source_;
    engine::Picoseconds duration_{};
    double perSecond_ = 0;  // picoseconds at speed 1
    engine::Picoseconds time_{};
    double speed_ = 1;
    bool playing_ = false;
    bool looping_ = false;
    std::chrono::nanoseconds anchorClock_{};
    engine::Picoseconds anchorTime_{};
};

}  // namespace app::gui

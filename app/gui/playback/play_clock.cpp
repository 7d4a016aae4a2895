// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/playback/play_clock.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace app::gui {
namespace {

using engine::Picoseconds;

constexpr double secondsPerRound = 0.8;
constexpr double shortestShow = 3;  // seconds a whole run takes at speed 1, at least and at most
constexpr double longestShow = 60;

}  // namespace

PlayClock::Source PlayClock::steady() {
    return [] { return std::chrono::steady_clock::now().time_since_epoch(); };
}

PlayClock::PlayClock(Source source) : source_{source ? std::move(source) : steady()} {}

void PlayClock::load(Picoseconds duration, std::int64_t rounds) {
    playing_ = false;
    duration_ = duration;
    time_ = {};
    const double show = std::clamp(static_cast<double>(rounds) * secondsPerRound, shortestShow, longestShow);
    perSecond_ = static_cast<double>(duration.count()) / show;
}

void PlayClock::anchor() {
    anchorClock_ = source_();
    anchorTime_ = time_;
}

bool PlayClock::play() {
    if (playing_ || duration_ <= Picoseconds{}) return false;
    if (time_ >= duration_) time_ = {};
    playing_ = true;
    anchor();
    return true;
}

bool PlayClock::pause() { return std::exchange(playing_, false); }

void PlayClock::seek(Picoseconds time) {
    time_ = std::clamp(time, Picoseconds{}, duration_);
    anchor();
}

void PlayClock::tick() {
    if (!playing_) return;
    const double elapsed = std::chrono::duration<double>(source_() - anchorClock_).count();
    const double end = static_cast<double>(duration_.count());
    double time = static_cast<double>(anchorTime_.count()) + elapsed * perSecond_ * speed_;
    if (time >= end) {
        playing_ = looping_;
        time = looping_ ? std::fmod(time, end) : end;
    }
    time_ = Picoseconds{std::llround(time)};
}

bool PlayClock::setSpeed(double speed) {
    const double allowed = std::clamp(speed, slowest, fastest);
    if (allowed == speed_ || std::isnan(allowed)) return false;
    tick();
    speed_ = allowed;
    anchor();
    return true;
}

}  // namespace app::gui

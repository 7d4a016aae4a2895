// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/output/console.hpp"

namespace app::cli {

using namespace std::chrono_literals;

namespace {

std::ostream& screenOf(const Console& console) { return console.screen != nullptr ? *console.screen : console.err; }

}  // namespace

void Console::write(std::string_view words, Tone tone, std::size_t indent) const {
    for (const std::string& line : wrapped(words, lineWidth - indent))
        out << std::string(indent, ' ') << paint(tone, line) << '\n';
}

ProgressLine::ProgressLine(const Console& console, std::string label)
    : console_{console}, label_{std::move(label)}, next_{Clock::now() + (console.around.terminal ? 300ms : 10'000ms)} {}

ProgressLine::~ProgressLine() {
    if (shown_ && console_.around.terminal) screenOf(console_) << "\r\033[K" << std::flush;
}

engine::Progress ProgressLine::progress() {
    return {.report = [this](double share) { show(share); }, .stop = console_.around.stop};
}

void ProgressLine::show(double share) {
    const std::scoped_lock lock{mutex_};
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + (console_.around.terminal ? 100ms : 10'000ms);
    shown_ = true;
    const int whole = static_cast<int>(share * 100);
    if (console_.around.terminal) screenOf(console_) << "\r\033[K" << label_ << ' ' << whole << "%" << std::flush;
    else console_.err << "collscope: " << label_ << ' ' << whole << "%" << std::endl;
}

}  // namespace app::cli

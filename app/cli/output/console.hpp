// SPDX-License-Identifier: BSD-3-Clause
// What every command works with: where to write, how to colour, and whom to tell how far it has come.
#pragma once

#include "app/cli/cli.hpp"
#include "app/cli/output/text_layout.hpp"

#include <chrono>
#include <mutex>
#include <ostream>

namespace app::cli {

/// Nobody reads what is written any more, or the disk is full.
struct OutputFailed {};

struct Console {
    std::ostream& out;
    std::ostream& err;
    const Surroundings& around;
    Paint paint;
    std::ostream* screen = nullptr;  ///< stderr as it is, where a line on it is drawn again; null: err is

    /// Throws OutputFailed when `out` can no longer be written: asked now and then by commands that write a lot.
    void requireOutput() const {
        if (!out) throw OutputFailed{};
    }
    /// A paragraph within the width of text.
    void write(std::string_view words, Tone tone = Tone::plain, std::size_t indent = 0) const;
};

/// A line on stderr that says how far a long work has come: at once on a terminal, seldom elsewhere. Gone in the end.
class ProgressLine {
public:
    ProgressLine(const Console& console, std::string label);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// For the work; valid while this lives.
    [[nodiscard]] engine::Progress progress();

private:
    using Clock = std::chrono::steady_clock;
    void show(double share);

    const Console& console_;
    std::string label_;
    std::mutex mutex_;
    Clock::time_point next_;
    bool shown_ = false;
};

}  // namespace app::cli

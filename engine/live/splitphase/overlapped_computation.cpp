// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/splitphase/overlapped_computation.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <thread>

namespace engine::splitphase {
namespace {

/// Stands for any computation: it needs the processor and nothing else.
void keepBusy(Nanoseconds time) {
    const std::int64_t begin = now();
    while (now() - begin < time.count()) {
    }
}

void computeBeside(Allreduce& call, const Settings& settings) {
    const std::vector<Nanoseconds> stretches = stretchesOf(settings);
    for (std::size_t i = 0; i < stretches.size(); ++i) {
        keepBusy(stretches[i]);
        if (settings.communicate && i + 1 < stretches.size()) call.wait(settings.timeout);
        // With more ranks than processors, others compute now.
        std::this_thread::yield();
    }
}

/// `part` of `parts` of `time`.
Nanoseconds share(Nanoseconds time, std::int64_t part, std::int64_t parts) {
    return Nanoseconds{static_cast<std::int64_t>(static_cast<__int128>(time.count()) * part / parts)};
}

std::string timeOf(Nanoseconds time) { return showTime(Picoseconds{time.count() * 1000}); }

}  // namespace

std::string_view name(By by) { return by == By::oneSided ? "one-sided" : "two-sided"; }

By byNamed(std::string_view words) {
    for (const By by : transports)
        if (name(by) == words) return by;
    throw Error{text(field::transport, ": unknown value '", words, "'; choose one-sided or two-sided")};
}

std::vector<Nanoseconds> stretchesOf(const Settings& settings) {
    std::vector<Nanoseconds> stretches;
    Nanoseconds done{};
    const auto until = [&](Nanoseconds time) {
        stretches.push_back(std::min(time, settings.compute) - done);
        done += stretches.back();
    };
    if (settings.at.empty())
        for (std::int64_t look = 1; look <= settings.tests; ++look)
            until(share(settings.compute, look, settings.tests));
    else
        for (const Nanoseconds time : settings.at) until(time);
    until(settings.compute);
    return stretches;
}

std::string looksOf(const Settings& settings) {
    if (settings.background) return "with progress in the background";
    if (settings.looks() == 0) return "without progress calls";
    const std::string cost =
        settings.looking.count() > 0 ? text(", each of which costs ", timeOf(settings.looking)) : std::string{};
    std::string words = settings.timeout.count() > 0 ? text("with looks of ", timeOf(settings.timeout)) : "with";
    if (settings.at.empty()) {
        words = settings.timeout.count() > 0 ? text("with ", settings.tests, " looks of ", timeOf(settings.timeout))
                                             : text("with ", settings.tests, settings.tests == 1 ? " test" : " tests");
        return words + cost;
    }
    words += settings.timeout.count() > 0 ? " after " : " tests after ";
    for (std::size_t i = 0; i < settings.at.size(); ++i)
        words += (i == 0 ? "" : i + 1 == settings.at.size() ? " and " : ", ") + timeOf(settings.at[i]);
    return words + cost;
}

std::int64_t eventsOf(const Route& route) {
    return static_cast<std::int64_t>(route.writers().size() + route.steps().size()) + route.sends() + 3;
}

void execute(Allreduce& call, std::span<const std::byte> vector, const Settings& settings, Witness* witness,
             const std::stop_token& stop) {
    std::int64_t begin = now();
    const auto region = [&](live::Kind kind) {
        const std::int64_t end = now();
        if (witness != nullptr) witness->saw({.begin = begin, .end = end, .kind = kind});
        begin = end;
    };
    if (settings.communicate) {
        call.start(vector);
        region(live::Kind::start);
    }
    if (settings.compute.count() > 0) {
        computeBeside(call, settings);
        region(live::Kind::compute);
    }
    if (!settings.communicate) return;
    constexpr Nanoseconds glance = std::chrono::milliseconds{20};
    while (!call.wait(stop.stop_possible() ? glance : Allreduce::block))
        if (stop.stop_requested()) throw Cancelled{};
    region(live::Kind::wait);
}

}  // namespace engine::splitphase

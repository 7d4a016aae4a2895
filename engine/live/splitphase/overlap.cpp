// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/splitphase/overlap.hpp"

#include "engine/error.hpp"
#include "engine/text.hpp"

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
    for (std::int32_t piece = 0; piece < settings.tests; ++piece) {
        keepBusy(settings.compute / settings.tests);
        if (settings.communicate) call.test();
        // With more ranks than processors, others compute now.
        std::this_thread::yield();
    }
}

}  // namespace

std::string_view name(By by) { return by == By::oneSided ? "one-sided" : "two-sided"; }

By byNamed(std::string_view words) {
    for (const By by : transports)
        if (name(by) == words) return by;
    throw Error{text(field::transport, ": unknown value '", words, "'; choose one-sided or two-sided")};
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

// SPDX-License-Identifier: BSD-3-Clause
// How fast a recorded program is replayed, from the columns of its recording to the answer: events per second, and the
// most memory that a process takes for it, columns included, by event.
// Run: collscope_benchmarks --benchmark_filter=replay; COLLSCOPE_REPLAY_EVENTS says how many events (10000000).
#include "app/session/replay/replay_run.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdlib>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using engine::Picoseconds;
using engine::Rank;

constexpr Picoseconds step{20'000'000};

std::int64_t eventsToReplay() {
    const char* asked = std::getenv("COLLSCOPE_REPLAY_EVENTS");
    return asked == nullptr ? 10'000'000
                            : engine::readInteger(asked, "COLLSCOPE_REPLAY_EVENTS", 100'000, 1'000'000'000);
}

/// A program as a trace has it. Events: calls entered and left, and records of both ends of messages and collectives.
class Written {
public:
    explicit Written(std::int32_t ranks) : ranks_{ranks}, builder_{ranks} { builder_.rest().creator = "Collscope"; }

    [[nodiscard]] std::int32_t ranks() const { return ranks_; }
    [[nodiscard]] std::int64_t events() const { return events_; }

    void call(std::int32_t rank, Picoseconds begin, Picoseconds end, const char* region) {
        builder_.enter(rank, begin, region);
        builder_.leave(rank, end);
        events_ += 2;
    }
    /// Each rank posts a receive and a send to the next one, and waits for both.
    void shift(Picoseconds at, std::int32_t distance) {
        using namespace std::chrono_literals;
        for (std::int32_t rank = 0; rank < ranks_; ++rank) {
            call(rank, at, at + 50ns, "MPI_Irecv");
            call(rank, at + 60ns, at + 100ns, "MPI_Isend");
            call(rank, at + 110ns, at + 4us, "MPI_Waitall");
            builder_.message({.from = Rank{rank},
                              .to = Rank{(rank + distance) % ranks_},
                              .bytes = 4096 * distance,
                              .sendBegin = at + 70ns,
                              .sendEnd = at + 4us,
                              .receiveBegin = at + 10ns,
                              .receiveEnd = at + 4us,
                              .flags = traces::flag::sendNonBlocking | traces::flag::receiveNonBlocking});
            events_ += 4;
        }
    }
    void allreduce(Picoseconds at) {
        using namespace std::chrono_literals;
        std::vector<traces::Participant> parts;
        for (std::int32_t rank = 0; rank < ranks_; ++rank) {
            call(rank, at, at + 3us, "MPI_Allreduce");
            parts.push_back({Rank{rank}, at, at + 3us, 8192, 8192});
        }
        builder_.collective(traces::Operation::allreduce, 0, traces::noRank, std::move(parts));
        events_ += 2 * ranks_;
    }

    app::Trace finish() {
        auto recording = std::make_shared<const traces::Recording>(builder_.finish());
        app::Trace trace;
        trace.report.run = std::make_shared<const engine::Run>(traces::runOf(*recording));
        trace.recording = std::move(recording);
        return trace;
    }

private:
    std::int32_t ranks_;
    traces::RecordingBuilder builder_;
    std::int64_t events_ = 0;
};

/// Computing, two shifts along a ring, an allreduce every 16 steps.
void halo(Written& program, std::int64_t events) {
    using namespace std::chrono_literals;
    for (std::int64_t k = 0; program.events() < events; ++k) {
        const Picoseconds at = k * step;
        for (std::int32_t rank = 0; rank < program.ranks(); ++rank)
            program.call(rank, at, at + 3us + Picoseconds{(rank * 7919 + k * 104729) % 500'000}, "compute");
        program.shift(at + 4us, 1);
        program.shift(at + 9us, 2);
        if (k % 16 == 15) program.allreduce(at + 14us);
    }
}

/// Nothing but allreduces: their messages are many more than what was recorded.
void collectives(Written& program, std::int64_t events) {
    for (std::int64_t k = 0; program.events() < events; ++k) program.allreduce(k * step);
}

double peakBytes(const app::Trace& trace) {
    const pid_t child = ::fork();
    if (child == 0) {
        (void)app::replayed(trace, {});
        ::_exit(0);
    }
    int status = 0;
    rusage usage{};
    ::wait4(child, &status, 0, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024;
}

void replayed(benchmark::State& state, std::int32_t ranks, void (*write)(Written&, std::int64_t)) {
    Written program{ranks};
    write(program, eventsToReplay());
    const std::int64_t events = program.events();
    const app::Trace trace = program.finish();
    state.counters["bytes_per_event"] = peakBytes(trace) / static_cast<double>(events);
    std::int64_t messages = 0;
    for (auto _ : state) messages += app::replayed(trace, {}).last().result.messages;
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * events);
    state.counters["messages"] = benchmark::Counter(static_cast<double>(messages), benchmark::Counter::kIsRate);
}

void replayedHalo(benchmark::State& state) { replayed(state, static_cast<std::int32_t>(state.range(0)), halo); }
void replayedCollectives(benchmark::State& state) {
    replayed(state, static_cast<std::int32_t>(state.range(0)), collectives);
}

BENCHMARK(replayedHalo)->Arg(64)->Arg(4096)->Unit(benchmark::kMillisecond);
BENCHMARK(replayedCollectives)->Arg(64)->Unit(benchmark::kMillisecond);

}  // namespace

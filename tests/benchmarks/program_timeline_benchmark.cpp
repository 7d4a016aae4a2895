// SPDX-License-Identifier: BSD-3-Clause
// CPU time of a picture of a traced program, 1280 x 800, raster: what the window pays when what is seen changes. And of
// what it needs before the first one. Run: collscope_benchmarks --benchmark_filter=Tracks
#include "app/gui/scenes/run/drawable_run.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "offscreen.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <benchmark/benchmark.h>

#include <QImage>

#include <optional>
#include <tuple>
#include <utility>

namespace {

using namespace app::gui;
using engine::Picoseconds;
using engine::Rank;

constexpr QSize programTimelinePaper{1280, 800};

/// Some `events` events of `ranks` ranks: assemble, exchange with a neighbour, reduce every fourth step. One rank in a
/// hundred is late.
traces::Recording manySteps(std::int32_t ranks, std::int64_t events) {
    constexpr std::int64_t perStep = 7;
    constexpr std::int64_t step = 1'000'000;
    const std::int64_t steps = std::max<std::int64_t>(events / perStep / ranks, 4);
    traces::RecordingBuilder builder{ranks};
    const auto at = [](std::int64_t time) { return Picoseconds{time}; };
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        builder.enter(rank, at(0), "main");
        for (std::int64_t k = 0; k < steps; ++k) {
            const std::int64_t begin = k * step;
            const std::int64_t came = begin + 400'000 + (rank % 100 == 3 ? 150'000 : rank % 7 * 1'000);
            builder.enter(rank, at(begin), "assemble");
            builder.leave(rank, at(came));
            builder.enter(rank, at(came), "MPI_Sendrecv");
            builder.leave(rank, at(begin + 700'000));
            builder.message({.from = Rank{rank},
                             .to = Rank{(rank + 1) % ranks},
                             .bytes = 4096,
                             .sendBegin = at(came),
                             .sendEnd = at(begin + 650'000),
                             .receiveBegin = at(begin + 400'000),
                             .receiveEnd = at(begin + 700'000)});
            if (k % 4 != 3) continue;
            builder.enter(rank, at(begin + 700'000), "MPI_Allreduce");
            builder.leave(rank, at(begin + 900'000));
        }
        builder.leave(rank, at(steps * step));
    }
    for (std::int64_t k = 3; k < steps; k += 4) {
        std::vector<traces::Participant> parts;
        for (std::int32_t rank = 0; rank < ranks; ++rank)
            parts.push_back({.rank = Rank{rank},
                             .begin = at(k * step + 700'000),
                             .end = at(k * step + 900'000),
                             .sent = 8,
                             .received = 8});
        builder.collective(traces::Operation::allreduce, 0, traces::noRank, std::move(parts));
    }
    return builder.finish();
}

/// Of every rank as many samples of one metric, which jumps about.
void addSamples(traces::Recording& recording, std::int64_t samples) {
    if (samples == 0) return;
    recording.metrics = {{"flops", "", "#", traces::MetricValue::accumulated, traces::MetricTiming::start}};
    const std::int64_t each = samples / recording.ranks;
    for (std::int32_t rank = 0; rank < recording.ranks; ++rank) {
        std::vector<Picoseconds> time;
        std::vector<double> values;
        for (std::int64_t i = 0; i < each; ++i) {
            time.push_back(recording.duration / (each + 1) * i);
            values.push_back((values.empty() ? 0 : values.back()) + static_cast<double>(i * 7919 % 1013));
        }
        recording.samples.push_back({.location = rank,
                                     .rank = Rank{rank},
                                     .about = {},
                                     .metrics = {0},
                                     .time = std::move(time),
                                     .values = {std::move(values)}});
    }
}

/// One at a time: each takes a gigabyte.
const DrawableRun& programOfEvents(std::int32_t ranks, std::int64_t events, std::int64_t samples = 0) {
    static std::optional<DrawableRun> made;
    static std::tuple<std::int32_t, std::int64_t, std::int64_t> which;
    if (!made || which != std::tuple{ranks, events, samples}) {
        benchmarks::offscreen();
        made.reset();
        traces::Recording measured = manySteps(ranks, events);
        addSamples(measured, samples);
        const auto recording = std::make_shared<const traces::Recording>(std::move(measured));
        made.emplace(app::analysis::reportOn(std::make_shared<const engine::Run>(traces::runOf(*recording))),
                     recording);
        (void)made->programmed();
        which = {ranks, events, samples};
    }
    return *made;
}

/// Zoomed in so many times; every frame shows another part.
void paintParts(benchmark::State& state, const DrawableRun& subject, std::int64_t zoom) {
    QImage image{programTimelinePaper, QImage::Format_RGB32};
    const Picoseconds length = subject.run().duration / zoom;
    ViewState view;
    for (auto _ : state) {
        view.spanBegin += length / 9;
        if (view.spanBegin + length > subject.run().duration) view.spanBegin = Picoseconds{0};
        view.spanEnd = view.spanBegin + length;
        QPainter painter{&image};
        paint(painter, programTimelineBackground(subject, view, programTimelinePaper));
        paint(painter, programTimelineForeground(subject, view, programTimelinePaper));
    }
}

/// Of so many ranks and events.
void paintProgramTimeline(benchmark::State& state) {
    paintParts(state, programOfEvents(static_cast<std::int32_t>(state.range(0)), state.range(1)), state.range(2));
}
BENCHMARK(paintProgramTimeline)
    ->ArgNames({"ranks", "events", "zoom"})
    ->ArgsProduct({{8, 1024, 10'240}, {1'000'000, 10'000'000}, {1, 10, 100, 1000}})
    ->Unit(benchmark::kMillisecond);

/// Of eight ranks with so many samples together, and few events.
void paintMetrics(benchmark::State& state) {
    paintParts(state, programOfEvents(8, 10'000, state.range(0)), state.range(1));
}
BENCHMARK(paintMetrics)
    ->ArgNames({"samples", "zoom"})
    ->ArgsProduct({{10'000'000}, {1, 10, 100, 1000, 100'000}})
    ->Unit(benchmark::kMillisecond);

void prepareProgramTimeline(benchmark::State& state) {
    const DrawableRun& subject = programOfEvents(static_cast<std::int32_t>(state.range(0)), state.range(1));
    for (auto _ : state)
        benchmark::DoNotOptimize(
            app::analysis::LocationTimelines{*subject.recording(), programOf(subject)->waits()}.collectives().size());
}
BENCHMARK(prepareProgramTimeline)
    ->ArgNames({"ranks", "events"})
    ->ArgsProduct({{8, 1024}, {10'000'000}})
    ->Unit(benchmark::kMillisecond);

}  // namespace

// SPDX-License-Identifier: BSD-3-Clause
// CPU time of a picture, 1280 x 800, raster: what the window pays per frame. With COLLSCOPE_MOST_MESSAGES=1 also of as
// many messages as it keeps of a trace, those of 10^8 events, in 5 GB. Run:
// collscope_benchmarks --benchmark_filter=paint
#include "app/gui/scenes/graph_layout/graph_layout.hpp"
#include "app/gui/scenes/run/drawable_run.hpp"
#include "app/session/session.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "offscreen.hpp"

#include <benchmark/benchmark.h>

#include <QImage>

#include <chrono>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace app::gui;
using engine::Picoseconds;

constexpr QSize picture{1280, 800};

/// Fonts need an application.
void prepare() { benchmarks::offscreen(); }

/// `ranks` ranks on a square torus, all with messages under way at one time.
const DrawableRun& crowd() {
    static const DrawableRun subject = [] {
        prepare();
        app::RunWish wish;
        wish.algorithm = "allgatherv/linear-ring";
        wish.problem.ranks = 1024;
        wish.network.topology = "torus:32x32";
        wish.budget = 200'000;
        engine::Run run = *app::execute(wish).run;
        // Ten rounds at one time: 10,240 messages under way.
        engine::RunBuilder builder{run.ranks, 10, {}};
        for (std::size_t i = 0; i < 10'240; ++i) {
            engine::MessageRecord message = run.messages[i];
            message.sendBegin = message.receiveBegin = Picoseconds{0};
            message.sendEnd = message.receiveEnd = Picoseconds{1'000'000};
            builder.message(message, run.messages.what(i));
        }
        engine::Run all = builder.finish();
        all.setting = run.setting;
        return DrawableRun{app::analysis::reportOn(std::make_shared<const engine::Run>(std::move(all)))};
    }();
    return subject;
}

enum class Spread { even, bursts };

/// `count` messages of 1024 ranks, one after the other at every rank, at uneven distances. In bursts: all within the
/// second hundredth of the time, but one, which is under way from begin to end.
engine::Run manyMessages(std::int64_t count, Spread spread) {
    constexpr std::int32_t ranks = 1024;
    engine::Run run;
    run.ranks = ranks;
    run.setting.topology = "torus:64x16";
    run.rounds = count / ranks;
    run.perRank.resize(ranks);
    run.messages.reserve(static_cast<std::size_t>(run.rounds * ranks));
    const Picoseconds before{spread == Spread::bursts ? run.rounds * 1'000'000 : 0};
    run.duration = Picoseconds{run.rounds * 1'000'000 * (spread == Spread::bursts ? 100 : 1)};
    for (std::int64_t round = 0; round < run.rounds; ++round) {
        const Picoseconds begin = before + Picoseconds{round * 1'000'000};
        engine::RoundTimes& times = run.perRound.emplace_back();
        times = {begin, begin + Picoseconds{860'000}, ranks, ranks * engine::Bytes{4096}, 4096};
        for (std::int32_t rank = 0; rank < ranks; ++rank) {
            engine::MessageRecord message{};
            message.from = engine::Rank{rank};
            message.to = engine::Rank{static_cast<std::int32_t>((rank + 1 + round % 31) % ranks)};
            message.round = engine::Round{round};
            message.bytes = 4096;
            message.sendBegin = message.receiveBegin = begin + Picoseconds{rank % 7 * 10'000};
            message.sendEnd = message.receiveEnd = message.sendBegin + Picoseconds{400'000 + rank % 5 * 100'000};
            if (spread == Spread::bursts && round == 0 && rank == 0) {
                message.receiveBegin = Picoseconds{0};
                message.receiveEnd = run.duration;
            }
            run.messages.push(message, {});
        }
    }
    run.messageCount = run.rounds * ranks;
    run.byteCount = run.messageCount * 4096;
    return run;
}

/// One at a time: the largest takes gigabytes.
const DrawableRun& trace(std::int64_t count, Spread spread) {
    static std::optional<DrawableRun> made;
    static std::pair<std::int64_t, Spread> which;
    if (!made || which != std::pair{count, spread}) {
        prepare();
        made.reset();
        made.emplace(app::analysis::reportOn(std::make_shared<const engine::Run>(manyMessages(count, spread))));
        which = {count, spread};
    }
    return *made;
}

void paintNetwork(benchmark::State& state) {
    const DrawableRun& subject = crowd();
    QImage image{picture, QImage::Format_RGB32};
    ViewState view;
    for (auto _ : state) {
        view.time = (view.time + Picoseconds{7'000}) % Picoseconds{900'000};
        QPainter painter{&image};
        paint(painter, networkForeground(subject, view, picture));
    }
    state.counters["under_way"] = static_cast<double>(subject.messagesAt(view.time).size());
}
BENCHMARK(paintNetwork)->Unit(benchmark::kMillisecond);

/// A view of Bruck's allgather of 1024 ranks while it plays.
void paintPlaying(benchmark::State& state, Scene (*scene)(const DrawableRun&, const ViewState&, QSizeF)) {
    static const DrawableRun subject = [] {
        prepare();
        app::RunWish wish;
        wish.algorithm = "allgatherv/bruck";
        wish.problem.ranks = 1024;
        return DrawableRun{app::execute(wish)};
    }();
    QImage image{picture, QImage::Format_RGB32};
    ViewState view;
    for (auto _ : state) {
        view.time = (view.time + subject.run().duration / 97) % subject.run().duration;
        QPainter painter{&image};
        paint(painter, scene(subject, view, picture));
    }
}
BENCHMARK_CAPTURE(paintPlaying, holdings, ownershipScene)->Unit(benchmark::kMillisecond);
/// Its pictures change with the round, the frame around them always.
BENCHMARK_CAPTURE(paintPlaying, strip, stripScene)->Unit(benchmark::kMillisecond);

/// What happens between two positions of a slider: the run, what its pictures need, and both large pictures of it.
void followSlider(benchmark::State& state) {
    prepare();
    app::RunWish wish;
    wish.algorithm = "allgatherv/linear-ring";
    wish.problem.ranks = static_cast<std::int32_t>(state.range(0));
    QImage image{picture, QImage::Format_RGB32};
    std::int64_t messages = 0;
    for (auto _ : state) {
        wish.model.alpha += Picoseconds{10'000};
        const DrawableRun subject{app::execute(wish)};
        const ViewState view{.time = subject.run().duration / 2};
        QPainter painter{&image};
        paint(painter, networkScene(subject, view, picture));
        paint(painter, runTimelineScene(subject, view, picture));
        messages = subject.run().messageCount;
    }
    state.counters["messages"] = static_cast<double>(messages);
}
BENCHMARK(followSlider)->Arg(10)->Arg(100)->Arg(317)->Unit(benchmark::kMillisecond);

/// Of `messages` messages, zoomed in so many times.
void paintRunTimeline(benchmark::State& state, Spread spread) {
    const DrawableRun& subject = trace(state.range(0), spread);
    QImage image{picture, QImage::Format_RGB32};
    const Picoseconds length = subject.run().duration / state.range(1);
    // Where the messages are.
    const Picoseconds begin = spread == Spread::bursts ? subject.run().duration / 100 : Picoseconds{0};
    const Picoseconds end = spread == Spread::bursts ? 2 * begin : subject.run().duration;
    ViewState view{.spanBegin = begin};
    for (auto _ : state) {
        view.spanBegin += length / 9;
        if (view.spanBegin + length > std::max(end, length)) view.spanBegin = length > end ? Picoseconds{0} : begin;
        view.spanEnd = view.spanBegin + length;
        QPainter painter{&image};
        paint(painter, runTimelineBackground(subject, view, picture));
    }
}
BENCHMARK_CAPTURE(paintRunTimeline, even, Spread::even)
    ->ArgNames({"messages", "zoom"})
    ->ArgsProduct({{1'000'000, 10'000'000}, {1, 10, 100, 1000}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(paintRunTimeline, bursts, Spread::bursts)
    ->ArgNames({"messages", "zoom"})
    ->ArgsProduct({{1'000'000}, {1, 10, 100, 1000}})
    ->Unit(benchmark::kMillisecond);

/// Rows of single ranks among 1024, or all of them folded by sixteens.
void paintRows(benchmark::State& state, bool folded) {
    const DrawableRun& subject = trace(state.range(0), Spread::even);
    QImage image{picture, QImage::Format_RGB32};
    ViewState view;
    if (folded) {
        view.tracks.groups = ProgramTimelineView::Groups::node;
        for (std::size_t group = 0; group < subject.groupsBy(view.tracks.groups).size(); ++group)
            view.tracks.folded.push_back(static_cast<std::int32_t>(group));
    } else {
        view.tracks = {.zoom = 20};
    }
    for (auto _ : state) {
        if (!folded) view.tracks.top = static_cast<double>((static_cast<int>(view.tracks.top) + 37) % 900);
        view.spanBegin = Picoseconds{0};
        view.spanEnd = subject.run().duration;
        QPainter painter{&image};
        paint(painter, runTimelineBackground(subject, view, picture));
    }
}
BENCHMARK_CAPTURE(paintRows, zoomed, false)
    ->ArgName("messages")
    ->Arg(1'000'000)
    ->Arg(10'000'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(paintRows, folded, true)
    ->ArgName("messages")
    ->Arg(1'000'000)
    ->Arg(10'000'000)
    ->Unit(benchmark::kMillisecond);

/// The chain that led to another message each time, with the layers it is painted on.
void lightChain(benchmark::State& state) {
    const DrawableRun& subject = trace(state.range(0), Spread::even);
    while (!subject.chainsReady()) std::this_thread::sleep_for(std::chrono::milliseconds{1});
    QImage image{picture, QImage::Format_RGB32};
    ViewState view{.lit = 0};
    for (auto _ : state) {
        view.lit = (*view.lit + 7'919) % static_cast<std::uint32_t>(subject.run().messages.size());
        QPainter painter{&image};
        paint(painter, runTimelineForeground(subject, view, picture));
    }
    state.counters["in_chain"] = static_cast<double>(subject.chainTo(*view.lit)->messages.size());
}
BENCHMARK(lightChain)->ArgName("messages")->Arg(1'000'000)->Unit(benchmark::kMillisecond);

/// Where the nodes of a network stand that has no shape of its own: four links a node, by chance.
void placeNodes(benchmark::State& state) {
    const auto nodes = static_cast<std::int32_t>(state.range(0));
    std::mt19937 random{7};
    std::vector<GraphEdge> edges;
    for (std::int32_t i = 0; i < nodes; ++i)
        for (int link = 0; link < 4; ++link)
            edges.emplace_back(i, static_cast<std::int32_t>(random() % static_cast<unsigned>(nodes)));
    const Graph graph{nodes, edges};
    std::vector<std::int32_t> around(static_cast<std::size_t>(nodes));
    std::iota(around.begin(), around.end(), 0);
    for (auto _ : state) benchmark::DoNotOptimize(drawn(graph, around));
}
BENCHMARK(placeNodes)->ArgName("nodes")->Arg(64)->Arg(128)->Arg(160)->Arg(1024)->Unit(benchmark::kMillisecond);

/// The messages that the window keeps of 10^8 events. Only where COLLSCOPE_MOST_MESSAGES asks for it.
const bool most = [] {
    if (std::getenv("COLLSCOPE_MOST_MESSAGES") == nullptr) return false;
    benchmark::RegisterBenchmark("paintSpaceTime/most", paintRunTimeline, Spread::even)
        ->ArgNames({"messages", "zoom"})
        ->ArgsProduct({{app::analysis::drawnMessages}, {1, 10, 100, 1000}})
        ->Unit(benchmark::kMillisecond);
    return true;
}();

}  // namespace

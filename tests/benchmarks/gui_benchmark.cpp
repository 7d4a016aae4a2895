// SPDX-License-Identifier: BSD-3-Clause
// CPU time of a picture, 1280 x 800, raster: what the window pays per frame. Run:
// collscope_benchmarks --benchmark_filter=paint
#include "app/gui/scenes/subject.hpp"
#include "engine/catalogue.hpp"

#include <benchmark/benchmark.h>

#include <QGuiApplication>
#include <QImage>

#include <map>

namespace {

using namespace app::gui;
using engine::Picoseconds;

constexpr QSize picture{1280, 800};

/// Fonts need an application.
void prepare() {
    static int count = 3;
    static char program[] = "benchmarks";
    static char option[] = "-platform";
    static char platform[] = "offscreen";
    static char* words[] = {program, option, platform, nullptr};
    static const QGuiApplication application{count, words};
}

/// `ranks` ranks on a square torus, all with messages under way at one time.
const Subject& crowd() {
    static const Subject subject = [] {
        prepare();
        app::RunWish wish;
        wish.algorithm = "allgatherv/linear-ring";
        wish.problem.ranks = 1024;
        wish.topology = "torus:32x32";
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
        return Subject{app::reportOn(std::make_shared<const engine::Run>(std::move(all)))};
    }();
    return subject;
}

/// `count` messages of 1024 ranks, one after the other at every rank, at uneven distances.
const Subject& trace(std::int64_t count) {
    static std::map<std::int64_t, Subject> made;
    const auto known = made.find(count);
    if (known != made.end()) return known->second;
    prepare();
    constexpr std::int32_t ranks = 1024;
    const std::int64_t rounds = count / ranks;
    engine::RunBuilder builder{ranks, rounds, {}, count};
    for (std::int64_t round = 0; round < rounds; ++round)
        for (std::int32_t rank = 0; rank < ranks; ++rank) {
            engine::MessageRecord message{};
            message.from = engine::Rank{rank};
            message.to = engine::Rank{static_cast<std::int32_t>((rank + 1 + round % 31) % ranks)};
            message.round = engine::Round{round};
            message.bytes = 4096;
            message.sendBegin = message.receiveBegin = Picoseconds{round * 1'000'000 + rank % 7 * 10'000};
            message.sendEnd = message.receiveEnd = message.sendBegin + Picoseconds{400'000 + rank % 5 * 100'000};
            builder.message(message, {});
        }
    return made.try_emplace(count, app::reportOn(std::make_shared<const engine::Run>(builder.finish()))).first->second;
}

void paintNetwork(benchmark::State& state) {
    const Subject& subject = crowd();
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

void paintHoldings(benchmark::State& state) {
    static const Subject subject = [] {
        prepare();
        app::RunWish wish;
        wish.algorithm = "allgatherv/bruck";
        wish.problem.ranks = 1024;
        return Subject{app::execute(wish)};
    }();
    QImage image{picture, QImage::Format_RGB32};
    ViewState view;
    for (auto _ : state) {
        view.time = (view.time + subject.run().duration / 97) % subject.run().duration;
        QPainter painter{&image};
        paint(painter, holdingsScene(subject, view, picture));
    }
}
BENCHMARK(paintHoldings)->Unit(benchmark::kMillisecond);

/// Of `messages` messages, zoomed in so many times.
void paintSpaceTime(benchmark::State& state) {
    const Subject& subject = trace(state.range(0));
    QImage image{picture, QImage::Format_RGB32};
    const Picoseconds length = subject.run().duration / state.range(1);
    ViewState view;
    for (auto _ : state) {
        view.spanBegin = (view.spanBegin + length / 9) % (subject.run().duration - length + Picoseconds{1});
        view.spanEnd = view.spanBegin + length;
        QPainter painter{&image};
        paint(painter, spaceTimeBackground(subject, view, picture));
    }
}
BENCHMARK(paintSpaceTime)
    ->ArgNames({"messages", "zoom"})
    ->ArgsProduct({{1'000'000, 10'000'000}, {1, 10, 100, 1000}})
    ->Unit(benchmark::kMillisecond);

}  // namespace

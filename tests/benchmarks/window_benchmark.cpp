// SPDX-License-Identifier: BSD-3-Clause
// The whole window while it plays 1024 ranks: how many frames a second are really painted, how much of the processor a
// frame takes, in the median and one in a hundred, what share of them has enough of 16.7 ms, and which panels take
// most. Run: collscope_benchmarks --benchmark_filter='playWindow|playLayout'
#include "app/gui/style/quiet_style.hpp"
#include "app/gui/views/card.hpp"
#include "app/gui/window/main_window.hpp"
#include "app/session/session.hpp"
#include "offscreen.hpp"

#include <benchmark/benchmark.h>

#include <QDockWidget>
#include <QSettings>
#include <QSize>
#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace app::gui;

constexpr double frame = 1.0 / 60;  // seconds
constexpr int frames = 180;

/// "Network", "Block ownership": the card that a widget is in.
QString cardOf(const QObject* widget) {
    for (const QObject* each = widget; each != nullptr; each = each->parent()) {
        if (const auto* dock = qobject_cast<const QDockWidget*>(each)) return dock->windowTitle();
        if (const auto* shown = qobject_cast<const QWidget*>(each);
            shown != nullptr && shown->metaObject()->className() != std::string{"QWidget"} &&
            !shown->accessibleName().isEmpty())
            return shown->accessibleName();
    }
    return QStringLiteral("the rest");
}

/// The panels that take most of a frame, with their share of it. `painted` in `count` of them.
std::string costliest(const std::map<QObject*, double>& painted, int count) {
    std::map<QString, double> cards;
    for (const auto& [widget, time] : painted) cards[cardOf(widget)] += time / count;
    std::vector<std::pair<double, QString>> costly;
    for (const auto& [name, time] : cards) costly.emplace_back(time, name);
    std::ranges::sort(costly, std::greater{});
    std::string words;
    for (const auto& [time, name] : costly)
        if (time / frame >= 0.01)
            words += (words.empty() ? "" : ", ") + name.toStdString() + ' ' +
                     std::to_string(static_cast<int>(100 * time / frame + 0.5)) + "%";
    return words;
}

void play(benchmark::State& state, const char* algorithm, const char* topology, app::gui::Layout layout, QSize size) {
    benchmarks::Offscreen& application = benchmarks::offscreen();
    QApplication::setStyle(new QuietStyle);
    const QTemporaryDir folder;
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
    MainWindow window{settings};
    window.setEased(true);
    window.resize(size);
    window.show();
    app::RunWish wish;
    wish.algorithm = algorithm;
    wish.problem.ranks = 1024;
    wish.network.topology = topology;
    window.presenter().show(std::make_shared<const DrawableRun>(app::execute(wish)), QString::fromLatin1(algorithm),
                            {});
    window.desk().choose(layout);
    for (int pass = 0; pass < 20 || window.working(); ++pass) QCoreApplication::processEvents();
    Playback& playback = window.playback();
    playback.setLooping(true);
    playback.toBegin();
    playback.playOrPause();
    QCoreApplication::processEvents();
    application.watch(&window);
    int seen = 0;
    for (auto _ : state) {
        while (application.frames() == seen) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        seen = application.frames();
    }
    std::vector<double> times = application.frameTimes();
    state.SetLabel(costliest(application.painted(), application.frames()) +
                   "; in the slowest: " + costliest(application.slowest(), 1));
    application.watch(nullptr);
    std::ranges::sort(times);
    const auto within = std::ranges::upper_bound(times, frame) - times.begin();
    state.counters["per_second"] = benchmark::Counter(seen, benchmark::Counter::kIsRate);
    state.counters["median_ms"] = 1e3 * times[times.size() / 2];
    state.counters["p99_ms"] = 1e3 * times[times.size() * 99 / 100];
    state.counters["within_16.7"] = static_cast<double>(within) / static_cast<double>(times.size());
    state.counters["messages"] = static_cast<double>(playback.subject()->run().messageCount);
}

/// In the layout Inspect at 1920 x 1080, eased as the window of a user is, at speed 1.
void playWindow(benchmark::State& state, const char* algorithm, const char* topology) {
    play(state, algorithm, topology, app::gui::Layout::inspect, {1920, 1080});
}
BENCHMARK_CAPTURE(playWindow, bruck, "allgatherv/bruck", "full")->Iterations(frames)->UseRealTime();
BENCHMARK_CAPTURE(playWindow, binomial_on_fat_tree, "bcast/binomial-tree", "fat-tree:32x32")
    ->Iterations(frames)
    ->UseRealTime();
BENCHMARK_CAPTURE(playWindow, butterfly_on_dragonfly, "allreduce/butterfly", "dragonfly:8,8,16")
    ->Iterations(frames)
    ->UseRealTime();
BENCHMARK_CAPTURE(playWindow, reduce_scatter_allgather_on_torus, "allreduce/reduce-scatter-allgather", "torus:32x32")
    ->Iterations(frames)
    ->UseRealTime();
BENCHMARK_CAPTURE(playWindow, ring, "allgatherv/linear-ring", "ring")->Iterations(frames)->UseRealTime();
BENCHMARK_CAPTURE(playWindow, pairwise_on_torus, "alltoallv/pairwise-exchange", "torus:32x32")
    ->Iterations(frames)
    ->UseRealTime();

/// The layouts in which one run is seen, on a small screen and a large one: where, in both, 1024 ranks double what they
/// have and hand it round a ring.
void playLayout(benchmark::State& state) {
    constexpr std::array algorithms{"allgatherv/recursive-doubling", "allreduce/ring"};
    constexpr std::array seen{app::gui::Layout::learn, app::gui::Layout::inspect, app::gui::Layout::analyse};
    constexpr std::array sizes{QSize{1366, 768}, QSize{1920, 1080}};
    play(state, algorithms[static_cast<std::size_t>(state.range(0))], "full",
         seen[static_cast<std::size_t>(state.range(1))], sizes[static_cast<std::size_t>(state.range(2))]);
}
BENCHMARK(playLayout)
    ->ArgNames({"algorithm", "layout", "size"})
    ->ArgsProduct({{0, 1}, {0, 1, 2}, {0, 1}})
    ->Iterations(frames)
    ->UseRealTime();

}  // namespace

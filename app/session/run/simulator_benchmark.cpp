// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/run/simulator_benchmark.hpp"

#include "app/session/options/specification.hpp"
#include "app/session/run/simgrid.hpp"

#include "engine/base/text.hpp"

#include <chrono>
#include <fstream>

namespace app {
namespace {

using engine::Picoseconds;
using engine::text;

/// A case with all that is needed to run it.
struct TimedRun {
    SpeedCase what;
    RunWish wish;
    bool books = false;  ///< the time of every rank and round, not of the run alone
    std::optional<RingOnTorus> peer{};
    bool onTwo = false;  ///< once on one thread and once on two
};

double cpuSeconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return secondsOf(usage);
}

template <class Work>
double wallSeconds(const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Lets the system forget the most memory this process ever had (Linux).
void forgetPeak() { std::ofstream{"/proc/self/clear_refs"} << "5"; }

/// The most memory since then.
std::optional<double> peakMebibytes() {
    std::ifstream status{"/proc/self/status"};
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1024;
    return std::nullopt;
}

RunWish wishFor(const std::string& algorithm, std::int64_t ranks, engine::Bytes size, const std::string& topology) {
    RunWish wish;
    wish.algorithm = algorithm;
    wish.problem.ranks = ranks;
    wish.problem.size = size;
    wish.network.topology = topology;
    wish.budget = 0;
    return wish;
}

std::vector<TimedRun> tasks(Length length) {
    const bool quick = length == Length::quick;
    std::vector<TimedRun> all;
    const auto add = [&](SpeedCase what, RunWish wish) -> TimedRun& {
        what.command = "run " + lineOf({.run = wish});
        what.whole = !quick;
        all.push_back({.what = std::move(what), .wish = std::move(wish)});
        return all.back();
    };
    RunWish wish = wishFor("allgatherv/linear-ring", quick ? 8192 : 65536, 1024, "full");
    wish.problem.sizes = "linear";
    add({.name = "irregular ring allgatherv", .goal = "3 s, 100 MB", .seconds = 3, .mebibytes = 95.4}, wish).books =
        true;

    wish = wishFor("bcast/scatter-ring-allgather", quick ? 2048 : 8192, 1 << 20, "full");
    add({.name = "any single-port schedule", .goal = "2e8 msg/s", .rate = 2e8}, wish);

    wish = wishFor("allgatherv/pipelined-ring", quick ? 8192 : 65536, 1024, "full");
    wish.problem.sizes = "geometric";
    wish.options = {{"block", "32768"}};
    add({.name = "pipelined ring, geometric sizes", .goal = "5 s", .seconds = 5}, wish).books = true;

    wish = wishFor("allgatherv/linear-ring", quick ? 16384 : 65536, 1024, "full");
    wish.problem.sizes = "linear";
    TimedRun& onTwo = add({.name = "irregular ring, two threads", .goal = "1.5 times", .gain = 1.5}, wish);
    onTwo.books = onTwo.onTwo = true;

    wish = wishFor("allgatherv/linear-ring", quick ? 512 : 1024, 1024, "full");
    wish.problem.sizes = "linear";
    wish.sharing = emulation::Sharing::fair;
    add({.name = "event by event", .goal = "5e6 msg/s", .rate = 5e6}, wish);

    for (const auto& [id, name] : {std::pair{"bcast/binomial-tree", "a million ranks, binomial tree"},
                                   {"allgatherv/recursive-doubling", "a million ranks, doubling"},
                                   {"allgatherv/bruck", "a million ranks, Bruck"}})
        add({.name = name, .goal = "1 s, 200 MB", .seconds = 1, .mebibytes = 190.7},
            wishFor(id, quick ? 65536 : 1048576, 1024, "full"));

    add({.name = "bottleneck links, large torus", .goal = "1e7 msg/s", .rate = 1e7},
        wishFor("allgatherv/recursive-doubling", quick ? 4096 : 65536, 1024,
                quick ? "torus:16x16x16" : "torus:32x32x64"));

    wish = wishFor("allgatherv/linear-ring", quick ? 256 : 1024, 1024,
                   quick ? "torus:4x8x8,ties=simgrid" : "torus:8x8x16,ties=simgrid");
    wish.sharing = emulation::Sharing::fair;
    wish.model.alpha = Picoseconds{0};
    wish.model.beta = engine::Rate{800'000};
    add({.name = "fair links", .goal = "1e6 msg/s", .rate = 1e6}, wish).peer =
        RingOnTorus{quick ? std::vector<int>{4, 8, 8} : std::vector<int>{8, 8, 16}, 1024};

    wish = wishFor("allgatherv/recursive-doubling", quick ? 1024 : 4096, 1024,
                   quick ? "fat-tree:16x8x8,taper=4" : "fat-tree:16x16x16,taper=4");
    wish.sharing = emulation::Sharing::fair;
    add({.name = "fair links, all joined", .goal = "1e6 msg/s", .rate = 1e6}, wish);
    return all;
}

std::int64_t messagesOf(const engine::Schedule& schedule, const engine::Progress& progress) {
    const engine::Facts& facts = schedule.facts();
    engine::Batch batch;
    std::int64_t messages = 0;
    for (engine::Round round{0}; round.value < facts.rounds; ++round) {
        if (progress.stop.stop_requested()) throw engine::Cancelled{};
        batch.reset(static_cast<std::size_t>(facts.ranks));
        schedule.batch(round, engine::Rank{0}, engine::Rank{facts.ranks}, batch);
        messages += static_cast<std::int64_t>(batch.size());
    }
    return messages;
}

Speed measure(const TimedRun& task, const engine::Progress& progress) {
    Speed speed;
    speed.what = task.what;
    const engine::Plan plan = makePlan(task.wish);
    const emulation::NetworkPtr network = networkFor(plan, task.wish.network);
    emulation::Conditions conditions{.model = task.wish.model, .sharing = task.wish.sharing, .budget = 0};
    if (!task.books) speed.messages = messagesOf(*plan.schedule, progress);
    const auto run = [&] {
        if (task.books) {
            const engine::Run books = emulation::emulate(plan, *network, conditions, progress).run;
            speed.messages = books.messageCount;
            speed.time = books.duration;
        } else {
            speed.time = emulation::makespan(plan, *network, conditions, progress);
        }
    };
    double onOne = 0;
    if (task.onTwo) {
        onOne = wallSeconds(run);
        conditions.threads = 2;
    }
    forgetPeak();
    const double before = cpuSeconds();
    const double elapsed = wallSeconds(run);
    speed.cpuSeconds = cpuSeconds() - before;
    if (task.onTwo) speed.gain = onOne / elapsed;
    speed.mebibytes = peakMebibytes();
    if (task.peer) speed.simgrid = runSimGrid(*task.peer, progress);
    return speed;
}

}  // namespace

bool Speed::reached() const {
    if (what.whole && what.seconds > 0 && cpuSeconds > what.seconds) return false;
    if (what.rate > 0 && rate() < what.rate) return false;
    if (what.gain > 0 && gain && *gain < what.gain) return false;
    return !what.whole || what.mebibytes == 0 || !mebibytes || *mebibytes <= what.mebibytes;
}

std::vector<Speed> measureSpeed(Length length, const engine::Progress& progress) {
    std::vector<Speed> all;
    const std::vector<TimedRun> each = tasks(length);
    for (std::size_t i = 0; i < each.size(); ++i) {
        const double done = static_cast<double>(i);
        const double share = 1 / static_cast<double>(each.size());
        engine::Progress part{.report = {}, .stop = progress.stop};
        if (progress.report) part.report = [&, done, share](double of) { progress.report((done + of) * share); };
        all.push_back(measure(each[i], part));
    }
    return all;
}

}  // namespace app

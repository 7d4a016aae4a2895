// SPDX-License-Identifier: BSD-3-Clause
// The program that runs as the processes of a live run.
//
//   collscope-mpi rank FOLDER [NAME=VALUE...]
//                                         one process of `collscope run ... --on mpi` or of `tune`, started by it
//                                         through mpirun, with these variables of the environment
//   collscope-mpi host ADDRESS COMMAND    that process on a host of the lab, in place of a remote shell
//   mpirun -n N collscope-mpi run ...     all processes of one run; the first of them answers
//   mpirun -n N collscope-mpi VERB ...    the work of one sweep, open or replay, spread over processes; the first of
//                                         them answers
//   collscope-mpi collect RECORDS FOLDER  makes an archive of what a program that died under libcollscope-pmpi.so left
//   collscope-mpi ...                     otherwise: the command line without its window
#include "app/cli/cli.hpp"
#include "app/cli/output/terminal.hpp"
#include "app/cli/output/text_layout.hpp"
#include "app/session/run/calibration.hpp"
#include "app/session/tune/autotuner.hpp"
#include "emulation/networks/network.hpp"
#include "engine/base/text.hpp"
#include "engine/live/hang_diagnosis/registered_processes.hpp"
#include "engine/live/mpi/algorithm_benchmark.hpp"
#include "engine/live/mpi/mpi_worker_processes.hpp"
#include "engine/live/mpi/world.hpp"
#include "engine/live/network_namespaces/lab_hosts.hpp"
#include "traces/recording/calls.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>

namespace {

/// What processes other than the first throw when their part is done: the first one answers.
struct Bystander {};

engine::mpi::Job jobOf(const app::LiveOrder& order, const std::filesystem::path& folder) {
    engine::mpi::Job job{.folder = folder,
                         .repeats = order.repeats,
                         .warmUps = order.warmUps,
                         .check = order.check,
                         .leaves = order.granted ? engine::mpi::Leaves::granted : engine::mpi::Leaves::atOnce};
    for (const app::LiveOrder::Entry& entry : order.entries) {
        engine::mpi::Entry one{.problem = engine::problemFromText(entry.problem)};
        one.native = engine::live::nativeNamed(entry.id);
        if (one.native != nullptr) one.options = app::optionsOf(entry, *one.native);
        else one.plan = std::make_shared<const engine::Plan>(planOf(entry));
        one.split = entry.split;
        job.entries.push_back(std::move(one));
    }
    if (!order.neighbours.empty())
        for (const engine::mpi::Entry& entry : job.entries)
            if (entry.plan) job.neighbours = emulation::makeNetwork(order.neighbours, entry.ranks())->wiring();
    return job;
}

/// The library's algorithms in turn, as long as that changes anything and time is left. The first process writes each
/// time to `file` as it comes.
void tryAlgorithms(const app::LiveOrder& order, const std::filesystem::path& file, bool first) {
    std::vector<app::tune::Cell> cells;
    for (const std::string& words : order.cells) cells.push_back(app::tune::cellFrom(words));
    std::vector<engine::mpi::Trial> all;
    std::vector<std::size_t> firstOfCell;
    for (const app::tune::Cell& cell : cells) {
        firstOfCell.push_back(all.size());
        for (const app::tune::Candidate& candidate : cell.candidates)
            all.push_back({.called = cell.called,
                           .bytes = cell.bytes,
                           .variables = candidate.variables,
                           .commutes = order.commutes,
                           .testsSize = order.testsSizes,
                           .arrivals = cell.arrivals,
                           .plan = candidate.isOfCatalogue()
                                       ? std::make_shared<const engine::Plan>(app::tune::planOf(cell, candidate))
                                       : nullptr});
    }
    app::tune::Measurements measurements{std::move(cells)};
    for (const std::string& words : order.samples)
        if (const auto sample = app::tune::sampleFrom(words)) measurements.add(*sample);
    std::ofstream out;
    if (first) out.open(file, std::ios::app);
    std::optional<app::tune::Sample> asked;
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>{order.seconds};
    engine::mpi::Trials{std::move(all)}.measure(
        [&]() -> std::optional<std::size_t> {
            asked = std::chrono::steady_clock::now() < end ? measurements.next(order.repeats) : std::nullopt;
            if (!asked) return std::nullopt;
            return firstOfCell[asked->cell] + asked->candidate;
        },
        [&](std::size_t, const engine::mpi::Outcome& outcome) {
            asked->time = outcome.time;
            asked->fault = outcome.fault;
            measurements.add(*asked);
            out << toText(*asked) << std::endl;
        });
}

/// Each call once; the recorder around this process writes what the library did.
void callOnce(const app::LiveOrder& order) {
    std::vector<engine::mpi::SizedCall> calls;
    for (const std::string& words : order.cells) {
        const app::tune::Cell cell = app::tune::cellFrom(words);
        const auto ranks = static_cast<std::int32_t>(cell.ranks);
        calls.push_back({cell.called, ranks, cell.bytes, app::communicatorOfCalls(ranks)});
    }
    engine::mpi::callInTurn(calls);
}

/// The first process reads the order; the others may be on machines that do not see the file.
void obey(engine::mpi::World& world, const std::filesystem::path& folder) {
    std::ostringstream words;
    if (world.process() == 0) words << std::ifstream{folder / "order"}.rdbuf();
    const app::LiveOrder order = app::orderFromText(world.agree(words.str()));
    if (order.once) return callOnce(order);
    if (!order.cells.empty()) return tryAlgorithms(order, folder / app::samplesFile, world.process() == 0);
    if (order.exchanges.empty()) return world.carryOut(jobOf(order, folder));
    const auto times = world.exchangeTimes(order.exchanges, order.repeats);
    if (world.process() == 0) app::writeExchanges(folder / app::exchangeFile, order.exchanges, times);
}

/// In place of a remote shell: "[options] ADDRESS command ..." as mpirun calls it for each host of a lab.
int becomeHost(const std::vector<std::string>& words) {
    std::size_t at = 1;
    while (at < words.size() && words[at].starts_with('-')) ++at;
    if (at + 1 >= words.size()) throw engine::Error{"write collscope-mpi host ADDRESS COMMAND"};
    const std::string command = engine::joined(std::span{words}.subspan(at + 1), " ");
    std::vector<std::string> own = engine::live::onLabHost(words[at], command);
    std::vector<char*> pointers;
    for (std::string& word : own) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execv(pointers[0], pointers.data());
    throw engine::Error{engine::text("'", own[0], "' cannot be started")};
}

/// Records of a program that did not come to its end, as an archive.
int collect(const std::vector<std::string>& words) {
    if (words.size() != 3) throw engine::Error{"write collscope-mpi collect RECORDS FOLDER"};
    const traces::CallsWritten written = traces::writeRecords(words[1], words[2]);
    std::cout << written.calls << " calls written to " << words[2] << '\n';
    return app::cli::done;
}

/// Whether a launcher started several of us together: each of them tells its processes so in its own way.
bool isTeam() {
    for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_FD"})
        if (std::getenv(variable) != nullptr) return true;
    return false;
}

/// Who starts several processes for a `run` means them to be its ranks, unless it says otherwise.
std::vector<std::string> meantFor(std::int32_t processes, std::vector<std::string> arguments) {
    const bool says = std::any_of(arguments.begin(), arguments.end(),
                                  [](const std::string& word) { return word == "--on" || word.starts_with("--on="); });
    if (processes > 1 && arguments.size() > 1 && arguments[0] == "run" && !says)
        arguments.insert(arguments.end(), {"--on", "mpi"});
    return arguments;
}

/// The whole command line on every process; only the first is heard.
int together(engine::mpi::World& world, const std::vector<std::string>& given) {
    std::ostringstream unheard;
    const bool first = world.process() == 0;
    app::cli::Surroundings around;
    around.live = [&](const app::LiveOrder& order, const std::filesystem::path& folder, std::int32_t,
                      const engine::Progress&) {
        const std::filesystem::path shared = world.agree(folder.string());
        world.carryOut(jobOf(order, shared));
        if (!first) throw Bystander{};
        return app::Launched{};
    };
    engine::mpi::MpiWorkerProcesses crew{world};
    if (crew.members() > 1) around.crew = &crew;
    const std::vector<std::string> arguments = meantFor(crew.members(), given);
    int code = app::cli::done;
    try {
        code = app::cli::run(arguments, first ? std::cout : unheard, first ? std::cerr : unheard, around);
    } catch (const Bystander&) {
        code = app::cli::done;
    }
    crew.part();
    return first ? code : app::cli::done;
}

}  // namespace

int main(int argc, char** argv) {
    std::ios::sync_with_stdio(false);
    std::signal(SIGXFSZ, SIG_IGN);  // too large a file is an error, and told
    const std::vector<std::string> arguments{argv + 1, argv + argc};
    if (!arguments.empty() && (arguments[0] == "host" || arguments[0] == "collect")) {
        try {
            return arguments[0] == "host" ? becomeHost(arguments) : collect(arguments);
        } catch (const engine::Error& error) {
            std::cerr << "collscope-mpi: " << app::cli::spoken(error.words()) << '\n';
            return app::cli::userMistake;
        }
    }
    const bool rank = arguments.size() >= 2 && arguments[0] == "rank";
    // Before MPI starts, which reads it.
    for (std::size_t i = 2; rank && i < arguments.size(); ++i)
        if (const std::size_t equals = arguments[i].find('='); equals != std::string::npos)
            setenv(arguments[i].substr(0, equals).c_str(), arguments[i].substr(equals + 1).c_str(), 1);
    if (!rank && !isTeam()) {
        app::cli::Interrupt interrupt;
        return app::cli::run(arguments, std::cout, std::cerr, app::cli::terminal(interrupt));
    }
    if (rank) engine::live::registerProcess(arguments[1]);
    // What ended the others ends this one at any moment, and never lets it wait for them.
    std::optional<app::cli::Interrupt> interrupt;
    if (!rank) interrupt.emplace(std::chrono::seconds{0});
    engine::mpi::World world{argc, argv};
    try {
        if (!rank) return together(world, arguments);
        obey(world, arguments[1]);
        return app::cli::done;
    } catch (const std::exception& failure) {
        // In one piece: processes that found no others all say it.
        const std::string line = engine::text("collscope-mpi: ", app::cli::spoken(engine::wordsOf(failure)), '\n');
        if (world.process() == 0) std::cerr << line;
        return app::cli::userMistake;
    }
}

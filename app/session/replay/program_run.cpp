// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/replay/program_run.hpp"

#include "app/session/options/specification.hpp"
#include "app/session/run/launchers.hpp"
#include "engine/base/new_file.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"
#include "engine/live/child_process.hpp"

#include <algorithm>

namespace app {

using engine::Error;
using engine::text;
using engine::live::Child;

namespace {

constexpr engine::Field checkFlag{"check"};

std::string lastLineOf(const std::string& said) {
    std::string last;
    for (const std::string& line : engine::split(said, '\n'))
        if (line.find_first_not_of(" \t\r-=") != std::string::npos) last = line;
    return last;
}

}  // namespace

std::vector<std::string> commandUnderRecorder(const ProgramWish& wish, const std::filesystem::path& archive,
                                              const std::filesystem::path& folder) {
    const std::vector<std::string> said = wordsIn(wish.command);
    if (said.size() < 2)
        throw Error{text(checkFlag, ": '", wish.command, "' does not start a program; write for example 'mpirun -n ",
                         wish.processes, " ./program'")};
    if (engine::live::findProgram(said[0]).empty()) throw Error{text(checkFlag, ": program '", said[0], "' not found")};
    const LauncherKind kind = launcherKindOf(said[0]);
    if (kind == LauncherKind::other)
        throw Error{text(
            checkFlag, ": '", said[0], "' is no launcher of Open MPI or MPICH, which alone are known to hand ",
            "the drop-in library to their processes; write for example 'mpirun -n ", wish.processes, " ./program'")};
    std::vector<std::string> words{said[0]};
    const auto add = [&](const std::vector<std::string>& more) { words.insert(words.end(), more.begin(), more.end()); };
    if (wish.lab) {
        if (kind == LauncherKind::mpich)
            throw Error{
                text(checkFlag, ": in the lab, programs run under Open MPI only; '", said[0], "' is MPICH's launcher")};
        add(labLauncherArguments(said[0], kind, wish.processes, folder));
        add(openMpiArguments());
    }
    if (const std::string& order = kind == LauncherKind::mpich ? wish.hostList : wish.rankfile; !order.empty()) {
        const auto way = std::ranges::find(words, "--map-by");  // of the lab; it excludes a rankfile
        if (way != words.end()) words.erase(way, way + 2);
        add({kind == LauncherKind::mpich ? "-f" : "--rankfile", order});
    }
    engine::live::Variables variables{{"LD_PRELOAD", dropInFor(kind).string()}, {"COLLSCOPE_TRACE", archive.string()}};
    if (!wish.rules.empty()) variables.emplace_back("COLLSCOPE_RULES", (folder / "rules").string());
    for (const std::string& variable : wish.environment) {
        const std::size_t equals = variable.find('=');
        variables.emplace_back(variable.substr(0, equals), variable.substr(equals + 1));
    }
    words.insert(words.end(), said.begin() + 1, said.end());
    HandedOver start = handedOver(std::move(words), kind, variables);
    for (const auto& [name, value] : start.variables)
        start.words.insert(start.words.begin(), {"env", name + '=' + value});
    return start.words;
}

ProgramRun runRecorded(const ProgramWish& wish, const std::filesystem::path& archive,
                       const std::filesystem::path& folder, const engine::Progress& progress) {
    const std::vector<std::string> words = commandUnderRecorder(wish, archive, folder);
    if (!wish.rules.empty()) engine::writeFile(folder / "rules", wish.rules, engine::Existing::replace);
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    Child program{words};
    bool isOver = false;
    while (!isOver && program.watch(20)) {
        const auto passed = Clock::now() - begin;
        progress.at(std::min(1.0, std::chrono::duration<double>(passed) / wish.most));
        isOver = passed > wish.most;
    }
    if (isOver) program.end();
    ProgramRun run{.said = program.words(), .trouble = {}};
    if (isOver)
        run.trouble = text("'", wish.command, "' was stopped after ", wish.most.count(), " s; allow more time with ",
                           engine::Field{"seconds"});
    else if (const std::string last = lastLineOf(run.said); program.code() != 0)
        run.trouble = text("'", wish.command, "' ended with exit code ", program.code(),
                           last.empty() ? ", without a message" : ": " + last);
    else if (!std::filesystem::exists(archive))
        run.trouble = text("'", wish.command, "' left no record: no process of it called MPI_Finalize of the library ",
                           "that ", dropInFor(launcherKindOf(words[0])).filename().string(), " is built with");
    return run;
}

}  // namespace app

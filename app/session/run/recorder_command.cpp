// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/run/recorder_command.hpp"

#include "app/session/run/launchers.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/live/boot_id.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

namespace app {

using engine::Error;
using engine::text;
using engine::live::findProgram;

namespace {

std::string nameOf(LauncherKind kind) { return kind == LauncherKind::mpich ? "MPICH" : "Open MPI"; }

bool isLauncher(const std::string& word) {
    const std::string name = std::filesystem::path{word}.filename().string();
    return name.starts_with("mpirun") || name.starts_with("mpiexec") || name.starts_with("orterun");
}

bool isSlurms(const std::string& word) { return std::filesystem::path{word}.filename() == "srun"; }

/// Where the launcher is in a command that begins with a program such as nice, which starts it; 0: nowhere behind the
/// first word.
std::size_t launcherPlace(const std::vector<std::string>& command) {
    static constexpr std::array<std::string_view, 12> starters{"chrt",    "env",     "ionice",  "nice",
                                                               "nohup",   "numactl", "setsid",  "stdbuf",
                                                               "taskset", "time",    "timeout", "unbuffer"};
    if (std::ranges::find(starters, std::filesystem::path{command.front()}.filename().string()) == starters.end())
        return 0;
    const auto launcher = std::find_if(command.begin() + 1, command.end(),
                                       [](const std::string& word) { return isLauncher(word) || isSlurms(word); });
    return launcher == command.end() ? 0 : static_cast<std::size_t>(launcher - command.begin());
}

/// The programs that a launcher starts, as far as they are given as paths: of each the first word that names an
/// executable file. Programs along PATH are not looked for, since a value of a launcher's option may have their name.
std::vector<std::string> programsIn(const std::vector<std::string>& command) {
    std::vector<std::string> programs;
    bool isFound = false;
    for (const std::string& word : programWords(command)) {
        if (word == ":") isFound = false;
        if (isFound || word.find('/') == std::string::npos || word.front() == '-' || findProgram(word).empty() ||
            !std::filesystem::is_regular_file(word))
            continue;
        programs.push_back(word);
        isFound = true;
    }
    return programs;
}

/// How the program is linked. Throws Error where no recorder can be put before its MPI library.
Linked recordable(const std::string& program) {
    const Linked linked = program.empty() ? Linked{} : linkedOf(program);
    if (linked.isStatic)
        throw Error{text("record: ", program,
                         " is statically linked: a recorder cannot be put before its MPI library; ",
                         "link it dynamically")};
    if (linked.containsMpi)
        throw Error{text("record: ", program,
                         " contains the MPI library itself: a recorder cannot be put before it; link that library "
                         "dynamically")};
    return linked;
}

void requireKnown(const std::string& program, const Linked& linked) {
    if (linked.mpi == LauncherKind::other)
        throw Error{
            text("record: ", program, " needs ", linked.library, ", an MPI library that no recorder is known for")};
}

engine::live::Variables variablesOf(const RecordWish& wish, LauncherKind kind) {
    std::string preloaded = dropInFor(kind).string();
    if (const char* const own = std::getenv("LD_PRELOAD"); own != nullptr && *own != '\0') preloaded += text(':', own);
    engine::live::Variables variables{{"LD_PRELOAD", preloaded}, {"COLLSCOPE_TRACE", wish.archive.string()}};
    if (const std::string self = engine::live::bootId(); !self.empty())
        variables.emplace_back("COLLSCOPE_COLLECTOR", self);
    if (!wish.rules.empty()) variables.emplace_back("COLLSCOPE_RULES", wish.rules.string());
    if (wish.calls) variables.emplace_back("COLLSCOPE_CALLS", text(*wish.calls));
    return variables;
}

std::string whyNothingOf(LauncherKind kind) {
    return text("no process called MPI_Init and MPI_Finalize of ", nameOf(kind), "'s library");
}

RecordCommand underLauncher(const RecordWish& wish) {
    const std::string& launcher = wish.command.front();
    const LauncherKind kind = launcherKindOf(launcher);
    if (kind == LauncherKind::other)
        throw Error{text("record: '", launcher,
                         "' is no launcher of Open MPI, MPICH or Slurm, which alone are known to "
                         "hand the recorder to their processes")};
    for (const std::string& program : programsIn(wish.command))
        if (const Linked linked = recordable(program); linked.mpi && *linked.mpi != kind)
            throw Error{text("record: ", program, " needs ", linked.library, ", which is not of ", nameOf(kind),
                             ", whose '", launcher, "' is to start it; use the launcher of its own MPI")};
    HandedOver start = handedOver(wish.command, kind, variablesOf(wish, kind));
    return {.words = std::move(start.words), .variables = std::move(start.variables), .whyNothing = whyNothingOf(kind)};
}

RecordCommand underSlurm(const RecordWish& wish) {
    LauncherKind kind = LauncherKind::openMpi;
    for (const std::string& program : programsIn(wish.command)) {
        const Linked linked = recordable(program);
        requireKnown(program, linked);
        kind = linked.mpi.value_or(kind);
    }
    std::string handed = "--export=ALL";
    for (const auto& [name, value] : variablesOf(wish, kind)) handed += ',' + name + '=' + value;
    RecordCommand made{.words = {wish.command.front(), handed}, .whyNothing = whyNothingOf(kind)};
    made.words.insert(made.words.end(), wish.command.begin() + 1, wish.command.end());
    return made;
}

/// The script that a command runs, by itself or by a shell; empty: none.
std::string scriptOf(const std::vector<std::string>& command) {
    static constexpr std::array<std::string_view, 5> shells{"bash", "dash", "ksh", "sh", "zsh"};
    const std::string program = findProgram(command.front());
    if (!linkedOf(program).isElf) return program;
    if (std::ranges::find(shells, std::filesystem::path{program}.filename().string()) == shells.end()) return {};
    const auto script = std::find_if(command.begin() + 1, command.end(),
                                     [](const std::string& word) { return std::filesystem::is_regular_file(word); });
    return script == command.end() ? std::string{} : *script;
}

/// What programs of a script get no recorder, as a sentence. Throws Error where Open MPI would not start them with one.
std::string unrecordedIn(const std::string& script) {
    static constexpr std::uintmax_t most = 1 << 20;  // bytes of a script
    std::error_code failed;
    if (script.empty() || std::filesystem::file_size(script, failed) > most || failed) return {};
    std::string sentence;
    std::ifstream in{script};
    for (std::string line; std::getline(in, line);) {
        std::istringstream rest{line.substr(0, line.find('#'))};
        std::vector<std::string> words;
        for (std::string word; rest >> word;) words.push_back(word);
        const auto launcher = std::ranges::find_if(
            words, [](const std::string& word) { return isLauncher(word) && !findProgram(word).empty(); });
        if (launcher == words.end()) continue;
        const LauncherKind kind = launcherKindOf(*launcher);
        const std::string advice = text("write 'collscope record -- ", *launcher, " ...' inside the script");
        if (kind == LauncherKind::openMpi && exportsVariables({launcher, words.end()}))
            throw Error{text("record: ", script, " calls '", *launcher,
                             " -x', which Open MPI does not permit together with a recorder; ", advice)};
        if (kind == LauncherKind::mpich && sentence.empty())
            sentence = text(std::filesystem::path{script}.filename().string(), " calls '", *launcher,
                            "', MPICH's launcher, whose programs are not recorded; ", advice);
    }
    return sentence;
}

/// The program itself, which runs as one process; or a script, whose mpirun hands the recorder on.
RecordCommand withoutLauncher(const RecordWish& wish) {
    const std::string program = findProgram(wish.command.front());
    const Linked linked = recordable(program);
    requireKnown(program, linked);
    if (linked.mpi)
        return {.words = wish.command,
                .variables = variablesOf(wish, *linked.mpi),
                .whyNothing = whyNothingOf(*linked.mpi)};
    return {.words = wish.command,
            .unrecorded = unrecordedIn(scriptOf(wish.command)),
            .variables = forOpenMpiInScripts(variablesOf(wish, LauncherKind::openMpi)),
            .whyNothing =
                "the command started no program of Open MPI that called MPI_Init and MPI_Finalize. In a script that "
                "starts another MPI, write 'collscope record -- LAUNCHER ...' inside the script"};
}

}  // namespace

RecordCommand underRecorder(const RecordWish& wish) {
    const std::string& first = wish.command.front();
    if (findProgram(first).empty()) throw Error{text("record: program '", first, "' not found")};
    if (const std::size_t place = launcherPlace(wish.command); place > 0) {
        const auto launcher = wish.command.begin() + static_cast<std::ptrdiff_t>(place);
        RecordWish behind = wish;
        behind.command.assign(launcher, wish.command.end());
        RecordCommand made = underRecorder(behind);
        made.words.insert(made.words.begin(), wish.command.begin(), launcher);
        return made;
    }
    if (isSlurms(first)) return underSlurm(wish);
    return isLauncher(first) ? underLauncher(wish) : withoutLauncher(wish);
}

}  // namespace app

// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/run/recorder_command.hpp"

#include "app/session/run/launchers.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/live/boot_id.hpp"

#include <algorithm>
#include <array>
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

/// The program that a launcher starts, if it is given as a path: the first word behind the launcher that names an
/// executable file. Programs along PATH are not looked for, since a value of a launcher's option may have their name.
std::string programIn(const std::vector<std::string>& command) {
    for (std::size_t i = 1; i < command.size(); ++i)
        if (command[i].find('/') != std::string::npos && command[i].front() != '-' &&
            !findProgram(command[i]).empty() && std::filesystem::is_regular_file(command[i]))
            return command[i];
    return {};
}

/// How the program is linked. Throws Error where no recorder can be put before its MPI library.
Linked recordable(const std::string& program) {
    const Linked linked = program.empty() ? Linked{} : linkedOf(program);
    if (linked.isStatic)
        throw Error{text("record: ", program,
                         " is statically linked: a recorder cannot be put before its MPI library; ",
                         "link it dynamically")};
    return linked;
}

void requireKnown(const std::string& program, const Linked& linked) {
    if (linked.mpi == LauncherKind::other)
        throw Error{
            text("record: ", program, " needs ", linked.library, ", an MPI library that no recorder is known for")};
}

engine::live::Variables variablesOf(const RecordWish& wish, LauncherKind kind) {
    engine::live::Variables variables{{"LD_PRELOAD", dropInFor(kind).string()},
                                      {"COLLSCOPE_TRACE", wish.archive.string()}};
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
    const std::string program = programIn(wish.command);
    if (const Linked linked = recordable(program); linked.mpi && *linked.mpi != kind)
        throw Error{text("record: ", program, " needs ", linked.library, ", which is not of ", nameOf(kind),
                         ", whose '", launcher, "' is to start it; use the launcher of its own MPI")};
    RecordCommand made{.words = {launcher}, .whyNothing = whyNothingOf(kind)};
    for (const auto& [name, value] : variablesOf(wish, kind)) handOver(made.words, kind, name, value);
    made.words.insert(made.words.end(), wish.command.begin() + 1, wish.command.end());
    return made;
}

RecordCommand underSlurm(const RecordWish& wish) {
    const std::string program = programIn(wish.command);
    const Linked linked = recordable(program);
    requireKnown(program, linked);
    const LauncherKind kind = linked.mpi.value_or(LauncherKind::openMpi);
    std::string handed = "--export=ALL";
    for (const auto& [name, value] : variablesOf(wish, kind)) handed += ',' + name + '=' + value;
    RecordCommand made{.words = {wish.command.front(), handed}, .whyNothing = whyNothingOf(kind)};
    made.words.insert(made.words.end(), wish.command.begin() + 1, wish.command.end());
    return made;
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
    std::string handed;
    for (const auto& [name, value] : variablesOf(wish, LauncherKind::openMpi))
        handed += (handed.empty() ? "" : ";") + name + '=' + value;
    return {.words = wish.command,
            .variables = {{"OMPI_MCA_mca_base_env_list", handed}},
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

// SPDX-License-Identifier: BSD-3-Clause
// Launchers of MPI programs, and what they need here.
#pragma once

#include "engine/live/child_process.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// Whose launcher a program is.
enum class LauncherKind : std::uint8_t { openMpi, mpich, other };

/// It says so itself: the program is asked for its version.
LauncherKind launcherKindOf(const std::string& program);

/// A file that is built or installed beside this program.
std::filesystem::path besideThis(const std::string& name);

/// The program that every process of a live run is, built with the launcher's library. Throws Error where it is not
/// there.
std::string workerFor(LauncherKind launcher);

/// The same for MPICH, in a build that has one beside that for another MPI; it may not be there.
std::filesystem::path workerForMpich();

/// The drop-in library that is built with the launcher's library. Throws Error where it is not there.
std::filesystem::path dropInFor(LauncherKind launcher);

/// What a launcher needs to set variables in the environment of its processes.
struct HandedOver {
    std::vector<std::string> words;       ///< the command
    engine::live::Variables variables{};  ///< in the environment of the launcher
};

/// `command`, whose first word is the launcher, with `variables` for all its processes: those of each program where it
/// starts several. A variable LD_PRELOAD that the command itself sets is kept behind ours. Throws Error where Open MPI
/// does not permit more variables.
HandedOver handedOver(std::vector<std::string> command, LauncherKind kind, const engine::live::Variables& variables);

/// Whether words of Open MPI's launcher contain its option -x with the name of a variable, which begins with a capital
/// letter: programs may have an option -x of their own.
bool exportsVariables(const std::vector<std::string>& words);

/// What Open MPI's launchers in a script read from their environment.
engine::live::Variables forOpenMpiInScripts(const engine::live::Variables& variables);

/// The words of a launcher's command that describe the programs that it starts, each behind a ":"; those of a file that
/// --app names included.
std::vector<std::string> programWords(const std::vector<std::string>& command);

/// What Open MPI's mpirun needs to start any number of processes on this machine, which yield while they wait.
std::vector<std::string> openMpiArguments();

/// What `program` needs to run `processes` on the hosts of the lab; `folder` keeps files for it. Throws
/// Error without a complete lab, or if the launcher is neither Open MPI's nor MPICH's.
std::vector<std::string> labLauncherArguments(const std::string& program, LauncherKind kind, std::int32_t processes,
                                              const std::filesystem::path& folder);

/// How a program is linked.
struct Linked {
    bool isElf = false;
    bool isStatic = false;
    std::optional<LauncherKind> mpi{};  ///< whose library it needs; other: neither Open MPI's nor MPICH's
    std::string library{};              ///< that library: "libmpi.so.40"
    bool containsMpi = false;           ///< the program needs no such library, since it defines MPI_Init itself
};

/// By its ldd and its symbols; of a script, or where ldd is missing, nothing is known.
Linked linkedOf(const std::string& program);

}  // namespace app

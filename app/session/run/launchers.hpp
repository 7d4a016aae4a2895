// SPDX-License-Identifier: BSD-3-Clause
// Launchers of MPI programs, and what they need here.
#pragma once

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

/// Adds to `words` how the launcher hands a variable of the environment to its processes.
void handOver(std::vector<std::string>& words, LauncherKind kind, const std::string& name, const std::string& value);

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
};

/// By its ldd; of a script, or where ldd is missing, nothing is known.
Linked linkedOf(const std::string& program);

}  // namespace app

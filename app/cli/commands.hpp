// SPDX-License-Identifier: BSD-3-Clause
// Every command, one function each. They return the exit code and throw engine::Error.
#pragma once

#include "app/cli/arguments/arguments.hpp"
#include "app/cli/output/console.hpp"
#include "engine/base/error.hpp"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app::cli {

/// The user interrupted work that can go on.
struct ResumableInterruption : engine::Cancelled {
    explicit ResumableInterruption(std::string how) : howToResume{std::move(how)} {}
    std::string howToResume;
};

/// What `list` lists, as the command line, its help and its completion write it: "algorithms|topologies|...".
inline constexpr std::string_view listTopics = "[algorithms|topologies|models|sizes|tables|libraries|lessons]";
/// The same, one by one.
std::vector<std::string> topicsOfList();

int list(const Arguments& arguments, const Console& console);
int describe(const Arguments& arguments, const Console& console);
int show(const Arguments& arguments, const Console& console);
int verify(const Arguments& arguments, const Console& console);
int synthesize(const Arguments& arguments, const Console& console);
int tuple(const Arguments& arguments, const Console& console);
int runOne(const Arguments& arguments, const Console& console);
int checkClaims(const Arguments& arguments, const Console& console);
int rules(const Arguments& arguments, const Console& console);
int figure(const Arguments& arguments, const Console& console);
int sweepMany(const Arguments& arguments, const Console& console);
int recordProgram(const Arguments& arguments, const Console& console);
int openTrace(const Arguments& arguments, const Console& console);
int replayTrace(const Arguments& arguments, const Console& console);
int rollCall(const Arguments& arguments, const Console& console);
/// Flight Recorder dumps as `open` shows them: the last calls of each rank, and what is wrong in a line.
int openDumps(const std::string& path, const std::string& format, const Console& console);
/// What `rollcall` and `open` print of dumps, or `open` of a debug log of NCCL, without colours; nothing where the path
/// is neither. Throws Error.
std::optional<std::string> readReport(const std::filesystem::path& path);
int compare(const Arguments& arguments, const Console& console);
int exportFile(const Arguments& arguments, const Console& console);
int view(const Arguments& arguments, const Console& console);
int lab(const Arguments& arguments, const Console& console);
int calibrate(const Arguments& arguments, const Console& console);
int bench(const Arguments& arguments, const Console& console);
int completion(const Arguments& arguments, const Console& console);
int manual(const Arguments& arguments, const Console& console);

/// Throws Error where `record` has no command behind "--", or words before it.
void requireCommand(const Arguments& arguments);

/// Who starts the processes of runs over MPI.
Launch launchFor(const Launcher& launcher, const Console& console);

/// How a picture is to look.
gui::Picture readPicture(const Arguments& arguments);

/// Groups of flags that several commands share.
enum class Flags : std::uint8_t {
    problem,      ///< --ranks, --size, ...
    pieces,       ///< --pieces
    search,       ///< --search
    ranges,       ///< the same, but numbers may be ranges
    execution,    ///< --on, --model, ...
    here,         ///< the same, without processes that somebody has to start
    emulation,    ///< the same in virtual time alone: no --on
    measuring,    ///< --repeat, --against, ...
    launch,       ///< --mpirun, --hostfile, --lab
    calibration,  ///< --repeat, --output
    lab,          ///< --hosts, --rate
    cut,          ///< --rounds, --rank
    markdown,     ///< --markdown
    trace,        ///< --trace, --force
    tuple,        ///< -n, -P
    library,      ///< --ranks, --sizes, --output
    tuning,       ///< --ranks, --bytes, --sizes, --budget, --to, --output, ...
    synthesis,    ///< --chunks, --steps, --rounds, --limit, --proof, --alpha, ...
    recording,    ///< --output, --rules, --calls
    questions,    ///< --tables, --from, --to, --ranks, --comm, --topology, ...
    picture,      ///< --output, --view, ...
    comparing,    ///< --scaling, --no-worse-than
    reading,      ///< --memory, --index
    part,         ///< --from, --to
    quick,        ///< --quick
    file,         ///< --output, --force
    sweep,        ///< --output, --resume, --threads, ...
    figure,       ///< --output, --small, --rows, ...
    grading,      ///< --seconds, --memory
    replay,       ///< --with, and the conditions
};

/// A command as help, manual, completion and the parser see it.
struct Command {
    std::string_view name;
    std::string_view task;     ///< the heading under which the help lists it
    std::string_view usage;    ///< what follows the name, before the flags
    std::string_view meaning;  ///< one sentence
    std::string_view details;  ///< more for --help and the manual; may be empty
    std::string_view example;
    std::vector<Flags> flags;
    Formats formats;  ///< of --format; empty: it has none
    int (*run)(const Arguments&, const Console&);
    std::string_view formatsInWords{};  ///< the help of --format; empty: all formats are for all words
};

/// In the order of the help.
std::span<const Command> commands();

}  // namespace app::cli

// SPDX-License-Identifier: BSD-3-Clause
// The collectives that a program of anyone called, as the drop-in library (engine/live/pmpi) records them: one event
// a call in the file of each process (round_records.hpp), and a file of words beside it that says who the communicators
// are.
//
//   process-3.teams    team 0 intra 0-7 MPI_COMM_WORLD         number, kind, members as ranks of MPI_COMM_WORLD, name
//                      team 1 inter 0-3|4-7                    the group with the lowest rank first
//                      team 2 self
//                      team 3 library 0-3                      of the MPI library itself, unknown to the program
//                      way 1 bcast/pipelined-chain:segments=8  what calls of way 1 were replaced by
//                      name 1 halves                           how the program called team 1 later
//                      file 0 1 out.h5                         the first file that team 0 opened
//                      group 90210 0-1                         processes that made a communicator by themselves
//                      site 17 4485 main /home/a/program       where it calls: offset in a file, function or ?, file
//                      processors 12 0-3          those that it may run on, and how often it had to leave one to others
//                      polls 834 91000000 MPI_Test 88000    calls that found nothing, nanoseconds from one to the
//                      next where they followed each other, and within all of them
//                      ended 3 exit                   ended itself by exit(3) before MPI_Finalize; or by a call of MPI
//                      ended 14 MPI_Recv MPI_ERR_TRUNCATE    that returned an error
//                      note 5 allreduce/bine: needs a power of two   why a rule was not followed, in 5 calls
//                      line 17 35	/home/a/main.c	main         what its debugging information says of that
//                      (source_lines.hpp); once more for each function into which the compiler put that one
//                      caller 17 9                site 9 is that of the call by which the program came to site 17
//                      alone 5                    calls whose site is known without its callers: there was no time
//                      code 8 tuned.so bcast a,b          a function of the MPI library: number, file, name, arguments
//                      library 0 Open MPI v4.1.4          what the MPI library calls itself
//                      asked 0 coll_tuned_x=6             a parameter that selects an algorithm
//                      inside 0 COLLSCOPE_INSIDE is no    why its messages within collectives are not recorded
//                      inside 1                           they are recorded; then what limits their record
//                      unrecorded 5                       how many of them there was no room for
#pragma once

#include "engine/live/records/round_records.hpp"
#include "engine/problem/problem.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>

namespace engine::live {

/// The collectives that are watched: first those that block, then, in the same order, those that do not.
enum class Called : std::uint8_t {
    allgather,
    allgatherv,
    allreduce,
    alltoall,
    alltoallv,
    alltoallw,
    barrier,
    bcast,
    exscan,
    gather,
    gatherv,
    reduce,
    reduceScatter,
    reduceScatterBlock,
    scan,
    scatter,
    scatterv,
    iallgather,
};
inline constexpr std::size_t blockingCalls = static_cast<std::size_t>(Called::iallgather);

/// All of them, in their order.
inline constexpr auto everyCalled = [] {
    std::array<Called, 2 * blockingCalls> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Called>(i);
    return all;
}();

constexpr bool isBlocking(Called called) { return static_cast<std::size_t>(called) < blockingCalls; }
/// Whether a worker can make the call with given ranks and bytes: engine/live/mpi/library_call.hpp.
constexpr bool isMeasured(Called called) {
    return isBlocking(called) && called != Called::gatherv && called != Called::scatterv && called != Called::alltoallw;
}
/// MPI_Bcast of MPI_Ibcast, and of itself.
constexpr Called blockingOf(Called called) {
    return static_cast<Called>(static_cast<std::size_t>(called) % blockingCalls);
}
/// MPI_Ibcast of MPI_Bcast.
constexpr Called nonBlockingOf(Called called) {
    return static_cast<Called>(static_cast<std::size_t>(called) + blockingCalls);
}

/// Whether the call names a root.
bool isRooted(Called called);
/// "allgather"; the call's name is "MPI_Allgather".
std::string_view name(Called called);
/// "MPI_Iallgather".
std::string nameOfCall(Called called);
/// What its algorithms solve within one group.
Collective collectiveOf(Called called);
/// What they solve between two; nothing where none of ours does.
std::optional<Collective> collectiveBetweenGroups(Called called);
/// Whether algorithms for `collective` may stand for the call on an intercommunicator, or else within one group.
bool isSolvedBy(Called called, Collective collective, bool inter);

namespace root {
inline constexpr std::int32_t none = -1;
inline constexpr std::int32_t self = -2;       ///< MPI_ROOT
inline constexpr std::int32_t sameGroup = -3;  ///< MPI_PROC_NULL: another process of this group is it
}  // namespace root

/// The communicator of a call that has no number: nothing but its time is known.
inline constexpr std::int32_t noTeam = -1;

/// Operations of reductions that are distinguished; the first stands for none, the last for one of the program's own.
inline constexpr std::array<std::string_view, 14> operationNames{
    "", "sum", "prod", "max", "min", "land", "lor", "lxor", "band", "bor", "bxor", "maxloc", "minloc", "user"};

/// One call on one process. Lies in a record as an Event; times as there. One that does not block has an event when it
/// is posted, of which `received` is the number of the request, and one when it is done, of which that is `begin`.
struct Call {
    std::int64_t begin = 0;  ///< it came
    std::int64_t end = 0;    ///< it went
    Bytes received = 0;      ///< what its arguments say, its own share included
    Bytes sent = 0;
    std::int32_t root =
        root::none;  ///< rank in the communicator (of the other group, where there are two), or as above
    std::int32_t team =
        0;  ///< number in the process' own file of teams; noTeam: of processes of another MPI_COMM_WORLD
    Kind kind = Kind::call;
    std::uint8_t operation = 0;  ///< that a reduction combines by, of operationNames
    std::uint16_t site = 0;      ///< where the program calls, in the file of teams; 0: not known
    Called called = Called::barrier;
    std::uint8_t way = 0;      ///< 0: the library's own; else what replaced it
    std::uint16_t thread = 0;  ///< in the order of their first calls
};
static_assert(sizeof(Call) == sizeof(Event) && offsetof(Call, kind) == offsetof(Event, kind));

enum class TeamKind : std::uint8_t { intra, inter, self, library };

/// A communicator. Members are ranks of MPI_COMM_WORLD in the communicator's order.
struct Team {
    TeamKind kind = TeamKind::intra;
    std::vector<std::int32_t> members{};  ///< of self: none
    std::vector<std::int32_t> others{};   ///< of inter: the second group
    std::string name{};

    friend bool operator==(const Team&, const Team&) = default;
};

/// "0-3,8-20/4": runs of equal step.
std::string membersToText(std::span<const std::int32_t> members);
/// Throws Error when it is none of these.
std::vector<std::int32_t> membersFromText(std::string_view words);

/// A line of the file of teams.
std::string teamLine(std::int32_t number, const Team& team);

/// Where a program calls.
struct Site {
    std::string object{};     ///< the program, or a library of it
    std::int64_t offset = 0;  ///< of the call in it, as tools that read its debugging information count
    std::string function{};   ///< empty: not known
    std::string file{};       ///< of its source; empty: not known
    std::int32_t line = 0;    ///< there

    friend auto operator<=>(const Site&, const Site&) = default;
};

/// The name of a C++ function as its source has it; other names as they are.
std::string demangled(const std::string& symbol);
/// "main, main.c:35", "main in program", or "program+0x1185".
std::string siteToText(const Site& site);
/// A line of the file of teams.
std::string siteLine(std::uint16_t number, const Site& site);
std::string lineLine(std::uint16_t number, const Site& site);
std::string callerLine(std::uint16_t number, std::uint16_t caller);
std::string nameLine(std::int32_t number, std::string_view name);
std::string fileLine(std::int32_t team, std::uint32_t number, std::string_view name);
std::string noteLine(std::int64_t calls, std::string_view words);
struct Polls;
std::string pollsLine(const Polls& polls);
std::string processorsLine(std::int64_t switches, std::span<const std::int32_t> usable);
std::string groupLine(std::uint32_t mark, std::span<const std::int32_t> members);

/// A function of the MPI library that carries out collectives.
struct Code {
    std::string file{};                    ///< "mca_coll_tuned.so"
    std::string name{};                    ///< empty: not known
    std::vector<std::string> arguments{};  ///< names of those that are recorded
};
std::string codeLine(std::uint16_t number, const Code& code);
/// A line of the file of teams that begins so: "asked 0 coll=tuned".
std::string wordsLine(std::string_view what, std::int64_t number, std::string_view words);

/// What is known of the messages that the MPI library sends within collectives.
struct Insides {
    std::vector<std::map<std::uint16_t, Code>> codes{};  ///< by process and own number
    std::set<std::string> library{};                     ///< what it calls itself
    std::set<std::string> asked{};                       ///< what the user asked of it
    bool recorded = false;
    std::set<std::string> refusals{};        ///< why they are not recorded
    std::set<std::string> limits{};          ///< what their record lacks
    std::vector<std::int64_t> unrecorded{};  ///< by process: for which there was no room
};

/// What a process computes on.
struct Processors {
    std::vector<std::int32_t> usable{};  ///< numbers of those that it may run on; empty: not known
    std::int64_t switches = 0;           ///< how often it had to leave one to others, between MPI_Init and MPI_Finalize
};

/// Calls such as MPI_Test and MPI_Iprobe by which a process looked for the same again and again, and found nothing.
struct Polls {
    std::int64_t calls = 0;
    std::int64_t nanoseconds = 0;  ///< from each to the next, where both found nothing
    std::string call{};            ///< "MPI_Test"
    std::int64_t within = 0;       ///< nanoseconds in the calls
};

/// How a process ended itself before MPI_Finalize.
struct Ending {
    std::int64_t code = 0;  ///< its exit code
    std::string by{};       ///< "exit", "_exit", or the call of MPI that failed: "MPI_Recv"; "MPI": one not recorded
    std::string error{};    ///< that this call returned: "MPI_ERR_TRUNCATE"; empty of the first two

    friend auto operator<=>(const Ending&, const Ending&) = default;
};

/// The communicators of all processes, each once.
struct Teams {
    std::vector<Team> all{};
    std::vector<std::vector<std::int32_t>> ofProcess{};  ///< by process and own number: place in `all`
    std::vector<std::string> ways{};                     ///< by number; the first is the library's own, ""
    std::vector<std::map<std::uint16_t, Site>> sites{};  ///< by process and own number
    /// Functions into which the compiler put that of the site, likewise, from the innermost on.
    std::vector<std::map<std::uint16_t, std::vector<Site>>> around{};
    std::vector<std::map<std::uint16_t, std::uint16_t>> callers{};  ///< by process and number of a site
    std::int64_t alone = 0;                                         ///< calls whose callers are not known
    /// Names of files, by place in `all` of their communicator and which of its files.
    std::map<std::pair<std::int32_t, std::uint32_t>, std::string> files{};
    std::map<std::string, std::int64_t>
        notes{};                              ///< why rules were not followed, in how many calls of a process at most
    std::vector<Processors> processors{};     ///< by process
    std::vector<std::vector<Polls>> polls{};  ///< by process
    std::map<std::uint32_t, std::vector<std::int32_t>> groups{};  ///< of processes that made communicators, by mark
    std::vector<std::optional<Ending>> endings{};                 ///< by process
    Insides insides{};
};

/// From the files of all processes, in their order. Communicators of the same members are distinguished by the order in
/// which each process used them first. Throws Error where a file is damaged.
Teams teamsOf(std::span<const std::string> files);

/// The file of teams of a process in the folder of its record.
std::filesystem::path teamsFileOf(const std::filesystem::path& folder, std::int32_t process);

/// What it holds; nothing where it is not there. Throws Error when it is no file that can be read.
std::string teamsFileIn(const std::filesystem::path& folder, std::int32_t process);

/// Calls that a process may have room for: a record travels in one message.
inline constexpr std::int64_t mostCallsRecorded = 40'000'000;

/// The folder of the records that become the archive `folder`: FOLDER.records.
std::filesystem::path recordsOf(const std::filesystem::path& folder);

/// Where the records of a program come from, process by process, so that only one needs memory.
struct Calls {
    std::int32_t processes = 0;
    std::vector<std::string> teamFiles{};  ///< by process
    std::vector<std::string>
        hangReport{};  ///< of a program that has not come to its end: where its ranks stand, by line
    std::function<Record(std::int32_t process)> recordOf{};  ///< asked once for each, in their order
};

/// The calls of a folder that a program left; throws Error when it holds no whole set of records.
Calls callsIn(const std::filesystem::path& folder);

}  // namespace engine::live

// SPDX-License-Identifier: BSD-3-Clause
// The words of our archives that the writer and the reader must agree on; traces/recording/archive.hpp says what they
// mean.
#pragma once

#include "engine/run/run.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace traces::own {

constexpr std::int64_t format = 1;  ///< raised when an older reader would misunderstand an archive

constexpr auto creator = "Collscope";

constexpr std::uint64_t ticksPerSecond = 1'000'000'000'000;

/// Largest number that a time, a count or a place on the byte line may have.
constexpr std::int64_t largest = std::int64_t{1} << 62;

/// An anchor file of more than 256 KiB cannot be read back, so longer values become properties of the machine, cut into
/// pieces that fit a chunk of definitions: NAME, NAME+1, NAME+2, ...
constexpr std::size_t longestProperty = 4096;
constexpr std::size_t longestPiece = 200'000;
constexpr char pieceMark = '+';

/// Calls each(name, value) for the pieces of a long value.
template <class Each>
void eachPiece(const std::string& name, std::string_view value, Each each) {
    for (std::size_t i = 0; i * longestPiece < value.size(); ++i)
        each(i == 0 ? name : name + pieceMark + std::to_string(i), value.substr(i * longestPiece, longestPiece));
}

enum Attribute : std::uint32_t {
    attributeRound,
    attributePortTime,
    attributeBegin,
    attributeEnd,
    attributeRanges,
    attributePlace
};

/// The region, after those of the stages, in which a rank combines what it received.
constexpr std::string_view combining = "combine";

/// How the names of all properties of our archives begin.
constexpr std::string_view properties = "COLLSCOPE::";

namespace property {
constexpr auto format = "COLLSCOPE::FORMAT";
constexpr auto groupA = "COLLSCOPE::GROUP_A";
constexpr auto groupB = "COLLSCOPE::GROUP_B";
constexpr auto rounds = "COLLSCOPE::ROUNDS";
constexpr auto duration = "COLLSCOPE::DURATION";
constexpr auto stages = "COLLSCOPE::STAGES";
constexpr auto remark = "COLLSCOPE::REMARK_";
constexpr auto dropped = "COLLSCOPE::DROPPED";
constexpr auto messages = "COLLSCOPE::MESSAGES";
constexpr auto bytes = "COLLSCOPE::BYTES";
constexpr auto perRound = "COLLSCOPE::PER_ROUND";
}  // namespace property

/// Properties of the recording of a replay: its conditions, in the words of a Setting.
namespace replayed {
constexpr std::string_view properties = "COLLSCOPE_REPLAY::";
constexpr auto model = "COLLSCOPE_REPLAY::MODEL";
constexpr auto topology = "COLLSCOPE_REPLAY::TOPOLOGY";
constexpr auto sharing = "COLLSCOPE_REPLAY::SHARING";
constexpr auto ports = "COLLSCOPE_REPLAY::PORTS";
constexpr auto inPorts = "COLLSCOPE_REPLAY::IN_PORTS";  ///< "byte"; not there where it is by message
constexpr auto unevenness = "COLLSCOPE_REPLAY::UNEVENNESS";
}  // namespace replayed

/// Properties of copies: what the archive that was copied did not say and its copy cannot show, a line each
/// (copied_unrecorded_data.hpp).
namespace copied {
constexpr std::string_view properties = "COLLSCOPE_COPY::";
constexpr auto notRecorded = "COLLSCOPE_COPY::NOT_RECORDED";
constexpr auto remarks = "COLLSCOPE_COPY::REMARKS";
/// Of training jobs: which calls of ranks are one collective, where their order alone does not show it.
constexpr auto collectives = "COLLSCOPE_COPY::COLLECTIVES";
}  // namespace copied

/// The attribute of a collective's end that names the algorithm it ran by: "bcast/pipelined-chain:segments=8".
constexpr auto algorithmWord = "algorithm";

/// The attribute of a reduction's end that names its operation: "sum".
constexpr auto reductionWord = "reduction";

/// Attributes of the end of a collective by the MPI library: the function that carried it out, with its arguments, and
/// those that this one called, "allreduce_intra_nonoverlapping + reduce_intra_pipeline:segsize=65536"; and the
/// component of the library that it belongs to, "tuned".
constexpr auto libraryAlgorithmWord = "library algorithm";
constexpr auto libraryComponentWord = "library component";

/// The attribute of a message of the library, where it is posted, that gives the request of its nonblocking collective.
constexpr auto insideWord = "inside";

/// The attribute of the end of a collective among neighbours, 1: its operation is the one that OTF2 has for all ranks.
constexpr auto neighboursWord = "among neighbours";

/// Messages of the MPI library within such collectives are messages of these calls, on the communicator of the program,
/// with tags unlike its own.
constexpr std::uint32_t tagOfNeighbours = std::uint32_t{1} << 31;

/// How the names of communicators begin by which the library's own messages are written, of which the program knows
/// nothing: "inside of MPI_COMM_WORLD", whose parent is MPI_COMM_WORLD. A communicator of the library alone has no
/// parent.
constexpr std::string_view insideOf = "inside of ";
constexpr auto insideOfLibrary = "inside of the library";

/// The parameter that names the error class which a call of MPI returned: "MPI_ERR_TRUNCATE".
constexpr auto errorWord = "MPI error";

/// Properties of the archive of a program. Of one that did not come to its end: where its ranks stood, a line each.
constexpr std::string_view programProperties = "COLLSCOPE_PROGRAM::";
constexpr auto standing = "COLLSCOPE_PROGRAM::STANDING";
/// What its recorder left out and which rules it did not follow, a line each.
constexpr auto limits = "COLLSCOPE_PROGRAM::LIMITS";
/// Hosts whose ranks share processors, a line each.
constexpr auto sharing = "COLLSCOPE_PROGRAM::SHARING";

/// By rank and call: how many calls found nothing, nanoseconds from one to the next where they followed each other, and
/// within all of them: "0 834 91000000 MPI_Test 88000", a line each.
constexpr auto polling = "COLLSCOPE_PROGRAM::POLLING";

/// How the region of calls that found nothing ends: "MPI_Test (found nothing)". One call there is several that followed
/// each other; it takes as long as all of them and ends with the last.
constexpr std::string_view foundNothing = " (found nothing)";

/// "library " and what the MPI library calls itself; "asked " and each setting by which the user chose algorithms.
constexpr auto library = "COLLSCOPE_PROGRAM::LIBRARY";
/// "yes" or "no: " and why the messages of the library within collectives were not recorded; then what limits them.
constexpr auto inside = "COLLSCOPE_PROGRAM::INSIDE";

/// How the description of a call's region begins that says from where the program makes it.
constexpr std::string_view calledAt = "called at ";

/// How the description of a region of a training job begins that says what its calls do: "does collective".
constexpr std::string_view does = "does ";
constexpr std::array<std::string_view, 4> doings{"send", "receive", "send and receive", "collective"};

/// Properties of locations, in picoseconds.
constexpr auto busyTime = "busy";
constexpr auto waitTime = "wait";
constexpr auto idleTime = "idle";
/// When a rank of a live run came to the collective.
constexpr auto enteredAt = "entered";

/// The words of a Setting and the properties they lie in.
constexpr std::array<std::pair<const char*, std::string engine::Setting::*>, 10> settingWords{{
    {"COLLSCOPE::ON", &engine::Setting::on},
    {"COLLSCOPE::ALGORITHM", &engine::Setting::algorithm},
    {"COLLSCOPE::OPTIONS", &engine::Setting::options},
    {"COLLSCOPE::PROBLEM", &engine::Setting::problem},
    {"COLLSCOPE::TOPOLOGY", &engine::Setting::topology},
    {"COLLSCOPE::MODEL", &engine::Setting::model},
    {"COLLSCOPE::PROGRESS", &engine::Setting::progress},
    {"COLLSCOPE::SHARING", &engine::Setting::sharing},
    {"COLLSCOPE::ROUTING", &engine::Setting::routing},
    {"COLLSCOPE::UNEVENNESS", &engine::Setting::perturbation},
}};

/// The requests of the library's own messages are numbered from here on.
constexpr std::uint64_t firstInside = std::uint64_t{1} << 32;

}  // namespace traces::own

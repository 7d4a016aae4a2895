// SPDX-License-Identifier: BSD-3-Clause
// Which algorithm an MPI library chooses for which collective, ranks and bytes: recorded from one call of each, written
// as csv, and compared.
#pragma once

#include "app/session/options/launch.hpp"
#include "engine/base/types.hpp"
#include "engine/live/records/collective_records.hpp"
#include "engine/run/executor.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace app::tune {

struct LibraryMapWish {
    std::vector<engine::live::Called> calls{};
    std::vector<std::int64_t> ranks{};   ///< rising
    std::vector<engine::Bytes> sizes{};  ///< rising; as tune::Cell counts them
};

/// One call and what the library ran in it.
struct LibraryCase {
    std::string collective{};  ///< as calls are named: "reduce_scatter"
    std::int64_t ranks = 0;
    engine::Bytes bytes = 0;
    std::string executed{};   ///< the library's own name, else its component; empty: it names nothing
    std::string catalogue{};  ///< the algorithm of the catalogue whose messages match best; empty: none does
    std::string differs{};    ///< how the messages differ from that one's; empty: they are the same
    std::string asked{};      ///< the parameter that selects an algorithm
    std::string instead{};    ///< why another one ran
    std::int64_t messages = 0;

    friend bool operator==(const LibraryCase&, const LibraryCase&) = default;
};

struct LibraryMap {
    std::string library{};  ///< "Open MPI v4.1.4"
    std::vector<LibraryCase> cases{};
    std::vector<std::string> remarks{};  ///< what is missing, and why

    friend bool operator==(const LibraryMap&, const LibraryMap&) = default;
};

/// Calls each collective once on the first ranks of one start of processes, under the recorder. Cases whose buffers
/// would take more than a quarter of this machine's memory are left out. Throws Error, Cancelled.
LibraryMap libraryMap(const LibraryMapWish& wish, const Launch& launch, const engine::Progress& progress = {});

/// By which name two cases are compared: the library's own, or the catalogue's where only that is common to both
/// libraries.
enum class Naming : std::uint8_t { library, catalogue };
/// Of one map: the library's own if it names anything.
Naming namingOf(const LibraryMap& map);
/// Of two: the library's own if both are of one library that names its algorithms.
Naming namingOf(const LibraryMap& a, const LibraryMap& b);
/// "allreduce_intra_ring", "allreduce/ring", "like allreduce/ring" where the messages differ from it, "unknown".
std::string algorithmIn(const LibraryCase& one, Naming naming);

std::string toCsv(const LibraryMap& map);
/// Throws Error with `file` and the line where it is no such table.
LibraryMap libraryMapFrom(std::string_view csv, const std::string& file);

/// Neighbouring cases in which both maps choose the same two different algorithms.
struct LibraryChange {
    std::string collective{};
    std::int64_t ranksFrom = 0;
    std::int64_t ranksTo = 0;
    engine::Bytes bytesFrom = 0;
    engine::Bytes bytesTo = 0;
    std::string before{};
    std::string after{};

    friend bool operator==(const LibraryChange&, const LibraryChange&) = default;
};

struct LibraryComparison {
    std::int64_t common = 0;   ///< cases of both maps
    std::int64_t changed = 0;  ///< of these
    std::int64_t alone = 0;    ///< cases of one map alone
    std::vector<LibraryChange> changes{};
};
LibraryComparison compared(const LibraryMap& a, const LibraryMap& b);

}  // namespace app::tune

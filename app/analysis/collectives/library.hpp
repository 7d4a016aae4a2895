// SPDX-License-Identifier: BSD-3-Clause
// What the MPI library of a program was asked to run in its collectives, and why it ran something else.
#pragma once

#include "engine/algorithm/algorithm.hpp"
#include "traces/recording/recording.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace app::analysis {

/// The MPI library as its recorder describes it.
struct LibrarySetting {
    std::string version;                            ///< "Open MPI v4.1.4, ..."; empty where it was not recorded
    std::map<std::string, std::string> parameters;  ///< MCA parameters and CVARs that were set, with their values
};
LibrarySetting librarySettingOf(const traces::Recording& recording);

/// Whether the recorder records messages inside of collectives, and did: else a sentence that says how to record them.
std::optional<std::string> whyNothingInside(const traces::Recording& recording);

/// What the library was asked to run in an operation.
struct AskedFor {
    std::string parameter;   ///< "coll_tuned_allreduce_algorithm=4"
    engine::KnownAs known;   ///< without a name where the value is none of the library's
    bool isIgnored = false;  ///< the library does not look at the parameter
};
std::optional<AskedFor> askedFor(const LibrarySetting& setting, std::string_view operation);

/// What Open MPI names "allreduce_intra_ring + allreduce_intra_recursivedoubling" as its parameters for `operation`
/// know it: the last of them that is one of these; nothing where none is.
std::optional<engine::KnownAs> ranAs(std::string_view ofLibrary, std::string_view operation);

/// Why another algorithm ran than was asked for, as far as it is known: a clause, or empty.
std::string whyInstead(const AskedFor& asked, const engine::KnownAs& ran, std::int32_t ranks);

}  // namespace app::analysis

// SPDX-License-Identifier: BSD-3-Clause
// What the MPI library of a program was asked to run in its collectives, and why it ran something else.
#pragma once

#include "app/analysis/collectives/collective_instances.hpp"
#include "engine/algorithm/algorithm.hpp"
#include "traces/recording/recording.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app::analysis {

/// The MPI library as its recorder describes it.
struct LibrarySetting {
    std::string version;                            ///< "Open MPI v4.1.4, ..."; empty where it was not recorded
    std::map<std::string, std::string> parameters;  ///< MCA parameters and CVARs that were set, with their values
};
LibrarySetting librarySettingOf(const traces::Recording& recording);

/// Why a recording has no messages inside collectives, with the way to record them; nothing where it has them.
std::optional<std::string> whyNothingInside(const traces::Recording& recording);

/// What the library was asked to run in a call.
struct AskedFor {
    std::string parameter;    ///< "coll_tuned_allreduce_algorithm=4"
    engine::KnownAs known{};  ///< its name is empty if the library has no algorithm of this value
    bool isIgnored = false;   ///< coll_tuned_use_dynamic_rules is not set

    /// Not of a file of rules, and of parameters of coll/libnbc, whose algorithms are not listed.
    [[nodiscard]] bool namesAlgorithm() const { return !known.call.empty(); }
};
/// The parameter that applies to the call, if one is set: Open MPI's apply to blocking calls within one group, or to
/// nonblocking ones if they are of coll/libnbc; MPICH's to the kind of call and communicator in their names.
std::optional<AskedFor> askedFor(const LibrarySetting& setting, const Instance& instance);

/// The entry of Open MPI's list for a chain of functions such as "allreduce_intra_ring +
/// allreduce_intra_recursivedoubling": the last function that carries out `operation`; nothing if there is none.
std::optional<engine::KnownAs> ranAs(std::string_view ofLibrary, std::string_view operation);

/// Those of other operations than `operation` in such a chain: what it is composed of, in their order.
std::vector<engine::KnownAs> partsNamed(std::string_view ofLibrary, std::string_view operation);

/// Whether a library's algorithm is whatever it chooses for parts of the call, so that many messages may be its own:
/// MPICH's smp, the collectives within and between nodes, and nb, the nonblocking one.
bool isComposed(const engine::KnownAs& known);

/// Why another algorithm ran than was asked for, as far as it is known: a clause, or empty.
std::string whyInstead(const AskedFor& asked, const engine::KnownAs& ran, std::int32_t ranks);

}  // namespace app::analysis

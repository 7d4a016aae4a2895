// SPDX-License-Identifier: BSD-3-Clause
// Who is missing where: what the processes of a program that stands, or was killed, were doing, by what the drop-in
// library left of each (standing.hpp).
#pragma once

#include "engine/live/standing.hpp"

#include <optional>
#include <string>
#include <vector>

namespace engine::live {

/// Processes that do the same. What does not belong to the call, or is not known, is empty.
struct Gathered {
    std::vector<std::int32_t> processes{};  ///< ranks of MPI_COMM_WORLD, rising
    bool missing = false;        ///< others wait for them in a call of a communicator that they are members of
    bool within = false;         ///< the call; else it was their last one
    std::string call{};          ///< "MPI_Bcast"; empty: they left no word
    std::string communicator{};  ///< its name, or its members
    std::optional<std::int64_t> sequence{};  ///< the how many-th that all of the communicator call together, from 1
    std::optional<std::int32_t> root{};      ///< rank in the communicator
    std::optional<std::int32_t> peer{};      ///< likewise: whom a message goes to or comes from
    std::optional<std::int32_t> tag{};
    std::optional<std::int64_t> count{};    ///< elements, or requests that are waited for
    std::optional<std::int64_t> request{};  ///< of these the one that is open, from 0; those before it are done
    std::string awaits{};                   ///< what that is, where it is known: "receive", "MPI_Ibcast"
    std::string operation{};                ///< "sum"
    std::string place{};                    ///< "main, main.c:35"

    friend bool operator==(const Gathered&, const Gathered&) = default;
};

/// A communicator that some are in a call of.
struct Meeting {
    std::string communicator{};         ///< its name, or its members
    std::int32_t members = 0;           ///< how many processes it has
    std::vector<Gathered> processes{};  ///< missing ones first, then those behind others, then the fewest
};

struct RollCall {
    std::int32_t processes = 0;
    std::vector<Meeting> meetings{};    ///< the one with most missing first
    std::vector<Gathered> elsewhere{};  ///< members of none of these; the fewest first
};

/// Reads the folder that a program left, FOLDER.records. Throws Error when it holds none, or something damaged.
RollCall rollCall(const std::filesystem::path& folder);

}  // namespace engine::live

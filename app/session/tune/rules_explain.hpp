// SPDX-License-Identifier: BSD-3-Clause
// Which rule of a file decides a call, and why.
#pragma once

#include "app/session/tune/installed.hpp"
#include "app/session/tune/rules_file.hpp"

namespace app::tune {

/// A call on one group.
struct CallQuestion {
    engine::live::Called called = engine::live::Called::bcast;
    std::int64_t ranks = 2;
    /// The vector of a reduction, the message of a broadcast, else the block that one rank has for all or for another.
    engine::Bytes bytes = 0;
    /// Of a scan: of one element.
    engine::Bytes element = 4;
};

/// What the library of a file looks up for a call.
struct Counted {
    engine::Bytes bytes = 0;
    std::string how{};  ///< "128 ranks x 4 KiB"; empty: the bytes of the call as they are
};

/// The bytes that Open MPI 4.1 looks up in its rules.
Counted countedByOpenMpi(const CallQuestion& call);
/// What the rules of the drop-in library count.
Counted countedByCollscope(const CallQuestion& call);
/// "avg_msg_size", "total_msg_size" or "count" of MPICH.
Counted countedByMpich(const CallQuestion& call, const std::string& quantity);

struct Explanation {
    int line = 0;                        ///< of the rule that decides; 0: none does
    std::string algorithm{};             ///< as the library calls it: "6 (binomial)"; empty: the library chooses
    std::string id{};                    ///< the catalogue's algorithm that does the same; empty: none, or unknown
    std::vector<std::string> reasons{};  ///< one sentence each, in the order of the decision
    std::string outcome{};               ///< "the call fails": where no algorithm runs; empty: one does
};

/// Throws Error where the library would ignore or refuse the whole file.
Explanation explain(const RulesFile& file, const CallQuestion& call, const Installed& installed);

/// The catalogue's algorithm that `library` knows by this name; empty: none.
std::string idKnownAs(std::string_view library, const std::string& call, const std::string& algorithm);

}  // namespace app::tune

// SPDX-License-Identifier: BSD-3-Clause
// Which algorithms the MPI libraries on this machine have, as they list them themselves.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace app::tune {

/// The algorithms of one library, by call: "bcast".
struct Installed {
    std::string version{};  ///< "Open MPI 4.1.4"; of a library that is not installed the name alone
    bool present = false;
    /// Names by number; MPICH has no numbers and the names in alphabetical order.
    std::map<std::string, std::vector<std::string>> algorithms{};
    // Of MPICH alone:
    std::vector<std::string> variables{};  ///< names of its control variables
    std::map<std::string, std::string>
        integers{};                         ///< of those that are integers, also 0 and 1 for no and yes: usual value
    std::vector<std::string> selectable{};  ///< names in its selection files: "MPIR_Bcast_intra_binomial"
    std::string selection{};                ///< the selection file that is built into it, in one line
    /// By call, names by the value of the variable that selects among them; empty: one that no file can select.
    std::map<std::string, std::vector<std::string>> values{};

    /// The name of algorithm `number` of the call; empty: there is none.
    [[nodiscard]] std::string nameOf(const std::string& call, std::int64_t number) const;
};

/// Open MPI's coll/tuned, from `ompi_info`; where that is missing, the numbers of Open MPI 4.1 that the catalogue has.
const Installed& installedOpenMpi();

/// MPICH's algorithms within one group, from `mpivars`; nothing where that is missing.
const Installed& installedMpich();

/// What `ompi_info --parsable` and `mpivars` print, for tests.
Installed openMpiFrom(const std::string& words);
Installed mpichFrom(const std::string& words, const std::string& version);

}  // namespace app::tune

// SPDX-License-Identifier: BSD-3-Clause
// Diagnosis of hangs: which processes of a program that hangs or was killed are in which MPI call, and which ones are
// missing there, from the files that the drop-in library leaves of each (rank_status.hpp).
#pragma once

#include "engine/live/records/rank_status.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine::live {

/// Processes that do the same. What does not belong to the call, or is not known, is empty.
struct ProcessesInCall {
    std::vector<std::int32_t> processes{};  ///< ranks of MPI_COMM_WORLD, rising
    /// Others wait for them in a call that they have to make, too, and they wait for nobody; or, where all wait for
    /// each other, they are the odd ones out. Who has not come because it waits for others itself is not missing.
    bool missing = false;
    bool within = false;                     ///< the call; else it was their last one
    bool polls = false;                      ///< not within, but they look again and again for what they wait for
    std::string call{};                      ///< "MPI_Bcast"; empty: none was recorded
    std::string communicator{};              ///< its name, or its members
    std::string file{};                      ///< that the call is about: "out.h5"
    std::optional<std::int64_t> sequence{};  ///< which of the calls that all of the communicator, or file, make, from 1
    std::optional<std::int32_t> root{};      ///< rank in the communicator
    std::optional<std::int32_t> peer{};      ///< likewise: whom a message goes to or comes from
    std::optional<std::int32_t> tag{};
    std::optional<std::int32_t> code{};   ///< with which the call, MPI_Abort, ends the program
    std::optional<std::int64_t> count{};  ///< elements, or requests that are waited for
    std::optional<Bytes> sent{};          ///< of a collective, as its arguments name them
    std::optional<Bytes> received{};
    std::optional<std::int64_t> request{};  ///< of these the one that is open, from 0; those before it are done
    std::string awaits{};                   ///< what that is, where it is known: "receive", "MPI_Ibcast"
    std::string operation{};                ///< "sum"
    std::string place{};                    ///< "main, main.c:35"

    friend bool operator==(const ProcessesInCall&, const ProcessesInCall&) = default;
};

/// A communicator, or a file or window of one, that some are in a call of.
struct CommunicatorInCall {
    std::string communicator{};  ///< its name, or its members
    std::string of{};            ///< "file out.h5", "window 2"; empty: the communicator itself
    std::int32_t members = 0;    ///< how many processes it has
    /// All of them have entered the call that some are in: it is the library that does not complete it.
    bool everyoneEntered = false;
    std::vector<std::string> mistakes{};  ///< "rank 2 passes root 2, ranks 0, 1, 3 pass root 0 (MPI_Bcast, call 3)"
    std::vector<ProcessesInCall> processes{};  ///< missing ones first, then those behind others, then the fewest
};

struct HangDiagnosis {
    std::int32_t processes = 0;
    std::vector<CommunicatorInCall> communicators{};  ///< the one with most missing first
    std::vector<ProcessesInCall> elsewhere{};         ///< members of none of these; the fewest first
    /// Processes that wait for each other, of which none is the odd one out.
    std::vector<std::vector<std::int32_t>> circles{};
    /// How processes and their launcher ended, each a sentence: "ranks 0, 2 ended with exit(0) without MPI_Finalize".
    std::vector<std::string> endings{};
};

/// Above the endings among the lines of a roll call.
inline constexpr std::string_view endingsHeading = "how the program ended";

/// Keeps in the folder of a record that `launcher` ended with an exit code, and which process ended first where that is
/// known, for the roll call. Changes nothing where that cannot be written.
void noteEndOf(const std::filesystem::path& folder, std::string_view launcher, int code,
               std::optional<std::int32_t> first = {});

/// Reads the folder that a program left, FOLDER.records. Throws Error when it holds none, or something damaged.
HangDiagnosis diagnoseHang(const std::filesystem::path& folder);

/// Whether each process of the program that left the folder came to its end.
bool allAreDone(const std::filesystem::path& folder);

/// The lines of its roll call where the program has not come to its end; none where it has, or nothing says so.
std::vector<std::string> hangReport(const std::filesystem::path& folder);

/// The roll call as people read it, line by line, no control characters in it.
std::vector<std::string> linesOf(const HangDiagnosis& roll);

}  // namespace engine::live

// SPDX-License-Identifier: BSD-3-Clause
// What the MPI library ran in one collective, beside what it was asked for and the schedule it should have followed.
#pragma once

#include "app/analysis/collectives/library.hpp"
#include "app/analysis/trace/trace_analysis.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app::analysis {

/// How LibraryUse::differs begins where the messages were compared with no algorithm.
inline constexpr std::string_view notCompared = "not compared";

struct LibraryUse {
    std::string executed{};  ///< the library's own name of it, behind its component unless that is tuned; else that
                             ///< alone; may be empty
    /// Of the catalogue, whose messages match best; two where the messages are those of one collective and then those
    /// of another; none where too few match. They live as long as the analysis.
    std::vector<const engine::Plan*> plans{};
    std::string catalogue{};  ///< these in words: "reduce/flat, then bcast/flat"
    std::string differs{};    ///< how the messages differ from theirs; empty: they do not, or were not recorded
    std::string asked{};      ///< the parameter that selects an algorithm
    std::string instead{};    ///< what ran instead, with the reason if known
};

/// Of those that match best, moves the one to the front that the library names or was asked for, else one of the
/// library's.
void putNamedFirst(std::vector<Recognition>& found, const LibrarySetting& setting, const Instance& instance);

/// Of several plans that match equally well, the one that the library names, or was asked for.
LibraryUse usedIn(TraceAnalysis& analysis, std::size_t instance, const LibrarySetting& setting);

/// The same of a collective of the library whose messages match no algorithm: what the library ran is closer than the
/// algorithm with the most similar messages. Nothing of any other instance.
std::optional<LibraryUse> usedInUnmatched(TraceAnalysis& analysis, std::size_t instance);

/// "the library ran allreduce_intra_ring (component tuned), whose messages are those of allreduce/ring": a clause.
std::string inWords(const LibraryUse& use, const Instance& instance);

/// How long these take one after the other, emulated as an instance ran; nothing where there are none, the model is
/// not known, or a schedule is too long to be emulated.
std::optional<engine::Picoseconds> emulatedAgain(TraceAnalysis& analysis, std::size_t instance,
                                                 std::span<const engine::Plan> plans);

/// The fastest algorithm of the catalogue beside the one that ran, both emulated.
struct Faster {
    const Alternative* best = nullptr;  ///< as long as the analysis lives
    double factor = 1;                  ///< speed-up of best; below 1 if nothing is faster
    /// Its range under the 95% intervals of alpha and beta; as `factor` where these are given, not fitted.
    double low = 1;
    double high = 1;
};
/// Nothing where the problem, the model or the schedule that ran is not known, or the schedule is too long to be
/// emulated.
std::optional<Faster> fasterThan(TraceAnalysis& analysis, std::size_t instance, const LibraryUse& use);
/// "1.82 (1.7 to 1.94)"; without the range where it is none.
std::string factorWords(const Faster& faster);

}  // namespace app::analysis

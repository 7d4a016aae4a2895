// SPDX-License-Identifier: BSD-3-Clause
// An algorithm: a named recipe from a problem to a schedule, with the words people need. One file under
// engine/algorithms/<collective>/ defines one function that returns one; the build finds it (see catalogue.hpp).
#pragma once

#include "engine/algorithm/options.hpp"
#include "engine/cost/model.hpp"
#include "engine/problem/problem.hpp"
#include "engine/schedule/schedule.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace engine {

/// Why an algorithm does not fit a problem, as a sentence.
using Objection = std::optional<std::string>;

/// An erratum and its correction.
struct Erratum {
    std::string place;
    std::string correction;
};

/// What a library calls an algorithm.
struct KnownAs {
    std::string library;  ///< "Open MPI", "MPICH", "NCCL"
    std::string call;     ///< the collective that it is one of there: "allgather"
    std::string name;     ///< as its parameters spell it: "recursive_doubling"
    int number = -1;      ///< Open MPI: of coll/tuned, as `ompi_info --param coll tuned --level 9` lists it; -1: none
};

/// One algorithm of the catalogue.
struct Algorithm {
    std::string id;  ///< "<collective>/<name>": fixed, files and lessons depend on it
    Collective collective = Collective::bcast;
    std::string title;    ///< a few words
    std::string idea;     ///< one or two sentences: what moves where, and why that is good
    std::string source;   ///< the paper and the place in it
    std::string formula;  ///< predicted cost in letters, e.g. "(p + q/2)(alpha + beta k)"
    std::string letters;  ///< what the letters stand for
    std::vector<Erratum> errata{};
    std::vector<KnownAs> knownAs{};
    std::vector<Option> options{};

    /// Why this problem cannot be planned with these options; nothing when it can. May be empty: fits all.
    std::function<Objection(const Problem&, const Options&)> objects{};
    std::function<SchedulePtr(const Problem&, const Options&)> plan{};
    /// Cost of the lockstep schedule on a contention-free network, by the closed form. May be empty: none is known.
    std::function<std::optional<Cost>(const Problem&, const Options&)> predict{};

    /// Reductions: whether every result combines contributions in the order of their ranks, so that operations need not
    /// commute. May be empty: never.
    std::function<bool(const Problem&, const Options&)> keepsOrder{};
    /// What its options called "auto" come to, for the options' surroundings. May be empty: none can be called so.
    std::function<Choices(const Problem&, const Options&)> choose{};

    /// Broadcasts, which the catalogue offers in two levels (engine/catalogue/compose.hpp): whether each round of it
    /// costs at least as much on more ranks as on fewer, so that the larger of two unequal groups sets the cost of
    /// both. Where that is not known, such groups have no prediction.
    bool growsWithRanks = false;
};

/// An algorithm applied: what executors run and everything about it that a run must remember.
struct Plan {
    const Algorithm* algorithm = nullptr;
    Problem problem;
    Options options;
    SchedulePtr schedule;
    std::shared_ptr<const void> source{};  ///< keeps the algorithm of a file as long as there are plans of it
};

/// Checks problem and options and plans; throws Error for a mistake of the user or an objection, and where the
/// operation does not commute and the algorithm does not keep the order. An option `exclusive` becomes part of the
/// problem. What is left to the algorithm is chosen for `around`.
Plan makePlan(const Algorithm& algorithm, const Problem& problem, const std::map<std::string, std::string>& options,
              const Surroundings& around = {});

/// What the plan's algorithm chose by itself; empty where everything was said.
Choices choicesOf(const Plan& plan);

}  // namespace engine

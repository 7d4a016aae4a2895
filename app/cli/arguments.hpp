// SPDX-License-Identifier: BSD-3-Clause
// What stands on the command line, as words, and what the verbs make of it.
#pragma once

#include "app/analysis/inquiry.hpp"
#include "app/session/proving.hpp"
#include "app/session/session.hpp"
#include "traces/archive.hpp"

#include <optional>
#include <string>
#include <vector>

namespace app {
struct LiveWish;
}

namespace app::cli {

/// Every flag of every verb. A verb sees only those that it declares; the rest stay empty.
struct Arguments {
    using Word = std::optional<std::string>;

    std::vector<std::string> words;  ///< what stands without a flag, in order

    // the problem
    Word ways;  ///< tuple only
    Word ranks, groupA, groupB, size, sizeB, sizes, root, operation, element, ports, topology, placement;
    bool neighboursOnly = false;
    std::vector<std::string> settings;  ///< --set key=value

    // the execution
    Word on, model, alpha, beta, bandwidth, gamma, logGP, eager, stepping, sharing, header, detached, arrival,
        slowRanks, slowLinks, trace;
    bool force = false;

    // the execution over MPI
    Word repeats, warmUps, against, mpirun, hostfile;
    bool noCheck = false, onLab = false;
    // the execution in two halves
    bool splitPhase = false;
    Word transport, compute, tests;
    Word hosts, rate;  ///< of the lab

    // the answer
    Word format, rounds, rank, output;
    bool markdown = false;
    bool quick = false;

    // questions to a trace
    Word tables, from, to, communicators, windows, clocks;
    Word memory, index;  ///< how it is read
    // the sweep
    Word threads;
    bool resume = false;

    // the picture
    Word view, width, height, time, seconds;
    bool dark = false;
};

/// Formats a verb can answer in; the first one is the default.
using Formats = std::vector<std::string>;

/// The chosen format; throws Error with the nearest one.
std::string chosenFormat(const Arguments& arguments, const Formats& formats);

/// The words of a verb that takes between `least` and `most` of them; throws Error that says which `usage` is right.
const std::vector<std::string>& wordsOf(const Arguments& arguments, std::size_t least, std::size_t most,
                                        std::string_view usage);

/// One of `choices`, or `fallback` when the flag is not given. Throws Error with the nearest choice.
std::string choice(const Arguments::Word& word, std::string_view flag, const std::vector<std::string>& choices,
                   const std::string& fallback);

/// The problem with single numbers.
ProblemWish readProblem(const Arguments& arguments);

/// Every combination of the numbers in its ranges; with two groups or one. Roots outside the ranks are left out when
/// several roots were asked for.
std::vector<ProblemWish> readProblems(const Arguments& arguments, bool intergroup);

/// --set key=value as a map.
std::map<std::string, std::string> readOptions(const Arguments& arguments);

NetworkWish readNetwork(const Arguments& arguments);

/// The named model, with what the flags say in its place.
engine::Model readModel(const Arguments& arguments);

/// How traces are read.
traces::Opening readOpening(const Arguments& arguments);

/// --from, --to and --ranks as a part of a trace.
analysis::Part readPart(const Arguments& arguments);

/// What a trace is asked about.
analysis::AnswerWish readAnswerWish(const Arguments& arguments);

/// Throws Error when a flag of the problem or of its execution is given beside a trace, which says both itself.
void refuseRunFlags(const Arguments& arguments);

/// The run of algorithm `id`. Throws Error also for flags that mean nothing where it runs.
RunWish readRun(const Arguments& arguments, const std::string& id);

/// What a run over MPI is asked to do besides. Throws Error for its flags when `run` is not over MPI.
LiveWish readLive(const Arguments& arguments, const RunWish& run);

}  // namespace app::cli

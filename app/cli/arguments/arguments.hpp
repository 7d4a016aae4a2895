// SPDX-License-Identifier: BSD-3-Clause
// What stands on the command line, as words, and what the commands make of it.
#pragma once

#include "app/analysis/trace/trace_analysis.hpp"
#include "app/session/options/specification.hpp"
#include "app/session/proofs/proofs.hpp"
#include "traces/recording/archive.hpp"

#include <optional>
#include <string>
#include <vector>

namespace app::cli {

/// Every flag of every command. A command sees only those that it declares; the rest stay empty.
struct Arguments {
    using Word = std::optional<std::string>;

    std::vector<std::string> words;    ///< what stands without a flag, in order
    std::vector<std::string> command;  ///< of a program to record: what stands behind "--"
    Word recordRules, calls;           ///< for its recorder

    Asked asked;  ///< of a run: the flags of fields.hpp, and those that mean the same to other commands

    Word ways, processes;                            ///< tuple, and tune: ranks
    Word bytes, sizes, budget, program, candidates;  ///< tune only
    bool commutative = false;
    Word trace;
    bool force = false;
    Word hosts, rate;  ///< of the lab
    Word pairs;        ///< calibrate only

    // the answer
    Word format, rounds, rank, output;
    bool markdown = false;
    bool quick = false;

    // the search for schedules; also `rounds` and `limit`
    Word chunks, steps, proof, method;
    Word search;  ///< run only

    // questions to a trace
    std::vector<std::string> require;
    Word noWorseThan, scaling;  ///< compare only
    Word tables, sql, limit, from, to, communicators, tags, messageSizes, windows;
    Word memory, index, clocks;  ///< how it is read
    // the sweep
    Word threads, repeats;
    bool resume = false;
    std::vector<std::string> together;  ///< each names ranges that go in step
    // its chart
    Word across, up, series, baseline, linear, title;
    std::vector<std::string> lines;
    bool formula = false;
    // figures
    Word rows;
    bool small = false;

    // the replay
    Word goal, timeIndependent, check, measured, inPorts;
    bool inLab = false;
    bool overlap = false;
    std::vector<std::string> with, compute, without, even;
    // the picture
    Word view, width, height, time, seconds, block;
    bool dark = false;
};

/// Formats a command can answer in; the first one is the default.
using Formats = std::vector<std::string>;

/// The chosen format; throws Error with the nearest one.
std::string chosenFormat(const Arguments& arguments, const Formats& formats);

/// The words of a command that takes between `least` and `most` of them; throws Error that says which `usage` is right.
const std::vector<std::string>& wordsOf(const Arguments& arguments, std::size_t least, std::size_t most,
                                        std::string_view usage);

/// One of `choices`, or `fallback` when the flag is not given. Throws Error with the nearest choice.
std::string choice(const Arguments::Word& word, std::string_view flag, const std::vector<std::string>& choices,
                   const std::string& fallback);

/// The algorithm that a word which may also be a trace names, by its id or file, with or without options; null for
/// none.
const engine::Algorithm* algorithmOf(const std::string& word);
/// Whether something is there by that name, and it is no algorithm.
bool isTrace(const std::string& word);

/// How traces are read.
traces::Opening readOpening(const Arguments& arguments);

/// Throws Error when a flag says how a trace is read where none is.
void refuseReadingFlags(const Arguments& arguments);

/// Whose times of a trace are looked at.
analysis::Clocks readClocks(const Arguments& arguments);

/// --from, --to, --ranks, --tags and --message-sizes as a part of a trace.
analysis::Part readPart(const Arguments& arguments);

/// What a trace is asked about.
analysis::AnalysisOptions readAnswerWish(const Arguments& arguments);

/// Throws Error when a flag of the problem or of its execution is given beside a trace, which says both itself.
void refuseRunFlags(const Arguments& arguments);

}  // namespace app::cli

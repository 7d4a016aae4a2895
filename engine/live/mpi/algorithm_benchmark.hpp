// SPDX-License-Identifier: BSD-3-Clause
// The library's own collectives with algorithms that are forced, and algorithms of the catalogue in their place: tested
// for correct results, and measured. Knows no mpi.h, so that programs can use it.
#pragma once

#include "engine/algorithm/algorithm.hpp"
#include "engine/base/types.hpp"
#include "engine/live/records/collective_records.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace engine::mpi {

/// A call of the library, and the control variables (MPI_T) that force its algorithm; none: the library chooses.
struct Trial {
    live::Called called = live::Called::bcast;
    Bytes bytes = 0;  ///< message or vector, else the block that one rank has for all or for one other
    std::vector<std::pair<std::string, std::int32_t>> variables{};
    bool commutes = false;                 ///< operations that do not commute need not give right results
    bool testsSize = false;                ///< `bytes` are tested as well
    std::vector<std::int64_t> arrivals{};  ///< when each rank enters, in nanoseconds after the start; empty: at once
    std::shared_ptr<const Plan> plan{};    ///< of the catalogue, instead of the library's call; null: that call
};

/// The result of one measurement.
struct Outcome {
    Picoseconds time{};   ///< of one call, on the slowest rank; where arrivals differ, from the last one on
    std::string fault{};  ///< why its results are wrong, or that it failed; nothing was measured then
};

/// The trials of one number of processes, which all take part.
class Trials {
public:
    /// While MPI lives; every process with equal trials.
    explicit Trials(std::vector<Trial> all);
    ~Trials();
    Trials(const Trials&) = delete;
    Trials& operator=(const Trials&) = delete;

    /// Process 0 measures the trial that `next` returns, until it returns none, and passes the result to `note`; the
    /// other processes take part. A trial's call is tested once, before it is measured.
    void measure(const std::function<std::optional<std::size_t>()>& next,
                 const std::function<void(std::size_t, const Outcome&)>& note);

private:
    class TestedCall;
    class Bench;
    using Variables = std::vector<std::pair<std::string, std::int32_t>>;

    std::vector<Trial> all_;
    std::int64_t offset_ = 0;  ///< this clock minus that of process 0
    std::map<std::tuple<live::Called, Variables, Bytes>, std::unique_ptr<TestedCall>>
        ways_;                                     ///< made when they are first measured
    std::vector<std::unique_ptr<Bench>> benches_;  ///< by trial, likewise
};

/// A call of the library on the first `ranks` processes; `bytes` as Trial counts them.
struct SizedCall {
    live::Called called = live::Called::bcast;
    std::int32_t ranks = 0;
    Bytes bytes = 0;
    std::string communicator{};  ///< its name
};

/// Makes the calls once each, in their order; those on equally many ranks on one communicator, on which nothing else is
/// called. All processes call it with equal calls. Throws Error on all of them if there are too few.
void callInTurn(std::span<const SizedCall> calls);

}  // namespace engine::mpi

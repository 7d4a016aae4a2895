// SPDX-License-Identifier: BSD-3-Clause
// All processes that one mpirun started. Knows no mpi.h, so that programs can use it.
#pragma once

#include "engine/catalogue/native_collectives.hpp"
#include "engine/live/mpi/send_permission.hpp"
#include "engine/live/splitphase/overlapped_computation.hpp"
#include "engine/run/executor.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace engine::mpi {

/// One of the methods a job runs in turn: a plan, or a native collective of the library.
struct Entry {
    Problem problem{};
    std::shared_ptr<const Plan> plan{};           ///< null: native
    const live::Native* native = nullptr;         ///< null: plan
    Options options{};                            ///< of `native`
    std::optional<splitphase::Settings> split{};  ///< the plan is an allreduce to be run in two halves

    /// Processes that take part.
    [[nodiscard]] std::int32_t ranks() const;
};

/// What all processes do together.
struct Job {
    std::vector<Entry> entries{};    ///< run in turn: A, B, A, B, ...
    std::filesystem::path folder{};  ///< where each process leaves its record (engine/live)
    std::int32_t repeats = 1;
    std::int32_t warmUps = 1;  ///< executions of each entry before those that are recorded
    bool check = true;         ///< compare all data with what must come out
    /// When not `any`: the ring or torus on which plans may only use `sendrecv` with direct neighbours.
    Wiring neighbours{};
    Leaves leaves = Leaves::atOnce;  ///< messages of plans
    bool measureClocks = false;      ///< even where all processes share one clock
};

/// The library from its start to its end; one in a program.
class World {
public:
    World(int& argc, char**& argv);
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    [[nodiscard]] std::int32_t process() const;
    [[nodiscard]] std::int32_t processes() const;
    /// "Open MPI v4.1.4", "MPICH 4.0.2".
    [[nodiscard]] std::string library() const;
    /// The words of process 0, on all of them.
    [[nodiscard]] std::string agree(const std::string& words) const;

    /// Does the job; every process calls it with an equal one. Wrong data go to the record. Throws Error, on all
    /// processes alike, when there are too few of them; anything that goes wrong on one process alone is written to its
    /// record and ends all of them.
    void carryOut(const Job& job);

    /// The time in which two processes send each other a message, both at once, for each of `sizes`: processes 0 and 1,
    /// 2 and 3, and so on, all pairs at once, each `repeats` times; the median of all. Empty on processes above 0;
    /// there must be two at least.
    std::vector<Picoseconds> exchangeTimes(const std::vector<Bytes>& sizes, std::int32_t repeats);
};

}  // namespace engine::mpi

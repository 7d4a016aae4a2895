// SPDX-License-Identifier: BSD-3-Clause
// How efficiently the ranks of a program ran, by POP's multiplicative model (https://pop-coe.eu/node/69):
//
//   parallel efficiency = load balance × communication efficiency = mean computation / time
//   load balance = mean computation / maximum computation
//   communication efficiency = serialization efficiency × transfer efficiency = maximum computation / time
//   serialization efficiency = maximum computation / time on an ideal network (ideal_network.hpp)
//   transfer efficiency = time on an ideal network / time
//
// Computation is time outside of MPI on the main thread of a rank. The time of a program starts when the last rank
// leaves MPI_Init and ends when the last one enters MPI_Finalize.
//
// Where ranks have several threads, by POP's multiplicative model of hybrid programs, with what a thread computes as in
// thread_computation.hpp, as mean over the threads of a rank and then over ranks:
//
//   hybrid efficiency = parallel efficiency × thread efficiency = mean of threads / time
//   thread efficiency = parallel region efficiency × serial region efficiency = mean of threads / mean computation
//   parallel region efficiency = (mean of threads in parallel regions + serial) / mean computation
//   serial region efficiency = mean of threads / (mean of threads in parallel regions + serial)
//
// serial is what the main threads compute outside of parallel regions.
#pragma once

#include "app/analysis/calls/call_paths.hpp"
#include "app/analysis/calls/computation_times.hpp"
#include "app/analysis/calls/thread_computation.hpp"
#include "app/analysis/replay/ideal_network.hpp"
#include "app/analysis/selection/program_time.hpp"
#include "traces/recording/recording.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace app::analysis {

struct Efficiency {
    traces::TimeSpan span{};
    engine::Picoseconds meanComputation{};  ///< over ranks
    engine::Picoseconds maxComputation{};
    engine::Rank maxRank = traces::noRank;  ///< the rank with maxComputation
    /// Time on an ideal network, >= maxComputation; empty: not computed.
    std::optional<engine::Picoseconds> idealTime{};
    struct OfThreads {
        std::int64_t count = 0;          ///< of all ranks
        ThreadComputation::Mean mean{};  ///< over ranks
        bool hasParallelRegions = false;

        friend bool operator==(const OfThreads&, const OfThreads&) = default;
    };
    std::optional<OfThreads> threads{};  ///< empty: ThreadComputation has none

    [[nodiscard]] engine::Picoseconds time() const { return span.end - span.begin; }
    /// Each is 0..1 unless contradictsItself(); they are 1 where there is nothing to compare.
    [[nodiscard]] double parallel() const { return share(meanComputation, time()); }
    [[nodiscard]] double loadBalance() const { return share(meanComputation, maxComputation); }
    [[nodiscard]] double communication() const { return share(maxComputation, time()); }
    /// These two require idealTime.
    [[nodiscard]] double serialization() const { return share(maxComputation, *idealTime); }
    [[nodiscard]] double transfer() const { return share(*idealTime, time()); }
    /// parallel() where no rank has more than one thread.
    [[nodiscard]] double hybrid() const { return threads ? share(threads->mean.all, time()) : parallel(); }
    /// These three require threads, the last two their parallel regions. They exceed 1 only where threads compute while
    /// their rank is in MPI.
    [[nodiscard]] double thread() const { return share(threads->mean.all, meanComputation); }
    [[nodiscard]] double parallelRegion() const {
        return share(threads->mean.inParallel + threads->mean.serial, meanComputation);
    }
    [[nodiscard]] double serialRegion() const {
        return share(threads->mean.all, threads->mean.inParallel + threads->mean.serial);
    }
    /// hybrid() is at least 95%.
    [[nodiscard]] bool isGood() const { return hybrid() >= 0.95; }
    /// The lowest factor of the hybrid efficiency: "load balance", "serialization efficiency", "transfer efficiency",
    /// "thread efficiency"; "communication efficiency" in place of the second and third without idealTime.
    [[nodiscard]] std::string_view limitedBy() const;
    [[nodiscard]] bool isTransferLimited() const { return !isGood() && limitedBy() == "transfer efficiency"; }
    /// Computation or the ideal time exceeds time(): the clocks of ranks contradict each other.
    [[nodiscard]] bool contradictsItself() const {
        return std::max(maxComputation, idealTime.value_or(maxComputation)) > time();
    }

    friend bool operator==(const Efficiency&, const Efficiency&) = default;

private:
    static double share(engine::Picoseconds part, engine::Picoseconds whole) {
        return whole.count() > 0 ? static_cast<double>(part.count()) / static_cast<double>(whole.count()) : 1;
    }
};

/// Whether any call of MPI was recorded: without one there is no efficiency.
bool hasMpiCalls(const traces::Recording& recording);

/// Without the time on an ideal network, which needs memory for each call: of the part of `window` that lies within the
/// program's time, of these ranks, or of all where there are none.
Efficiency efficiencyInBrief(const traces::Recording& recording, traces::TimeSpan window,
                             const std::vector<engine::Rank>& ranks = {});

/// Any window of a recording.
class Efficiencies {
public:
    /// `recording` outlives the object. Throws Cancelled.
    explicit Efficiencies(const traces::Recording& recording, const engine::Progress& progress = {});

    [[nodiscard]] const traces::TimeSpan& whole() const { return whole_; }
    [[nodiscard]] const ComputationTimes& computation() const { return computation_; }
    /// As efficiencyInBrief, with the time on an ideal network, which is that of all ranks.
    Efficiency of(traces::TimeSpan window, const std::vector<engine::Rank>& ranks = {});
    /// Of an iteration: each of `ranks` counts from its own start to its own end of it, windows[i]. The time is that of
    /// the longest window, from the start of the first on. On the ideal network all start at once, and no rank depends
    /// on other iterations.
    Efficiency ofIteration(const std::vector<engine::Rank>& ranks, const std::vector<traces::TimeSpan>& windows);

private:
    const traces::Recording& recording_;
    traces::TimeSpan whole_;
    ComputationTimes computation_;
    ThreadComputation threads_;
    RecordedProgram program_;
    IdealNetwork ideal_;
};

/// The same of a region of the program, over all of a rank's time in it and in what it called: a rank that was never
/// there computed nothing in it. The time is that of the rank with the most, and counted from the start of the window;
/// without the time on an ideal network.
struct RegionEfficiency {
    std::int32_t region = traces::noIndex;  ///< index into Recording::regions
    Efficiency efficiency{};
};

/// Of regions in which MPI is called and in which a rank spends `least` of the window or more, the longest first;
/// `window` and `ranks` as in efficiencyInBrief. What accelerators did does not count. Throws Cancelled.
std::vector<RegionEfficiency> efficienciesOfRegions(const CallPaths& paths, traces::TimeSpan window,
                                                    const std::vector<engine::Rank>& ranks, double least,
                                                    const engine::Progress& progress = {});

}  // namespace app::analysis

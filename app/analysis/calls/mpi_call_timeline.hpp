// SPDX-License-Identifier: BSD-3-Clause
// Which call of MPI a rank was in.
#pragma once

#include "traces/recording/recording.hpp"

#include <optional>
#include <vector>

namespace app::analysis {

struct MpiCall {
    engine::Picoseconds begin{};
    engine::Picoseconds end{};
    bool firstIsEnough = false;  ///< MPI_Waitany, MPI_Waitsome and variants
    /// MPI_Wait, MPI_Test and variants. Calls right before it that found nothing are part of it.
    bool waits = false;
    /// Of MPI_Probe or MPI_Mprobe where that was the call before it on its thread, or of MPI_Iprobe and those before
    /// that found nothing: it may have waited for a message that is received here.
    std::optional<traces::TimeSpan> probing{};
    std::uint32_t location = 0;  ///< index into Recording::locations

    friend bool operator==(const MpiCall&, const MpiCall&) = default;
};

/// Indices of the locations of each rank.
using LocationsOfRanks = std::vector<std::vector<std::size_t>>;
LocationsOfRanks locationsOfRanks(const traces::Recording& recording);

/// What the regions of a recording are to MpiCalls.
class MpiRegions {
public:
    explicit MpiRegions(const traces::Recording& recording);

    [[nodiscard]] bool isMpi(std::int32_t region) const { return kinds_[engine::asSize(region)] != 0; }
    [[nodiscard]] bool waits(std::int32_t region) const { return (kinds_[engine::asSize(region)] & waiting) != 0; }
    /// Of those that wait: for one of several is enough.
    [[nodiscard]] bool firstIsEnough(std::int32_t region) const {
        return (kinds_[engine::asSize(region)] & enough) != 0;
    }
    /// MPI_Test and variants.
    [[nodiscard]] bool tests(std::int32_t region) const { return (kinds_[engine::asSize(region)] & testing) != 0; }
    [[nodiscard]] bool probes(std::int32_t region) const { return (kinds_[engine::asSize(region)] & probing) != 0; }
    /// A call of MPI_Test, MPI_Iprobe or variants that found nothing.
    [[nodiscard]] bool foundNothing(std::int32_t region) const {
        return (kinds_[engine::asSize(region)] & nothing) != 0;
    }
    /// A call of MPI_Iprobe or MPI_Improbe that found a message.
    [[nodiscard]] bool foundMessage(std::int32_t region) const {
        return (kinds_[engine::asSize(region)] & looking) != 0;
    }
    /// Whether any call is one of MPI_Probe or MPI_Mprobe.
    [[nodiscard]] bool haveProbes() const { return haveProbes_; }

private:
    static constexpr std::uint8_t mpi = 1, waiting = 2, enough = 4, probing = 8, nothing = 16, looking = 32,
                                  testing = 64;
    bool haveProbes_ = false;
    std::vector<std::uint8_t> kinds_;
};

/// The calls of MPI of one rank, on all of its locations, as they lie in the recording, which it must outlive. One
/// thread at a time may ask.
class MpiCalls {
public:
    MpiCalls(const traces::Recording& recording, const MpiRegions& regions,
             const std::vector<std::size_t>& locationsOfRank);

    /// The innermost one that the rank was in at `time`: at the moment at which one ends and another begins, the one
    /// that ends. Of calls on several locations the one that began last. Nothing outside of MPI. Quick where the time
    /// lies near the one asked about before.
    [[nodiscard]] std::optional<MpiCall> at(engine::Picoseconds time) const;

    /// The same on one location alone.
    [[nodiscard]] std::optional<MpiCall> at(engine::Picoseconds time, std::uint32_t onLocation) const;

    /// On how many locations the rank called MPI.
    [[nodiscard]] std::size_t locations() const { return locations_.size(); }

    /// The one that was entered at `begin` and lasted until `end` or longer, the shortest of several; where none was
    /// entered then, as `at`.
    [[nodiscard]] std::optional<MpiCall> beginning(engine::Picoseconds begin, engine::Picoseconds end) const;

    /// The one that completed a request at `time`: as `at`, but where a call that posts ends and one that waits takes
    /// no time, that which waits.
    [[nodiscard]] std::optional<MpiCall> completing(engine::Picoseconds time) const;

private:
    struct OfLocation {
        const traces::States* states;
        std::uint32_t index = 0;            ///< into Recording::locations
        std::vector<std::uint32_t> places;  ///< of the calls, in the order of entering; empty where all are of MPI
        mutable std::size_t near = 0;       ///< how many began before the time asked about last

        [[nodiscard]] std::size_t size() const { return places.empty() ? states->size() : places.size(); }
        [[nodiscard]] std::size_t place(std::size_t k) const { return places.empty() ? k : places[k]; }
        [[nodiscard]] engine::Picoseconds begin(std::size_t k) const { return states->begin[place(k)]; }
        [[nodiscard]] engine::Picoseconds end(std::size_t k) const { return states->end[place(k)]; }
        /// The first call that does not begin before `time`.
        [[nodiscard]] std::size_t notBefore(engine::Picoseconds time) const;
        /// As MpiCalls::at.
        [[nodiscard]] std::optional<std::size_t> at(engine::Picoseconds time) const;
    };
    [[nodiscard]] MpiCall call(const OfLocation& location, std::size_t k) const;
    /// When the first of the calls began that found nothing, of whichever functions, right before the one in place `k`;
    /// where there are none, when that one did.
    [[nodiscard]] engine::Picoseconds pollingSince(const OfLocation& location, std::size_t k) const;

    const MpiRegions& regions_;
    std::vector<OfLocation> locations_;
};

}  // namespace app::analysis

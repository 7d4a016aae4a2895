// SPDX-License-Identifier: BSD-3-Clause
// How long a recorded program would take on an ideal network: messages take no time, there are as many ports as anyone
// asks for, and a send never waits for its receiver. Computation and the dependencies between ranks remain.
//
// In a collective a rank depends on those whose data it needs: all of them, the root in MPI_Bcast and MPI_Scatter(v),
// the ranks before it in MPI_Scan and MPI_Exscan; in MPI_Gather(v) and MPI_Reduce only the root depends on others.
// Where sizes may be zero (MPI_Alltoallv, MPI_Allgatherv and variants) a rank that left before another one had entered
// did not depend on it.
//
// Any window of the recording can be asked about: what lies outside of it takes no time. With consistent clocks the
// answer is never longer than the window.
//
// The same clock answers what a program would take if its ranks computed otherwise and its calls were as they are
// (Transfers::asRecorded): a call then lasts until what it waits for has come, and on from there for as long as it was
// recorded to. It waits for the same as above, and where it was recorded to wait inside for a receiver or for a late
// member of a rooted collective, for these, too. If ranks compute as recorded, the answer is the recorded time.
#pragma once

#include "app/analysis/replay/recorded_program.hpp"
#include "traces/recording/recording.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace app::analysis {

/// Computation of a rank between two times.
using Computation = std::function<engine::Picoseconds(engine::Rank, engine::Picoseconds from, engine::Picoseconds to)>;

enum class Transfers : std::uint8_t { takeNoTime, asRecorded };

class IdealNetwork {
public:
    /// `program` was made of `recording`; both outlive the object.
    IdealNetwork(const traces::Recording& recording, const RecordedProgram& program,
                 Transfers transfers = Transfers::takeNoTime);

    /// Time from the start of the window until the last rank is done with it. `computation` is called only for times
    /// within the window. Activities of a rank that begin at its time in `ends` or later are left out.
    engine::Picoseconds timeOf(traces::TimeSpan window, const Computation& computation,
                               const engine::ById<engine::Rank, engine::Picoseconds>* ends = nullptr);
    /// The same from the start of each rank's own window, as if all began at once.
    engine::Picoseconds timeOf(const engine::ById<engine::Rank, traces::TimeSpan>& windows,
                               const Computation& computation);

private:
    static constexpr std::size_t nobody = ~std::size_t{0};
    enum class Needs : std::uint8_t { nobody, root, everybody, everybodyAtRoot, earlierRanks };
    /// The time of an event; valid if `window` is the number of the current window.
    struct Stamped {
        engine::Picoseconds time{};
        std::uint32_t window = 0;
    };
    struct OfCollective {
        std::size_t firstPart = 0;  ///< its participants are parts_[firstPart, firstPart + parts), by world rank
        std::size_t parts = 0;
        std::size_t root = 0;          ///< its place among them
        std::size_t firstInOrder = 0;  ///< of scans: its places in order_
        Needs needs = Needs::everybody;
        engine::Picoseconds lastEntry{};  ///< as recorded
        /// Likewise, of a nonblocking one that went on only once the last rank was in the call that completed it: when
        /// that one came there; else 0.
        engine::Picoseconds lastCompletion{};
        std::uint32_t window = 0;             ///< the number of the window that the following members describe
        std::size_t missing = 0;              ///< participants that have still to enter within the window
        engine::Picoseconds latest{};         ///< the latest entry so far
        bool waitsInside = false;             ///< some participant has an `awaited`
        std::size_t enteredInOrder = 0;       ///< of scans: so many first ranks of the communicator have entered
        engine::Picoseconds latestInOrder{};  ///< their latest entry
    };
    struct OfPart {
        engine::Rank rank;
        std::uint32_t at = 0;      ///< index of the entry among the activities of its rank
        bool waitsForAll = true;   ///< it left after the last participant had entered
        std::uint32_t endsAt = 0;  ///< of a nonblocking one: index of what completes it
        Stamped entered{};
        Stamped completing{};
        std::uint32_t place = 0;                ///< of scans: rank in the communicator
        engine::Picoseconds earlierEntered{};   ///< of scans: latest entry of the ranks before it
        engine::Picoseconds earlierRecorded{};  ///< likewise, as recorded
        std::size_t awaited = nobody;  ///< the last member it was recorded to wait inside for: its place in parts_
    };
    /// What a call waits for.
    struct Awaited {
        engine::Picoseconds recorded{};  ///< when that came, as recorded
        engine::Picoseconds came{};      ///< when it comes now
    };
    struct OfRank {
        std::size_t at = 0, behind = 0;
        engine::Picoseconds now{};
        bool queued = false;
    };

    [[nodiscard]] std::size_t partOf(std::size_t collective, engine::Rank rank) const;
    /// Whether the activity `at` of the rank lies in the window and is not done yet.
    [[nodiscard]] bool isToCome(engine::Rank rank, std::uint32_t at) const;
    OfCollective& opened(std::size_t collective);
    void enter(engine::Rank rank, std::size_t collective);
    /// The rank comes to the call that completes a nonblocking one.
    void completes(engine::Rank rank, std::size_t collective);
    /// Of a scan: lets ranks leave whose predecessors have all entered.
    void goOnInOrder(OfCollective& its);
    /// The time at which the participant has what it needs; nothing while somebody has still to enter.
    std::optional<engine::Picoseconds> servedAt(std::size_t collective, engine::Rank rank);
    [[nodiscard]] engine::Picoseconds recordedEntry(const OfPart& part) const;
    /// Whom ranks were recorded to wait inside of rooted collectives for, and for whose completing call.
    void keepAwaited(const traces::Recording& recording);
    /// What the activity `at` of the rank, which the clock is at, waits for in a call that ended at `end`; nothing
    /// where that is pending.
    std::optional<Awaited> awaitedBy(engine::Rank rank, std::size_t at, engine::Picoseconds end);
    /// What the rank waits for that completes a nonblocking collective; nothing while somebody is missing.
    std::optional<Awaited> completionOf(OfCollective& its);
    /// The call that begins with the rank's next activity, lasting from when all that it waits for has come as long as
    /// recorded; false where something is pending.
    bool passCall(engine::Rank rank);
    /// Goes on until it has to wait, or is done with the window.
    void proceed(engine::Rank rank, traces::TimeSpan window, const Computation& computation);
    void wake(engine::Rank rank);

    const RecordedProgram& program_;
    Transfers transfers_;
    std::vector<OfCollective> collectives_;
    std::vector<OfPart> parts_;
    std::vector<std::size_t> order_;        ///< of scans: places in parts_, by rank in the communicator
    std::vector<std::uint32_t> sendAt_;     ///< by message: index of the send among the activities of its sender
    std::vector<Stamped> sent_;             ///< by message
    std::vector<std::uint32_t> receiveAt_;  ///< by message: index of the receive among the activities of its receiver
    std::vector<Stamped> posted_;           ///< by message: its receive
    std::vector<OfRank> ranks_;
    std::vector<engine::Rank> queue_;
    std::uint32_t window_ = 0;
};

}  // namespace app::analysis

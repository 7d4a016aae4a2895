// SPDX-License-Identifier: BSD-3-Clause
// What the drop-in library keeps with a communicator of the program, as an attribute of it: who is in it, which rules
// may fit, and what replaced calls need. Freed with it.
#pragma once

#include "engine/live/mpi/exchange.hpp"
#include "engine/live/rules.hpp"

#include <array>
#include <memory>
#include <optional>

namespace engine::mpi::dropin {

class Session;

/// A rule by its place in the file.
struct Numbered {
    const live::Rule* rule = nullptr;
    std::uint8_t way = 0;
};

/// A communicator of the library's own with the same processes: messages of replaced calls travel apart from the
/// program's.
class Apart {
public:
    explicit Apart(MPI_Comm comm);
    ~Apart();
    Apart(const Apart&) = delete;
    Apart& operator=(const Apart&) = delete;

    [[nodiscard]] MPI_Comm comm() const { return comm_; }
    [[nodiscard]] Rank rank() const { return rank_; }
    /// Does this process' part of the plan.
    void carryOut(const Plan& plan, Holdings& holdings);

    /// While MPI ends it frees communicators by itself.
    static bool mpiEnds;

private:
    MPI_Comm comm_;
    Rank rank_{};
    Mark mark_{};
    std::unique_ptr<Exchange> exchange_;
};

class Communicator {
public:
    Communicator(MPI_Comm comm, Session& session);

    [[nodiscard]] bool inter() const { return inter_; }
    [[nodiscard]] std::int32_t rank() const { return rank_; }
    [[nodiscard]] std::int32_t size() const { return size_; }
    /// Processes of the other group; of an intracommunicator all.
    [[nodiscard]] std::int32_t sources() const { return inter_ ? remote_ : size_; }
    [[nodiscard]] std::int32_t groupA() const { return isA_ ? size_ : remote_; }
    [[nodiscard]] std::int32_t groupB() const { return isA_ ? remote_ : size_; }
    /// Of the two groups, the one with the lowest rank of MPI_COMM_WORLD is A.
    [[nodiscard]] bool isA() const { return isA_; }
    /// Number in the file of teams; none for processes of another MPI_COMM_WORLD.
    [[nodiscard]] const std::optional<std::int32_t>& team() const { return team_; }

    /// Whether some rule may fit a call here.
    [[nodiscard]] bool mayReplace(live::Called called) const {
        return !rules_[static_cast<std::size_t>(called)].empty();
    }
    /// The rule that replaces a call of so many bytes; nothing when the library's own is to do it.
    [[nodiscard]] std::optional<Numbered> ruleFor(live::Called called, Bytes bytes) const;
    /// The plan of the rule for `problem`; null, and the session knows why, when it has none. Equal on all processes.
    std::shared_ptr<const Plan> planFor(const Numbered& rule, const Problem& problem);

    /// Made when first needed, by all processes of the communicator together. Of two groups A comes first, or B.
    Apart& apart(bool groupBFirst = false);
    /// Memory that is kept from call to call.
    std::span<std::byte> scratch(Bytes bytes);

private:
    struct Planned {
        std::uint8_t way = 0;
        Problem problem{};
        std::shared_ptr<const Plan> plan{};
    };
    static constexpr std::size_t mostPlans = 32;

    Session& session_;
    MPI_Comm comm_;
    bool inter_ = false;
    bool isA_ = true;
    std::int32_t rank_ = 0;
    std::int32_t size_ = 0;
    std::int32_t remote_ = 0;
    std::optional<std::int32_t> team_;
    std::array<std::vector<Numbered>, live::everyCalled.size()> rules_;
    std::array<std::unique_ptr<Apart>, 2> apart_;
    std::vector<Planned> plans_;
    std::vector<std::byte> scratch_;
};

}  // namespace engine::mpi::dropin

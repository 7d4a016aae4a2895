// SPDX-License-Identifier: BSD-3-Clause
// What replaced calls on one communicator need that follow each other: communicators of our own, plans, memory.
#pragma once

#include "engine/live/mpi/exchange.hpp"
#include "engine/live/replacement_rules.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace engine::mpi::pmpi {

class RecorderSession;

/// A rule by its place in the file.
struct NumberedRule {
    const live::Rule* rule = nullptr;
    std::uint8_t way = 0;
};

/// A communicator of the library's own with the same processes: messages of replaced calls travel apart from the
/// program's.
class PrivateCommunicator {
public:
    explicit PrivateCommunicator(MPI_Comm comm);
    ~PrivateCommunicator();
    PrivateCommunicator(const PrivateCommunicator&) = delete;
    PrivateCommunicator& operator=(const PrivateCommunicator&) = delete;

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

class CommunicatorContext {
public:
    /// Makes a communicator of ours, of all processes together; of two groups A first, or B.
    using Make = std::function<MPI_Comm(bool groupBFirst)>;

    CommunicatorContext(RecorderSession& session, Make make) : session_{session}, make_{std::move(make)} {}

    /// Made when first needed.
    PrivateCommunicator& apart(bool groupBFirst = false);
    /// The plan of the rule for `problem`; null, and the session knows why, when it has none. Equal on all processes.
    std::shared_ptr<const Plan> planFor(const NumberedRule& rule, const Problem& problem);
    /// Memory that is kept from call to call; what lies in it means nothing, and where nobody writes it costs nothing.
    std::span<std::byte> scratch(Bytes bytes);

private:
    struct Planned {
        std::uint8_t way = 0;
        Problem problem{};
        std::shared_ptr<const Plan> plan{};
        std::string whyNone{};
    };
    static constexpr std::size_t mostPlans = 32;

    RecorderSession& session_;
    Make make_;
    std::array<std::unique_ptr<PrivateCommunicator>, 2> apart_;
    std::vector<Planned> plans_;
    std::unique_ptr<std::byte[]> scratch_;
    Bytes room_ = 0;
};

}  // namespace engine::mpi::pmpi

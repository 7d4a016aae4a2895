// SPDX-License-Identifier: BSD-3-Clause
// What the drop-in library keeps with a communicator of the program, as an attribute of it: who is in it, which rules
// may fit, and what replaced calls need. Freed with it.
#pragma once

#include "engine/live/pmpi/recording/collective_handles.hpp"
#include "engine/live/pmpi/replacement/communicator_context.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <optional>

namespace engine::mpi::pmpi {

class NonblockingQueue;

/// The neighbours of a process in the topology of a communicator, in the order of blocks; false: MPI_PROC_NULL.
struct Neighbours {
    std::vector<bool> from{}, to{};
};

class Communicator {
public:
    Communicator(MPI_Comm comm, RecorderSession& session);
    ~Communicator();
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

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
    [[nodiscard]] std::optional<NumberedRule> ruleFor(live::Called called, Bytes bytes) const;
    /// Its processes as ranks of MPI_COMM_WORLD; of two groups A, then B. None where they are not all of it.
    [[nodiscard]] const std::vector<std::int32_t>& worldRanks() const { return worldRanks_; }
    /// The next call that all make together: as they make them in one order, all count alike.
    [[nodiscard]] CollectivePosition nextCall() {
        const std::int64_t sequence = ++calls_;
        if (!team_) return {};
        return {{*team_, 0, live::Channel::Kind::communicator}, sequence};
    }
    /// Undoes nextCall(): the library refused that call, so that the other processes do not count it.
    void takeBackCall() noexcept { --calls_; }
    /// The next persistent collective that all make together.
    [[nodiscard]] live::Channel nextPersistent() {
        const std::uint32_t number = ++persistent_;
        return team_ ? live::Channel{*team_, number, live::Channel::Kind::persistent} : live::Channel{};
    }
    /// None where it has no topology.
    [[nodiscard]] const Neighbours& neighbours();
    /// Of calls that block.
    [[nodiscard]] CommunicatorContext& context() { return context_; }
    /// Makes what calls that do not block need, where rules name some. By all processes of the communicator together,
    /// when it has just been made.
    void prepareLater();
    /// Of those calls; null where it was not prepared.
    [[nodiscard]] NonblockingQueue* later() { return later_.get(); }

private:
    /// By all processes of the communicator together.
    [[nodiscard]] MPI_Comm makeApart(bool groupBFirst) const;
    [[nodiscard]] MPI_Comm alike() const;

    MPI_Comm comm_;
    bool inter_ = false;
    bool isA_ = true;
    std::int32_t rank_ = 0;
    std::int32_t size_ = 0;
    std::int32_t remote_ = 0;
    std::optional<std::int32_t> team_;
    std::array<std::vector<NumberedRule>, live::everyCalled.size()> rules_;
    std::vector<std::int32_t> worldRanks_;
    CommunicatorContext context_;
    RecorderSession& session_;
    std::atomic<std::int64_t> calls_{0};
    std::atomic<std::uint32_t> persistent_{0};
    std::unique_ptr<NonblockingQueue> later_;
    std::optional<Neighbours> neighbours_;  ///< once they were asked for
};

}  // namespace engine::mpi::pmpi

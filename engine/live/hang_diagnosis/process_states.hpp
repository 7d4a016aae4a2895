// SPDX-License-Identifier: BSD-3-Clause
// The last known state of each process of a program, for the diagnosis of hangs. Communicators and processes have the
// same numbers for all.
#pragma once

#include "engine/live/records/rank_status.hpp"

#include <memory>
#include <optional>
#include <tuple>
#include <vector>

namespace engine::live {

/// A channel whose communicator is a place in Teams::all.
struct SharedChannel {
    Channel::Kind kind = Channel::Kind::none;
    std::int32_t team = -1;
    std::uint32_t number = 0;

    friend auto operator<=>(const SharedChannel&, const SharedChannel&) = default;
};

/// Null where the file is none of these.
std::unique_ptr<RankStatus> readRankStatus(const std::filesystem::path& file);
/// Whether its process runs, or ran, on this machine.
bool isOfThisMachine(const RankStatus& status);

/// What a process waits for.
struct Wait {
    CallStatus stand{};
    std::optional<SharedChannel> channel{};  ///< of a call that others make together with it
    std::vector<std::int32_t> peers{};       ///< else: processes
};

class ProcessStates {
public:
    /// Throws Error when the folder holds none of a program, or something damaged.
    explicit ProcessStates(const std::filesystem::path& folder);

    [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(all_.size()); }
    [[nodiscard]] const Teams& teams() const { return teams_; }
    /// Calls that its threads are in, or for whose end they look again and again.
    [[nodiscard]] const std::vector<CallStatus>& within(std::int32_t process) const {
        return all_[asSize(process)].within;
    }
    /// The latest call that it left; nothing where none is known.
    [[nodiscard]] const std::optional<CallStatus>& last(std::int32_t process) const {
        return all_[asSize(process)].last;
    }
    [[nodiscard]] bool hasStatus(std::int32_t process) const { return all_[asSize(process)].status != nullptr; }

    [[nodiscard]] std::optional<std::int32_t> teamOf(std::int32_t process, std::int32_t own) const;
    [[nodiscard]] std::optional<SharedChannel> channelOf(std::int32_t process, const Channel& own) const;
    [[nodiscard]] std::vector<std::int32_t> membersOf(const SharedChannel& channel) const;
    /// The last call of the channel that the process entered, 0: none. Nothing where that is not known.
    [[nodiscard]] std::optional<std::int64_t> entered(std::int32_t process, const SharedChannel& channel) const;
    /// A call of the channel as the process made it; null where that is not known.
    [[nodiscard]] const Entered* at(std::int32_t process, const SharedChannel& channel, std::int64_t sequence) const;
    /// What a process in the call waits for.
    [[nodiscard]] Wait waitOf(std::int32_t process, const CallStatus& stand) const;

private:
    struct Left {
        std::unique_ptr<RankStatus> status{};
        std::vector<CallStatus> within{};
        std::optional<CallStatus> last{};
    };

    [[nodiscard]] const EnteredSlot* slotOf(std::int32_t process, const SharedChannel& channel) const;
    [[nodiscard]] std::optional<std::int32_t> ownNumber(std::int32_t process, std::int32_t team) const;
    [[nodiscard]] std::vector<std::int32_t> peersOf(std::int32_t process, std::int32_t team, std::int32_t peer) const;
    [[nodiscard]] std::vector<std::int32_t> holdersOf(std::int32_t process, const CallStatus& stand) const;
    [[nodiscard]] std::vector<std::int32_t> laggards(std::int32_t process, const CallStatus& stand,
                                                     std::int32_t Epochs::*own, std::int32_t Epochs::*theirs) const;

    std::vector<Left> all_;
    Teams teams_;
};

}  // namespace engine::live

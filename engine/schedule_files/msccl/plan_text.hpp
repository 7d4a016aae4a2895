// SPDX-License-Identifier: BSD-3-Clause
// What the json of an execution plan states, by its own numbers: of channels, remote buffers and groups. Plans in the
// format before 2025 are turned into the present one.
#pragma once

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/schedule_files/msccl/msccl_file.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine::schedules::msccl {

struct Group {
    std::vector<std::int64_t> gpus{};
    std::string buffer{};
};

/// A source or target as the file has it.
struct RawRun {
    std::string buffer{};
    std::int64_t remote = -1;
    std::int64_t group = -1;
    std::int64_t first = 0;
    std::int64_t count = 1;
};

/// The two buffers and the type of channels of a plan of the format before 2025, where they are one.
struct OldKey {
    std::string source{};
    std::string target{};
    std::string type{};

    friend bool operator==(const OldKey&, const OldKey&) = default;
};

/// Channels of a GPU with their peers, or those of them that a thread block uses, by their numbers.
struct OldChannels {
    OldKey key{};
    std::vector<std::int64_t> numbers{};
    std::vector<Group> groups{};
};

/// What only an operation of the format before 2025 has.
struct OldOperation {
    OldKey in{};
    OldKey out{};
    std::vector<RawRun> fromChannels{};  ///< `remote`: the channel, among those of the thread block with the key
    std::vector<RawRun> toChannels{};
    std::vector<RawRun> sources{};
    std::vector<RawRun> targets{};
    RawRun source{};
    RawRun target{};
    std::int64_t count = 1;
};

struct RawOperation {
    std::string name{};
    std::string channelType{};
    std::vector<RawRun> sources{};
    std::vector<RawRun> targets{};
    std::vector<std::int64_t> channels{};
    std::vector<std::int64_t> semaphores{};
    std::int64_t barrier = -1;
    std::int64_t blocks = 0;
    std::int64_t slice = 0;
    std::int64_t slices = 1;
    std::optional<OldOperation> old{};
};

/// Numbers of channels or of remote buffers by the type of channel.
using ByType = std::map<std::string, std::vector<std::int64_t>>;

struct RawBlock {
    std::int64_t id = 0;
    std::vector<RawOperation> operations{};
    ByType channels{};
    ByType remotes{};
    std::vector<OldChannels> oldChannels{};
};

struct Remote {
    std::int64_t gpu = 0;
    std::string buffer{};
};

struct RawGpu {
    std::int64_t id = 0;
    std::array<std::int64_t, buffers> chunks{};
    std::vector<RawBlock> blocks{};
    ByType peers{};  ///< of each channel
    std::vector<Group> groups{};
    std::vector<Remote> remotes{};
    std::vector<std::int64_t> semaphores{};
    std::vector<OldChannels> oldChannels{};
    bool old = false;  ///< in the format before 2025
};

struct PlanText {
    File file{};  ///< collective and name
    std::vector<RawGpu> gpus{};
    std::int64_t slices = 1;  ///< into which thread blocks that share chunks cut each
    bool pipelines = false;
};

/// Complaints about a place of a plan.
class PlanFaults {
public:
    explicit PlanFaults(std::string_view file) : file_{file} {}

protected:
    template <class... Words>
    [[noreturn]] void complain(const Words&... words) const {
        throw Error{text(file_, ": ", where_, ": ", words...)};
    }
    template <class Value>
    const Value& pick(const std::vector<Value>& all, std::int64_t at, std::string_view what) const {
        if (at >= static_cast<std::int64_t>(all.size()))
            complain(what, " ", at, " does not exist; there are ", all.size());
        return all[asSize(at)];
    }

    std::string file_;
    std::string where_{};  ///< "gpu 2, thread block 0, operation 3"
};

/// Throws Error as planFrom does (execution_plan.hpp).
PlanText planTextFrom(std::string_view content, std::string_view file);

}  // namespace engine::schedules::msccl

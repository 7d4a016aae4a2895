// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/msccl/execution_plan.hpp"

#include "engine/base/types.hpp"
#include "engine/schedule_files/msccl/plan_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace engine::schedules::msccl {
namespace {

constexpr std::size_t noPackets = ~std::size_t{0};

/// What an operation of this name does. Sources and targets from these places on are packets.
struct Meaning {
    std::string_view name;
    Effect effect;
    std::size_t packetSources = noPackets;
    std::size_t packetTargets = noPackets;
    bool signals = false;
};

constexpr std::array meanings{
    Meaning{"nop", Effect::nothing},
    Meaning{"flush", Effect::nothing},
    Meaning{"copy", Effect::move},
    Meaning{"put", Effect::move},
    Meaning{"get", Effect::move},
    Meaning{"pws", Effect::move, noPackets, noPackets, true},
    Meaning{"pwsf", Effect::move, noPackets, noPackets, true},
    Meaning{"gstore", Effect::move},
    Meaning{"re", Effect::reduce},
    Meaning{"res", Effect::reduce},
    Meaning{"rre", Effect::reduce},
    Meaning{"rres", Effect::reduce},
    Meaning{"glre", Effect::reduce},
    Meaning{"glres", Effect::reduce},
    Meaning{"ppkt", Effect::move, noPackets, 0},
    Meaning{"rppkt", Effect::move, 0, 0},
    Meaning{"upkt", Effect::move, 0, noPackets},
    Meaning{"cpkt", Effect::move, noPackets, 0},
    Meaning{"gstorepkt", Effect::move, noPackets, 0},
    Meaning{"repkt", Effect::reduce, 1, 1},
    Meaning{"respkt", Effect::reduce, 1, 1},
    Meaning{"recpkt", Effect::reduce, 1, 1},
    Meaning{"recspkt", Effect::reduce, 1, 1},
    Meaning{"signal", Effect::signal},
    Meaning{"rlxsignal", Effect::signal},
    Meaning{"wait", Effect::wait},
    Meaning{"rlxwait", Effect::wait},
    Meaning{"barrier", Effect::barrier},
    Meaning{"sem_acquire", Effect::acquire},
    Meaning{"sem_release", Effect::release},
};

/// Numbers of the text become GPUs and chunks.
class Settling : PlanFaults {
public:
    Settling(std::string_view content, std::string_view file)
        : PlanFaults{file}, text_{planTextFrom(content, file)}, plan_{.file = text_.file} {}

    Plan settled() {
        for (const RawGpu& one : text_.gpus) {
            std::array<std::int64_t, buffers> chunks = one.chunks;
            for (std::int64_t& each : chunks) each *= text_.slices;
            plan_.file.gpus.push_back({.chunks = chunks, .blocks = {}});
        }
        for (const RawGpu& one : text_.gpus) settle(one);
        if (text_.slices > 1)
            plan_.file.remarks.push_back(
                text("thread blocks share chunks, so that each is read as ", text_.slices, " chunks"));
        if (text_.pipelines) plan_.file.remarks.emplace_back("pipelines are read as one pass over whole chunks");
        if (switches_)
            plan_.file.remarks.emplace_back(
                "what a switch combines or multicasts is read as a message from, or to, each GPU of its group");
        return std::move(plan_);
    }

private:
    void settle(const RawGpu& gpu) {
        PlanGpu& to = plan_.gpus.emplace_back();
        to.semaphores = gpu.semaphores;
        for (const RawBlock& block : gpu.blocks) {
            PlanBlock& settled = to.blocks.emplace_back();
            settled.id = static_cast<std::int32_t>(block.id);
            for (const RawOperation& raw : block.operations) {
                where_ = operationName(asSize(gpu.id), settled.id, settled.operations.size());
                settled.operations.push_back(settledOperation(gpu, block, raw));
            }
        }
    }

    Place placed(const std::string& letter, std::int64_t first) const {
        const auto at = letter.size() == 1 ? bufferLetters.find(letter) : std::string_view::npos;
        if (at == std::string_view::npos) complain("unknown buffer '", letter, "'; it must be i, o or s");
        return {static_cast<Buffer>(at), first};
    }

    PlanOperation settledOperation(const RawGpu& gpu, const RawBlock& block, const RawOperation& raw) {
        const auto meaning =
            std::find_if(meanings.begin(), meanings.end(), [&](const Meaning& each) { return each.name == raw.name; });
        if (meaning == meanings.end()) complain("unknown operation '", raw.name, "'");
        PlanOperation one{.name = raw.name, .effect = meaning->effect};
        one.sources = runsOf(gpu, block, raw, raw.sources, meaning->packetSources);
        one.targets = runsOf(gpu, block, raw, raw.targets, meaning->packetTargets);
        const bool moves = one.effect == Effect::move || one.effect == Effect::reduce;
        if (moves && (one.sources.empty() || one.targets.empty())) complain("it has no source or no target");
        if (one.effect == Effect::move && one.sources.size() != 1 && one.sources.size() != one.targets.size())
            complain("it has ", one.sources.size(), " sources for ", one.targets.size(), " targets");
        if (moves)
            for (const std::vector<Run>* runs : {&one.sources, &one.targets})
                for (const Run& run : *runs)
                    if (run.count != one.sources.front().count) complain("its sources and targets differ in size");
        if (one.effect == Effect::signal || one.effect == Effect::wait || meaning->signals)
            for (const std::int64_t id : raw.channels) one.channels.push_back(endOf(gpu, block, raw.channelType, id));
        for (const std::int64_t id : raw.semaphores) {
            pick(gpu.semaphores, id, "semaphore");
            one.numbers.push_back(static_cast<std::int32_t>(id));
        }
        if (one.effect == Effect::barrier) {
            if (raw.barrier < 0 || raw.blocks < 1) complain("'barrier_id' or 'num_threadblocks' is missing");
            one.numbers = {static_cast<std::int32_t>(raw.barrier)};
            one.blocks = static_cast<std::int32_t>(raw.blocks);
        }
        return one;
    }

    std::vector<Run> runsOf(const RawGpu& gpu, const RawBlock& block, const RawOperation& raw,
                            const std::vector<RawRun>& all, std::size_t packets) {
        std::vector<Run> found;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const RawRun& one = all[i];
            const std::int64_t whole = one.count * text_.slices;
            if (raw.slice >= raw.slices) complain("thread block ", raw.slice, " of a group of ", raw.slices);
            Run run{.gpu = static_cast<std::int32_t>(gpu.id),
                    .place = {Buffer::input, one.first * text_.slices + whole / raw.slices * raw.slice},
                    .count = whole / raw.slices,
                    .packets = i >= packets};
            const std::int64_t first = run.place.first;
            if (one.group >= 0) {
                switches_ = true;
                const Group& group =
                    pick(gpu.groups, pick(of(block.channels, "switch"), one.group, "switch channel"), "switch channel");
                run.place = placed(group.buffer, first);
                for (const std::int64_t member : group.gpus) {
                    pick(text_.gpus, member, "gpu");
                    run.gpu = static_cast<std::int32_t>(member);
                    found.push_back(run);
                }
                continue;
            }
            if (one.remote >= 0) {
                const Remote& there =
                    pick(gpu.remotes, pick(of(block.remotes, raw.channelType), one.remote, "remote buffer"),
                         "remote buffer");
                pick(text_.gpus, there.gpu, "gpu");
                run.gpu = static_cast<std::int32_t>(there.gpu);
                run.place = placed(there.buffer, first);
            } else {
                run.place = placed(one.buffer, first);
            }
            found.push_back(run);
        }
        return found;
    }

    static const std::vector<std::int64_t>& of(const ByType& all, const std::string& type) {
        static const std::vector<std::int64_t> none;
        const auto found = all.find(type);
        return found == all.end() ? none : found->second;
    }

    ChannelEnd endOf(const RawGpu& gpu, const RawBlock& block, const std::string& type, std::int64_t id) const {
        if (type != "memory" && type != "port") complain("it signals through a channel of type '", type, "'");
        const std::vector<std::int64_t>& peers = of(gpu.peers, type);
        const std::int64_t channel = pick(of(block.channels, type), id, "channel");
        const std::int64_t peer = pick(peers, channel, "channel");
        pick(text_.gpus, peer, "gpu");
        return {.peer = static_cast<std::int32_t>(peer),
                .number = static_cast<std::int32_t>(
                    std::count(peers.begin(), peers.begin() + static_cast<std::ptrdiff_t>(channel), peer)),
                .port = type == "port"};
    }

    PlanText text_;
    Plan plan_;
    bool switches_ = false;
};

}  // namespace

bool isPlan(std::string_view content) { return content.find("\"threadblocks\"") != std::string_view::npos; }

std::string operationName(std::size_t gpu, std::int32_t block, std::size_t operation) {
    return text("gpu ", gpu, ", thread block ", block, ", operation ", operation);
}

Plan planFrom(std::string_view content, std::string_view file) { return Settling{content, file}.settled(); }

}  // namespace engine::schedules::msccl

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/msccl/plan_text.hpp"

#include "engine/base/types.hpp"
#include "engine/schedule_files/json_text.hpp"
#include "engine/schedule_files/msccl/execution_plan.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace engine::schedules::msccl {
namespace {

constexpr std::int64_t mostPlanGpus = 1 << 12;
constexpr std::int64_t mostPlanChunks = 1 << 20;
constexpr std::int64_t mostPlanNumber = 1 << 20;
constexpr std::int64_t mostSlices = 1 << 10;
constexpr std::int64_t mostOperations = 1 << 22;

/// The name that an operation of the format before 2025 has now.
std::string_view presentName(std::string_view old) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 7> renamed{{{"rs", "res"},
                                                                                    {"rrc", "rre"},
                                                                                    {"rrcs", "rres"},
                                                                                    {"rspkt", "respkt"},
                                                                                    {"rpkt", "repkt"},
                                                                                    {"tpkt", "cpkt"},
                                                                                    {"cpkt", "upkt"}}};
    for (const auto& [before, now] : renamed)
        if (old == before) return now;
    return old;
}

class PlanReader : PlanFaults {
public:
    PlanReader(std::string_view content, std::string_view file) : PlanFaults{file}, in_{content, std::string{file}} {}

    PlanText read() {
        in_.object("a plan", [&](std::string_view key) {
            if (key == "name") text_.file.name = in_.word("'name'");
            else if (key == "collective" || key == "colletive")  // in files of 2024
                text_.file.collective = in_.word("'collective'");
            else if (key == "inplace") text_.file.inPlace = in_.scalar("'inplace'") == "true";
            else if (key == "gpus") in_.array("'gpus'", [&] { gpu(); });
            else in_.skip();
        });
        in_.end();
        if (text_.gpus.empty()) throw Error{text(file_, ": contains no gpus")};
        std::sort(text_.gpus.begin(), text_.gpus.end(), [](const RawGpu& a, const RawGpu& b) { return a.id < b.id; });
        for (std::size_t g = 0; g < text_.gpus.size(); ++g)
            if (text_.gpus[g].id != static_cast<std::int64_t>(g))
                throw Error{text(file_, ": the ids of its gpus must be 0 to n-1, each once")};
        if (text_.file.collective == "reducescatter") text_.file.collective = "reduce_scatter";
        for (RawGpu& one : text_.gpus)
            if (one.old) renew(one);
            else if (!one.oldChannels.empty()) refuseMixed(one);
        return std::move(text_);
    }

private:
    std::int64_t number(std::string_view what) { return in_.number(what, 0, mostPlanNumber); }
    std::vector<std::int64_t> numbers(std::string_view what) {
        std::vector<std::int64_t> all;
        in_.array(what, [&] { all.push_back(number(what)); });
        return all;
    }
    void append(std::vector<std::int64_t>& to, const std::vector<std::int64_t>& more) {
        to.insert(to.end(), more.begin(), more.end());
    }

    void gpu() {
        if (static_cast<std::int64_t>(text_.gpus.size()) == mostPlanGpus)
            throw Error{text(file_, ": has more than ", mostPlanGpus, " gpus, which is the most that is read")};
        RawGpu one;
        in_.object("a gpu", [&](std::string_view key) {
            if (key == "id") one.id = number("'id'");
            else if (key == "input_chunks") one.chunks[0] = in_.number("'input_chunks'", 0, mostPlanChunks);
            else if (key == "output_chunks") one.chunks[1] = in_.number("'output_chunks'", 0, mostPlanChunks);
            else if (key == "scratch_chunks") one.chunks[2] = in_.number("'scratch_chunks'", 0, mostPlanChunks);
            else if (key == "inputChunks")
                one.chunks[0] = in_.number("'inputChunks'", 0, mostPlanChunks), one.old = true;
            else if (key == "outputChunks") one.chunks[1] = in_.number("'outputChunks'", 0, mostPlanChunks);
            else if (key == "scratchChunks") one.chunks[2] = in_.number("'scratchChunks'", 0, mostPlanChunks);
            else if (key == "threadblocks") in_.array("'threadblocks'", [&] { block(one); });
            else if (key == "channels") in_.array("'channels'", [&] { channel(one); });
            else if (key == "remote_buffers") in_.array("'remote_buffers'", [&] { remote(one); });
            else if (key == "semaphores")
                in_.array("'semaphores'", [&] {
                    one.semaphores.push_back(0);
                    in_.object("a semaphore", [&](std::string_view part) {
                        if (part == "init_value") one.semaphores.back() = number("'init_value'");
                        else in_.skip();
                    });
                });
            else in_.skip();
        });
        text_.gpus.push_back(std::move(one));
    }

    void channel(RawGpu& one) {
        std::string type;
        std::string buffer;
        std::vector<std::int64_t> peers;
        std::vector<Group> groups;
        OldChannels old;
        in_.object("a channel", [&](std::string_view key) {
            if (oldKey(key, old.key)) return;
            if (key == "channel_type") type = in_.word("'channel_type'");
            else if (key == "buffer_type" || key == "buff") buffer = in_.word("a buffer");
            else if (key == "connected_to" || key == "connectedTo") peers = numbers("'connected_to'");
            else if (key == "rank_groups" || key == "rankGroups")
                in_.array("'rank_groups'", [&] {
                    groups.emplace_back();
                    in_.object("a group", [&](std::string_view part) {
                        if (part == "ranks") groups.back().gpus = numbers("'ranks'");
                        else in_.skip();
                    });
                });
            else in_.skip();
        });
        for (Group& group : groups) group.buffer = buffer;
        if (!old.key.type.empty()) {
            if (!groups.empty()) old.key.source = old.key.target = buffer;
            old.numbers = std::move(peers);
            old.groups = std::move(groups);
            one.oldChannels.push_back(std::move(old));
            return;
        }
        append(one.peers[type], peers);
        std::move(groups.begin(), groups.end(), std::back_inserter(one.groups));
    }

    void remote(RawGpu& one) {
        Remote there;
        in_.object("a remote buffer", [&](std::string_view key) {
            if (key == "rank") there.gpu = number("'rank'");
            else if (key == "type") there.buffer = in_.word("'type'");
            else in_.skip();
        });
        one.remotes.push_back(std::move(there));
    }

    void block(RawGpu& one) {
        RawBlock block;
        in_.object("a thread block", [&](std::string_view key) {
            if (key == "id") block.id = number("'id'");
            else if (key == "ops") in_.array("'ops'", [&] { operation(block); });
            else if (key == "channels")
                in_.array("'channels'", [&] {
                    OldChannels old;
                    std::string name;
                    std::vector<std::int64_t> found;
                    in_.object("channels of one type", [&](std::string_view part) {
                        if (oldKey(part, old.key)) return;
                        if (part == "cids") old.numbers = numbers("'cids'");
                        else if (part == "channel_type") name = in_.word("'channel_type'");
                        else if (part == "channel_ids") found = numbers("'channel_ids'");
                        else in_.skip();
                    });
                    if (old.key.type.empty()) append(block.channels[name], found);
                    else block.oldChannels.push_back(std::move(old));
                });
            else if (key == "remote_buffer_refs")
                in_.array("'remote_buffer_refs'", [&] {
                    std::string name;
                    std::vector<std::int64_t> found;
                    in_.object("buffers of one type", [&](std::string_view part) {
                        if (part == "access_channel_type") name = in_.word("'access_channel_type'");
                        else if (part == "remote_buffer_ids") found = numbers("'remote_buffer_ids'");
                        else in_.skip();
                    });
                    append(block.remotes[name], found);
                });
            else in_.skip();
        });
        one.blocks.push_back(std::move(block));
    }

    void operation(RawBlock& block) {
        if (++count_ > mostOperations)
            throw Error{text(file_, ": has more than ", mostOperations, " operations, which is the most that is read")};
        RawOperation one;
        std::vector<RawOperation> inner;
        const auto runs = [&](std::vector<RawRun>& all, std::string_view what) {
            in_.array(what, [&] { all.push_back(run()); });
        };
        in_.object("an operation", [&](std::string_view key) {
            if (oldPart(key, one.old)) return;
            if (key == "name") one.name = in_.word("'name'");
            else if (key == "channel_type") one.channelType = in_.word("'channel_type'");
            else if (key == "channel_ids") one.channels = numbers("'channel_ids'");
            else if (key == "semaphore_ids") one.semaphores = numbers("'semaphore_ids'");
            else if (key == "src_buff") runs(one.sources, "'src_buff'");
            else if (key == "dst_buff") runs(one.targets, "'dst_buff'");
            else if (key == "barrier_id") one.barrier = number("'barrier_id'");
            else if (key == "num_threadblocks" || key == "nthread_blocks") one.blocks = number("'num_threadblocks'");
            else if (key == "tbg_info")
                in_.object("'tbg_info'", [&](std::string_view part) {
                    if (part == "tb_id") one.slice = number("'tb_id'");
                    else if (part == "tbg_size") one.slices = in_.number("'tbg_size'", 1, mostSlices);
                    else in_.skip();
                });
            else if (key == "ops") {
                RawBlock within;
                in_.array("'ops'", [&] { operation(within); });
                inner = std::move(within.operations);
            } else in_.skip();
        });
        text_.slices = std::lcm(text_.slices, one.slices);
        if (text_.slices > mostSlices)
            throw Error{text(file_, ": its thread blocks share chunks in ways that need more than ", mostSlices,
                             " parts of each")};
        if (one.name == "pipeline") text_.pipelines = true;
        else block.operations.push_back(std::move(one));
        std::move(inner.begin(), inner.end(), std::back_inserter(block.operations));
    }

    RawRun run() {
        RawRun one;
        in_.object("a source or target", [&](std::string_view key) {
            if (key == "type") one.buffer = in_.word("'type'");
            else if (key == "buffer_id") one.remote = number("'buffer_id'");
            else if (key == "switch_channel_id") one.group = number("'switch_channel_id'");
            else if (key == "index") one.first = in_.number("'index'", 0, mostPlanChunks);
            else if (key == "size") one.count = in_.number("'size'", 1, mostPlanChunks);
            else in_.skip();
        });
        return one;
    }

    // --- the format before 2025, in which channels belong to two buffers

    static std::string presentType(const std::string& type) {
        return type == "sm" ? "memory" : type == "proxy" ? "port" : type == "nvls" ? "switch" : type;
    }
    /// Reads a part of a key of channels; false: it is none.
    bool oldKey(std::string_view key, OldKey& into) {
        if (key == "src" || key == "srcbuff") into.source = in_.word("a buffer");
        else if (key == "dst" || key == "dstbuff") into.target = in_.word("a buffer");
        else if (key == "ctype" || key == "type") into.type = presentType(in_.word("the type of a channel"));
        else return false;
        return true;
    }
    /// Reads a part of an operation; false: it is none of this format.
    bool oldPart(std::string_view key, std::optional<OldOperation>& into) {
        constexpr std::array<std::string_view, 12> keys{"i_buff",  "o_buff",  "i_cids", "o_cids", "srcs", "dsts",
                                                        "srcbuff", "dstbuff", "srcoff", "dstoff", "cnt",  "ctype"};
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) return false;
        if (!into) into.emplace();
        OldOperation& old = *into;
        const auto ends = [&](OldKey& pair) {
            in_.object("two buffers", [&](std::string_view part) {
                if (!oldKey(part, pair)) in_.skip();
            });
        };
        const auto runs = [&](std::vector<RawRun>& all) {
            in_.array("sources or targets", [&] {
                RawRun one;
                in_.object("a source or target", [&](std::string_view part) {
                    if (part == "id") one.remote = number("'id'");
                    else if (part == "buff") one.buffer = in_.word("'buff'");
                    else if (part == "off") one.first = in_.number("'off'", 0, mostPlanChunks);
                    else in_.skip();
                });
                all.push_back(std::move(one));
            });
        };
        if (key == "i_buff") ends(old.in);
        else if (key == "o_buff") ends(old.out);
        else if (key == "i_cids") runs(old.fromChannels);
        else if (key == "o_cids") runs(old.toChannels);
        else if (key == "srcs") runs(old.sources);
        else if (key == "dsts") runs(old.targets);
        else if (key == "srcbuff") old.source.buffer = in_.word("'srcbuff'");
        else if (key == "dstbuff") old.target.buffer = in_.word("'dstbuff'");
        else if (key == "srcoff") old.source.first = in_.number("'srcoff'", 0, mostPlanChunks);
        else if (key == "dstoff") old.target.first = in_.number("'dstoff'", 0, mostPlanChunks);
        else if (key == "cnt") old.count = in_.number("'cnt'", 1, mostPlanChunks);
        else old.in.type = old.out.type = presentType(in_.word("'ctype'"));
        return true;
    }

    [[noreturn]] void refuseMixed(const RawGpu& gpu) const {
        throw Error{text(file_, ": gpu ", gpu.id, ": it has parts of the format before 2025 and of the present one; ",
                         "write it in one of them")};
    }

    /// Writes channels, remote buffers and operations as the present format has them.
    void renew(RawGpu& gpu) {
        const bool mixed = !gpu.peers.empty() || !gpu.groups.empty() || !gpu.remotes.empty() ||
                           std::any_of(gpu.blocks.begin(), gpu.blocks.end(), [](const RawBlock& one) {
                               return !one.channels.empty() || !one.remotes.empty();
                           });
        if (mixed) refuseMixed(gpu);
        if (text_.pipelines) throw Error{text(file_, ": the format before 2025 has no pipelines; remove them")};
        std::map<std::string, std::vector<std::int64_t>> remotes;  // of each channel, by type
        std::vector<std::int64_t> firsts;                          // of the channels of a key among those of its type
        for (const OldChannels& one : gpu.oldChannels) {
            const bool isSwitch = one.key.type == "switch";
            std::vector<std::int64_t>& peers = gpu.peers[one.key.type];
            firsts.push_back(static_cast<std::int64_t>(isSwitch ? gpu.groups.size() : peers.size()));
            gpu.groups.insert(gpu.groups.end(), one.groups.begin(), one.groups.end());
            append(peers, one.numbers);
            for (const std::int64_t peer : one.numbers) {
                remotes[one.key.type].push_back(static_cast<std::int64_t>(gpu.remotes.size()));
                gpu.remotes.push_back({peer, one.key.target});
            }
        }
        for (RawBlock& block : gpu.blocks) {
            std::vector<std::pair<OldKey, std::int64_t>> used;  // of each channel its key, and its place in the type
            for (const OldChannels& one : block.oldChannels) {
                const bool isSwitch = one.key.type == "switch";
                for (const std::int64_t id : one.numbers) {
                    where_ = text("gpu ", gpu.id, ", thread block ", block.id);
                    std::int64_t left = id;
                    std::int64_t channel = -1;
                    for (std::size_t c = 0; c < gpu.oldChannels.size() && channel < 0; ++c) {
                        const OldChannels& of = gpu.oldChannels[c];
                        if (of.key != one.key) continue;
                        const auto count = static_cast<std::int64_t>(isSwitch ? of.groups.size() : of.numbers.size());
                        if (left < count) channel = firsts[c] + left;
                        left -= count;
                    }
                    if (channel < 0) complain("channel ", id, " of this kind is not defined");
                    used.emplace_back(one.key, static_cast<std::int64_t>(block.channels[one.key.type].size()));
                    block.channels[one.key.type].push_back(channel);
                    if (!isSwitch)
                        block.remotes[one.key.type].push_back(pick(remotes[one.key.type], channel, "channel"));
                }
            }
            for (std::size_t at = 0; at < block.operations.size(); ++at) {
                RawOperation& each = block.operations[at];
                if (!each.old) continue;
                where_ = operationName(asSize(gpu.id), static_cast<std::int32_t>(block.id), at);
                const OldOperation old = std::move(*each.old);
                each = renewed(std::move(each), old, used);
            }
        }
    }

    RawOperation renewed(RawOperation one, const OldOperation& old,
                         const std::vector<std::pair<OldKey, std::int64_t>>& used) const {
        one.name = presentName(one.name);
        one.channelType = old.out.type;
        const auto channelOf = [&](const OldKey& key, std::int64_t id) {
            std::int64_t left = id;
            for (const auto& [each, place] : used)
                if (each == key && left-- == 0) return place;
            complain("channel ", id, " between its buffers is not defined");
        };
        const auto add = [&](std::vector<RawRun>& all, RawRun run) {
            run.count = old.count;
            all.push_back(std::move(run));
        };
        if (one.channelType == "switch") {
            const auto group = [&](const std::vector<RawRun>& ids, RawRun run) {
                for (const RawRun& id : ids) run.group = channelOf({run.buffer, run.buffer, "switch"}, id.remote);
                return run;
            };
            add(one.sources, group(old.fromChannels, old.source));
            add(one.targets, group(old.toChannels, old.target));
            return one;
        }
        const auto addRemote = [&](std::vector<RawRun>& all, const OldKey& key, const std::vector<RawRun>& runs) {
            for (RawRun run : runs) {
                run.remote = channelOf(key, run.remote);
                add(all, std::move(run));
            }
        };
        const bool waits = one.name == "wait";
        if (waits || one.name == "signal" || one.name == "pws" || one.name == "pwsf")
            for (const RawRun& run : waits ? old.fromChannels : old.toChannels)
                one.channels.push_back(channelOf(waits ? old.in : old.out, run.remote));
        if (waits || one.name == "signal" || one.name == "flush") return one;
        if (!old.source.buffer.empty()) add(one.sources, old.source);
        for (const RawRun& run : old.sources) add(one.sources, run);
        addRemote(one.sources, old.in, old.fromChannels);
        if (!old.target.buffer.empty()) add(one.targets, old.target);
        for (const RawRun& run : old.targets) add(one.targets, run);
        addRemote(one.targets, old.out, old.toChannels);
        return one;
    }

    JsonText in_;
    PlanText text_;
    std::int64_t count_ = 0;
};

}  // namespace

PlanText planTextFrom(std::string_view content, std::string_view file) { return PlanReader{content, file}.read(); }

}  // namespace engine::schedules::msccl

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/records/rank_status.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <bit>

namespace engine::live {
namespace {

struct Named {
    std::string_view name;
    OtherGroup group;
};

/// In the order of `Other`.
constexpr std::array<Named, static_cast<std::size_t>(Other::none)> others{{
#define OWN(name, group) {"MPI_" #name, OtherGroup::group},
#define PLAIN(name, group, together, parameters, names) {"MPI_" #name, OtherGroup::group},
#include "engine/live/records/program.inc"
#undef OWN
#undef PLAIN
}};

bool isWatched(const Event& event) {
    switch (event.kind) {
        case Kind::call:
        case Kind::request:
        case Kind::complete: return static_cast<std::size_t>(std::bit_cast<Call>(event).called) < everyCalled.size();
        case Kind::step:
        case Kind::part: {
            const auto step = std::bit_cast<Step>(event);
            const auto isPlaceIn = [&](const auto& names) {
                return step.tag >= 0 && static_cast<std::size_t>(step.tag) < names.size();
            };
            const bool isError = step.deed == CallEffect::failed || step.deed == CallEffect::refused;
            return step.what < Other::none && step.deed <= lastDeed && step.bytes >= 0 &&
                   (!isError || isPlaceIn(errorClassNames)) &&
                   (step.deed != CallEffect::doneWithNeighbours || isPlaceIn(neighbourCalls));
        }
        case Kind::internal: {
            const auto step = std::bit_cast<Step>(event);
            return (step.deed == CallEffect::postSend || step.deed == CallEffect::postReceive) && step.bytes >= 0;
        }
        default: return true;  // not of a program
    }
}

}  // namespace

std::string_view nameOf(Other call) { return others[static_cast<std::size_t>(call)].name; }
OtherGroup groupOf(Other call) { return others[static_cast<std::size_t>(call)].group; }

std::uint16_t threadOf(const Event& event) { return std::bit_cast<Step>(event).thread; }

void requireWatched(const Record& record) {
    if (!std::all_of(record.events.begin(), record.events.end(), isWatched))
        throw Error{text("the record of process ", record.process, " names a call that is not recorded")};
}

void RankStatus::enters(const CallStatus& stand) noexcept {
    if (stand.channel.kind == Channel::Kind::none || stand.sequence <= 0) return;
    const auto own = std::find_if(channels.begin(), channels.end(), [&](const EnteredSlot& slot) {
        return slot.channel == stand.channel || slot.channel.kind == Channel::Kind::none;
    });
    EnteredSlot* slot = own != channels.end() ? &*own : nullptr;
    if (slot == nullptr) {
        // The one that was made first is most likely not used any more; MPI_COMM_WORLD, which is before them, stays.
        std::rotate(channels.begin() + 1, channels.begin() + 2, channels.end());
        ++forgotten;
        slot = &channels.back();
    }
    if (slot->channel != stand.channel) *slot = {.channel = stand.channel};
    slot->last = std::max(slot->last, stand.sequence);
    slot->latest[static_cast<std::size_t>(stand.sequence) % EnteredSlot::kept] = {.sequence = stand.sequence,
                                                                                  .count = stand.count,
                                                                                  .sent = stand.sent,
                                                                                  .received = stand.received,
                                                                                  .root = stand.peer,
                                                                                  .what = stand.what,
                                                                                  .called = stand.called,
                                                                                  .site = stand.site,
                                                                                  .kind = stand.kind,
                                                                                  .operation = stand.operation};
}

const EnteredSlot* RankStatus::of(const Channel& channel) const noexcept {
    const auto own = std::find_if(channels.begin(), channels.end(),
                                  [&](const EnteredSlot& slot) { return slot.channel == channel; });
    return own != channels.end() ? &*own : nullptr;
}

std::filesystem::path rankStatusFileOf(const std::filesystem::path& folder, std::int32_t process) {
    return folder / text("process-", process, ".now");
}

}  // namespace engine::live

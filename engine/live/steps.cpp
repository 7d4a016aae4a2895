// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/standing.hpp"

#include "engine/error.hpp"
#include "engine/text.hpp"

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
#define PLAIN(name, group, comm, parameters, names) {"MPI_" #name, OtherGroup::group},
#include "engine/live/program.inc"
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
            return step.what < Other::none && step.deed <= lastDeed && step.bytes >= 0;
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
        throw Error{text("the record of process ", record.process, " names a call that nobody watches")};
}

std::filesystem::path standingFileOf(const std::filesystem::path& folder, std::int32_t process) {
    return folder / text("process-", process, ".now");
}

}  // namespace engine::live

// SPDX-License-Identifier: BSD-3-Clause
// Why a training job hangs, by the Flight Recorder dumps of its ranks: who is missing in which collective, or called it
// otherwise than the others.
#pragma once

#include "engine/base/table.hpp"
#include "traces/flight_recorder/dump.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace app::analysis {

/// Ranks that did the same in a collective.
struct HangSide {
    enum class Did : std::uint8_t {
        nothing,    ///< never called it
        scheduled,  ///< called it; its kernel has not started
        started,    ///< its kernel runs
        completed
    };

    Did did = Did::nothing;
    std::vector<std::int64_t> ranks;
    std::string call{};                 ///< "all_reduce of [[4, 4]] float32"; of nothing the last call in the group
    std::int64_t sequence = -1;         ///< of nothing: that of the last call; -1: none is recorded
    std::vector<std::string> frames{};  ///< of the first of the ranks, innermost first

    friend bool operator==(const HangSide&, const HangSide&) = default;
};

enum class HangKind : std::uint8_t {
    missing,     ///< some ranks never called it
    operations,  ///< ranks call different operations
    sizes,       ///< or with sizes that do not fit
    types,       ///< or with different element types
    order,       ///< or launch different numbers of operations together
    states,      ///< some ranks have finished it, others have not
    unfinished   ///< all ranks called it, and none has finished it
};
std::string_view name(HangKind kind);

/// The first collective of a process group in which something is wrong.
struct Hang {
    std::string group;  ///< its name
    std::string description;
    std::vector<std::int64_t> members;
    std::vector<std::int64_t> withoutDump;  ///< among the members
    std::int64_t sequence = 0;
    HangKind kind = HangKind::missing;
    std::string why;              ///< of sizes: which rule they break
    std::vector<HangSide> sides;  ///< the fewest ranks first
    std::int64_t created = 0;     ///< when the first rank called it: ns since 1970; 0: not recorded
    std::vector<std::string>
        transfers{};  ///< point-to-point transfers of the group that have not completed, a clause each
};

struct HangReport {
    std::vector<std::int64_t> ranks;  ///< with a dump
    std::string version;
    std::int64_t entries = 0;
    std::vector<Hang> hangs;             ///< of each group at most one, the earliest first: others may follow from it
    std::vector<std::string> transfers;  ///< that have not completed, of groups without such a collective
    std::vector<std::string> remarks;    ///< lost beginnings, ranks without a dump
};

/// A call with a sequence number that is lost on one rank, since its ring held no more, proves nothing.
HangReport hangReport(const std::vector<traces::flight::Dump>& dumps);

/// The last `most` collectives and transfers of each rank, as its ring holds them; times are those since the first of
/// all that are listed.
engine::Table lastCalls(const std::vector<traces::flight::Dump>& dumps, std::size_t most);

/// The report as lines, the first about the dumps.
std::vector<std::string> linesOf(const HangReport& report);

}  // namespace app::analysis

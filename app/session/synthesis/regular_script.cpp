// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/synthesis/regular_script.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <map>
#include <set>

namespace app {
namespace {

using engine::asSize;
using engine::text;

/// Blocks, relative to the sender, and their parts.
using Parts = std::set<std::pair<std::int32_t, std::int32_t>>;
/// What a rank sends in a round, by receiver, relative to the sender.
using Moves = std::map<std::int32_t, Parts>;

Parts partsIn(const engine::Layout& layout, std::span<const engine::Range> ranges, std::int32_t sender,
              std::int32_t chunks) {
    Parts parts;
    const std::int32_t n = layout.count();
    for (const engine::Range range : ranges)
        for (std::int32_t block = 0; block < n; ++block)
            for (std::int32_t part = 0; part < chunks; ++part) {
                const engine::Range one = engine::piece(layout.block(block), chunks, part);
                if (one.empty() || one.begin >= range.end || range.begin >= one.end) continue;
                if (one.begin < range.begin || range.end < one.end)
                    throw engine::Error{"a message carries a part of a chunk"};
                parts.emplace((block - sender + n) % n, part);
            }
    return parts;
}

}  // namespace

std::string regularScript(const engine::Plan& plan, std::int32_t chunks) {
    const engine::Layout& layout = plan.problem.layout;
    const engine::Error irregular{
        "the ranks of the schedule do not do the same, so that it has no short script; write "
        "a .json file"};
    if (plan.problem.collective != engine::Collective::allgatherv || !layout.isRegular()) throw irregular;
    const std::int32_t n = plan.problem.ranks();
    std::string rows;
    engine::Turn turn;
    for (engine::Round round{0}; round.value < plan.schedule->facts().rounds; ++round) {
        Moves all;
        for (std::int32_t rank = 0; rank < n; ++rank) {
            Moves own;
            plan.schedule->turn(engine::Rank{rank}, round, turn);
            for (const engine::Message& message : turn.sends()) {
                Parts& parts = own[(message.peer.value - rank + n) % n];
                parts.merge(partsIn(layout, turn.ranges(message), rank, chunks));
            }
            if (rank == 0) all = own;
            else if (all != own) throw irregular;
        }
        rows += "  {";
        for (const auto& [to, parts] : all) {
            rows += text(" { to = ", to);
            for (const auto& [block, part] : parts) rows += text(", { ", block, ", ", part, " }");
            rows += " },";
        }
        rows += " },\n";
    }
    const std::string& remark =
        plan.schedule->facts().remarks.empty() ? plan.algorithm->id : plan.schedule->facts().remarks.back();
    return text("-- ", remark, R"(.
algorithm {
  collective = "allgatherv",
  title = "Synthesized for )",
                n, R"( ranks",
  ports = )",
                plan.problem.ports, R"(,
  demands = function()
    if n ~= )",
                n, R"( then return "is a schedule for )", n, R"( ranks" end
  end,
}

-- Each row is one step, in which every rank sends these messages. 'to' and the first number of each pair are relative to
-- the sender: the receiver, and the owner of the block. The second number is the part of that block; parts per block: )",
                chunks, R"(.
local moves = {
)",
                rows, R"(}

function rounds()
  return #moves
end

local function data(sender, move)
  local what
  for _, one in ipairs(move) do
    local chunk = part(block((sender + one[1]) % n), )",
                chunks, R"(, one[2])
    what = what and what .. chunk or chunk
  end
  return what
end

function turn(rank, round)
  for _, move in ipairs(moves[round + 1]) do
    local from = (rank - move.to) % n
    send((rank + move.to) % n, data(rank, move))
    receive(from, data(from, move))
  end
end
)");
}

}  // namespace app

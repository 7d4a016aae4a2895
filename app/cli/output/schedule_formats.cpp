// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/output/schedule_formats.hpp"

#include "app/session/proofs/schedule_json.hpp"
#include "engine/base/text.hpp"
#include "engine/proof/bracketing.hpp"
#include "engine/schedule_files/msccl/writing.hpp"

#include <map>
#include <set>

namespace app::cli {
namespace {

using engine::Rank;
using engine::Round;

/// How the results are bracketed: a circle joins two operands, the left one's edge is solid and the right one's dashed;
/// a box is a rank's vector, a plain word names the ranks that have a result and the bytes of it.
void writeBrackets(const engine::Plan& plan, std::optional<Rank> only, const Console& console) {
    constexpr std::size_t most = 2000;  // brackets that a picture can show
    const engine::Bracketing found =
        bracketingOf(*plan.schedule, plan.problem, engine::Progress{.stop = console.around.stop});
    std::map<engine::Brackets::Id, std::vector<std::string>> results;
    for (const engine::Bracketed& one : found.results)
        if (!only || one.rank == *only)
            results[one.expression].push_back(
                plan.schedule->facts().pieces
                    ? engine::text("rank ", one.rank, " [", one.range.begin, ", ", one.range.end, ")")
                    : engine::text("rank ", one.rank));
    std::set<engine::Brackets::Id> drawn;
    std::vector<engine::Brackets::Id> open;
    for (const auto& [id, names] : results) open.push_back(id);
    while (!open.empty()) {
        const engine::Brackets::Id id = open.back();
        open.pop_back();
        if (!drawn.insert(id).second || found.brackets.isLeaf(id)) continue;
        const auto [left, right] = found.brackets.sides(id);
        open.push_back(left);
        open.push_back(right);
    }
    std::ostream& out = console.out;
    if (drawn.size() > most) {
        out << "  // " << drawn.size() << " brackets are too many to draw; --rank R draws those of one rank\n";
        return;
    }
    out << "  subgraph cluster_brackets {\n    label=\"" << inWords(found.sameBits) << "\";\n";
    for (const engine::Brackets::Id id : drawn) {
        if (found.brackets.isLeaf(id)) {
            out << "    e" << id << " [shape=box, label=\"" << id << "\"];\n";
            continue;
        }
        const auto [left, right] = found.brackets.sides(id);
        out << "    e" << id << " [label=\"o\"];\n    e" << id << " -> e" << left << ";\n    e" << id << " -> e"
            << right << " [style=dashed];\n";
    }
    for (const auto& [id, names] : results) {
        std::string who;
        for (std::size_t i = 0; i < names.size() && i < 8; ++i) who += (i == 0 ? "" : "\\n") + names[i];
        if (names.size() > 8) who += engine::text("\\nand ", names.size() - 8, " more");
        out << "    r" << id << " [shape=plaintext, label=\"" << who << "\"];\n    r" << id << " -> e" << id << ";\n";
    }
    out << "  }\n";
}

}  // namespace

void showJson(const engine::Plan& plan, const Cut& cut, const Console& console) {
    writeScheduleJson(plan, cut, console.out, [&] { console.requireOutput(); }, {.stop = console.around.stop});
}

void showDot(const engine::Plan& plan, const Cut& cut, const Console& console) {
    const engine::Problem& problem = plan.problem;
    std::ostream& out = console.out;
    out << "digraph \"" << plan.algorithm->id << "\" {\n  node [shape=circle];\n";
    for (Rank rank{0}; rank.value < plan.schedule->facts().ranks; ++rank) {
        const bool inB = isIntergroup(problem.collective) && rank.value >= problem.groupA;
        out << "  " << rank << (inB ? " [shape=box];\n" : ";\n");
    }
    tell(plan, cut,
         [&](const Telling& message) {
             const std::string content =
                 message.terms == nullptr ? contentWords(problem.layout, message.ranges) : contentWords(message);
             out << "  " << message.from << " -> " << message.to << " [label=\"" << message.round << ": " << content
                 << "\"];\n";
             console.requireOutput();
         },
         {.stop = console.around.stop});
    if (combinesVectors(problem.collective)) writeBrackets(plan, cut.rank, console);
    out << "}\n";
}

void showGoal(const engine::Plan& plan, const Console& console) {
    const engine::Facts& facts = plan.schedule->facts();
    std::ostream& out = console.out;
    if (facts.unstated.empty()) out << "// problem: " << toText(plan.problem) << '\n';
    out << "num_ranks " << facts.ranks << "\n";
    engine::Turn turn;
    for (Rank rank{0}; rank.value < facts.ranks; ++rank) {
        const engine::Progress progress{.stop = console.around.stop};
        progress.at(0);
        out << "\nrank " << rank << " {\n";
        std::int64_t next = 1;
        std::int64_t beforeFirst = 1;  // labels of the rank's latest round that had messages
        std::int64_t beforeEnd = 1;
        for (Round round{0}; round.value < facts.rounds; ++round) {
            plan.schedule->turn(rank, round, turn);
            if (turn.empty()) continue;
            const std::int64_t begin = next;
            for (const engine::Message& send : turn.sends())
                out << "l" << next++ << ": send " << send.bytes << "b to " << send.peer << " tag " << round << '\n';
            for (const engine::Message& receive : turn.receives())
                out << "l" << next++ << ": recv " << receive.bytes << "b from " << receive.peer << " tag " << round
                    << '\n';
            for (std::int64_t label = begin; label < next; ++label)
                for (std::int64_t before = beforeFirst; before < beforeEnd; ++before)
                    out << "l" << label << " requires l" << before << '\n';
            beforeFirst = begin;
            beforeEnd = next;
            console.requireOutput();
        }
        out << "}\n";
    }
}

void showMsccl(const engine::Plan& plan, const Console& console) {
    for (const std::string& sentence :
         engine::schedules::msccl::write(*plan.schedule, plan.problem, plan.algorithm->id, console.out))
        console.err << "collscope: " << sentence << '\n';
}

}  // namespace app::cli

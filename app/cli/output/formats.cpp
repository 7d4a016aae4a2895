// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/output/formats.hpp"

#include "app/cli/output/json.hpp"
#include "engine/base/text.hpp"
#include "engine/problem/contract.hpp"
#include "engine/proof/bracketing.hpp"
#include "engine/schedule_files/msccl/writing.hpp"

#include <map>
#include <set>

namespace app::cli {
namespace {

using engine::Rank;
using engine::Round;

Json rangesJson(std::span<const engine::Range> ranges) {
    Json list = Json::array();
    for (const engine::Range range : ranges) list.push_back({range.begin, range.end});
    return list;
}

/// Parts of the vector with the contributions in each.
Json piecesJson(std::span<const engine::PartialVector::Piece> pieces) {
    Json list = Json::array();
    for (const auto& [range, partial] : pieces)
        list.push_back({{"range", {range.begin, range.end}}, {"terms", partial.terms()}});
    return list;
}

/// The numbers of slots.
Json slotsJson(engine::Slots slots) {
    Json list = Json::array();
    for (int slot = 0; slots != 0; ++slot, slots >>= 1U)
        if ((slots & 1U) != 0) list.push_back(slot);
    return list;
}

/// What a reader must know to make the same schedule of the messages, where it is not the usual.
template <class Key>
void writeFacts(const engine::Facts& facts, const Key& key) {
    if (facts.wiring.kind() != engine::Wiring::Kind::any) key("wiring", facts.wiring.name());
    if (facts.slots != 1) key("slots", facts.slots);
    if (facts.own != 1) key("own", slotsJson(facts.own));
    if (facts.result != 0) key("result", facts.result);
    if (facts.uncoupled.count > 0)
        key("uncoupled", {{"first", facts.uncoupled.first.value}, {"rounds", facts.uncoupled.count}});
    if (facts.stages.size() < 2) return;
    Json stages = Json::array();
    for (const engine::Stage& stage : facts.stages)
        stages.push_back({{"name", stage.name}, {"first", stage.first.value}, {"rounds", stage.rounds}});
    key("stages", stages);
}

Json messageJson(const Telling& message) {
    Json json{{"round", message.round.value},
              {"from", message.from.value},
              {"to", message.to.value},
              {"bytes", message.bytes}};
    if (message.terms == nullptr) {
        json["ranges"] = rangesJson(message.ranges);
    } else {
        if (message.whole) json["terms"] = message.terms->whole().terms();
        else json["pieces"] = piecesJson(message.terms->pieces());
        json["receive"] = message.action == engine::Action::keep ? "keep" : "combine";
        // What is not so unless it is said.
        if (message.action == engine::Action::prepend) json["side"] = "left";
        if (message.slot != 1) json["slot"] = slotsJson(message.slot)[0];
        if (message.into != 1) json["into"] = slotsJson(message.into);
        if (message.place != 0) json["place"] = message.place;
    }
    return json;
}

/// Every contribution on a line of its own, in the order of the byte line.
void writeContributions(const engine::Problem& problem, std::ostream& out) {
    const bool silent = problem.collective == engine::Collective::barrier;  // signs of life: no bytes
    const std::int32_t count = silent ? problem.ranks() : problem.layout.count();
    for (std::int32_t i = 0; i < count; ++i) {
        Json one{{"rank", ownerOf(problem, engine::Block{i}).value}};
        if (const auto to = receiverOf(problem, engine::Block{i})) one["to"] = to->value;
        one["bytes"] = silent ? 0 : problem.layout.size(i);
        out << (i == 0 ? "\n    " : ",\n    ") << one.dump(-1, ' ', false, lenient);
    }
}

/// Per rank, the contributions of its result; null for ranks that need none or were cut away.
void writeFinal(const engine::Partials& partials, const engine::Plan& plan, std::optional<Rank> only,
                std::ostream& out) {
    const engine::Contract contract{plan.problem};
    out << ",\n  \"final\": [";
    for (Rank rank{0}; rank.value < plan.problem.ranks(); ++rank) {
        out << (rank.value == 0 ? "\n    " : ",\n    ");
        const auto wanted = contract.result(rank);
        const engine::PartialVector& result = partials.result(rank);
        Json json;
        if (wanted && (!only || rank == *only)) {
            const engine::PartialVector part = result.in({&*wanted, 1});
            json = plan.schedule->facts().pieces ? piecesJson(part.pieces()) : Json(result.whole().terms());
        }
        out << json.dump(-1, ' ', false, lenient);
    }
    out << "\n  ]";
}

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
    const engine::Problem& problem = plan.problem;
    const engine::Facts& facts = plan.schedule->facts();
    std::ostream& out = console.out;
    out << "{\n";
    const auto key = [&](std::string_view name, const Json& value) {
        out << "  \"" << name << "\": " << value.dump(-1, ' ', false, lenient) << ",\n";
    };
    key("algorithm", plan.algorithm->id);
    key("collective", name(problem.collective));
    key("ranks", facts.ranks);
    if (facts.ranks > problem.ranks()) key("dummies", facts.ranks - problem.ranks());
    key("ports", facts.ports);
    key("rounds", facts.rounds);
    if (!facts.repeats.empty()) key("repeats", facts.repeats);
    if (!facts.wrong.sentence.empty()) key("wrong", facts.wrong.sentence);
    if (!facts.unstated.empty()) key("unstated", facts.unstated);
    if (isIntergroup(problem.collective)) key("groups", groupsJson(problem));
    if (hasRoot(problem.collective)) key("root", problem.root.value);
    out << "  \"contributions\": [";
    writeContributions(problem, out);
    out << "\n  ],\n";
    key("options", optionsJson(plan.options));
    if (!facts.remarks.empty()) key("remarks", facts.remarks);
    writeFacts(facts, key);
    out << "  \"messages\": [";
    bool first = true;
    const auto partials = tell(plan, cut,
                               [&](const Telling& message) {
                                   out << (first ? "\n    " : ",\n    ")
                                       << messageJson(message).dump(-1, ' ', false, lenient);
                                   first = false;
                                   console.requireOutput();
                               },
                               {.stop = console.around.stop});
    out << "\n  ]";
    if (partials) writeFinal(*partials, plan, cut.rank, out);
    out << "\n}\n";
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

// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/proofs/schedule_json.hpp"

#include "engine/base/text.hpp"
#include "engine/problem/contract.hpp"

#include <nlohmann/json.hpp>

#include <charconv>
#include <ostream>

namespace app {
namespace {

using engine::Rank;
using Json = nlohmann::ordered_json;

constexpr auto lenient = Json::error_handler_t::replace;

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

}  // namespace

nlohmann::ordered_json valueJson(const std::string& value) {
    std::int64_t number = 0;
    const auto [rest, code] = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool whole = code == std::errc{} && rest == value.data() + value.size();
    return whole ? Json(number) : Json(value);
}

nlohmann::ordered_json optionsJson(const engine::Options& options) {
    Json values = Json::object();
    for (const auto& [name, value] : options.all()) values[name] = valueJson(value);
    return values;
}

void writeScheduleJson(const engine::Plan& plan, const Cut& cut, std::ostream& out,
                       const std::function<void()>& written, const engine::Progress& progress) {
    const engine::Problem& problem = plan.problem;
    const engine::Facts& facts = plan.schedule->facts();
    out << "{\n";
    const auto key = [&](std::string_view name, const Json& value) {
        out << "  \"" << name << "\": " << value.dump(-1, ' ', false, lenient) << ",\n";
    };
    key("algorithm", plan.algorithm->id);
    key("collective", name(problem.collective));
    if (isReduction(problem.collective) && problem.operation != engine::Operation::sum)
        key("operation", name(problem.operation));
    key("ranks", facts.ranks);
    if (facts.ranks > problem.ranks()) key("dummies", facts.ranks - problem.ranks());
    key("ports", facts.ports);
    key("rounds", facts.rounds);
    if (!facts.repeats.empty()) key("repeats", facts.repeats);
    if (!facts.wrong.sentence.empty()) key("wrong", facts.wrong.sentence);
    if (!facts.unstated.empty()) key("unstated", facts.unstated);
    if (isIntergroup(problem.collective)) key("groups", {{"a", problem.groupA}, {"b", problem.groupB}});
    if (hasRoot(problem.collective)) key("root", problem.root.value);
    out << "  \"contributions\": [";
    writeContributions(problem, out);
    out << "\n  ],\n";
    key("options", optionsJson(plan.options));
    if (!facts.remarks.empty()) key("remarks", facts.remarks);
    writeFacts(facts, key);
    out << "  \"messages\": [";
    bool first = true;
    const auto partials = tell(
        plan, cut,
        [&](const Telling& message) {
            out << (first ? "\n    " : ",\n    ") << messageJson(message).dump(-1, ' ', false, lenient);
            first = false;
            if (written) written();
        },
        progress);
    out << "\n  ]";
    if (partials) writeFinal(*partials, plan, cut.rank, out);
    out << "\n}\n";
}

}  // namespace app

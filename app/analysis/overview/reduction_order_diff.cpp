// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/overview/reduction_order_diff.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "engine/base/range_map.hpp"
#include "engine/base/text.hpp"
#include "engine/problem/contract.hpp"
#include "engine/proof/bracketing.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace app::analysis {
namespace {

using engine::Brackets;
using engine::Bytes;
using engine::Plan;
using engine::Range;
using engine::Rank;
using engine::text;

constexpr std::size_t mostLetters = 70;  // of one bracket

/// How far two results are from each other; the later, the farther.
enum class Apart : std::uint8_t { nothing, order, brackets, operands };

struct Change {
    Rank first;
    Rank second;
    Range range;
    Brackets::Id left = 0;   // of the first, in the common brackets
    Brackets::Id right = 0;  // of the second
    Apart apart = Apart::nothing;
};

/// One of the two.
struct Side {
    const Plan& plan;
    engine::Bracketing found;
    std::vector<Brackets::Id> common;                    // by ids of `found`
    std::vector<engine::ByRange<Brackets::Id>> results;  // by rank, in common ids

    Side(const Plan& of, const engine::Progress& progress)
        : plan{of},
          found{bracketingOf(*of.schedule, of.problem, progress)},
          results(engine::asSize(of.problem.ranks())) {}

    void takeOver(Brackets& brackets) {
        common = brackets.takeOver(found.brackets);
        const auto replace = [](Brackets::Id, Brackets::Id other) { return other; };
        for (const engine::Bracketed& one : found.results)
            results[one.rank.index()].merge({one.range, common[engine::asSize(one.expression)]}, replace);
    }
};

std::vector<std::int32_t> operandsOf(const Brackets& brackets, Brackets::Id id) {
    std::vector<std::int32_t> all = brackets.leaves(id);
    std::sort(all.begin(), all.end());
    return all;
}

Apart apart(const Brackets& brackets, Brackets::Id left, Brackets::Id right) {
    if (left == right) return Apart::nothing;
    if (brackets.unordered(left) == brackets.unordered(right)) return Apart::order;
    return operandsOf(brackets, left) == operandsOf(brackets, right) ? Apart::brackets : Apart::operands;
}

std::string name(Apart apart) {
    switch (apart) {
        case Apart::nothing: return "nothing";
        case Apart::order: return "order";
        case Apart::brackets: return "brackets";
        case Apart::operands: return "operands";
    }
    return {};
}

/// All pairs of results of the same elements that are not alike, and how many bytes were compared.
struct Comparison {
    std::vector<Change> changes;
    std::vector<Range> compared;  ///< of the vector, by whatever rank
};

Comparison compare(const Brackets& brackets, const Side& first, const Side& second) {
    const engine::Contract mine{first.plan.problem};
    const engine::Contract others{second.plan.problem};
    Comparison found;
    std::map<std::pair<Brackets::Id, Brackets::Id>, Apart> known;
    for (Rank rank{0}; rank.value < first.plan.problem.ranks(); ++rank)
        for (const auto& [range, left] : first.results[rank.index()].pieces()) {
            std::vector<Range> open{range};
            const auto with = [&](Rank other) {
                const auto part = second.results[other.index()].in(open);
                for (const auto& [common, right] : part.pieces()) {
                    if (found.compared.empty() || found.compared.back() != common) found.compared.push_back(common);
                    const auto [place, isNew] = known.try_emplace({left, right}, Apart::nothing);
                    if (isNew) place->second = apart(brackets, left, right);
                    if (place->second != Apart::nothing)
                        found.changes.push_back({rank, other, common, left, right, place->second});
                }
                std::vector<Range> rest;
                for (const Range whole : open) {
                    Bytes next = whole.begin;
                    for (const auto& [common, right] : part.pieces()) {
                        if (common.begin < whole.begin || common.end > whole.end) continue;
                        if (common.begin > next) rest.push_back({next, common.begin});
                        next = common.end;
                    }
                    if (next < whole.end) rest.push_back({next, whole.end});
                }
                open = std::move(rest);
            };
            if (rank.value < second.plan.problem.ranks()) with(rank);
            for (Rank other{0}; other.value < second.plan.problem.ranks() && !open.empty(); ++other)
                if (other != rank && others.contributors(other) == mine.contributors(rank)) with(other);
        }
    std::sort(found.changes.begin(), found.changes.end(), [](const Change& a, const Change& b) {
        return std::tie(a.range.begin, a.first, a.second) < std::tie(b.range.begin, b.first, b.second);
    });
    return found;
}

/// Both down to where they differ: a side that both share is left out.
std::pair<std::string, std::string> sidesInWords(const Brackets& brackets, Brackets::Id left, Brackets::Id right) {
    bool part = false;
    while (!brackets.isLeaf(left) && !brackets.isLeaf(right)) {
        const auto a = brackets.sides(left);
        const auto b = brackets.sides(right);
        if ((a.first == b.first) == (a.second == b.second)) break;
        std::tie(left, right) = a.first == b.first ? std::pair{a.second, b.second} : std::pair{a.first, b.first};
        part = true;
    }
    const auto words = [&](Brackets::Id id) {
        return part ? "... " + brackets.words(id, mostLetters) + " ..." : brackets.words(id, mostLetters);
    };
    return {words(left), words(right)};
}

Bytes lengthOf(std::vector<Range> ranges) {
    std::sort(ranges.begin(), ranges.end());
    Bytes length = 0;
    Bytes next = 0;
    for (const Range range : ranges) {
        length += std::max<Bytes>(0, range.end - std::max(range.begin, next));
        next = std::max(next, range.end);
    }
    return length;
}

/// Everything set, as --set takes it.
std::string optionsOf(const Plan& plan) {
    std::string all;
    for (const auto& [name, value] : plan.options.all()) all += text(all.empty() ? "" : " ", name, '=', value);
    return all;
}

/// What differs between the two runs: "the number of ranks (4 and 8) and the size (64 KiB and 1 MiB)".
std::string reasonsOf(const Contestant& first, const Contestant& second) {
    const Plan& a = *first.trace.report.plan;
    const Plan& b = *second.trace.report.plan;
    std::vector<std::string> reasons;
    const auto note = [&](std::string_view what, const auto& one, const auto& other) {
        if (one != other) reasons.push_back(text(what, " (", one, " and ", other, ")"));
    };
    note("the algorithm", a.algorithm->id, b.algorithm->id);
    note("the number of ranks", a.problem.ranks(), b.problem.ranks());
    note("the size", engine::showBytes(a.problem.layout.largest()), engine::showBytes(b.problem.layout.largest()));
    if (hasRoot(a.problem.collective)) note("the root", a.problem.root, b.problem.root);
    if (a.algorithm == b.algorithm) note("the options", optionsOf(a), optionsOf(b));
    note("the network", first.trace.report.run->setting.topology, second.trace.report.run->setting.topology);
    std::string all;
    for (std::size_t i = 0; i < reasons.size(); ++i)
        all += (i == 0 ? "" : i + 1 == reasons.size() ? " and " : ", ") + reasons[i];
    return all;
}

/// What follows for who gets another result of the same input.
std::string meaningOf(const std::vector<Change>& changes) {
    const auto farthest = std::max_element(changes.begin(), changes.end(),
                                           [](const Change& a, const Change& b) { return a.apart < b.apart; });
    switch (farthest->apart) {
        case Apart::nothing: break;
        case Apart::order:
            return "only the order of operands differs: operations that commute, floating-point sums included, give "
                   "the same bits";
        case Apart::brackets:
            return "floating-point sums of the same input may differ in their last bits; sums of integers do not";
        case Apart::operands: return "these are not results of the same vectors";
    }
    return {};
}

bool isFollowed(const Contestant& one) {
    const auto& plan = one.trace.report.plan;
    return plan && combinesVectors(plan->problem.collective);
}

}  // namespace

std::optional<engine::Table> bracketChanges(const Contestant& first, const Contestant& second,
                                            const engine::Progress& progress) {
    if (!isFollowed(first) || !isFollowed(second)) return std::nullopt;
    engine::Table table{.name = "brackets",
                        .title = "order of reduction: the first element that the two runs combine in different orders",
                        .columns = {{"element", engine::Content::count},
                                    {"rank", engine::Content::rank},
                                    {"other_rank", engine::Content::rank},
                                    {"differ_in", engine::Content::words},
                                    {"first", engine::Content::words},
                                    {"second", engine::Content::words}},
                        .rows = {}};
    for (const Contestant* one : {&first, &second}) {
        const engine::Facts& facts = one->trace.report.plan->schedule->facts();
        if (facts.ranks * facts.rounds <= provedTurns) continue;
        table.remarks.push_back(text(one->label, " has too many rounds for its order of reduction to be followed"));
        return table;
    }
    Side a{*first.trace.report.plan, progress};
    Side b{*second.trace.report.plan, progress};
    Brackets brackets{std::max(a.plan.problem.ranks(), b.plan.problem.ranks())};
    a.takeOver(brackets);
    b.takeOver(brackets);
    const Comparison found = compare(brackets, a, b);
    const Bytes unit = unitOf(a.plan.problem);
    if (found.compared.empty()) {
        table.remarks.emplace_back("no element is a result in both");
        return table;
    }
    const std::int64_t elements = (lengthOf(found.compared) + unit - 1) / unit;
    if (found.changes.empty()) {
        table.remarks.push_back(text("all ", counted(elements),
                                     " elements are reduced in the same order: the same input gives the same "
                                     "bits"));
        return table;
    }
    const Change& change = found.changes.front();
    const auto [left, right] = sidesInWords(brackets, change.left, change.right);
    table.rows.push_back({std::int64_t{change.range.begin / unit}, engine::cell(change.first),
                          change.second == change.first ? engine::Cell{} : engine::cell(change.second),
                          name(change.apart), left, right});
    std::vector<Range> changed;
    for (const Change& each : found.changes) changed.push_back(each.range);
    table.remarks.push_back(
        text(counted((lengthOf(std::move(changed)) + unit - 1) / unit), " of ", counted(elements),
             " elements are reduced in different orders in the two runs: ", meaningOf(found.changes)));
    if (const std::string reasons = reasonsOf(first, second); !reasons.empty())
        table.remarks.push_back("the two differ in " + reasons);
    if (left.starts_with("...")) table.remarks.emplace_back("...: the part that is the same in both runs");
    return table;
}

}  // namespace app::analysis

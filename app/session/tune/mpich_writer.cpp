// SPDX-License-Identifier: BSD-3-Clause
// Writes MPICH's selection files: the one that is built into the library, with other algorithms for the calls of a
// table.
#include "app/session/tune/rule_table.hpp"
#include "app/session/tune/rules_check.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>

namespace app::tune {
namespace {

using engine::Error;
using engine::text;

using Nodes = std::vector<MpichNode>;

MpichNode branch(std::string key, Nodes children) { return {.key = std::move(key), .children = std::move(children)}; }

MpichNode algorithmNode(std::string call, const std::string& algorithm) {
    call[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(call[0])));
    return branch(text("algorithm=MPIR_", call, "_intra_", algorithm), {});
}

/// A branch for calls that the algorithm supports, and the built-in choice for all others. MPICH does not check this.
Nodes guarded(const std::string& call, const std::string& algorithm, const Nodes& builtIn) {
    Nodes alone{algorithmNode(call, algorithm)};
    if (algorithm == "smp")
        return {branch("comm_hierarchy=parent", std::move(alone)), branch("comm_hierarchy=any", builtIn)};
    if (algorithm == "reduce_scatter_allgather" || algorithm == "reduce_scatter_gather") {
        // It combines at least one element on each of the largest power of two of ranks, of MPI's own operations.
        Nodes counts{branch("count<pow2", builtIn), branch("count=any", std::move(alone))};
        return {branch("is_op_built_in=yes", std::move(counts)), branch("is_op_built_in=no", builtIn)};
    }
    const bool gathers = call == "allgather" || call == "allgatherv" || call == "bcast";
    if (gathers && algorithm.find("recursive_doubling") != std::string::npos)
        return {branch("comm_size=pow2", std::move(alone)), branch("comm_size=any", builtIn)};
    const bool scatters = call == "reduce_scatter" || call == "reduce_scatter_block";
    if (scatters && (algorithm == "recursive_halving" || algorithm == "pairwise"))
        return {branch("is_commutative=yes", std::move(alone)), branch("is_commutative=no", builtIn)};
    if (scatters && algorithm == "noncommutative") return builtIn;
    if (call == "alltoall") {
        const bool replaces = algorithm == "pairwise_sendrecv_replace";
        if (replaces) return builtIn;
        return {branch("is_sendbuf_inplace=yes", {algorithmNode(call, "pairwise_sendrecv_replace")}),
                branch("is_sendbuf_inplace=no", std::move(alone))};
    }
    return alone;
}

/// The values that lead to a branch, by what is compared.
using Ranges = std::map<std::string, engine::live::Extent>;

/// `nodes` without branches that no call within `ranges` reaches.
Nodes within(const Nodes& nodes, Ranges ranges) {
    Nodes kept;
    for (const MpichNode& node : nodes) {
        const auto threshold = thresholdOf(node.key);
        if (!threshold) {
            kept.push_back({.key = node.key, .children = within(node.children, ranges)});
            continue;
        }
        engine::live::Extent& here = ranges[threshold->of];
        if (here.low > threshold->range.high) continue;
        Ranges inside = ranges;
        inside[threshold->of].high = std::min(here.high, threshold->range.high);
        const bool all = here.high <= threshold->range.high;
        kept.push_back({.key = all ? threshold->of + "=any" : node.key, .children = within(node.children, inside)});
        if (all) break;
        here.low = threshold->range.high + 1;
    }
    return kept.size() == 1 && isAny(kept[0].key) ? kept[0].children : kept;
}

void write(const Nodes& nodes, int depth, std::string& out) {
    const std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        out += text(indent, '"', nodes[i].key, "\": {");
        if (!nodes[i].children.empty()) {
            out += '\n';
            write(nodes[i].children, depth + 1, out);
            out += indent;
        }
        out += i + 1 < nodes.size() ? "},\n" : "}\n";
    }
}

}  // namespace

Converted asMpichSelection(const RuleTable& given, const Installed& installed) {
    if (installed.selection.empty())
        throw Error{
            "a selection file of MPICH has to select for all collectives, and what MPICH has built in is read from an "
            "installed MPICH with mpivars; install mpich"};
    Converted made;
    MpichSelection file = mpichSelectionFrom(installed.selection);
    for (const RuleTable::Call& call : merged(given).calls) {
        const std::string title{name(call.called)};
        const auto collective = std::ranges::find(file.collectives, "collective=" + title, &MpichNode::key);
        if (collective == file.collectives.end() || collective->children.empty()) {
            made.losses.push_back(text("MPICH selects no algorithms of ", title, "; its rules are left out"));
            continue;
        }
        auto intra = std::ranges::find(collective->children, "comm_type=intra", &MpichNode::key);
        Nodes& place = intra == collective->children.end() ? collective->children : intra->children;
        const Nodes builtIn = place;
        const Unit unit = unitOfMpich(call.called);
        LimitConverter converted{call.unit, unit, title, "MPICH", made.losses};
        const std::string quantity =
            unit == Unit::block && !title.starts_with("reduce_scatter") ? "avg_msg_size" : "total_msg_size";
        Nodes sizes;
        for (const RuleTable::Column& column : call.columns) {
            Nodes messages;
            for (const RuleTable::Part& part : column.parts) {
                const std::string algorithm = nameIn("MPICH", title, part.choice);
                const auto known = installed.algorithms.find(title);
                const bool there = known != installed.algorithms.end() &&
                                   std::ranges::find(known->second, algorithm) != known->second.end();
                if (!there && !part.choice.isDefault())
                    made.losses.push_back(withoutCounterpart(title, part.choice, installed.version));
                if (there && (part.choice.segment > 0 || part.choice.segments > 1))
                    made.losses.push_back(
                        text(lineWords(part.choice), "MPICH's ", algorithm, " has no segments; they are left out"));
                const bool sized = unit == call.unit && unit != Unit::none;
                const Nodes otherwise = within(
                    builtIn, {{"comm_size", column.ranks}, {quantity, sized ? part.bytes : engine::live::Extent{}}});
                Nodes chosen = there ? guarded(title, algorithm, otherwise) : otherwise;
                const bool last = part.bytes.high == unlimited;
                if (unit == Unit::none) {
                    if (column.parts.size() > 1)
                        made.losses.push_back(text(
                            title,
                            ": MPICH chooses its algorithm without the bytes of the call; that of the smallest size "
                            "applies to all"));
                    messages = std::move(chosen);
                    break;
                }
                const std::int64_t end = last ? unlimited : converted(part.bytes.high + 1, column.ranks);
                if (end > std::numeric_limits<std::int32_t>::max() && !last)
                    made.losses.push_back(
                        text(lineWords(part.choice),
                             "MPICH reads limits of at most 2147483647 bytes; the rule applies to all larger sizes"));
                if (last || end > std::numeric_limits<std::int32_t>::max()) {
                    if (messages.empty()) messages = std::move(chosen);
                    else messages.push_back(branch(quantity + "=any", std::move(chosen)));
                    break;
                }
                messages.push_back(branch(text(quantity, '<', end), std::move(chosen)));
            }
            const bool last = column.ranks.high == unlimited;
            if (last && sizes.empty()) sizes = std::move(messages);
            else
                sizes.push_back(branch(last ? std::string{"comm_size=any"} : text("comm_size<", column.ranks.high + 1),
                                       std::move(messages)));
        }
        place = std::move(sizes);
    }
    made.words = "{\n";
    write(file.collectives, 1, made.words);
    made.words += "}\n";
    return made;
}

}  // namespace app::tune

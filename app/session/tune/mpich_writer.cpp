// SPDX-License-Identifier: BSD-3-Clause
// Writes MPICH's selection files: the one that is built into the library, with other algorithms for the calls of a
// table.
#include "app/session/tune/mpich_conditions.hpp"
#include "app/session/tune/rule_table.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

namespace app::tune {
namespace {

using engine::Error;
using engine::text;

using Nodes = std::vector<MpichNode>;

MpichNode branch(std::string key, Nodes children) { return {.key = std::move(key), .children = std::move(children)}; }

MpichNode algorithmNode(const std::string& call, const std::string& algorithm) {
    return branch(text("algorithm=MPIR_", engine::capitalised(call), "_intra_", algorithm), {});
}

/// "comm_size=any" of "comm_size<8".
std::string anyOf(const std::string& key) { return key.substr(0, key.find_first_of("<=")) + "=any"; }

/// `nodes` without branches that no call of `path` reaches, and without conditions that all of these meet.
Nodes within(const Nodes& nodes, MpichPath path) {
    Nodes kept;
    for (const MpichNode& node : nodes) {
        const bool takesAll = isAny(node.key) || path.holds(node.key);
        if (MpichPath inside = path; inside.enter(node.key)) {
            const bool mayBeLast = !oppositeOf(node.key).empty();
            kept.push_back({.key = takesAll && !mayBeLast ? anyOf(node.key) : node.key,
                            .children = within(node.children, std::move(inside))});
        }
        if (takesAll) break;
        (void)path.pass(node.key);
    }
    const bool alone = kept.size() == 1 && (isAny(kept[0].key) || path.holds(kept[0].key));
    return alone ? kept[0].children : kept;
}

/// A branch for calls that the algorithm supports, and the built-in choice for all others. MPICH does not check this.
Nodes guarded(const std::string& call, const std::string& algorithm, const Nodes& builtIn, const MpichPath& path) {
    Nodes chosen{algorithmNode(call, algorithm)};
    std::vector<MpichNeed> needs = needsOf(call, algorithm);
    std::ranges::reverse(needs);
    for (std::size_t i = 0; i < needs.size(); ++i) {
        const MpichNeed& need = needs[i];
        if (meets(path, need)) continue;
        MpichPath outside = path;
        for (std::size_t k = i + 1; k < needs.size(); ++k) (void)outside.enter(needs[k].key);
        if (need.met) (void)outside.pass(need.key);
        else (void)outside.enter(need.key);
        const std::string opposite = oppositeOf(need.key);
        const std::string rest = opposite.empty() ? anyOf(need.key) : opposite;
        Nodes otherwise = within(builtIn, outside);
        Nodes both{branch(need.key, need.met ? std::move(chosen) : std::move(otherwise))};
        both.push_back(branch(rest, need.met ? std::move(otherwise) : std::move(chosen)));
        chosen = std::move(both);
    }
    return chosen;
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
                MpichPath path;
                path.limit("comm_size", column.ranks);
                if (unit == call.unit && unit != Unit::none) path.limit(quantity, part.bytes);
                (void)path.enter("comm_type=intra");
                Nodes chosen = there ? guarded(title, algorithm, builtIn, path) : within(builtIn, path);
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

// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/tune/rules_check.hpp"

#include "app/session/options/fields.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <map>
#include <set>

namespace app::tune {
namespace {

using engine::text;
using engine::live::Extent;
using Kind = Finding::Kind;

bool isEmpty(const Extent& range) { return range.low > range.high; }

std::string valuesOf(const std::vector<std::string>& names) {
    std::string words;
    for (std::size_t i = 1; i < names.size(); ++i) words += text(i > 1 ? ", " : "", i, ' ', names[i]);
    return words;
}

/// Open MPI's coll/tuned has algorithms for these only.
bool isTuned(const std::string& call) {
    return !call.empty() && call != "alltoallw" && call != "gatherv" && call != "scatterv";
}

/// Calls for which Open MPI always looks up 0 bytes.
bool hasNoSize(const std::string& call) { return call == "barrier" || call == "alltoallv"; }

class OpenMpiCheck {
public:
    OpenMpiCheck(const OpenMpiRules& file, const Installed& installed) : file_{file}, installed_{installed} {}

    Findings all() {
        std::map<std::int64_t, int> last;
        for (const OpenMpiRules::Section& section : file_.sections) last[section.collective] = section.line;
        for (const OpenMpiRules::Section& section : file_.sections) {
            const std::string call = callOf(section.collective);
            const std::string title = call.empty() ? text("neighbourhood collective ", section.collective) : call;
            if (!isTuned(call))
                add(Kind::unreachable, section.line,
                    text("Open MPI's coll/tuned has no algorithms of ", title, "; these rules decide no call"));
            else if (last[section.collective] != section.line)
                add(Kind::unreachable, section.line,
                    text(call, " has rules again on line ", last[section.collective], ", which replace these"));
            else sizes(section, call);
        }
        if (!file_.accepted)
            std::erase_if(findings_, [&](const Finding& one) {
                return one.line >= file_.doubtful || one.kind == Kind::gap || one.kind == Kind::scope;
            });
        return std::move(findings_);
    }

private:
    void add(Kind kind, int line, std::string words, bool fault = true) {
        findings_.push_back({.kind = kind, .fault = fault, .line = line, .words = std::move(words)});
    }

    void sizes(const OpenMpiRules::Section& section, const std::string& call) {
        if (section.sizes.empty())
            return add(Kind::gap, section.line,
                       text(call, " has no communicator sizes; the library chooses as without a file"));
        std::vector<std::int64_t> starts;
        for (const OpenMpiRules::Size& size : section.sizes) starts.push_back(size.ranks);
        const std::vector<Extent> ranges = rangesOf(starts);
        std::string applied;
        for (std::size_t i = 0; i < section.sizes.size(); ++i) {
            const OpenMpiRules::Size& size = section.sizes[i];
            if (isEmpty(ranges[i])) {
                add(Kind::unreachable, size.line,
                    text(
                        "the rules of ", call, " for ", size.ranks,
                        " ranks decide no call: Open MPI takes the last communicator size in front of the first that is "
                        "larger than the communicator, so sizes must rise"));
                continue;
            }
            if (ranges[i].high < 2) {
                add(Kind::unreachable, size.line,
                    text("the rules of ", call, " for ", size.ranks,
                         " ranks decide no call: communicators of one rank do not use coll/tuned"));
                continue;
            }
            if (i == 0 && size.ranks > 2)
                add(Kind::gap, size.line,
                    text(call, " has no rules for ", toText(Extent{2, size.ranks - 1}),
                         " ranks; Open MPI applies those for ", size.ranks, " ranks to them"));
            const Extent range{std::max<std::int64_t>(ranges[i].low, 2), ranges[i].high};
            applied += text(applied.empty() ? "" : "; ", toText(range), " ranks by line ", size.line);
            messages(size, call, range);
        }
        if (!applied.empty()) add(Kind::scope, section.line, text(call, ": ", applied), false);
    }

    void messages(const OpenMpiRules::Size& size, const std::string& call, const Extent& ranks) {
        if (size.messages.empty())
            return add(Kind::gap, size.line,
                       text(call, " has no message sizes for ", toText(ranks),
                            " ranks; the library chooses as without a file"));
        std::vector<std::int64_t> starts;
        for (const OpenMpiRules::Message& message : size.messages) starts.push_back(message.bytes);
        const std::vector<Extent> ranges = rangesOf(starts);
        for (std::size_t i = 0; i < size.messages.size(); ++i) {
            const OpenMpiRules::Message& message = size.messages[i];
            if (isEmpty(ranges[i]))
                add(Kind::unreachable, message.line,
                    text("the rule of ", call, " from ", message.bytes,
                         " bytes decides no call: Open MPI takes the last message size in front of the first that is "
                         "larger than the message, so sizes must rise"));
            else if (hasNoSize(call) && !ranges[i].has(0))
                add(Kind::unreachable, message.line,
                    text("the rule of ", call, " from ", message.bytes,
                         " bytes decides no call: Open MPI looks up 0 bytes for every ", call));
            algorithm(message, call, ranks);
        }
    }

    void algorithm(const OpenMpiRules::Message& rule, const std::string& call, const Extent& ranks) {
        if (rule.algorithm == 0) return;
        const auto known = installed_.algorithms.find(call);
        if (known == installed_.algorithms.end()) return;
        const std::string name = installed_.nameOf(call, rule.algorithm);
        if (name.empty())
            return add(Kind::algorithm, rule.line,
                       text(call, " has no algorithm ", rule.algorithm, " in ", installed_.version,
                            ", and calls that this rule decides fail; it has ", valuesOf(known->second)));
        if (name == "two_proc" && (ranks.low != 2 || ranks.high != 2))
            add(Kind::algorithm, rule.line,
                text(call, " algorithm ", rule.algorithm,
                     " (two_proc) is for 2 ranks, and calls on others fail; the rule is for ", toText(ranks),
                     " ranks"));
        const std::string which = text(call, " algorithm ", rule.algorithm, " (", name, ")");
        const bool segments = hasSegments(call, name);
        if (rule.segment != 0 && !segments)
            add(Kind::segment, rule.line,
                text(which, " has no segments; the segment size ", rule.segment, " has no effect"));
        if (rule.segment == 0 && segments && (name == "pipeline" || name == "segmented_ring"))
            add(Kind::segment, rule.line,
                text(which, " sends whole messages, without a pipeline, where the segment size is 0"), false);
        if (rule.fanOut != 0 && !hasFanOut(call, name))
            add(Kind::segment, rule.line, text(which, " has no fan-out to choose; ", rule.fanOut, " has no effect"),
                false);
    }

    const OpenMpiRules& file_;
    const Installed& installed_;
    Findings findings_;
};

constexpr std::array<std::string_view, 4> quantities{"comm_size", "avg_msg_size", "total_msg_size", "count"};

/// Conditions that are no comparison: of two values, which together hold for all.
const std::map<std::string, std::string>& opposites() {
    static const std::map<std::string, std::string> all = [] {
        std::map<std::string, std::string> made;
        for (const std::string what : {"is_multi_threaded", "is_commutative", "is_sendbuf_inplace", "is_op_built_in",
                                       "is_block_regular", "is_node_consecutive"}) {
            made[what + "=yes"] = what + "=no";
            made[what + "=no"] = what + "=yes";
        }
        made["comm_type=intra"] = "comm_type=inter";
        made["comm_type=inter"] = "comm_type=intra";
        return made;
    }();
    return all;
}

bool isMpichCondition(const std::string& key) {
    static const std::set<std::string> more{"comm_size=pow2",        "comm_size=node_comm_size",  "count<pow2",
                                            "comm_hierarchy=parent", "comm_hierarchy=node_roots", "comm_hierarchy=node",
                                            "comm_hierarchy=flat"};
    return isAny(key) || thresholdOf(key) || opposites().contains(key) || more.contains(key) ||
           key.starts_with("comm_avg_ppn<");
}

bool isLeaf(const std::string& key) { return key.starts_with("algorithm=") || key.starts_with("composition="); }

/// Whether a branch may be the last of its siblings although it does not hold for all calls: where MPICH does not
/// check.
bool mayBeLast(const std::string& key) { return opposites().contains(key) || key.starts_with("comm_hierarchy="); }

/// Calls whose average, total or count MPICH knows; elsewhere it ends the program.
bool knowsSize(std::string call, const std::string& of) {
    if (call.starts_with('i')) call.erase(0, 1);  // the call that does not block
    static const std::set<std::string> average{"allreduce", "bcast", "reduce", "alltoall"};
    static const std::set<std::string> total{"allreduce", "bcast",     "reduce",         "alltoall",
                                             "alltoallv", "alltoallw", "allgather",      "allgatherv",
                                             "gather",    "scatter",   "reduce_scatter", "reduce_scatter_block"};
    static const std::set<std::string> count{
        "allreduce", "bcast", "reduce", "allgather", "allgatherv", "reduce_scatter", "reduce_scatter_block"};
    return of == "comm_size" || (of == "avg_msg_size"     ? average
                                 : of == "total_msg_size" ? total
                                                          : count)
                                    .contains(call);
}

std::string capitalised(std::string call) {
    if (!call.empty()) call[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(call[0])));
    return call;
}

class MpichCheck {
public:
    MpichCheck(const MpichSelection& file, const Installed& installed) : file_{file}, installed_{installed} {}

    Findings all() {
        std::set<std::string> called;
        for (const MpichNode& node : file_.collectives) {
            constexpr std::string_view start = "collective=";
            call_ = node.key.starts_with(start) ? node.key.substr(start.size()) : "";
            const std::string blocking = call_.starts_with('i') ? call_.substr(1) : call_;
            bool known = blocking.starts_with("neighbor_");
            for (const engine::live::Called one : engine::live::everyCalled) known = known || name(one) == call_;
            known = known || name(engine::live::Called::barrier) == blocking;
            if (!known) {
                add(Kind::syntax, node.line, text("'", node.key, "' is no collective=NAME; ", assertion));
                continue;
            }
            called.insert(call_);
            if (node.children.empty())
                add(Kind::gap, node.line,
                    text(call_, " has no algorithm; a program that calls it ends with an assertion"));
            else branches(node.children, {});
        }
        std::string missing;
        for (const engine::live::Called one : engine::live::everyCalled)
            if (!called.contains(std::string{name(one)})) missing += text(missing.empty() ? "" : ", ", name(one));
        if (!missing.empty() && file_.accepted)
            add(Kind::gap, 0,
                text("no branch for ", missing, "; a program that calls one of them ends with an assertion"));
        return std::move(findings_);
    }

private:
    using Ranges = std::map<std::string, Extent>;
    static constexpr const char* assertion = "every program ends in MPI_Init with an assertion";

    void add(Kind kind, int line, std::string words, bool fault = true) {
        findings_.push_back({.kind = kind, .fault = fault, .line = line, .words = std::move(words)});
    }

    /// Whether it is an algorithm of this call: the name of one call may begin that of another.
    [[nodiscard]] bool isOf(const std::string& algorithm) const {
        return std::ranges::any_of(std::array{"_intra_", "_inter_", "_allcomm_"}, [&](const char* group) {
            return algorithm.starts_with("MPIR_" + capitalised(call_) + group);
        });
    }

    void leaf(const MpichNode& node) {
        const std::string name = node.key.substr(node.key.find('=') + 1);
        if (node.key.starts_with("composition="))
            return add(Kind::algorithm, node.line,
                       text("'", name, "' is for MPICH's selection of compositions; this file selects algorithms"));
        if (!isOf(name))
            return add(Kind::algorithm, node.line, text(name, " is no algorithm of ", call_, "; ", assertion));
        if (!installed_.present || std::ranges::binary_search(installed_.selectable, name)) return;
        std::string there;
        for (const std::string& one : installed_.selectable)
            if (isOf(one)) there += text(there.empty() ? "" : ", ", one);
        add(Kind::algorithm, node.line,
            text(installed_.version, " has no ", name, ", and ", assertion, "; it has ", there));
    }

    /// Siblings are tried in their order. `ranges` are the values that lead here.
    void branches(const std::vector<MpichNode>& siblings, Ranges ranges) {
        int covering = 0;  // line of the branch that takes all that is left
        for (std::size_t i = 0; i < siblings.size(); ++i) {
            const MpichNode& node = siblings[i];
            if (isLeaf(node.key)) {
                leaf(node);
                if (siblings.size() > 1)
                    add(Kind::syntax, node.line,
                        text("'", node.key, "' has other branches next to it; an algorithm must be the only branch"));
                return;
            }
            if (!isMpichCondition(node.key)) {
                add(Kind::syntax, node.line, text("'", node.key, "' is not a condition of MPICH; ", assertion));
                continue;
            }
            if (covering > 0)
                add(Kind::unreachable, node.line,
                    text("'", node.key, "' decides no call: line ", covering, " takes all that come so far"));
            if (node.children.empty())
                add(Kind::gap, node.line, text("'", node.key, "' has no algorithm; ", assertion));
            Ranges inside = ranges;
            if (const auto threshold = thresholdOf(node.key)) {
                if (!knowsSize(call_, threshold->of))
                    add(Kind::syntax, node.line,
                        text("MPICH has no ", threshold->of, " of ", call_,
                             "; a program that calls it ends with an assertion"));
                Extent& here = inside[threshold->of];
                Extent& rest = ranges[threshold->of];
                here.high = std::min(here.high, threshold->range.high);
                rest.low = std::max(rest.low, threshold->range.high + 1);
                if (isEmpty(here) && covering == 0)
                    add(Kind::unreachable, node.line,
                        text("'", node.key, "' decides no call: smaller values are taken before it"));
                if (isEmpty(rest) && covering == 0) covering = node.line;
            } else if (isAny(node.key) && covering == 0) {
                covering = node.line;
            } else if (opposites().contains(node.key) && covering == 0) {
                for (std::size_t k = 0; k < i; ++k)
                    if (siblings[k].key == opposites().at(node.key)) covering = node.line;
            }
            branches(node.children, inside);
        }
        if (covering > 0 || siblings.empty()) return;
        const MpichNode& last = siblings.back();
        if (isLeaf(last.key) || !isMpichCondition(last.key)) return;
        if (!mayBeLast(last.key))
            add(Kind::gap, last.line,
                text("no branch for the calls that '", last.key, "' leaves; ", assertion, "; end with a branch ",
                     last.key.substr(0, last.key.find_first_of("<=")), "=any"));
        else if (last.key == "comm_type=intra")
            add(Kind::gap, last.line,
                text(call_,
                     " has no branch comm_type=inter; on an intercommunicator it ends the program with an assertion"),
                false);
        else
            add(Kind::gap, last.line,
                text("no branch for the calls of ", call_, " that '", last.key,
                     "' leaves; they end the program with an assertion"));
    }

    const MpichSelection& file_;
    const Installed& installed_;
    std::string call_;
    Findings findings_;
};

Findings checkVariables(const MpichVariables& file, const Installed& installed) {
    Findings all;
    std::map<std::string, int> last;
    for (const MpichVariables::Variable& one : file.variables) last[one.name] = one.line;
    for (const MpichVariables::Variable& one : file.variables) {
        if (last[one.name] != one.line)
            all.push_back({.kind = Kind::unreachable,
                           .line = one.line,
                           .words = text(one.name, " is set again on line ", last[one.name], ", whose value is used")});
        if (!installed.present) continue;
        if (!std::ranges::binary_search(installed.variables, one.name)) {
            all.push_back({.kind = Kind::syntax,
                           .line = one.line,
                           .words = text(installed.version, " has no variable ", one.name, ", and ignores it",
                                         engine::didYouMean(one.name, installed.variables))});
            continue;
        }
        constexpr std::string_view ending = "_INTRA_ALGORITHM";
        constexpr std::size_t prefix = 10;  // MPIR_CVAR_
        if (!one.name.ends_with(ending) || one.value == "auto" || one.value == "nb") continue;
        std::string call = one.name.substr(prefix, one.name.size() - prefix - ending.size());
        std::ranges::transform(call, call.begin(), [](unsigned char c) { return std::tolower(c); });
        const auto names = installed.algorithms.find(call);
        if (names == installed.algorithms.end() || std::ranges::find(names->second, one.value) != names->second.end())
            continue;
        all.push_back(
            {.kind = Kind::algorithm,
             .line = one.line,
             .words = text(call, " has no algorithm ", one.value, " in ", installed.version,
                           ", and every program ends in MPI_Init; it has auto, nb, ",
                           engine::joined(names->second, ", "), engine::didYouMean(one.value, names->second))});
    }
    return all;
}

/// Parts of a range that lie between the numbers at which any rule begins or ends.
std::vector<Extent> partsOf(const std::set<std::int64_t>& starts) {
    std::vector<Extent> parts;
    for (auto at = starts.begin(); at != starts.end(); ++at) {
        const auto after = std::next(at);
        parts.push_back({*at, after == starts.end() ? unlimited : *after - 1});
    }
    return parts;
}

void addEnds(std::set<std::int64_t>& starts, const Extent& range) {
    starts.insert(range.low);
    if (range.high < unlimited) starts.insert(range.high + 1);
}

/// Lines of the rules in front of number `which` that take all that it is for; nothing where it decides some call.
std::set<int> coveringLines(const CollscopeRules& file, std::size_t which) {
    const engine::live::Rule& rule = file.rules[which].rule;
    std::vector<const CollscopeRules::Line*> earlier;
    std::set<std::int64_t> ranks;
    std::set<std::int64_t> bytes;
    addEnds(ranks, rule.ranks);
    addEnds(bytes, rule.bytes);
    for (std::size_t k = 0; k < which; ++k) {
        if (file.rules[k].rule.called != rule.called) continue;
        earlier.push_back(&file.rules[k]);
        addEnds(ranks, file.rules[k].rule.ranks);
        addEnds(bytes, file.rules[k].rule.bytes);
    }
    std::set<int> covering;
    for (const Extent& p : partsOf(ranks))
        for (const Extent& m : partsOf(bytes))
            for (const bool inter : {false, true}) {
                if (!rule.ranks.has(p.low) || !rule.bytes.has(m.low) || !(inter ? rule.inter : rule.intra)) continue;
                const auto taking = std::ranges::find_if(earlier, [&](const auto* one) {
                    return (inter ? one->rule.inter : one->rule.intra) && one->rule.ranks.has(p.low) &&
                           one->rule.bytes.has(m.low);
                });
                if (taking == earlier.end()) return {};
                covering.insert((*taking)->line);
            }
    return covering;
}

Findings checkCollscope(const CollscopeRules& file) {
    Findings all;
    for (std::size_t i = 0; i < std::min(file.rules.size(), engine::live::mostRules); ++i) {
        const std::set<int> covering = coveringLines(file, i);
        if (covering.empty()) continue;
        std::string lines;
        for (const int line : covering) lines += text(lines.empty() ? "" : ", ", line);
        all.push_back({.kind = Kind::unreachable,
                       .line = file.rules[i].line,
                       .words = text("the rule decides no call: ", covering.size() == 1 ? "line " : "lines ", lines,
                                     covering.size() == 1 ? " takes" : " take", " all that it is for")});
    }
    return all;
}

/// Sizes and ranks of a call that no rule of Collscope is for.
Findings gapsOf(const CollscopeRules& file) {
    Findings all;
    std::map<engine::live::Called, std::vector<const CollscopeRules::Line*>> byCall;
    for (const CollscopeRules::Line& one : file.rules)
        if (one.rule.intra) byCall[one.rule.called].push_back(&one);
    for (const auto& [called, rules] : byCall) {
        std::set<std::int64_t> ranks{2};
        for (const auto* one : rules)
            addEnds(ranks, {std::max<std::int64_t>(2, one->rule.ranks.low), one->rule.ranks.high});
        std::string words;
        for (const Extent& p : partsOf(ranks)) {
            std::set<std::int64_t> bytes{0};
            for (const auto* one : rules) addEnds(bytes, one->rule.bytes);
            std::vector<Extent> open;
            for (const Extent& m : partsOf(bytes)) {
                if (std::ranges::any_of(rules, [&](const auto* one) {
                        return one->rule.ranks.has(p.low) && one->rule.bytes.has(m.low);
                    }))
                    continue;
                if (!open.empty() && open.back().high + 1 == m.low) open.back().high = m.high;
                else open.push_back(m);
            }
            for (const Extent& m : open)
                words += text(words.empty() ? "" : "; ", toText(p),
                              " ranks: ", m.low == 0 && m.high == unlimited ? "all sizes" : toText(m, true));
        }
        if (!words.empty())
            all.push_back({.kind = Kind::gap,
                           .fault = false,
                           .line = rules.front()->line,
                           .words = text(name(called), " is left to the library for ", words)});
    }
    return all;
}

}  // namespace

bool hasSegments(const std::string& call, const std::string& algorithm) {
    static const std::map<std::string, std::set<std::string>> all{
        {"allreduce", {"segmented_ring"}},
        {"bcast", {"chain", "pipeline", "split_binary_tree", "binary_tree", "binomial", "knomial"}},
        {"reduce", {"chain", "pipeline", "binary", "binomial", "in-order_binary"}},
        {"gather", {"linear_sync"}}};
    const auto found = all.find(call);
    return found != all.end() && found->second.contains(algorithm);
}

bool hasFanOut(const std::string& call, const std::string& algorithm) {
    return (call == "bcast" || call == "reduce") && algorithm == "chain";
}

std::string toText(const Extent& range, bool asBytes) {
    const auto number = [&](std::int64_t value) { return asBytes ? exactBytes(value) : text(value); };
    if (range.high == unlimited) return text(number(range.low), " and more");
    if (range.low == range.high) return number(range.low);
    return text(number(range.low), asBytes ? " to " : "..", number(range.high));
}

std::string exactBytes(engine::Bytes bytes) {
    constexpr engine::Bytes kibibyte = 1024, mebibyte = kibibyte * kibibyte;
    if (bytes > 0 && bytes % mebibyte == 0) return text(bytes / mebibyte, " MiB");
    return bytes > 0 && bytes % kibibyte == 0 ? text(bytes / kibibyte, " KiB") : text(bytes, " B");
}

bool isAny(const std::string& key) { return key == "any" || key.ends_with("=any"); }

std::optional<Threshold> thresholdOf(const std::string& key) {
    for (const std::string_view of : quantities) {
        if (!key.starts_with(of) || key.size() <= of.size() || key[of.size()] != '<') continue;
        const bool closed = key.size() > of.size() + 1 && key[of.size() + 1] == '=';
        const std::string number = key.substr(of.size() + (closed ? 2 : 1));
        if (number.empty() || !std::ranges::all_of(number, [](unsigned char c) { return std::isdigit(c) != 0; }) ||
            number.size() > 15)
            return std::nullopt;
        return Threshold{std::string{of}, {0, std::stoll(number) - (closed ? 0 : 1)}};
    }
    return std::nullopt;
}

const Installed& installedFor(const RulesFile& file) {
    static const Installed none;
    if (std::holds_alternative<OpenMpiRules>(file)) return installedOpenMpi();
    return std::holds_alternative<CollscopeRules>(file) ? none : installedMpich();
}

Findings check(const RulesFile& file, const Installed& installed) {
    Findings all = std::visit([](const auto& one) { return one.findings; }, file);
    Findings more;
    if (const auto* rules = std::get_if<OpenMpiRules>(&file)) more = OpenMpiCheck{*rules, installed}.all();
    else if (const auto* selection = std::get_if<MpichSelection>(&file)) more = MpichCheck{*selection, installed}.all();
    else if (const auto* variables = std::get_if<MpichVariables>(&file)) more = checkVariables(*variables, installed);
    else if (const auto* own = std::get_if<CollscopeRules>(&file)) {
        more = checkCollscope(*own);
        const Findings gaps = gapsOf(*own);
        more.insert(more.end(), gaps.begin(), gaps.end());
    }
    all.insert(all.end(), more.begin(), more.end());
    std::ranges::stable_sort(all, {}, &Finding::line);
    return all;
}

}  // namespace app::tune

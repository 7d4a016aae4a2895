// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/tune/rules_check.hpp"

#include "app/session/options/run_options.hpp"
#include "app/session/tune/mpich_conditions.hpp"
#include "engine/base/error.hpp"
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
            std::erase_if(findings_,
                          [&](const Finding& one) { return one.line >= file_.doubtful || one.kind == Kind::scope; });
        return std::move(findings_);
    }

private:
    void add(Kind kind, int line, std::string words, bool fault = true) {
        findings_.push_back({.kind = kind, .fault = fault, .line = line, .words = std::move(words)});
    }

    /// What a file that was read to its end lacks; in any other file it may come behind the mistake.
    void isMissing(int line, std::string words) {
        if (file_.accepted) add(Kind::gap, line, std::move(words));
    }

    void sizes(const OpenMpiRules::Section& section, const std::string& call) {
        if (section.sizes.empty())
            return isMissing(section.line,
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
                    text(call, " has no rules of its own for ", toText(Extent{2, size.ranks - 1}),
                         " ranks; Open MPI applies those for ", size.ranks,
                         " ranks to them; a communicator size 2 with algorithm 0 leaves them to the library"));
            const Extent range{std::max<std::int64_t>(ranges[i].low, 2), ranges[i].high};
            applied += text(applied.empty() ? "" : "; ", toText(range), " ranks by line ", size.line);
            messages(size, call, range);
        }
        if (!applied.empty()) add(Kind::scope, section.line, text(call, ": ", applied), false);
    }

    void messages(const OpenMpiRules::Size& size, const std::string& call, const Extent& ranks) {
        if (size.messages.empty())
            return isMissing(size.line, text(call, " has no message sizes for ", toText(ranks),
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
        if (rule.fanOut > mostChains && hasFanOut(call, name))
            add(Kind::segment, rule.line,
                text("Open MPI makes at most ", mostChains, " chains; the fan-out ", rule.fanOut, " is read as ",
                     mostChains));
        if (rule.fanOut != 0 && !hasFanOut(call, name))
            add(Kind::segment, rule.line, text(which, " has no fan-out to choose; ", rule.fanOut, " has no effect"),
                false);
    }

    const OpenMpiRules& file_;
    const Installed& installed_;
    Findings findings_;
};

bool isLeaf(const std::string& key) { return key.starts_with("algorithm=") || key.starts_with("composition="); }

/// Whether a branch may be the last of its siblings although it does not hold for all calls: where MPICH does not
/// check.
bool mayBeLast(const std::string& key) { return !oppositeOf(key).empty() || key.starts_with("comm_hierarchy="); }

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
                ends(Kind::syntax, node.line, text("'", node.key, "' is not of the form collective=NAME"));
                continue;
            }
            called.insert(call_);
            if (node.children.empty()) ends(Kind::gap, node.line, text(call_, " has no algorithm"));
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
    void add(Kind kind, int line, std::string words, bool fault = true) {
        findings_.push_back({.kind = kind, .fault = fault, .line = line, .words = std::move(words)});
    }

    void ends(Kind kind, int line, const std::string& why) {
        add(kind, line, why + "; every program ends in MPI_Init with an assertion");
        findings_.back().ends = true;
    }

    /// Whether it is an algorithm of this call: the name of one call may begin that of another.
    [[nodiscard]] bool isOf(const std::string& algorithm) const {
        return std::ranges::any_of(std::array{"_intra_", "_inter_", "_allcomm_"}, [&](const char* group) {
            return algorithm.starts_with("MPIR_" + engine::capitalised(call_) + group);
        });
    }

    void leaf(const MpichNode& node, const MpichPath& path, bool reached) {
        const std::string name = node.key.substr(node.key.find('=') + 1);
        if (node.key.starts_with("composition="))
            return ends(Kind::algorithm, node.line,
                        text("'", name, "' is for MPICH's selection of compositions; this file selects algorithms"));
        if (!isOf(name)) return ends(Kind::algorithm, node.line, text(name, " is no algorithm of ", call_));
        if (installed_.present && !std::ranges::binary_search(installed_.selectable, name)) {
            std::string there;
            for (const std::string& one : installed_.selectable)
                if (isOf(one)) there += text(there.empty() ? "" : ", ", one);
            return ends(Kind::algorithm, node.line,
                        text(installed_.version, " has no ", name, " (it has ", there, ')'));
        }
        constexpr std::string_view group = "_intra_";
        const std::size_t at = name.find(group);
        if (at == std::string::npos || !reached) return;
        for (const MpichNeed& need : needsOf(call_, name.substr(at + group.size()))) {
            if (!need.aborts || meets(path, need)) continue;
            // From some bytes on there are enough elements, unless these are large.
            const bool mayMeet = need.key == "count<pow2" &&
                                 (path.valuesOf("avg_msg_size").low > 0 || path.valuesOf("total_msg_size").low > 0);
            add(Kind::algorithm, node.line,
                text(name, " needs ", toText(need), "; without it the call ends the program with an assertion"),
                !mayMeet);
        }
    }

    /// Siblings are tried in their order. `path` leads here; `reached`: whether any call comes.
    void branches(const std::vector<MpichNode>& siblings, MpichPath path, bool reached = true) {
        int covering = 0;  // line of the branch that takes all that is left
        for (const MpichNode& node : siblings) {
            if (isLeaf(node.key)) {
                leaf(node, path, reached && covering == 0);
                if (siblings.size() > 1)
                    ends(Kind::syntax, node.line,
                         text("'", node.key, "' has other branches next to it; an algorithm must be the only branch"));
                return;
            }
            if (!isMpichCondition(node.key)) {
                ends(Kind::syntax, node.line, text("'", node.key, "' is not a condition of MPICH"));
                continue;
            }
            const auto threshold = thresholdOf(node.key);
            if (threshold && !threshold->exact)
                add(Kind::syntax, node.line,
                    text("MPICH reads the number of '", node.key, "' as ",
                         threshold->range.high + (node.key.find("<=") == std::string::npos ? 1 : 0)));
            if (!isKnownOf(call_, node.key))
                add(Kind::syntax, node.line,
                    text("MPICH knows no ", node.key.substr(0, node.key.find_first_of("<=")), " of ", call_,
                         "; a program that calls it ends with an assertion"));
            if (isAny(node.key) && &node != &siblings.back())
                ends(Kind::syntax, node.line, text("'", node.key, "' must be the last branch"));
            MpichPath inside = path;
            const bool entered = inside.enter(node.key);
            if (reached && covering > 0)
                add(Kind::unreachable, node.line,
                    text("'", node.key, "' decides no call: line ", covering, " takes all that come so far"));
            else if (reached && !entered)
                add(Kind::unreachable, node.line,
                    text("'", node.key, "' decides no call: ",
                         threshold ? "smaller values are taken before it" : "the conditions before it exclude it"));
            if (node.children.empty()) ends(Kind::gap, node.line, text("'", node.key, "' has no algorithm"));
            branches(node.children, inside, reached && covering == 0 && entered);
            if (covering == 0 && !path.pass(node.key)) covering = node.line;
        }
        if (siblings.empty()) return;
        const MpichNode& last = siblings.back();
        if (isAny(last.key) || !isMpichCondition(last.key)) return;
        if (!mayBeLast(last.key))
            ends(Kind::gap, last.line,
                 text("no branch for the calls that '", last.key, "' leaves; end with a branch ",
                      last.key.substr(0, last.key.find_first_of("<=")), "=any"));
        else if (covering > 0 || !reached) return;
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

/// The values of MPIR_CVAR_..._INTRA_ALGORITHM and ..._INTER_ALGORITHM; nothing for other variables.
std::vector<std::string> algorithmsFor(const std::string& variable, const Installed& installed) {
    constexpr std::string_view ending = "_ALGORITHM";
    constexpr std::size_t prefix = 10, group = 6;  // MPIR_CVAR_, _INTRA or _INTER
    if (!variable.ends_with(ending) || variable.size() < prefix + group + ending.size()) return {};
    const std::string words = engine::lowered(variable.substr(prefix, variable.size() - prefix - ending.size()));
    const std::string call = words.substr(0, words.size() - group);
    std::vector<std::string> all;
    for (const std::string& one : installed.selectable)
        for (const std::string& kind : {words.substr(call.size()), std::string{"_allcomm"}}) {
            const std::string start = text("MPIR_", engine::capitalised(call), kind, '_');
            if (one.starts_with(start)) all.push_back(one.substr(start.size()));
        }
    if (all.empty()) return all;  // MPICH has more variables of this kind than selectable algorithms
    all.insert(all.begin(), "auto");
    if (call.starts_with('i')) all.insert(all.begin() + 1, "sched_auto");
    return all;
}

/// The values of a variable, where these are words; nothing where they are not known.
std::vector<std::string> valuesOf(const std::string& variable, const Installed& installed) {
    if (variable == "MPIR_CVAR_DEVICE_COLLECTIVES") return {"all", "none", "percoll"};
    if (variable == "MPIR_CVAR_COLLECTIVE_FALLBACK") return {"error", "print", "silent"};
    if (variable.ends_with("_DEVICE_COLLECTIVE")) return {"0", "1", "no", "yes", "off", "on", "false", "true"};
    return algorithmsFor(variable, installed);
}

/// Why MPICH ends every program in MPI_Init; empty: it does not.
std::string refusalOf(const MpichVariables::Variable& one, const Installed& installed) {
    const std::vector<std::string> values = valuesOf(one.name, installed);
    const std::string lower = engine::lowered(one.value);
    const bool isSwitch = values.size() > 1 && values[0] == "0";
    // Of switches MPICH knows the words in small and in capital letters.
    std::string upper = lower;
    std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
    const std::string& value = isSwitch && one.value == upper ? lower : one.value;
    if (!values.empty())
        return std::ranges::find(values, value) != values.end()
                   ? std::string{}
                   : text(one.name, " has no value ", one.value, " in ", installed.version,
                          ", and every program ends in MPI_Init; it has ", engine::joined(values, ", "),
                          engine::didYouMean(one.value, values));
    const auto usual = installed.integers.find(one.name);
    if (usual == installed.integers.end()) return {};
    const std::size_t digits = one.value.find_first_not_of("+-") == 1 ? 1 : 0;
    if (one.value.find_first_not_of("0123456789", digits) == std::string::npos) return {};
    const std::vector<std::string> words = valuesOf("_DEVICE_COLLECTIVE", installed);
    const bool maySwitch = usual->second == "0" || usual->second == "1";
    if (maySwitch && std::ranges::find(words, one.value == upper ? lower : one.value) != words.end()) return {};
    return text(one.name, " is a decimal number without a unit, not ", one.value,
                ": MPICH ends every program in MPI_Init");
}

Findings checkVariables(const MpichVariables& file, const Installed& installed) {
    Findings all;
    std::map<std::string, int> last;
    for (const MpichVariables::Variable& one : file.variables) last[one.name] = one.line;
    for (const MpichVariables::Variable& one : file.variables) {
        const bool counts = last[one.name] == one.line;
        if (!counts)
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
        if (const std::string why = refusalOf(one, installed); !why.empty())
            all.push_back({.kind = one.name.ends_with("_ALGORITHM") ? Kind::algorithm : Kind::syntax,
                           .line = one.line,
                           .words = why,
                           .ends = counts});
    }
    return all;
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
    for (const Extent& p : rangesFrom(ranks))
        for (const Extent& m : rangesFrom(bytes))
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
        for (const auto* one : rules) addEnds(ranks, one->rule.ranks, 2);
        std::string words;
        for (const Extent& p : rangesFrom(ranks)) {
            std::set<std::int64_t> bytes{0};
            for (const auto* one : rules) addEnds(bytes, one->rule.bytes);
            std::vector<Extent> open;
            for (const Extent& m : rangesFrom(bytes)) {
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

const Installed& installedFor(const RulesFile& file) {
    static const Installed none;
    if (std::holds_alternative<OpenMpiRules>(file)) return installedOpenMpi();
    return std::holds_alternative<CollscopeRules>(file) ? none : installedMpich();
}

void requireUsable(const RulesFile& file, const Installed& installed) {
    const auto refuse = [](const Finding& why) {
        throw engine::Error{why.line > 0 ? text("line ", why.line, ": ", why.words) : why.words};
    };
    if (const auto* rules = std::get_if<OpenMpiRules>(&file)) {
        // The finding that ends the reading is the last one.
        if (!rules->accepted) refuse(rules->findings.back());
    } else if (const auto* own = std::get_if<CollscopeRules>(&file)) {
        if (!own->findings.empty()) refuse(own->findings.front());
    } else {
        const Findings all = check(file, installed);
        const auto ending = std::ranges::find_if(all, &Finding::ends);
        if (ending != all.end()) refuse(*ending);
    }
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

// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/tune/rules_explain.hpp"

#include "app/session/tune/mpich_conditions.hpp"
#include "app/session/tune/rule_table.hpp"
#include "app/session/tune/rules_check.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/library_names.hpp"

#include <algorithm>

namespace app::tune {
namespace {

using engine::Bytes;
using engine::text;
using engine::live::Called;

Counted times(std::int64_t ranks, Bytes bytes, const char* ofWhat = "") {
    return {inUnit(Unit::total, ranks, bytes), text(ranks, " ranks x ", exactBytes(bytes), ofWhat)};
}

std::string lookedUp(const Counted& counted) {
    return counted.how.empty() ? exactBytes(counted.bytes) : text(exactBytes(counted.bytes), " (", counted.how, ")");
}

/// What happens instead of an algorithm, and why.
void ends(Explanation& answer, const std::string& why, const char* outcome) {
    answer.outcome = outcome;
    answer.id.clear();
    answer.reasons.push_back(text(why, ": ", outcome));
}

constexpr const char* callFails = "the call fails";
constexpr const char* returnsAtOnce = "MPI returns at once";
constexpr const char* programEnds = "the program ends with an assertion";

Explanation explainOpenMpi(const OpenMpiRules& file, const CallQuestion& call, const Installed& installed) {
    Explanation answer;
    const std::string title{name(call.called)};
    const OpenMpiRules::Section* section = nullptr;
    for (const OpenMpiRules::Section& one : file.sections)
        if (callOf(one.collective) == title) section = &one;  // the last one replaces those before it
    const auto without = [&](const std::string& why) {
        answer.reasons.push_back(text(why, ", so ", installed.version, " chooses as it does without a file"));
        return answer;
    };
    if (!installed.algorithms.contains(title)) return without(text("coll/tuned has no algorithms of ", title));
    if (section == nullptr || section->sizes.empty()) return without(text("the file has no rules of ", title));
    if (call.ranks < 2) return without("communicators of one rank do not use coll/tuned");
    if (call.bytes == 0 && call.called != Called::barrier && call.called != Called::alltoallv) {
        ends(answer, "a call without elements looks up no rule", returnsAtOnce);
        return answer;
    }

    std::vector<std::int64_t> starts;
    for (const OpenMpiRules::Size& size : section->sizes) starts.push_back(size.ranks);
    const std::vector<engine::live::Extent> ranks = rangesOf(starts);
    const auto byRanks = std::ranges::find_if(ranks, [&](const auto& range) { return range.has(call.ranks); });
    ENSURE(byRanks != ranks.end(), "the ranges of rising numbers cover all");
    const auto which = static_cast<std::size_t>(byRanks - ranks.begin());
    const OpenMpiRules::Size& size = section->sizes[which];
    answer.reasons.push_back(
        call.ranks < size.ranks
            ? text("line ", size.line, ": no communicator size is at most ", call.ranks,
                   "; Open MPI takes the first one, ", size.ranks)
            : text("line ", size.line, ": ", size.ranks, " is the last communicator size that is at most ", call.ranks,
                   which + 1 < section->sizes.size() ? text("; the next one is ", section->sizes[which + 1].ranks)
                                                     : ""));
    if (size.messages.empty()) return without(text("line ", size.line, " has no message sizes"));

    const Counted counted = countedByOpenMpi(call);
    std::vector<std::int64_t> bytes;
    for (const OpenMpiRules::Message& message : size.messages) bytes.push_back(message.bytes);
    const std::vector<engine::live::Extent> byBytes = rangesOf(bytes);
    const auto found = std::ranges::find_if(byBytes, [&](const auto& range) { return range.has(counted.bytes); });
    ENSURE(found != byBytes.end(), "the ranges of rising numbers cover all");
    const OpenMpiRules::Message& rule = size.messages[static_cast<std::size_t>(found - byBytes.begin())];
    answer.reasons.push_back(
        text("line ", rule.line, ": the message size ", rule.bytes, " decides for ", lookedUp(counted),
             std::next(found) != byBytes.end()
                 ? text("; the next one is ", bytes[static_cast<std::size_t>(found - byBytes.begin()) + 1])
                 : ""));
    answer.line = rule.line;
    if (rule.algorithm == 0) return without("algorithm 0 means none");
    const std::string named = installed.nameOf(title, rule.algorithm);
    if (named.empty()) {
        answer.algorithm = text(rule.algorithm);
        ends(answer, text(installed.version, " has no algorithm ", rule.algorithm, " of ", title), callFails);
        return answer;
    }
    answer.algorithm = text(rule.algorithm, " (", named, ")");
    if (hasSegments(title, named) && rule.segment > 0)
        answer.algorithm += text(", segments of ", exactBytes(rule.segment));
    if (hasFanOut(title, named) && rule.fanOut > 0)
        answer.algorithm += text(", fan-out ", std::min(rule.fanOut, mostChains));
    answer.id = idKnownAs("Open MPI", title, named);
    if (named == "two_proc" && call.ranks != 2)
        ends(answer, text("two_proc is for 2 ranks, not for ", call.ranks), callFails);
    return answer;
}

/// Whether a condition holds; where it depends on more than ranks and bytes, what is assumed goes to `reasons`.
bool holds(const std::string& key, const CallQuestion& call, std::string& how) {
    if (isAny(key)) return true;
    if (const auto threshold = thresholdOf(key)) {
        if (threshold->of == "comm_size") return threshold->range.has(call.ranks);
        const Counted counted = countedByMpich(call, threshold->of);
        how = text(threshold->of == "count" ? text(counted.bytes) : lookedUp(counted));
        return threshold->range.has(counted.bytes);
    }
    if (key == "comm_size=pow2") return (call.ranks & (call.ranks - 1)) == 0;
    if (key == "count<pow2") {
        how = text(countedByMpich(call, "count").bytes, " elements");
        return countedByMpich(call, "count").bytes < powerOfTwoWithin(call.ranks);
    }
    static const std::vector<std::string> assumed{
        "comm_type=intra",      "is_commutative=yes",       "is_op_built_in=yes",   "is_sendbuf_inplace=no",
        "is_block_regular=yes", "is_node_consecutive=yes",  "is_multi_threaded=no", "comm_hierarchy=flat",
        "comm_hierarchy=node",  "comm_hierarchy=node_roots"};
    how = "assumed";
    return std::ranges::find(assumed, key) != assumed.end();
}

/// The algorithm of a branch, and whether it runs with this call.
void selected(Explanation& answer, const MpichNode& node, const CallQuestion& call) {
    constexpr std::string_view intra = "_intra_";
    const std::string title{name(call.called)};
    answer.line = node.line;
    answer.algorithm = node.key.substr(node.key.find('=') + 1);
    const std::size_t group = answer.algorithm.find(intra);
    if (group == std::string::npos) return;
    const std::string algorithm = answer.algorithm.substr(group + intra.size());
    answer.id = idKnownAs("MPICH", title, algorithm);
    for (const MpichNeed& need : needsOf(title, algorithm)) {
        std::string how;
        if (!need.aborts || holds(need.key, call, how) == need.met) continue;
        ends(answer,
             text("line ", node.line, ": ", algorithm, " needs ", toText(need),
                  how == "assumed" ? ", which is assumed not to hold" : ""),
             programEnds);
        return;
    }
}

Explanation explainSelection(const MpichSelection& file, const CallQuestion& call) {
    Explanation answer;
    const std::string title{name(call.called)};
    // Programs broadcast and reduce in MPI_Init, whatever they call themselves.
    static const std::vector<Called> returning{
        Called::allgather, Called::allgatherv, Called::alltoall,           Called::exscan, Called::gather,
        Called::reduce,    Called::scan,       Called::reduceScatterBlock, Called::scatter};
    if (call.bytes == 0 && std::ranges::find(returning, call.called) != returning.end()) {
        ends(answer, "a call without elements selects no algorithm", returnsAtOnce);
        return answer;
    }
    const std::vector<MpichNode>* branches = nullptr;
    for (const MpichNode& node : file.collectives)
        if (node.key == "collective=" + title) branches = &node.children;
    if (branches == nullptr) {
        ends(answer, text("the file has no branch for ", title), programEnds);
        return answer;
    }
    while (true) {
        const MpichNode* taken = nullptr;
        for (const MpichNode& node : *branches) {
            std::string how;
            if (node.key.starts_with("algorithm=")) {
                selected(answer, node, call);
                return answer;
            }
            if (!isKnownOf(title, node.key)) {
                ends(answer, text("line ", node.line, ": MPICH cannot decide '", node.key, "' of ", title),
                     programEnds);
                return answer;
            }
            const bool met = holds(node.key, call, how);
            answer.reasons.push_back(text("line ", node.line, ": '", node.key, met ? "' holds" : "' does not hold",
                                          how.empty() ? "" : text(" for ", how)));
            if (how == "assumed")
                answer.reasons.back() =
                    text("line ", node.line, ": '", node.key, "' is assumed ", met ? "to hold" : "not to hold");
            if (met) {
                taken = &node;
                break;
            }
        }
        if (taken == nullptr) {
            ends(answer, "no branch is left", programEnds);
            return answer;
        }
        branches = &taken->children;
    }
}

Explanation explainVariables(const MpichVariables& file, const CallQuestion& call, const Installed& installed) {
    Explanation answer;
    std::string wanted = text("MPIR_CVAR_", name(call.called), "_INTRA_ALGORITHM");
    std::ranges::transform(wanted, wanted.begin(), [](unsigned char c) { return std::toupper(c); });
    const MpichVariables::Variable* found = nullptr;
    for (const MpichVariables::Variable& one : file.variables)
        if (one.name == wanted) found = &one;
    const std::string library = installed.present ? installed.version : "MPICH";
    if (found == nullptr) {
        answer.reasons.push_back(
            text("the file does not set ", wanted, ", so ", library, " chooses as it does without a file"));
        return answer;
    }
    answer.line = found->line;
    answer.reasons.push_back(text("line ", found->line, ": the variable applies to all ranks and bytes"));
    if (found->value == "auto") {
        answer.reasons.push_back(text("auto means the choice of ", library));
        return answer;
    }
    answer.algorithm = found->value;
    answer.id = idKnownAs("MPICH", std::string{name(call.called)}, found->value);
    return answer;
}

Explanation explainCollscope(const CollscopeRules& file, const CallQuestion& call) {
    Explanation answer;
    const Counted counted = countedByCollscope(call);
    for (const CollscopeRules::Line& one : file.rules) {
        const engine::live::Rule& rule = one.rule;
        if (rule.called != call.called) continue;
        const auto misses = [&](const std::string& why) {
            answer.reasons.push_back(text("line ", one.line, ": not this rule, it is for ", why));
        };
        if (!rule.intra) misses("intercommunicators");
        else if (!rule.ranks.has(call.ranks)) misses(text(toText(rule.ranks), " ranks"));
        else if (!rule.bytes.has(counted.bytes))
            misses(text(toText(rule.bytes, true), ", and the call has ", lookedUp(counted)));
        else {
            answer.line = one.line;
            answer.reasons.push_back(
                text("line ", one.line, ": the first rule that fits ", call.ranks, " ranks and ", lookedUp(counted)));
            if (rule.algorithm != nullptr) {
                answer.algorithm = rule.words;
                answer.id = rule.algorithm->id;
            } else {
                answer.reasons.emplace_back("native leaves the call to the library");
            }
            return answer;
        }
    }
    answer.reasons.push_back(text("no rule fits, so the call is left to the library"));
    return answer;
}

}  // namespace

namespace {

Counted countedIn(Unit unit, const CallQuestion& call) {
    switch (unit) {
        case Unit::block: return {call.bytes, {}};
        case Unit::total: return times(call.ranks, call.bytes);
        case Unit::pairs:
            return {inUnit(unit, call.ranks, call.bytes),
                    text(call.ranks, " x ", call.ranks, " pairs x ", exactBytes(call.bytes))};
        case Unit::none: break;
    }
    return {0, text("every ", name(call.called))};
}

}  // namespace

Counted countedByOpenMpi(const CallQuestion& call) {
    if (call.called == Called::scan || call.called == Called::exscan)
        return times(call.ranks, call.element, " of one element, whatever the count");
    if (call.called == Called::gather || call.called == Called::scatter) {
        // Open MPI multiplies the elements with the ranks in 32 bits, then with the size of an element in 64.
        const Bytes elements = inUnit(Unit::total, call.ranks, call.bytes / call.element);
        const auto kept = static_cast<std::int32_t>(elements);
        if (kept != elements) {
            const auto bytes = static_cast<std::uint64_t>(std::int64_t{kept} * call.element);
            return {static_cast<Bytes>(std::min<std::uint64_t>(bytes, unlimited - 1)),
                    text(call.ranks, " ranks x ", exactBytes(call.bytes), ", of which Open MPI keeps 32 bits: ", kept,
                         " elements")};
        }
    }
    return countedIn(unitOfOpenMpi(call.called), call);
}

Counted countedByCollscope(const CallQuestion& call) { return countedIn(unitOfCollscope(call.called), call); }

Counted countedByMpich(const CallQuestion& call, const std::string& quantity) {
    if (quantity == "count") return {call.bytes / std::max<Bytes>(1, call.element), {}};
    const bool vector = call.called == Called::reduceScatter || call.called == Called::reduceScatterBlock;
    if (quantity == "avg_msg_size" || vector) return {call.bytes, {}};
    return times(call.ranks, call.bytes);
}

std::string idKnownAs(std::string_view library, const std::string& call, const std::string& algorithm) {
    for (const engine::LibraryAlgorithm& one : engine::libraryAlgorithms())
        if (one.known.library == library && one.known.call == call && one.known.name == algorithm) return one.id;
    return {};
}

Explanation explain(const RulesFile& file, const CallQuestion& call, const Installed& installed) {
    requireUsable(file, installed);
    if (const auto* rules = std::get_if<OpenMpiRules>(&file)) return explainOpenMpi(*rules, call, installed);
    if (const auto* selection = std::get_if<MpichSelection>(&file)) return explainSelection(*selection, call);
    if (const auto* variables = std::get_if<MpichVariables>(&file))
        return explainVariables(*variables, call, installed);
    return explainCollscope(std::get<CollscopeRules>(file), call);
}

}  // namespace app::tune

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/replacement_rules.hpp"

#include "engine/base/error.hpp"
#include "engine/base/lines.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"

#include <algorithm>

namespace engine::live {
namespace {

/// "A..B", "A..", "..B", one number, or "*" for any.
template <class Read>
Extent extentFrom(const std::string& words, Read read) {
    Extent extent;
    if (words == "*") return extent;
    const auto dots = words.find("..");
    const std::string low = words.substr(0, dots);
    const std::string high = dots == std::string::npos ? low : words.substr(dots + 2);
    if (!low.empty() || dots == std::string::npos) extent.low = read(low);
    if (!high.empty()) extent.high = read(high);
    if (extent.low > extent.high) throw Error{text("the range ", words, " is empty")};
    return extent;
}

Called calledNamed(const std::string& word) {
    std::vector<std::string> names;
    std::string blocking;
    for (const Called called : everyCalled) {
        if (name(called) == word) return called;
        names.emplace_back(name(called));
        if (isBlocking(called)) blocking += text(blocking.empty() ? "" : ", ", name(called));
    }
    throw Error{text("no operation '", word, "'; the operations are ", blocking,
                     ", and their nonblocking forms, such as ibcast", didYouMean(word, names))};
}

/// "gatherv/flat": what could be written instead.
std::string fittingId(const Rule& rule) {
    return algorithmsFor(rule.inter ? *collectiveBetweenGroups(rule.called) : collectiveOf(rule.called)).front()->id;
}

void readKind(const std::string& word, Rule& rule) {
    if (word != "intra" && word != "inter" && word != "*")
        throw Error{text("'", word, "' is no kind of communicator: write intra, inter or *")};
    rule.intra = word != "inter";
    rule.inter = word != "intra";
}

void refuseBroken(const Rule& rule) {
    for (const Option& option : rule.algorithm->options) {
        const auto given = rule.options.find(option.name);
        if (given != rule.options.end() && !option.broken.empty() && given->second == option.broken)
            throw Error{text(rule.words, " breaks the algorithm on purpose; it would give wrong data")};
    }
}

/// Whether a scan is exclusive says the call.
void refuseOtherScan(const Rule& rule) {
    const auto given = rule.options.find("exclusive");
    if (given == rule.options.end() || rule.algorithm->collective != Collective::scan) return;
    const bool exclusive = blockingOf(rule.called) == Called::exscan;
    if ((given->second == "yes") != exclusive)
        throw Error{text(name(rule.called), exclusive ? " is exclusive" : " is not exclusive",
                         "; leave exclusive=", given->second, " away, or write ", exclusive ? "scan" : "exscan")};
}

void readWay(const std::string& words, Rule& rule) {
    rule.words = words;
    if (words == "native") return;
    const std::vector<std::string> parts = split(words, ':');
    rule.algorithm = &algorithmNamed(parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const auto equals = parts[i].find('=');
        if (equals == std::string::npos || equals == 0) throw Error{text("'", parts[i], "' is no option=value")};
        rule.options[parts[i].substr(0, equals)] = parts[i].substr(equals + 1);
    }
    (void)Options{rule.algorithm->id, rule.algorithm->options, rule.options};
    refuseBroken(rule);
    if (rule.inter && rule.intra)
        throw Error{text(rule.algorithm->id, " is for one kind of communicator: write intra or inter")};
    if (rule.inter && !collectiveBetweenGroups(rule.called))
        throw Error{text(name(rule.called), " between two groups is left to the library; write intra")};
    if (!isSolvedBy(rule.called, rule.algorithm->collective, rule.inter))
        throw Error{text(rule.algorithm->id, " does not solve ", name(rule.called), " on ",
                         rule.inter ? "an intercommunicator" : "an intracommunicator", "; ", fittingId(rule), " does")};
    refuseOtherScan(rule);
}

Rule ruleFrom(const std::vector<std::string>& words) {
    if (words.size() != 5)
        throw Error{
            text("a rule has five words: operation, intra|inter, ranks, bytes, algorithm:option=value; here are ",
                 words.size())};
    Rule rule{.called = calledNamed(words[0])};
    readKind(words[1], rule);
    rule.ranks = extentFrom(words[2], [](const std::string& number) {
        return readInteger(number, "ranks", 0, std::numeric_limits<std::int32_t>::max());
    });
    rule.bytes = bytesFromText(words[3]);
    readWay(words[4], rule);
    return rule;
}

}  // namespace

Extent bytesFromText(const std::string& words) {
    return extentFrom(words, [](const std::string& number) { return readBytes(number, "bytes"); });
}

std::vector<Rule> rulesFromText(std::string_view words, const std::string& file) {
    std::vector<Rule> rules;
    eachLine(words, file, Comments::anywhere,
             [&](std::string_view line, std::int64_t) { rules.push_back(ruleFrom(wordsOfLine(line))); });
    if (rules.size() > mostRules)
        throw Error{text(file, ": ", rules.size(), " rules; at most ", mostRules, " can be distinguished")};
    return rules;
}

}  // namespace engine::live

// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/perturbation.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <random>

namespace emulation {
namespace {

using engine::Error;
namespace field = engine::field;
using engine::Picoseconds;
using engine::Rank;
using engine::split;
using engine::text;

constexpr std::int64_t mostRank = std::numeric_limits<std::int32_t>::max();
/// Starts stay below 2^61 ps (26 days), so that a run after them can be counted.
constexpr Picoseconds latestStart{std::int64_t{1} << 61};

std::int32_t readRank(std::string_view words, std::string_view what) {
    return static_cast<std::int32_t>(engine::readInteger(words, what, 0, mostRank));
}

Factor readFactor(std::string_view words, std::string_view what) {
    double number = 0;
    const auto [rest, code] = std::from_chars(words.data(), words.data() + words.size(), number);
    if (code != std::errc{} || rest != words.data() + words.size() || !(number >= 1) || number > 1e6)
        throw Error{text(what, ": '", words, "' is not a factor from 1 to 1000000")};
    return {std::llround(number * 1000)};
}

std::string showFactor(Factor factor) {
    std::string words = text(factor.thousandths / 1000);
    if (factor.thousandths % 1000 == 0) return words;
    std::string digits = text(1000 + factor.thousandths % 1000).substr(1);
    while (digits.back() == '0') digits.pop_back();
    return words + "." + digits;
}

NodeName readNode(std::string_view words, std::string_view what) {
    using enum NodeName::Kind;
    const NodeName::Kind kind = words.starts_with('s') ? networkSwitch : words.starts_with('p') ? place : rank;
    return {kind, readRank(words.substr(kind == rank ? 0 : 1), what)};
}

Picoseconds readStart(std::string_view words, std::string_view what) {
    const Picoseconds time = engine::readTime(words, what);
    if (time > latestStart) throw Error{text(what, ": ", words, " is too late; the latest start is 26 days")};
    return time;
}

/// The two parts around `sign`; an Error with an example where there is none.
std::pair<std::string_view, std::string_view> halves(std::string_view words, char sign, std::string_view what,
                                                     std::string_view example) {
    const auto at = words.find(sign);
    if (at == std::string_view::npos)
        throw Error{text(what, ": '", words, "' is not understood; write for example ", example)};
    return {words.substr(0, at), words.substr(at + 1)};
}

std::string show(const Arrival& arrival) {
    const std::string most = text(arrival.most.count(), "ps");
    switch (arrival.pattern) {
        case Arrival::Pattern::none: return "none";
        case Arrival::Pattern::random: return text("random:", most, ",", arrival.seed);
        case Arrival::Pattern::ramp: return "ramp:" + most;
        case Arrival::Pattern::late: return text("late:", arrival.rank, ",", most);
    }
    return {};
}

}  // namespace

Arrival readArrival(std::string_view words) {
    const auto what = [](std::string_view name) { return text(field::arrival, ' ', name); };
    const auto colon = words.find(':');
    const std::string_view pattern = words.substr(0, colon);
    const std::string_view values = colon == std::string_view::npos ? std::string_view{} : words.substr(colon + 1);
    Arrival arrival;
    if (pattern == "none") {
        if (colon != std::string_view::npos) throw Error{what("none") + " takes no values"};
    } else if (pattern == "random") {
        const auto [most, seed] = halves(values, ',', what("random"), what("random:1ms,7 with a seed"));
        arrival = {.pattern = Arrival::Pattern::random, .most = readStart(most, what("random"))};
        arrival.seed = static_cast<std::uint64_t>(
            engine::readInteger(seed, what("random, seed"), 0, std::numeric_limits<std::int64_t>::max()));
    } else if (pattern == "ramp") {
        arrival = {.pattern = Arrival::Pattern::ramp, .most = readStart(values, what("ramp"))};
    } else if (pattern == "late") {
        const auto [rank, most] = halves(values, ',', what("late"), what("late:3,1ms"));
        arrival = {.pattern = Arrival::Pattern::late, .most = readStart(most, what("late"))};
        arrival.rank = Rank{readRank(rank, what("late"))};
    } else {
        const std::string hint = engine::didYouMean(pattern, {"none", "random", "ramp", "late"});
        throw Error{text(field::arrival, ": unknown pattern '", pattern, "'",
                         hint.empty() ? "; it is none, random:TIME,SEED, ramp:TIME or late:RANK,TIME" : hint)};
    }
    return arrival;
}

std::vector<SlowRank> readSlowRanks(std::string_view words) {
    std::vector<SlowRank> ranks;
    const std::string what = text(field::slowRanks);
    for (const std::string& word : split(words, ',')) {
        const auto [rank, factor] = halves(word, ':', what, what + " 3:2.5,7:4");
        const SlowRank slow{Rank{readRank(rank, what)}, readFactor(factor, what)};
        for (const SlowRank& other : ranks)
            if (other.rank == slow.rank) throw Error{text(what, ": rank ", slow.rank, " is given twice")};
        ranks.push_back(slow);
    }
    return ranks;
}

std::vector<SlowLink> readSlowLinks(std::string_view words) {
    const std::string what = text(field::slowLinks);
    const std::string example = what + " 3-4:8";
    std::vector<SlowLink> links;
    for (const std::string& word : split(words, ',')) {
        const auto [ends, factor] = halves(word, ':', what, example);
        const auto [from, to] = halves(ends, '-', what, example);
        const SlowLink slow{readNode(from, what), readNode(to, what), readFactor(factor, what)};
        for (const SlowLink& other : links)
            if (other.from == slow.from && other.to == slow.to)
                throw Error{text(what, ": the link ", ends, " is given twice")};
        links.push_back(slow);
    }
    return links;
}

std::string toText(const NodeName& node) {
    switch (node.kind) {
        case NodeName::Kind::rank: break;
        case NodeName::Kind::place: return text("p", node.number);
        case NodeName::Kind::networkSwitch: return text("s", node.number);
    }
    return text(node.number);
}

std::string toText(const Perturbation& perturbation) {
    std::string words;
    const auto add = [&](std::string_view key, const std::string& value) {
        words += text(words.empty() ? "" : " ", key, "=", value);
    };
    if (perturbation.arrival.pattern != Arrival::Pattern::none) add("arrival", show(perturbation.arrival));
    std::string list;
    for (const SlowRank& slow : perturbation.slowRanks)
        list += text(list.empty() ? "" : ",", slow.rank, ":", showFactor(slow.factor));
    if (!list.empty()) add("slow-ranks", list);
    list.clear();
    for (const SlowLink& slow : perturbation.slowLinks)
        list += text(list.empty() ? "" : ",", toText(slow.from), "-", toText(slow.to), ":", showFactor(slow.factor));
    if (!list.empty()) add("slow-links", list);
    return words;
}

Perturbation perturbationFromText(std::string_view words) {
    Perturbation perturbation;
    if (words.empty()) return perturbation;
    for (const std::string& word : split(words, ' ')) {
        const auto [key, value] = halves(word, '=', "unevenness", "arrival=ramp:1ms");
        if (key == "arrival") perturbation.arrival = readArrival(value);
        else if (key == "slow-ranks") perturbation.slowRanks = readSlowRanks(value);
        else if (key == "slow-links") perturbation.slowLinks = readSlowLinks(value);
        else throw Error{text("conditions: unknown entry '", key, "'")};
    }
    return perturbation;
}

std::vector<Picoseconds> startTimes(const Arrival& arrival, std::int32_t ranks) {
    std::vector<Picoseconds> starts(engine::asSize(ranks));
    switch (arrival.pattern) {
        case Arrival::Pattern::none: break;
        case Arrival::Pattern::random: {
            // No distribution of the standard library: those differ from one to the other.
            std::mt19937_64 random{arrival.seed};
            const auto values = static_cast<std::uint64_t>(arrival.most.count()) + 1;
            for (Picoseconds& start : starts) start = Picoseconds{static_cast<std::int64_t>(random() % values)};
            break;
        }
        case Arrival::Pattern::ramp:
            for (std::size_t r = 1; r < starts.size(); ++r)
                starts[r] = Picoseconds{static_cast<std::int64_t>(static_cast<__int128>(arrival.most.count()) *
                                                                  static_cast<std::int64_t>(r) / (ranks - 1))};
            break;
        case Arrival::Pattern::late:
            if (arrival.rank.value >= ranks)
                throw Error{text(field::arrival, " late: rank ", arrival.rank, " is outside 0..", ranks - 1)};
            starts[arrival.rank.index()] = arrival.most;
            break;
    }
    return starts;
}

engine::ById<Rank, Factor> slowness(const std::vector<SlowRank>& slowRanks, std::int32_t ranks) {
    if (slowRanks.empty()) return {};
    engine::ById<Rank, Factor> factors(ranks);
    for (const SlowRank& slow : slowRanks) {
        if (slow.rank.value >= ranks)
            throw Error{text(field::slowRanks, ": rank ", slow.rank, " is outside 0..", ranks - 1)};
        factors[slow.rank] = slow.factor;
    }
    return factors;
}

}  // namespace emulation

// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/overview/run_comparison.hpp"

#include "app/analysis/dataflow/block_route.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace app::analysis {
namespace {

using engine::Picoseconds;
using engine::text;

constexpr std::int64_t mostFollowed = 20'000'000;  // columns times messages

std::string numbered(std::int64_t number, std::string_view one) {
    return text(counted(number), ' ', one, number == 1 ? "" : "s");
}

/// "3 fewer rounds"; if messages wait for each other at ports, of one of the two, "3 fewer startups".
std::string roundsInWords(const Report& fast, const Report& slow) {
    const std::int64_t fewer = slow.startups() - fast.startups();
    const bool queued = slow.startups() != slow.run->rounds || fast.startups() != fast.run->rounds;
    return numbered(std::abs(fewer), text(fewer > 0 ? "fewer " : "more ", queued ? "startup" : "round"));
}

/// A cost that one has less of; negative: more. `words` stands between the number and "less".
struct Saved {
    Picoseconds time{};
    std::string words;
};

std::string savedInWords(const Saved& saved) {
    const bool costs = saved.time < Picoseconds{};
    return text(costs ? "though " : "", saved.words, costs ? " (costs " : " (saves ",
                engine::showTime(costs ? -saved.time : saved.time), ")");
}

bool isHockneyOfBoth(const Report& a, const Report& b) {
    return a.plan && b.plan && a.model && b.model && !a.model->logGP && !b.model->logGP &&
           a.run->setting.on == "virtual" && b.run->setting.on == "virtual" && a.model->alpha == b.model->alpha &&
           a.model->beta == b.model->beta;
}

/// What makes a difference beside startups and bytes, as far as the parts of both times are known.
std::string restInWords(const Report& fast, const Report& slow, Picoseconds rest) {
    constexpr std::array parts{std::pair{&Gap::waiting, "waiting"}, std::pair{&Gap::congestion, "sharing of links"},
                               std::pair{&Gap::combining, "combining"}};
    std::vector<std::string> known;
    for (const auto& [part, name] : parts) {
        if (!fast.gap || !slow.gap) break;
        const Picoseconds saved = (*slow.gap).*part - (*fast.gap).*part;
        if (saved != Picoseconds{} && (saved > Picoseconds{}) == (rest > Picoseconds{})) known.emplace_back(name);
    }
    return known.empty() ? "waiting, sharing of links or combining" : listed(known);
}

/// Startups, serialized bytes and the rest: they add up to the difference.
std::vector<Saved> savings(const Report& fast, const Report& slow, Picoseconds by) {
    std::vector<Saved> all;
    const std::int64_t rounds = slow.startups() - fast.startups();
    const engine::Bytes bytes = slow.serializedBytes() - fast.serializedBytes();
    const Picoseconds ofRounds = fast.model->alpha * rounds;
    const Picoseconds ofBytes = fast.model->beta * slow.serializedBytes() - fast.model->beta * fast.serializedBytes();
    if (rounds != 0) all.push_back({ofRounds, roundsInWords(fast, slow)});
    if (bytes != 0)
        all.push_back({ofBytes, text(engine::showBytes(std::abs(bytes)),
                                     bytes > 0 ? " fewer serialized bytes" : " more serialized bytes")});
    const Picoseconds rest = by - ofRounds - ofBytes;
    if (rest != Picoseconds{})
        all.push_back({rest, text(rest > Picoseconds{} ? "less " : "more ", restInWords(fast, slow, rest))});
    std::stable_sort(all.begin(), all.end(), [](const Saved& a, const Saved& b) { return a.time > b.time; });
    return all;
}

/// The rounds of a recorded program that would add up to it are unknown.
bool haveRounds(const Report& one, const Report& other) {
    return one.run->setting.on != "trace" && other.run->setting.on != "trace";
}

}  // namespace

engine::Blocks commonBlocks(std::span<const Report* const> reports) {
    const auto isOneBlock = [](const Report* one) {
        return one->limits && one->limits->blocks == engine::Blocks::whole;
    };
    return std::ranges::all_of(reports, isOneBlock) ? engine::Blocks::whole : engine::Blocks::anyMessages;
}

std::optional<MessageCounts> messageCountsOf(const Report& report) {
    const engine::Run& run = *report.run;
    if (!report.plan || run.messageCount != static_cast<std::int64_t>(run.messages.size())) return std::nullopt;
    const engine::Problem& problem = report.plan->problem;
    const Columns columns{problem, &*report.plan, run, 512};
    if (columns.count() == 0 || columns.count() * run.messageCount > mostFollowed) return std::nullopt;
    const BlockOwnership holdings{problem, &*report.plan, report.verdict ? &*report.verdict : nullptr, run, columns};
    if (!holdings.unknown().empty()) return std::nullopt;
    MessageCounts counted;
    for (std::int32_t column = 0; column < columns.count(); ++column)
        for (const Hop& hop : routeOf(run, columns, holdings, column).hops) counted.again += hop.again ? 1 : 0;
    for (std::size_t i = 0; i < run.messages.size(); ++i)
        counted.withinA += run.messages.from()[i].value < problem.groupA && run.messages.to()[i].value < problem.groupA;
    return counted;
}

Winner winnerOf(const Report& first, const Report& second) {
    return winnerOf(first, second, first.run->duration, second.run->duration);
}

Winner winnerOf(const Report& first, const Report& second, Picoseconds firstTime, Picoseconds secondTime) {
    Winner winner;
    winner.second = secondTime < firstTime;
    const Report& fast = winner.second ? second : first;
    const Report& slow = winner.second ? first : second;
    const auto [less, more] = std::minmax(firstTime, secondTime);
    winner.by = more - less;
    winner.time = less;
    const std::string& firstNetwork = first.run->setting.topology;
    const std::string& secondNetwork = second.run->setting.topology;
    if (!firstNetwork.empty() && !secondNetwork.empty() && firstNetwork != secondNetwork)
        winner.networks = text(firstNetwork, " and ", secondNetwork);
    if (winner.by == Picoseconds{}) return winner;
    if (isHockneyOfBoth(fast, slow)) {
        for (const Saved& saved : savings(fast, slow, winner.by)) winner.because.push_back(savedInWords(saved));
    } else if (haveRounds(slow, fast) && slow.startups() != fast.startups()) {
        winner.because.push_back(text(slow.startups() < fast.startups() ? "though " : "", roundsInWords(fast, slow)));
    }
    const std::int64_t messages = fast.run->messageCount;
    const std::int64_t others = slow.run->messageCount;
    // A difference of less than 1% explains nothing, nor do messages of other numbers of ranks.
    if (fast.run->ranks == slow.run->ranks && 100 * std::abs(messages - others) >= std::max(messages, others) &&
        messages != others)
        winner.because.push_back(
            text(messages > others ? "though " : "", counted(messages), " instead of ", numbered(others, "message")));
    const auto ofFast = messageCountsOf(fast);
    const auto ofSlow = messageCountsOf(slow);
    if (!ofFast || !ofSlow) return winner;
    const bool twoGroups = fast.plan->problem.groupB > 0 && slow.plan->problem.groupB > 0;
    if (twoGroups && ofFast->withinA != ofSlow->withinA)
        winner.because.push_back(
            text(counted(ofFast->withinA), " instead of ", numbered(ofSlow->withinA, "message"), " within group A"));
    if (ofFast->again != ofSlow->again && !engine::isReduction(fast.plan->problem.collective))
        winner.because.push_back(text(ofFast->again > ofSlow->again ? "though " : "", counted(ofFast->again),
                                      " instead of ", numbered(ofSlow->again, "block"), " received twice"));
    return winner;
}

std::string winInWords(const Winner& winner, const std::string& first, const std::string& second) {
    const std::string apart = winner.networks.empty() ? "" : text(" Their networks differ: ", winner.networks, '.');
    if (winner.by == Picoseconds{}) return text(first, " and ", second, " take the same time.", apart);
    const Picoseconds slower = winner.time + winner.by;
    // A run that takes no time is faster by no factor.
    const std::string factor =
        winner.time > Picoseconds{} ? engine::showNumber(ratio(slower, winner.time), 3) + "x " : "";
    std::string words =
        text(winner.second ? second : first, " is ", factor, "faster than ", winner.second ? first : second, ": ",
             engine::showTime(winner.time), " instead of ", engine::showTime(slower));
    constexpr std::string_view though = "though ";
    std::vector<std::string> gains, costs;
    for (const std::string& why : winner.because)
        if (why.starts_with(though)) costs.push_back(why.substr(though.size()));
        else gains.push_back(why);
    words += '.';
    if (!gains.empty()) words += text(" It has ", listed(gains), '.');
    if (!costs.empty()) words += text(" However, it has ", listed(costs), '.');
    return words + apart;
}

}  // namespace app::analysis

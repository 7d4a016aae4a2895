// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/output/schedule_formats.hpp"

#include "app/analysis/messages/schedule_totals.hpp"
#include "app/analysis/trace/run_report.hpp"
#include "app/cli/output/run_summary.hpp"
#include "engine/base/text.hpp"
#include "engine/proof/sent_too_early.hpp"

#include <iomanip>
#include <set>

namespace app::cli {
namespace {

using engine::text;

/// "3", "3, 4", "3..5"; downwards "4, 3", "5..3".
std::string numbersFrom(std::int32_t first, std::int32_t last) {
    if (first == last) return text(first);
    return text(first, std::abs(last - first) == 1 ? ", " : "..", last);
}

/// "2", "0 + 1 + 2", "7 + ... + 0": ranks in the order in which their vectors are combined.
std::string sumFrom(std::int32_t first, std::int32_t last) {
    constexpr std::int32_t mostWritten = 3;
    if (std::abs(last - first) >= mostWritten) return text(first, " + ... + ", last);
    std::string sum = text(first);
    for (std::int32_t rank = first; rank != last;) sum += text(" + ", rank += last > first ? 1 : -1);
    return sum;
}

/// Contributions that `range` cuts, each with the cut: "2 [0, 512)"; whole ones that follow each other as "3..5".
void addRange(const engine::Layout& layout, engine::Range range, std::vector<std::string>& parts) {
    while (!range.empty()) {
        const std::int32_t first = layout.blockAt(range.begin);
        const engine::Range block = layout.block(first);
        if (range.begin > block.begin || range.end < block.end) {
            const engine::Bytes end = std::min(range.end, block.end);
            parts.push_back(text(first, " [", range.begin - block.begin, ", ", end - block.begin, ")"));
            range.begin = end;
            continue;
        }
        std::int32_t last = layout.blockAt(range.end - 1);
        if (layout.block(last).end > range.end) --last;
        parts.push_back(numbersFrom(first, last));
        range.begin = layout.block(last).end;
    }
}

std::string listed(const std::vector<std::string>& parts) {
    std::string words;
    for (std::size_t i = 0; i < parts.size() && i < 40; ++i) words += (i == 0 ? "" : ", ") + parts[i];
    return words;
}

/// Of an alltoall among `ranks`, whose contributions are numbered by sender, then by receiver: "0 to 1", "0 to 1..3".
std::string contributionsInPairs(const engine::Layout& layout, std::span<const engine::Range> ranges,
                                 std::int32_t ranks) {
    std::vector<std::string> parts;
    for (const engine::Range range : ranges) {
        if (range.empty()) continue;
        const std::int32_t last = layout.blockAt(range.end - 1);
        for (std::int32_t first = layout.blockAt(range.begin); first <= last;) {
            const std::int32_t from = first / ranks;
            const std::int32_t until = std::min(last, from * ranks + ranks - 1);
            parts.push_back(text(from, " to ", numbersFrom(first % ranks, until % ranks)));
            first = until + 1;
        }
    }
    return listed(parts);
}

/// Of the only contribution: "all", "[0, 512)".
std::string partsOfOne(const engine::Layout& layout, std::span<const engine::Range> ranges) {
    std::vector<std::string> parts;
    for (const engine::Range range : ranges)
        if (range == layout.whole()) parts.emplace_back("all");
        else if (!range.empty()) parts.push_back(text('[', range.begin, ", ", range.end, ')'));
    return listed(parts);
}

/// The ranks whose entry a message of a barrier reports: "0..2, 5".
std::string enteredRanks(const Telling& message) {
    std::set<std::int32_t> ranks;
    for (const auto& [range, partial] : message.terms->pieces())
        for (const engine::Partial::Stretch& stretch : partial.stretches())
            for (std::int32_t rank = std::min(stretch.first, stretch.last);
                 rank <= std::max(stretch.first, stretch.last); ++rank)
                ranks.insert(rank);
    std::vector<std::string> parts;
    for (auto first = ranks.begin(); first != ranks.end();) {
        auto next = std::next(first);
        std::int32_t last = *first;
        while (next != ranks.end() && *next == last + 1) last = *next++;
        parts.push_back(numbersFrom(*first, last));
        first = next;
    }
    return listed(parts);
}

/// Why the schedule does not solve its problem; empty if it does, or is too long to be proved on the way.
std::string faultOf(const engine::Plan& plan, const engine::Progress& progress) {
    const engine::Facts& facts = plan.schedule->facts();
    const bool isUnknown = !facts.unstated.empty() && facts.wrong.sentence.empty();
    if (isUnknown || facts.ranks * facts.rounds > analysis::provedTurns) return {};
    const engine::Verdict verdict = engine::verify(*plan.schedule, plan.problem, progress);
    if (verdict.proved) return {};
    const auto early = engine::tooEarly(*plan.schedule, plan.problem, verdict, progress);
    return early ? inWords(*early) : verdict.counterExample;
}

std::string_view actionWords(engine::Action action) {
    switch (action) {
        case engine::Action::keep: return "stored";
        case engine::Action::append: return "right operand";
        case engine::Action::prepend: return "left operand";
    }
    return {};
}

}  // namespace

std::string contentWords(const engine::Layout& layout, std::span<const engine::Range> ranges) {
    std::vector<std::string> parts;
    for (const engine::Range range : ranges) addRange(layout, range, parts);
    return listed(parts);
}

std::string contentWords(const Telling& reduction) {
    std::vector<std::string> parts;
    for (const auto& [range, partial] : reduction.terms->pieces()) {
        std::string terms;
        for (const engine::Partial::Stretch& stretch : partial.stretches())
            terms += text(terms.empty() ? "" : " + ", sumFrom(stretch.first, stretch.last));
        parts.push_back(reduction.whole ? terms : text("bytes ", range.begin, "-", range.end - 1, " of ", terms));
    }
    return engine::joined(parts, "; ");
}

void showText(const engine::Plan& plan, const emulation::Network& network, const Cut& cut, const Console& console) {
    const engine::Facts& facts = plan.schedule->facts();
    const auto totals = analysis::totalsOf(plan, {.stop = console.around.stop});
    std::ostream& out = console.out;
    const std::string fault = faultOf(plan, {.stop = console.around.stop});
    if (!fault.empty()) console.write("wrong: " + fault, Tone::bad);
    out << console.paint(Tone::strong, plan.algorithm->id) << ": ";
    if (facts.unstated.empty() && fault.empty()) {
        const analysis::Limits limits = analysis::limitsOf(plan, totals, {.model = {}, .network = &network});
        out << (totals && totals->queued ? withStartups(facts.rounds, totals->startups, plan.problem.ports, limits)
                                         : againstBound(facts.rounds, limits));
    } else {
        out << analysis::counted(facts.rounds, "round");
    }
    out << '\n'
        << (facts.unstated.empty() ? analysis::problemWords(plan.problem) : "it is not known " + facts.unstated);
    if (totals)
        out << "; " << analysis::counted(totals->messages, "message") << ", " << engine::showBytes(totals->bytes)
            << " in total";
    out << '\n';
    for (const std::string& remark : facts.remarks)
        for (const std::string& line : wrapped(remark, lineWidth)) out << line << '\n';

    const int rankWidth = static_cast<int>(std::max<std::size_t>(4, std::to_string(facts.ranks - 1).size()));
    const int roundWidth = static_cast<int>(std::max<std::size_t>(5, std::to_string(facts.rounds).size()));
    const bool isBarrier = plan.problem.collective == engine::Collective::barrier;
    const bool isOne = !isBarrier && plan.problem.layout.count() == 1 && !engine::isReduction(plan.problem.collective);
    const bool isAlltoall = plan.problem.collective == engine::Collective::alltoallv && plan.problem.groupB == 0;
    out << '\n'
        << console.paint(Tone::faint,
                         engine::text(std::setw(roundWidth), "round", "  ", std::setw(rankWidth), "from", "    ",
                                      std::setw(rankWidth), std::left, "to", "  ", std::right, std::setw(10), "size",
                                      isBarrier ? "  ranks entered"
                                      : isOne   ? "  bytes of the message"
                                                : "  contributions"))
        << '\n';
    std::int64_t shown = 0;
    int stage = -1;
    std::set<engine::Action> actions;
    engine::Round last{-1};
    tell(plan, cut,
         [&](const Telling& message) {
             if (const int now = plan.schedule->stageOf(message.round); now != stage && facts.stages.size() > 1) {
                 stage = now;
                 if (now >= 0)
                     out << console.paint(Tone::strong, facts.stages[static_cast<std::size_t>(now)].name) << '\n';
             }
             std::string content = isBarrier && message.terms != nullptr ? enteredRanks(message)
                                   : isOne      ? partsOfOne(plan.problem.layout, message.ranges)
                                   : isAlltoall ? contributionsInPairs(plan.problem.layout, message.ranges, facts.ranks)
                                   : message.terms == nullptr ? contentWords(plan.problem.layout, message.ranges)
                                                              : contentWords(message);
             if (message.terms != nullptr && !isBarrier) {
                 content += text(" (", actionWords(message.action), ")");
                 actions.insert(message.action);
             }
             const std::string round = message.round == last ? "" : text(message.round + 1);
             last = message.round;
             const std::string line = text(std::setw(roundWidth), round, "  ", std::setw(rankWidth), message.from.value,
                                           " -> ", std::left, std::setw(rankWidth), message.to.value, std::right, "  ",
                                           std::setw(10), engine::showBytes(message.bytes), "  ", content);
             out << fitted(line, lineWidth) << '\n';
             ++shown;
             console.requireOutput();
         },
         {.stop = console.around.stop});
    if (totals && shown < totals->messages)
        console.write(text(analysis::counted(shown), " of ", analysis::counted(totals->messages, "message"), " shown"));
    if (actions.contains(engine::Action::append))
        console.write("right operand: the receiver combines its partial result (left) with the arriving one (right)");
    if (actions.contains(engine::Action::prepend))
        console.write("left operand: the receiver combines the arriving partial result (left) with its own (right)");
    if (actions.contains(engine::Action::keep)) console.write("stored: the receiver stores it without combining");
    if (isBarrier) console.write("ranks entered: the message reports that these ranks have entered the barrier");
    if (isAlltoall) console.write("0 to 1: the contribution of rank 0 for rank 1");
}

}  // namespace app::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "app/teaching/lessons/lesson_facts.hpp"

#include "app/session/options/specification.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <set>

namespace app::gui {
namespace {

using engine::Error;
using engine::Picoseconds;
using engine::Rank;

std::string listed(const std::set<std::int64_t>& numbers) {
    std::string words;
    for (const std::int64_t number : numbers) words += engine::text(words.empty() ? "" : " ", number);
    return words.empty() ? "none" : words;
}

/// One claim, taken apart: its words, and the numbers among them.
class Claim {
public:
    explicit Claim(const std::string& words) {
        for (const std::string& word : engine::split(words, ' ')) {
            const bool number =
                !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
            if (word == "#") throw Error{"'#' is no word of a claim"};
            if (number) numbers_.push_back(engine::readInteger(word, "fact", 0, 1 << 20));
            form_ += (form_.empty() ? "" : " ") + (number ? std::string{"#"} : word);
        }
    }
    /// "holders of block #".
    [[nodiscard]] const std::string& form() const { return form_; }
    /// Throws Error for a rank, round or block that the run has not.
    void requireWithin(const DrawableRun& subject) const {
        const std::vector<std::string> words = engine::split(form_, ' ');
        std::size_t place = 0;
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (words[i] != "#") continue;
            const std::string what = i > 0 ? words[i - 1] : "";
            const std::int64_t number = numbers_[place++];
            const std::int64_t all = what == "block"  ? subject.columns().count()
                                     : what == "rank" ? subject.run().ranks
                                                      : subject.run().rounds;
            // Rounds are counted from 1.
            if (what == "round" ? number < 1 || number > all : number >= all)
                throw Error{engine::text("this run has no ", what, " ", number)};
        }
    }
    [[nodiscard]] std::int64_t number(std::size_t place) const { return numbers_[place]; }
    /// Rounds are counted from 1.
    [[nodiscard]] engine::Round round(std::size_t place) const { return engine::Round{numbers_[place] - 1}; }

private:
    std::string form_;
    std::vector<std::int64_t> numbers_;
};

struct States {
    std::int64_t busy = 0;
    std::int64_t waiting = 0;
    std::int64_t done = 0;
};

States statesAt(const DrawableRun& subject, Picoseconds time) {
    const engine::Messages& messages = subject.run().messages;
    std::set<Rank> moving;
    for (const std::size_t i : subject.messagesAt(time)) {
        if (messages.sendBegin()[i] <= time && time < messages.sendEnd()[i]) moving.insert(messages.from()[i]);
        if (messages.receiveBegin()[i] <= time && time < messages.receiveEnd()[i]) moving.insert(messages.to()[i]);
    }
    States states;
    for (Rank rank{0}; rank.value < subject.run().ranks; ++rank) {
        if (moving.contains(rank) || subject.combines(rank, time)) ++states.busy;
        else if (subject.doneAt(rank) <= time) ++states.done;
        else ++states.waiting;
    }
    return states;
}

bool holds(const DrawableRun& subject, Rank rank, std::int32_t column, Picoseconds time) {
    const analysis::Holding holding = subject.holdings().at(rank, column, time, time);
    return holding.held == holding.size && holding.size > 0;
}

std::set<std::int64_t> holdersOf(const DrawableRun& subject, std::int64_t block, Picoseconds time) {
    std::set<std::int64_t> ranks;
    for (Rank rank{0}; rank.value < subject.run().ranks; ++rank)
        if (holds(subject, rank, static_cast<std::int32_t>(block), time)) ranks.insert(rank.value);
    return ranks;
}

std::set<std::int64_t> blocksAt(const DrawableRun& subject, std::int64_t rank, Picoseconds time) {
    std::set<std::int64_t> blocks;
    for (std::int32_t column = 0; column < subject.columns().count(); ++column)
        if (holds(subject, Rank{static_cast<std::int32_t>(rank)}, column, time)) blocks.insert(column);
    return blocks;
}

/// Of the messages of a round that a rank sends or receives.
template <class What>
std::set<std::int64_t> inRound(const DrawableRun& subject, std::span<const std::uint32_t> its, engine::Round round,
                               What what) {
    std::set<std::int64_t> found;
    for (const std::uint32_t i : its)
        if (subject.run().messages.round()[i] == round) what(i, found);
    return found;
}

Picoseconds middleOf(engine::Round round, const DrawableRun& subject) {
    return momentOf({.where = Stop::Where::middle, .round = round}, subject);
}

std::string yesOrNo(bool yes) { return yes ? "yes" : "no"; }

}  // namespace

std::string valueOf(const std::string& words, const DrawableRun& subject, Picoseconds time) {
    constexpr std::string_view faster = "faster than ";
    const engine::Run& run = subject.run();
    if (words.starts_with(faster))
        return yesOrNo(run.duration < execute(specified(words.substr(faster.size())).run).run->duration);
    const Claim claim{words};
    claim.requireWithin(subject);
    const std::string& form = claim.form();
    const auto rank = [&] { return Rank{static_cast<std::int32_t>(claim.number(0))}; };
    if (form == "ranks") return std::to_string(run.ranks);
    if (form == "group A" && subject.problem()) return std::to_string(subject.problem()->groupA);
    if (form == "group B" && subject.problem()) return std::to_string(subject.problem()->groupB);
    if (form == "blocks") return std::to_string(subject.columns().count());
    if (form == "rounds") return std::to_string(run.rounds);
    if (form == "least rounds" && subject.report().limits)
        return std::to_string(subject.report().limits->held().rounds.value);
    if (form == "messages in round #") return std::to_string(run.perRound.at(claim.round(0).index()).messages);
    if (form == "in flight") return std::to_string(subject.messagesAt(time).size());
    if (form == "busy") return std::to_string(statesAt(subject, time).busy);
    if (form == "waiting") return std::to_string(statesAt(subject, time).waiting);
    if (form == "still") return std::to_string(run.ranks - statesAt(subject, time).busy);
    if (form == "waiting in round #")
        return std::to_string(statesAt(subject, middleOf(claim.round(0), subject)).waiting);
    if (form == "still in round #")
        return std::to_string(run.ranks - statesAt(subject, middleOf(claim.round(0), subject)).busy);
    if (!subject.holdings().unknown().empty() &&
        (form.starts_with("blocks at") || form.find("holders") != std::string::npos))
        throw Error{subject.holdings().unknown()};
    if (form == "holders of block #") return listed(holdersOf(subject, claim.number(0), time));
    if (form == "number of holders of block #") return std::to_string(holdersOf(subject, claim.number(0), time).size());
    if (form == "blocks at rank #") return listed(blocksAt(subject, claim.number(0), time));
    if (form == "received by rank # in round #")
        return listed(inRound(subject, subject.receivedBy(rank()), claim.round(1), [&](std::uint32_t i, auto& found) {
            for (std::int32_t column = 0; column < subject.columns().count(); ++column)
                if (subject.carries(i, column)) found.insert(column);
        }));
    if (form == "senders to rank # in round #")
        return listed(inRound(subject, subject.receivedBy(rank()), claim.round(1),
                              [&](std::uint32_t i, auto& found) { found.insert(run.messages.from()[i].value); }));
    if (form == "receivers from rank # in round #")
        return listed(inRound(subject, subject.sentBy(rank()), claim.round(1),
                              [&](std::uint32_t i, auto& found) { found.insert(run.messages.to()[i].value); }));
    const auto inContributions = [&](double bytes) {
        const engine::Bytes one = subject.problem()->layout.largest();
        return engine::showNumber(bytes / static_cast<double>(std::max<engine::Bytes>(1, one)), 4);
    };
    if (form == "serialized bytes" && subject.problem())
        return inContributions(static_cast<double>(subject.report().serializedBytes()));
    if (const auto* cut = subject.report().binding(); cut != nullptr && subject.problem()) {
        if (form == "links of the cut") return std::to_string(cut->links.size());
        if (form == "must cross the cut") return inContributions(cut->bytes);
        if (form == "crosses the cut") return inContributions(static_cast<double>(subject.report().bindingLoad()->all));
    }
    if (form == "held in vain") return yesOrNo(subject.holdings().coverageAt(time).through);
    throw Error{engine::text("'", words, "' claims nothing that is known of this run")};
}

std::optional<Mistake> mistakeIn(const Stop& stop, const DrawableRun& subject) {
    const engine::Run& run = subject.run();
    if (stop.rank && stop.rank->value >= run.ranks)
        return Mistake{stop.lineOf("rank"),
                       engine::text("'rank: ", stop.rank->value, "', but its run has ", run.ranks, " ranks")};
    const bool ofRound = stop.where == Stop::Where::round || stop.where == Stop::Where::middle;
    if (ofRound && stop.round.value >= run.rounds)
        return Mistake{stop.lineOf("at"),
                       engine::text("'at: round ", stop.round.value + 1, "', but its run has ", run.rounds, " rounds")};
    if (stop.question && !canBeAsked(subject, *stop.question))
        return Mistake{stop.lineOf("ask"),
                       engine::text("'", inWords(subject, *stop.question).toStdString(), "' has no answer in its run")};
    const Picoseconds time = stop.question ? askedAt(*stop.question, stop, subject) : momentOf(stop, subject);
    for (const Fact& fact : stop.facts) {
        const auto wrong = [&](const std::string& why) {
            return Mistake{fact.line, engine::text("fact '", fact.words.toStdString(), "': ", why)};
        };
        if (!stop.text.simplified().contains(fact.words))
            return wrong(
                "the text of the stop does not contain these "
                "words");
        if (fact.claim == Fact::general) continue;
        try {
            const std::string is = valueOf(fact.claim, subject, time);
            if (is != fact.value) return wrong(engine::text(fact.claim, " is ", is, ", not ", fact.value));
        } catch (const Error& error) {
            return wrong(error.words());
        }
    }
    return std::nullopt;
}

void requireTrue(const Lesson& lesson, const Stop& stop, const DrawableRun& subject) {
    if (const std::optional<Mistake> mistake = mistakeIn(stop, subject))
        throw Error{engine::text("lesson ", lesson.name, ", line ", mistake->line, ": ", mistake->words)};
}

}  // namespace app::gui

// SPDX-License-Identifier: BSD-3-Clause
#include "app/teaching/lessons/quiz_question.hpp"

#include "app/gui/scenes/text/run_text.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace app::gui {
namespace {

using engine::Rank;
using engine::Round;
using Kind = Question::Kind;

constexpr std::size_t mostChoices = 12;

QString translated(const char* words) { return QCoreApplication::translate("Question", words); }

/// Messages of the round that the question is about.
std::vector<std::size_t> concerned(const DrawableRun& subject, const Question& question) {
    const engine::Messages& messages = subject.run().messages;
    std::vector<std::size_t> found;
    const auto keep = [&](std::span<const std::uint32_t> all) {
        for (const std::uint32_t i : all)
            if (messages.round()[i] == question.round) found.push_back(i);
    };
    if (question.kind == Kind::receiver) keep(subject.sentBy(question.rank));
    else keep(subject.receivedBy(question.rank));
    return found;
}

/// Columns that a message carries something of.
std::set<std::int64_t> columnsOf(const DrawableRun& subject, std::size_t message) {
    std::set<std::int64_t> found;
    for (const engine::Range range : subject.run().messages.what(message)) {
        if (range.empty()) continue;
        const std::int32_t last = subject.columns().columnAt(range.end - 1);
        for (std::int32_t column = subject.columns().columnAt(range.begin); column <= last; ++column)
            found.insert(column);
    }
    return found;
}

std::vector<engine::Bytes> loadsOf(const DrawableRun& subject, Round round) {
    return emulation::loadsInRound(subject.run(), *subject.report().network, round);
}

/// What a click must mean to be right.
std::set<std::int64_t> rightAnswers(const DrawableRun& subject, const Question& question) {
    std::set<std::int64_t> right;
    if (question.kind == Kind::link) {
        const std::vector<engine::Bytes> loads = loadsOf(subject, question.round);
        const engine::Bytes most = loads.empty() ? 0 : *std::max_element(loads.begin(), loads.end());
        for (std::size_t link = 0; most > 0 && link < loads.size(); ++link)
            if (loads[link] == most) right.insert(static_cast<std::int64_t>(link));
        return right;
    }
    for (const std::size_t message : concerned(subject, question)) {
        if (question.kind == Kind::block) right.merge(columnsOf(subject, message));
        if (question.kind == Kind::sender) right.insert(subject.run().messages.from()[message].value);
        if (question.kind == Kind::receiver) right.insert(subject.run().messages.to()[message].value);
    }
    return right;
}

Meaning::Kind asked(Kind kind) {
    if (kind == Kind::block) return Meaning::Kind::block;
    return kind == Kind::link ? Meaning::Kind::link : Meaning::Kind::rank;
}

QString linkWords(const DrawableRun& subject, std::int64_t link) {
    return linkName(*subject.report().network, engine::LinkId{static_cast<std::int32_t>(link)});
}

/// What really happens, as a sentence.
QString truth(const DrawableRun& subject, const Question& question) {
    if (question.kind == Kind::link) {
        const std::set<std::int64_t> right = rightAnswers(subject, question);
        const std::vector<engine::Bytes> loads = loadsOf(subject, question.round);
        const QString bytes = bytesInWords(loads[static_cast<std::size_t>(*right.begin())]);
        if (right.size() == 1)
            return translated("Link %1 carries most in round %2: %3.")
                .arg(linkWords(subject, *right.begin()))
                .arg(question.round.value + 1)
                .arg(bytes);
        return translated("%1 links carry most in round %2, %3 each; %4 is one of them.")
            .arg(right.size())
            .arg(question.round.value + 1)
            .arg(bytes, linkWords(subject, *right.begin()));
    }
    QStringList parts;
    for (const std::size_t i : concerned(subject, question)) {
        const engine::MessageRecord message = subject.run().messages[i];
        parts += translated("rank %1 sends %2 to rank %3")
                     .arg(message.from.value)
                     .arg(subject.cargoInWords(i))
                     .arg(message.to.value);
    }
    return translated("In round %1 %2.").arg(question.round.value + 1).arg(parts.join(translated(", ")));
}

/// What a rank that was taken for the sender (or receiver) does in that round.
QString deedOf(const DrawableRun& subject, const Question& question, Rank rank) {
    const engine::Messages& messages = subject.run().messages;
    const qlonglong round = question.round.value + 1;
    if (rank == question.rank) return translated("No rank sends to itself.");
    const bool sends = question.kind == Kind::sender;
    for (const std::uint32_t i : sends ? subject.sentBy(rank) : subject.receivedBy(rank))
        if (messages.round()[i] == question.round)
            return (sends ? translated("In round %1 rank %2 sends %3, but to rank %4.")
                          : translated("In round %1 rank %2 receives %3, but from rank %4."))
                .arg(round)
                .arg(rank.value)
                .arg(subject.cargoInWords(i))
                .arg((sends ? messages.to() : messages.from())[i].value);
    return (sends ? translated("Rank %1 sends nothing in round %2.")
                  : translated("Rank %1 receives nothing in round %2."))
        .arg(rank.value)
        .arg(round);
}

/// When the rank gets a block that it does not get in that round.
QString comingOf(const DrawableRun& subject, const Question& question, std::int32_t column) {
    const QString name = QString::fromStdString(subject.columns().name(column));
    const int rank = question.rank.value;
    if (subject.holdings().at(question.rank, column, engine::Picoseconds{-1}, engine::Picoseconds{}).held > 0)
        return translated("Rank %1 has %2 from the start.").arg(rank).arg(name);
    for (const std::uint32_t i : subject.receivedBy(question.rank)) {
        if (!subject.carries(i, column)) continue;
        const Round round = subject.run().messages.round()[i];
        return (round < question.round ? translated("Rank %1 got %2 in round %3 already.")
                                       : translated("Rank %1 gets %2 in round %3 only."))
            .arg(rank)
            .arg(name)
            .arg(round.value + 1);
    }
    return translated("Rank %1 never gets %2.").arg(rank).arg(name);
}

/// What is true of a wrong answer.
QString mistakeIn(const DrawableRun& subject, const Question& question, std::int64_t answer) {
    const auto number = static_cast<std::int32_t>(answer);
    if (question.kind == Kind::block) return comingOf(subject, question, number);
    if (question.kind != Kind::link) return deedOf(subject, question, Rank{number});
    const engine::Bytes bytes = loadsOf(subject, question.round)[static_cast<std::size_t>(answer)];
    const qlonglong round = question.round.value + 1;
    if (bytes == 0)
        return translated("Nothing crosses link %1 in round %2.").arg(linkWords(subject, answer)).arg(round);
    return translated("Link %1 carries %2 in round %3; another one more.")
        .arg(linkWords(subject, answer), bytesInWords(bytes))
        .arg(round);
}

}  // namespace

bool canBeAsked(const DrawableRun& subject, const Question& question) {
    const engine::Run& run = subject.run();
    if (question.round.value < 0 || question.round.value >= run.rounds || run.droppedMessages > 0) return false;
    if (question.kind == Kind::link)
        return subject.report().network && subject.report().network->links() > 0 &&
               !rightAnswers(subject, question).empty();
    if (question.rank.value < 0 || question.rank.value >= run.ranks) return false;
    if (question.kind == Kind::block && (subject.columns().count() < 2 || !subject.holdings().unknown().empty()))
        return false;
    return !rightAnswers(subject, question).empty();
}

QString inWords(const DrawableRun& subject, const Question& question) {
    const qlonglong round = question.round.value + 1;
    switch (question.kind) {
        case Kind::block:
            return translated("Which %1 does rank %2 receive in round %3?")
                .arg(QString::fromStdString(subject.columns().singular()))
                .arg(question.rank.value)
                .arg(round);
        case Kind::sender:
            return translated("Which rank sends to rank %1 in round %2?").arg(question.rank.value).arg(round);
        case Kind::receiver:
            return translated("To which rank does rank %1 send in round %2?").arg(question.rank.value).arg(round);
        case Kind::link: return translated("Which link carries most bytes in round %1?").arg(round);
    }
    return {};
}

QString howToAnswer(const Question& question) {
    switch (question.kind) {
        case Kind::block: return translated("Click its column in Block ownership, or choose here.");
        case Kind::sender:
        case Kind::receiver: return translated("Click the rank in a picture, or choose here.");
        case Kind::link: return translated("Click the link in the network, or choose here.");
    }
    return {};
}

std::vector<Choice> choices(const DrawableRun& subject, const Question& question) {
    const std::set<std::int64_t> right = rightAnswers(subject, question);
    std::int64_t all = subject.run().ranks;
    if (question.kind == Kind::block) all = subject.columns().count();
    if (question.kind == Kind::link) all = subject.report().network->links();
    // The right ones, and others spread evenly.
    std::set<std::int64_t> offered;
    for (const std::int64_t answer : right) {
        if (offered.size() * 2 >= mostChoices) break;
        offered.insert(answer);
    }
    const std::int64_t step = std::max<std::int64_t>(1, all / static_cast<std::int64_t>(mostChoices));
    for (std::int64_t answer = 0; answer < all && offered.size() < mostChoices; answer += step)
        if (asked(question.kind) != Meaning::Kind::rank || answer != question.rank.value) offered.insert(answer);
    std::vector<Choice> found;
    for (const std::int64_t answer : offered) {
        Choice choice{{}, {asked(question.kind), answer, -1}};
        if (question.kind == Kind::block) {
            choice.words = QString::fromStdString(subject.columns().name(static_cast<std::int32_t>(answer)));
            choice.meaning.second = question.rank.value;
        } else if (question.kind == Kind::link) {
            choice.words = linkWords(subject, answer);
        } else {
            choice.words = translated("rank %1").arg(answer);
        }
        found.push_back(choice);
    }
    return found;
}

std::optional<Judgement> judge(const DrawableRun& subject, const Question& question, const Meaning& answer) {
    if (answer.kind != asked(question.kind)) return std::nullopt;
    const std::set<std::int64_t> right = rightAnswers(subject, question);
    if (right.empty()) return std::nullopt;
    const bool isRight = right.contains(answer.index);
    return Judgement{isRight, truth(subject, question),
                     isRight ? QString{} : mistakeIn(subject, question, answer.index)};
}

std::optional<Question> questionFor(const DrawableRun& subject, Round round, int turn) {
    const engine::Messages& messages = subject.run().messages;
    const auto [first, last] = std::equal_range(messages.round().begin(), messages.round().end(), round);
    const auto count = last - first;
    if (count == 0) return std::nullopt;
    const auto message = static_cast<std::size_t>(first - messages.round().begin() + (turn * 7 + 3) % count);
    // One kind after the other; those that cannot be asked here are passed over.
    constexpr int kinds = 4;
    for (int attempt = 0; attempt < kinds; ++attempt) {
        const auto kind = static_cast<Kind>((turn + attempt) % kinds);
        const Rank rank = kind == Kind::receiver ? messages.from()[message] : messages.to()[message];
        const Question question{kind, rank, round};
        if (canBeAsked(subject, question)) return question;
    }
    return std::nullopt;
}

}  // namespace app::gui

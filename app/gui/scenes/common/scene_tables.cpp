// SPDX-License-Identifier: BSD-3-Clause
// The network, the space-time diagram and the holdings as tables.
#include "app/gui/scenes/text/rank_glyphs.hpp"
#include "app/gui/scenes/text/run_text.hpp"

namespace app::gui {

using engine::Rank;

namespace {

QString numbersOf(const std::vector<std::int32_t>& numbers) {
    QStringList words;
    for (const std::int32_t number : numbers) words << QString::number(number);
    return words.isEmpty() ? QStringLiteral("\u2013") : words.join(QStringLiteral(", "));
}

}  // namespace

Table networkTable(const DrawableRun& subject, const ViewState& state) {
    const engine::Messages& messages = subject.run().messages;
    const auto ranks = static_cast<std::size_t>(subject.run().ranks);
    std::vector<std::vector<std::int32_t>> to(ranks);
    std::vector<std::vector<std::int32_t>> from(ranks);
    for (const std::size_t i : subject.messagesAt(state.time)) {
        to[messages.from()[i].index()].push_back(messages.to()[i].value);
        from[messages.to()[i].index()].push_back(messages.from()[i].value);
    }
    Table table{{QStringLiteral("Rank"), QStringLiteral("Group"), QStringLiteral("Sends to"),
                 QStringLiteral("Receives from"), QStringLiteral("Done at")},
                {},
                0};
    for (std::size_t number = 0; number < ranks; ++number) {
        const Rank rank{static_cast<std::int32_t>(number)};
        table.add({QString::number(number), nameOf(subject, subject.sideOf(rank)), numbersOf(to[number]),
                   numbersOf(from[number]), timeInWords(subject.doneAt(rank))});
    }
    return table;
}

Table spaceTimeTable(const DrawableRun& subject, const ViewState&) {
    Table table{{QStringLiteral("Round"), QStringLiteral("From"), QStringLiteral("To"), QStringLiteral("Carries"),
                 QStringLiteral("Bytes"), QStringLiteral("Begins"), QStringLiteral("Ends")},
                {},
                subject.run().droppedMessages};
    const engine::Messages& messages = subject.run().messages;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        if (table.rows.size() == Table::most) {
            table.left += static_cast<std::int64_t>(messages.size() - i);
            break;
        }
        const engine::MessageRecord message = messages[i];
        table.add({subject.hasRounds() ? QString::number(message.round.value + 1) : QString{},
                   QString::number(message.from.value), QString::number(message.to.value), subject.cargoInWords(i),
                   bytesInWords(message.bytes), timeInWords(message.sendBegin), timeInWords(message.receiveEnd)});
    }
    return table;
}

Table holdingsTable(const DrawableRun& subject, const ViewState& state) {
    Table table{
        {QStringLiteral("Rank"), QStringLiteral("Of"), QStringLiteral("Needed"), QStringLiteral("Held")}, {}, 0};
    if (subject.columns().count() == 0 || !subject.holdings().unknown().empty()) return table;
    const auto percent = [](engine::Bytes part, engine::Bytes whole) {
        return QStringLiteral("%1%").arg(whole == 0 ? 100 : part * 100 / whole);
    };
    for (std::int32_t rank = 0; rank < subject.run().ranks; ++rank)
        for (std::int32_t column = 0; column < subject.columns().count(); ++column) {
            const analysis::Holding cell =
                subject.holdings().at(Rank{rank}, column, state.time, engine::Picoseconds::max());
            if (cell.needed == 0 && cell.held == 0) continue;
            table.add({QString::number(rank), QString::fromStdString(subject.columns().name(column)),
                       percent(cell.needed, cell.size),
                       percent(cell.held, cell.size) + (cell.again ? QStringLiteral(", came twice") : QString{})});
        }
    return table;
}

}  // namespace app::gui

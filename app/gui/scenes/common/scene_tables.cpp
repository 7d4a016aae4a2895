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
    return words.join(QStringLiteral(", "));
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
    Table table = tableWith({{"rank", Content::rank},
                             {"group"},
                             {"sends to"},
                             {"receives from"},
                             {"finished_s", Content::time, "finished at"}});
    for (std::size_t number = 0; number < ranks; ++number) {
        const Rank rank{static_cast<std::int32_t>(number)};
        table.rows.push_back({engine::cell(rank), cellOf(nameOf(subject, subject.sideOf(rank))),
                              cellOf(numbersOf(to[number])), cellOf(numbersOf(from[number])), subject.doneAt(rank)});
    }
    return table;
}

Table runTimelineTable(const DrawableRun& subject, const ViewState&) {
    Table table = tableWith({{"round", Content::round},
                             {"from", Content::rank},
                             {"to", Content::rank},
                             {"carries"},
                             {"bytes", Content::bytes},
                             {"begin_s", Content::time},
                             {"end_s", Content::time}});
    const engine::Messages& messages = subject.run().messages;
    const std::size_t kept = std::min(messages.size(), mostTableRows);
    for (std::size_t i = 0; i < kept; ++i) {
        const engine::MessageRecord message = messages[i];
        table.rows.push_back({subject.hasRounds() ? engine::cell(message.round) : engine::Cell{},
                              engine::cell(message.from), engine::cell(message.to), cellOf(subject.cargoInWords(i)),
                              message.bytes, message.sendBegin, message.receiveEnd});
    }
    leaveOut(table, subject.run().droppedMessages + static_cast<std::int64_t>(messages.size() - kept));
    return table;
}

Table holdingsTable(const DrawableRun& subject, const ViewState& state) {
    Table table = tableWith({{"rank", Content::rank}, {"of"}, {"needed"}, {"held"}});
    if (subject.columns().count() == 0 || !subject.holdings().unknown().empty()) return table;
    const auto percent = [](engine::Bytes part, engine::Bytes whole) {
        return engine::text(whole == 0 ? 100 : part * 100 / whole, "%");
    };
    for (std::int32_t rank = 0; rank < subject.run().ranks; ++rank)
        for (std::int32_t column = 0; column < subject.columns().count(); ++column) {
            const analysis::Holding cell =
                subject.holdings().at(Rank{rank}, column, state.time, engine::Picoseconds::max());
            if (cell.needed == 0 && cell.held == 0) continue;
            table.rows.push_back({std::int64_t{rank}, cellOf(subject.columnName(column)),
                                  percent(cell.needed, cell.size),
                                  percent(cell.held, cell.size) + (cell.again ? ", came twice" : "")});
        }
    return table;
}

}  // namespace app::gui

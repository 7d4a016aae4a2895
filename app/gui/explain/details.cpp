// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/explain/details.hpp"

#include "app/analysis/overview/missing_data.hpp"
#include "app/gui/explain/details_page.hpp"
#include "app/gui/scenes/common/annotation_notes.hpp"
#include "app/gui/scenes/text/run_text.hpp"

namespace app::gui {
namespace {

/// Whether `asked` speaks of what a veil hides.
bool veiled(const DrawableRun& subject, const ViewState& state, const Meaning& asked) {
    if (!state.veil) return false;
    return asked.kind != Meaning::Kind::message ||
           subject.run().messages.sendBegin()[static_cast<std::size_t>(asked.index)] >= *state.veil;
}

/// Of a trace, before anything is asked: what it does not say.
QString notRecordedInWords(const DrawableRun& subject) {
    if (subject.hasRounds()) return {};
    QString lines;
    for (const std::string& clause : analysis::notRecordedInBrief(subject.queue()->trace()))
        lines += QStringLiteral("<li>%1</li>").arg(inHtml(clause));
    return lines.isEmpty() ? QString{} : detail("<p><b>Not recorded in this trace</b></p><ul>%1</ul>").arg(lines);
}

}  // namespace

DetailsPage pageOfNote(const DrawableRun& subject, const ViewState& state, std::size_t number) {
    const Mark& mark = state.marks[number];
    DetailsPage page{detail("Note"), state.dark};
    page.row(detail("Text"), QString::fromStdString(mark.note).toHtmlEscaped());
    page.row(detail("Place"), mark.rank ? linkTo(*mark.rank) : whereInWords(subject, mark).toHtmlEscaped());
    page.row(detail("Moment"), timeInWords(mark.time));
    page.row(detail("Edit"), detail("a double click, Enter or Notes; Delete removes it, Ctrl+Z restores it"));
    return page;
}

QString detailsOf(const DrawableRun& subject, const ViewState& state) {
    if (!state.asked)
        return (subject.isProgram()
                    ? detail(
                          "<p>Click a rank, a message, a call, a hatched stretch of waiting, an iteration or a call path. This panel then shows its values, their causes and effects.</p>")
                    : detail(
                          "<p>Click a rank, a message, a link, a hatched stretch of waiting, a block in Block ownership, a bound, or a part of the time below the headline. This panel then shows its values, their causes and effects.</p>")) +
               notRecordedInWords(subject);
    if (veiled(subject, state, *state.asked)) return QStringLiteral("<p>%1</p>").arg(hiddenWords());
    const Meaning& asked = *state.asked;
    const auto number = static_cast<std::int32_t>(asked.index);
    switch (asked.kind) {
        case Meaning::Kind::rank: return pageOfRank(subject, engine::Rank{number}, state.dark).html();
        case Meaning::Kind::still:
            return pageOfStill(subject, engine::Rank{number}, engine::Picoseconds{asked.second}, state.dark).html();
        case Meaning::Kind::message:
            return pageOfMessage(subject, static_cast<std::uint32_t>(asked.index), state.dark).html();
        case Meaning::Kind::link:
            return pageOfLink(subject, engine::LinkId{number}, subject.roundAt(state.time), state.dark).html();
        case Meaning::Kind::block: return pageOfBlock(subject, number, state.dark).html();
        case Meaning::Kind::bound: return pageOfBound(subject, asked.index, state.dark).html();
        case Meaning::Kind::cause: return pageOfCause(subject, asked.index, state.dark).html();
        case Meaning::Kind::call:
        case Meaning::Kind::wait:
        case Meaning::Kind::own:
        case Meaning::Kind::collective:
        case Meaning::Kind::iteration:
        case Meaning::Kind::metric:
        case Meaning::Kind::path: return pageOfProgram(subject, asked, state.dark).html();
        case Meaning::Kind::note: return pageOfNote(subject, state, static_cast<std::size_t>(asked.index)).html();
        case Meaning::Kind::group:
        case Meaning::Kind::stage:
        case Meaning::Kind::round:
        case Meaning::Kind::axis:
        case Meaning::Kind::none: break;
    }
    return {};
}

}  // namespace app::gui

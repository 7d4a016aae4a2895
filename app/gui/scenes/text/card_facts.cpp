// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/text/card_facts.hpp"

#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/text/run_text.hpp"

namespace app::gui {

QString roundFact(const DrawableRun& subject, const ViewState& state) {
    if (!subject.hasRounds()) return {};
    QString words = roundsOf(subject, state.time);
    if (!words.isEmpty()) words[0] = words[0].toLower();
    return words;
}

QString momentFact(const DrawableRun& subject, const ViewState& state) {
    return subject.isProgram() ? timeInWords(state.time) : roundFact(subject, state);
}

QString timeFact(const DrawableRun& subject, const ViewState&) { return timeInWords(subject.run().duration); }

QString roundsFact(const DrawableRun& subject, const ViewState&) {
    if (!subject.hasRounds()) return {};
    const Report& report = subject.report();
    const QString all = countedInWords(subject.run().rounds, QStringLiteral("round"), QStringLiteral("rounds"));
    if (!report.limits) return all;
    return all + QStringLiteral(", %1 ").arg(toQt(analysis::shortNameOfBound(report.limits->blocks))) +
           countInWords(report.limits->held().rounds.value);
}

QString chosenFact(const DrawableRun& subject, const ViewState& state) {
    if (state.block) return wordsFor(subject, {Meaning::Kind::block, *state.block, -1});
    if (state.rank) return QStringLiteral("rank %1").arg(state.rank->value);
    return {};
}

}  // namespace app::gui

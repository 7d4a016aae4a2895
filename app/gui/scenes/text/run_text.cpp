// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/text/run_text.hpp"

#include "app/analysis/selection/partial_runs.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/text/activity_shares.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/rank_glyphs.hpp"
#include "app/gui/scenes/text/summary.hpp"
#include "app/session/options/recorded.hpp"
#include "app/session/options/run_in_brief.hpp"
#include "emulation/networks/rank_placement.hpp"
#include "engine/base/text.hpp"

#include <QRegularExpression>

namespace app::gui {
namespace {

/// "L = 5 us, o = 1 us, g = 2 us, G = 1 ns/B": what is 0 of g and O is left out.
QString logGPInWords(const engine::LogGP& model) {
    const auto rate = [](engine::Rate its) { return QString::fromStdString(engine::showRate(its)); };
    QString words = QStringLiteral("L = %1, o = %2").arg(timeInWords(model.latency), timeInWords(model.overhead));
    if (model.gap.count() > 0) words += QStringLiteral(", g = ") + timeInWords(model.gap);
    words += QStringLiteral(", G = ") + rate(model.gapPerByte);
    if (model.overheadPerByte.femtosecondsPerByte > 0) words += QStringLiteral(", O = ") + rate(model.overheadPerByte);
    return words;
}

/// From the name: "full", "torus:4x4", "fat-tree:4x4 placement=snake".
QString networkInWords(const emulation::NetworkPtr& network) {
    if (network == nullptr) return {};
    const QString name = QString::fromStdString(network->name()).section(' ', 0, 0);
    const QString kind = name.section(':', 0, 0);
    QString sizes = name.section(':', 1);
    if (kind == QLatin1String("graph")) return QStringLiteral(" on the network of ") + sizes.section('/', -1);
    if (kind == QLatin1String("torus") || kind == QLatin1String("mesh"))
        return QStringLiteral(" on a %1 of %2").arg(kind, sizes.replace('x', QChar{0xd7}));
    if (kind == QLatin1String("cluster"))
        return QStringLiteral(" on a cluster of nodes with %1 %2 each")
            .arg(sizes.section(',', 0, 0), sizes.section(',', 0, 0) == QLatin1String("1") ? "rank" : "ranks");
    QString words = QStringLiteral("a ") + QString{kind}.replace('-', ' ');
    for (const emulation::Topology& topology : emulation::topologies())
        if (toQt(topology.name) == kind && !topology.spoken.empty()) words = toQt(topology.spoken);
    return QStringLiteral(" on ") + words + (sizes.isEmpty() ? QString{} : QStringLiteral(" (%1)").arg(sizes));
}

/// The conditions that few runs have, as the set-up calls them; late and slow parts in words. Costs and places are
/// distinguished.
QStringList unusualOf(const Report& report) {
    const std::optional<RunWish> wish = report.plan ? wishBehind(report) : std::nullopt;
    QStringList words;
    if (!wish) return words;
    for (const Chip& chip : chipsOf(*wish, report.plan->problem.collective)) {
        const fields::Entry& field = *chip.field;
        const bool isElsewhere =
            field.now != nullptr || field.key == "model" || field.key == "loggp" || field.key == "gamma";
        const bool isUneven = field.key == "arrival" || field.key == "slow-ranks" || field.key == "slow-links";
        if (field.part != fields::Part::execution || isElsewhere || isUneven) continue;
        words << toQt(chip.label).toLower() + ' ' + toQt(chip.words);
    }
    if (const QString uneven = perturbationInWords(report.run->setting.perturbation); !uneven.isEmpty())
        words << uneven;
    return words;
}

/// ", 10 segments" of a vector or message that is cut by the algorithm's own choice; empty where options say it.
QString segmentsOf(const DrawableRun& subject) {
    const analysis::Columns& columns = subject.columns();
    if (columns.kind() != analysis::Columns::Kind::segments || columns.uncut() ||
        subject.run().setting.options.find("segments=") != std::string::npos)
        return {};
    return QStringLiteral(", ") +
           countedInWords(columns.firstIn(columns.count()), QStringLiteral("segment"), QStringLiteral("segments"));
}

QString rankWords(const DrawableRun& subject, engine::Rank rank) {
    QString words = QStringLiteral("rank %1").arg(rank.value);
    const QString side = nameOf(subject, subject.sideOf(rank));
    if (!side.isEmpty()) words += QStringLiteral(" (%1)").arg(side);
    if (const analysis::TracedProgram* program = knownProgramOf(subject))
        return words + QStringLiteral(": ") + spentInWords(subject, *program, rank).join(QStringLiteral("; "));
    if (rank.index() < subject.rankTimeBreakdowns().size()) {
        const analysis::RankTimeBreakdown& times = subject.rankTimeBreakdowns()[rank.index()];
        if (times.notYetEntered.count() > 0)
            words += QStringLiteral(", there from %1 on").arg(timeInWords(times.notYetEntered));
        words += QStringLiteral(": busy %1, %2 %3, %4 %5")
                     .arg(timeInWords(times.busy), betweenWords(subject), timeInWords(times.noCommunication),
                          afterwardsWords(subject), timeInWords(times.finishedEarly));
    }
    return words;
}

QString messageWords(const DrawableRun& subject, std::size_t index) {
    const engine::MessageRecord message = subject.run().messages[index];
    // Rounds of other tools' traces are not recorded.
    const QString round = !subject.hasRounds() ? QString{} : QStringLiteral("round %1: ").arg(message.round.value + 1);
    return QStringLiteral("%1%2 from rank %3 to rank %4, %5, %6 to %7")
        .arg(round, subject.cargoInWords(index))
        .arg(message.from.value)
        .arg(message.to.value)
        .arg(bytesInWords(message.bytes), timeInWords(message.sendBegin), timeInWords(message.receiveEnd));
}

QString linkWords(const DrawableRun& subject, std::int64_t link) {
    const Report& report = subject.report();
    if (report.network == nullptr) return {};
    const engine::LinkId id{static_cast<std::int32_t>(link)};
    QString words = QStringLiteral("link %1").arg(QString::fromStdString(report.network->linkName(id)));
    if (report.congestion && static_cast<std::size_t>(link) < report.congestion->perLink.size())
        words += QStringLiteral(": %1 in the whole run")
                     .arg(bytesInWords(report.congestion->perLink[static_cast<std::size_t>(link)]));
    return words;
}

}  // namespace

QString betweenWords(const DrawableRun& subject) { return nameOf(betweenState(subject)); }

QString afterwardsWords(const DrawableRun& subject) {
    return subject.isUnfinished() ? QStringLiteral("finished or not yet used") : QStringLiteral("finished early");
}

bool hasProcessorTime(const DrawableRun& subject) {
    const Report& report = subject.report();
    return report.model && report.model->logGP && subject.run().setting.on == "virtual";
}

QString stillName(const DrawableRun& subject) {
    if (knownProgramOf(subject) != nullptr) return QStringLiteral("ranks wait");
    if (hasProcessorTime(subject)) return QStringLiteral("processors are idle");
    return analysis::timesAreCalls(subject.run()) ? QStringLiteral("ports are idle") : QStringLiteral("ranks are idle");
}

QString stillInWords(const DrawableRun& subject) {
    if (knownProgramOf(subject) != nullptr)
        return QStringLiteral("share of total rank time in which ranks waited for others, in calls");
    if (analysis::timesAreCalls(subject.run()))
        return QStringLiteral("share of total rank time in which no port moved anything");
    return (hasProcessorTime(subject)
                ? QStringLiteral(
                      "share of total rank time in which processors were idle, while ports may have worked: ")
                : QStringLiteral(
                      "share of total rank time in which ranks neither transferred nor combined data, nor computed: ")) +
           toQt(analysis::idleInParts(subject.run()));
}

double stillShareOf(const DrawableRun& subject) {
    const analysis::TracedProgram* const program = knownProgramOf(subject);
    return program != nullptr ? waitingShare(subject, *program) : engine::idleShare(subject.run());
}

QString titleOf(const DrawableRun& subject) {
    const QString where = networkInWords(subject.report().network);
    if (!subject.problem())
        return (subject.report().plan ? QStringLiteral("Messages among %1") : QStringLiteral("A trace of %1"))
                   .arg(ranksInWords(subject)) +
               where;
    const engine::Problem& problem = *subject.problem();
    const QString what = QString::fromUtf8(title(problem.collective)) + where + ": ";
    if (problem.collective == engine::Collective::halfduplexAllgather)
        return what + countedInWords(problem.groupA, "sender", "senders") + ", " +
               countedInWords(problem.groupB, "receiver", "receivers");
    const QString root = hasRoot(problem.collective) ? QStringLiteral(", root %1").arg(problem.root.value) : QString{};
    if (engine::isIntergroup(problem.collective))
        return what + QStringLiteral("groups of %1 and %2 ranks").arg(problem.groupA).arg(problem.groupB) + root;
    return what + countedInWords(problem.ranks(), "rank", "ranks") + root;
}

QString subtitleOf(const DrawableRun& subject) {
    QStringList parts;
    const Report& report = subject.report();
    const std::string& options = subject.run().setting.options;
    if (report.plan)
        parts << QString::fromStdString(report.plan->algorithm->title) +
                     (options.empty() ? QString{} : ", " + QString::fromStdString(options)) + segmentsOf(subject);
    else if (!subject.run().setting.algorithm.empty()) parts << QString::fromStdString(subject.run().setting.algorithm);
    if (subject.problem() && subject.problem()->collective != engine::Collective::barrier) {
        const engine::Layout& layout = subject.problem()->layout;
        const QString size = layout.smallest() == layout.largest()
                                 ? bytesInWords(layout.largest())
                                 : bytesInWords(layout.smallest()) + " to " + bytesInWords(layout.largest());
        parts << size + (layout.count() > 1 ? " per contribution" : "");
    }
    if (subject.problem() && subject.problem()->ports > 1)
        parts << QStringLiteral("%1 ports").arg(subject.problem()->ports);
    if (report.model && report.model->logGP) parts << logGPInWords(*report.model->logGP);
    else if (report.model)
        parts << QStringLiteral("%1 = %2, %3 = %4")
                     .arg(greek("alpha"), timeInWords(report.model->alpha), greek("beta"),
                          QString::fromStdString(engine::showRate(report.model->beta)));
    if (report.model && report.model->gamma.femtosecondsPerByte > 0)
        parts.back() += QStringLiteral(", %1 = %2")
                            .arg(greek("gamma"), QString::fromStdString(engine::showRate(report.model->gamma)));
    const std::string network = report.network ? report.network->name() : "";
    if (const std::string_view placement = emulation::placedNameFrom(network).placement; !placement.empty())
        parts << QStringLiteral("ranks placed ") + toQt(placement);
    parts << unusualOf(report);
    const std::string& on = subject.run().setting.on;
    if (!on.empty()) parts << howTimed(on);
    return parts.join(QStringLiteral("  \u00b7  "));
}

QString perturbationInWords(const std::string& perturbation) {
    engine::Setting setting;
    setting.perturbation = perturbation;
    return withMu(toQt(analysis::perturbationWords(setting))).replace(QStringLiteral("->"), QStringLiteral("\u2192"));
}

QString howTimed(const std::string& on) {
    if (on == "virtual") return QStringLiteral("virtual time");
    if (on == "trace") return QStringLiteral("recorded");
    return QStringLiteral("measured with ") + toQt(on == "mpi" ? "MPI" : on);
}

QString noRoundsInWords() {
    return QStringLiteral(
        "Rounds were not recorded. Table rounds (in the window under Analysis, or open TRACE --tables rounds) has those of "
        "each collective, from the order of its messages.");
}

QString whyNoRounds(const DrawableRun& subject) {
    return !subject.report().fault.empty() ? QStringLiteral("The schedule has no rounds yet.")
                                           : QStringLiteral("Nothing has to be sent.");
}

QString proofInWords(const Report& report) {
    if (!report.verdict || !report.verdict->proved) return {};
    // Messages that were recorded are not themselves proved.
    if (report.run->setting.on == "trace" && report.plan)
        return QStringLiteral("The messages are those of %1, whose schedule is proved.")
            .arg(toQt(report.plan->algorithm->title));
    return QStringLiteral("The schedule is proved: every rank ends with all data that it needs.");
}

QString roundsOf(const DrawableRun& subject, engine::Picoseconds time) {
    if (subject.run().rounds == 0) return QStringLiteral("No rounds");
    const RoundSpan span = subject.roundsAt(time);
    const QString of = countInWords(subject.run().rounds);
    return span.one() ? QStringLiteral("Round %1 of %2").arg(countInWords(span.last.value + 1), of)
                      : QStringLiteral("Rounds %1 to %2 of %3")
                            .arg(countInWords(span.first.value + 1), countInWords(span.last.value + 1), of);
}

QString momentOf(const DrawableRun& subject, engine::Picoseconds time) {
    const engine::Run& run = subject.run();
    const QString now = QStringLiteral("%1 of %2").arg(timeInWords(time), timeInWords(run.duration));
    if (!subject.hasRounds()) return now;
    if (time >= run.duration)
        return QStringLiteral("End, after %1 and %2")
            .arg(countedInWords(run.rounds, "round", "rounds"), timeInWords(run.duration));
    return roundsOf(subject, time) + ", " + now;
}

QString eventsOf(const DrawableRun& subject, engine::Picoseconds time) {
    return eventsOf(subject, subject.messagesAt(time));
}

QString eventsOf(const DrawableRun& subject, const std::vector<std::size_t>& moving) {
    constexpr std::size_t mostNamed = 6;
    if (moving.empty()) return QStringLiteral("No message is in flight.");
    QStringList named;
    for (const std::size_t i : moving) {
        if (static_cast<std::size_t>(named.size()) == mostNamed) break;
        const engine::MessageRecord message = subject.run().messages[i];
        named << QStringLiteral("%1 from %2 to %3")
                     .arg(subject.cargoInWords(i))
                     .arg(message.from.value)
                     .arg(message.to.value);
    }
    const QString rest =
        moving.size() > mostNamed ? QStringLiteral(" and %1 more").arg(moving.size() - mostNamed) : QString{};
    return QStringLiteral("In flight: ") + named.join(QStringLiteral(", ")) + rest + '.';
}

QString hiddenWords() { return QStringLiteral("Hidden until you have answered."); }

QString linkName(const emulation::Network& network, engine::LinkId link) {
    return QString::fromStdString(network.linkName(link)).replace(QStringLiteral("->"), QStringLiteral("\u2192"));
}

namespace {
constexpr int figures = 4;  // of tables, whose rows are compared
}  // namespace

QString bytesInWords(engine::Bytes bytes) { return QString::fromStdString(engine::showBytes(bytes, figures)); }

QString timeInWords(engine::Picoseconds time) {
    return withMu(QString::fromStdString(engine::showTime(time, figures)));
}

QString timeInSentence(engine::Picoseconds time) { return withMu(QString::fromStdString(engine::showTime(time))); }

QString greek(const std::string& words) {
    QString found = QString::fromStdString(words);
    static const std::pair<QString, QString> letters[]{{QStringLiteral("\\balpha\\b"), QStringLiteral("\u03b1")},
                                                       {QStringLiteral("\\bbeta\\b"), QStringLiteral("\u03b2")},
                                                       {QStringLiteral("\\bgamma\\b"), QStringLiteral("\u03b3")}};
    for (const auto& [name, letter] : letters) found.replace(QRegularExpression{name}, letter);
    static const QRegularExpression ceiling{QStringLiteral("ceil\\(([^()]*)\\)")};
    found.replace(ceiling, QStringLiteral("\u2308\\1\u2309"));
    found.replace(QStringLiteral(" - "), QStringLiteral(" \u2212 "));
    return found;
}

QString wordsFor(const DrawableRun& subject, const Meaning& meaning) {
    const auto index = static_cast<std::size_t>(meaning.index);
    switch (meaning.kind) {
        case Meaning::Kind::rank: return rankWords(subject, engine::Rank{static_cast<std::int32_t>(meaning.index)});
        case Meaning::Kind::link: return linkWords(subject, meaning.index);
        case Meaning::Kind::message: return messageWords(subject, index);
        case Meaning::Kind::round: return QStringLiteral("round %1").arg(countInWords(meaning.index + 1));
        case Meaning::Kind::still: return rankWords(subject, engine::Rank{static_cast<std::int32_t>(meaning.index)});
        case Meaning::Kind::block:
            if (meaning.second < 0) return subject.columnName(static_cast<std::int32_t>(meaning.index));
            return QStringLiteral("rank %1, %2")
                .arg(meaning.second)
                .arg(subject.columnName(static_cast<std::int32_t>(meaning.index)));
        case Meaning::Kind::stage: return QString::fromStdString(subject.run().stages[index].name);
        case Meaning::Kind::call:
        case Meaning::Kind::wait:
        case Meaning::Kind::collective:
        case Meaning::Kind::own:
        case Meaning::Kind::group:
        case Meaning::Kind::iteration:
        case Meaning::Kind::metric:
        case Meaning::Kind::path: return programWords(subject, meaning);
        case Meaning::Kind::note:
        case Meaning::Kind::axis:
        case Meaning::Kind::bound:
        case Meaning::Kind::cause:
        case Meaning::Kind::none: return {};
    }
    return {};
}

}  // namespace app::gui

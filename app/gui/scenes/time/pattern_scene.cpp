// SPDX-License-Identifier: BSD-3-Clause
// Ranks downwards, rounds to the right: who sends to whom between them, and what each has combined after each. As
// papers draw butterflies and dissemination (End et al. 2016, figures 1, 2 and 4, table I).
#include "app/gui/scenes/common/chart_frame.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "engine/proof/partials.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace app::gui {
namespace {

constexpr double leastColumn = 34;  // pixels from a round to the next one
constexpr double widestColumn = 300;
constexpr double highestRow = 80;
constexpr double largestMark = 12;
constexpr double numberedMark = 6.5;  // radius of a mark that has room for its rank
constexpr std::size_t mostPatternArrows = 4000;
constexpr std::int64_t mostPatternMarks = 6000;
constexpr std::int32_t mostWithRoles = 256;  // ranks among which virtual processes are looked for
constexpr std::int32_t mostCombining = 64;   // ranks whose partial results are shown
constexpr int mostNamed = 3;                 // contributions of a part of a result that are named
constexpr const char* resultColumn = "Result";

/// Messages of a round: [first, second).
std::pair<std::size_t, std::size_t> messagesOf(const DrawableRun& subject, std::int64_t round) {
    const auto rounds = subject.run().messages.round();
    const auto found = std::equal_range(rounds.begin(), rounds.end(), engine::Round{round});
    return {static_cast<std::size_t>(found.first - rounds.begin()),
            static_cast<std::size_t>(found.second - rounds.begin())};
}

/// A message between two rows: ranks, and virtual processes after them.
struct Arrow {
    std::int32_t from = 0;
    std::int32_t to = 0;
    std::size_t message = 0;
};

/// The messages of a round of a butterfly of `roles` processes, of which each beyond `ranks` is played by the rank that
/// many before it; nothing where they are others.
std::optional<std::vector<Arrow>> butterflyOf(const DrawableRun& subject, std::int64_t round, std::int32_t roles) {
    const std::int32_t ranks = subject.run().ranks;
    const engine::Messages& messages = subject.run().messages;
    const auto [first, last] = messagesOf(subject, round);
    if (last - first != static_cast<std::size_t>(roles)) return std::nullopt;
    std::vector<bool> drawn(last - first);
    std::vector<Arrow> arrows;
    for (std::int32_t role = 0; role < roles; ++role) {
        const std::int32_t other = role ^ (std::int32_t{1} << round);
        std::size_t i = first;
        while (i < last && (drawn[i - first] || messages.from()[i].value != role % ranks ||
                            messages.to()[i].value != other % ranks))
            ++i;
        if (i == last) return std::nullopt;
        drawn[i - first] = true;
        arrows.push_back({role, other, i});
    }
    return arrows;
}

/// Rows of the pattern: more than ranks where these play virtual processes as well.
std::int32_t processesOf(const DrawableRun& subject) {
    const std::int32_t ranks = subject.run().ranks;
    const std::int64_t rounds = subject.run().rounds;
    if (ranks > mostWithRoles || rounds < 1 || rounds > 16 || subject.run().droppedMessages > 0) return ranks;
    const std::int32_t roles = std::int32_t{1} << rounds;
    if (roles <= ranks || roles >= 2 * ranks) return ranks;
    for (std::int64_t round = 0; round < rounds; ++round)
        if (!butterflyOf(subject, round, roles)) return ranks;
    return roles;
}

std::vector<Arrow> arrowsOf(const DrawableRun& subject, std::int64_t round, std::int32_t rows) {
    if (rows > subject.run().ranks) return butterflyOf(subject, round, rows).value();
    const engine::Messages& messages = subject.run().messages;
    std::vector<Arrow> arrows;
    const auto [first, last] = messagesOf(subject, round);
    for (std::size_t i = first; i < last; ++i) arrows.push_back({messages.from()[i].value, messages.to()[i].value, i});
    return arrows;
}

/// Which rounds there is room for: [first, first + shown).
struct RoundsInSight {
    std::int64_t first = 0;
    std::int64_t shown = 0;
};

RoundsInSight roundsInSight(const DrawableRun& subject, const ViewState& state, double width, double least) {
    const std::int64_t rounds = subject.run().rounds;
    const auto page = std::max<std::int64_t>(1, static_cast<std::int64_t>(width / least) - 1);
    if (rounds <= page) return {0, rounds};
    const std::int64_t now = state.time >= subject.run().duration ? 0 : subject.roundAt(state.time).value;
    const std::int64_t first = std::min(now / page * page, rounds - 1);
    return {first, std::min(page, rounds - first)};
}

bool isHidden(const DrawableRun& subject, const ViewState& state, std::int64_t round) {
    return state.veil && subject.run().perRound[static_cast<std::size_t>(round)].begin >= *state.veil;
}

QString inWords(const RoundsInSight& seen, const DrawableRun& subject, std::int32_t rows) {
    const std::int64_t rounds = subject.run().rounds;
    QString words =
        seen.shown == rounds
            ? QStringLiteral("%1, %2.").arg(
                  countedInWords(subject.run().ranks, QStringLiteral("rank"), QStringLiteral("ranks")),
                  countedInWords(rounds, QStringLiteral("round"), QStringLiteral("rounds")))
            : QStringLiteral("Rounds %1 to %2 of %3.")
                  .arg(countInWords(seen.first + 1), countInWords(seen.first + seen.shown), countInWords(rounds));
    if (rows > subject.run().ranks)
        words += QStringLiteral(" Dashed: virtual processes %1 to %2.").arg(subject.run().ranks).arg(rows - 1);
    return words;
}

/// What stands over the marks before the first round in sight, and after each.
QString columnInWords(const RoundsInSight& seen, std::int64_t column) {
    const std::int64_t round = seen.first + column;
    return round == 0 ? QStringLiteral("start") : QStringLiteral("round ") + countInWords(round);
}

/// "3" with its digits raised or lowered.
QString asIndex(std::int64_t number, bool raised) {
    static const QString high = QStringLiteral("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079");
    static const QString low = QStringLiteral("\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089");
    QString words;
    for (const QChar digit : QString::number(number)) words += (raised ? high : low)[digit.digitValue()];
    return words;
}

const QString joins = QStringLiteral(" \u2218 ");

/// Whether the schedule that was run is known, and which operand is the left one.
bool knowsOperands(const DrawableRun& subject) {
    const Report& report = subject.report();
    return subject.problem() && report.plan && report.verdict && report.verdict->proved &&
           report.plan->schedule->facts().ranks == subject.run().ranks;
}

/// Follows a proved schedule beside its run: what its receives do with what they get, and in which order.
class Operands {
public:
    Operands(const engine::Schedule& schedule, const engine::Problem& problem)
        : pairing_{schedule}, partials_{schedule.facts(), problem} {}

    void begin(engine::Round round) {
        for (engine::Rank rank{0}; rank.index() < pairing_.ranks(); ++rank) pairing_.ask(rank, round);
    }
    void end() { partials_.apply(pairing_.turns()); }
    /// The contributions in the result of a rank, in the order in which they were combined.
    [[nodiscard]] std::vector<std::int32_t> resultOf(engine::Rank rank) const {
        return partials_.result(rank).whole().terms();
    }

    struct Operand {
        std::size_t place = 0;  ///< among the receives of the turn
        engine::Action action = engine::Action::append;
        std::vector<std::int32_t> terms;  ///< contributions in the order in which they were combined
    };
    /// Of the message that comes behind `ordinal` others of its sender; nothing where the turn has none such.
    [[nodiscard]] std::optional<Operand> of(engine::Rank from, engine::Rank to, std::size_t ordinal) const {
        const engine::Turn& turn = pairing_.turnOf(to);
        const engine::Turn& theirs = pairing_.turnOf(from);
        const auto place = engine::placeOf(turn.receives(), from, ordinal);
        const auto sent = engine::placeOf(theirs.sends(), to, ordinal);
        if (!place || !sent) return std::nullopt;
        Operand operand{*place, turn.receives()[*place].action, {}};
        operand.terms = partials_.carried(from, theirs, theirs.sends()[*sent]).whole().terms();
        return operand;
    }

private:
    engine::Pairing pairing_;
    engine::Partials partials_;
};

/// What every rank has combined, told from round to round.
class PartialResults {
public:
    explicit PartialResults(const DrawableRun& subject) : subject_{&subject} {
        for (std::int32_t rank = 0; rank < subject.run().ranks; ++rank) held_.push_back(std::uint64_t{1} << rank);
        if (knowsOperands(subject)) operands_.emplace(*subject.report().plan->schedule, *subject.problem());
    }

    /// By rank what it has after the next round, as "S₂⁰ = S₁⁰ ∘ S₁⁶ ∘ S₁³"; empty where it gets nothing.
    std::vector<QString> next() {
        const auto [first, last] = messagesOf(*subject_, round_);
        const engine::Messages& messages = subject_->run().messages;
        struct Received {
            std::size_t message = 0;
            Operands::Operand operand;
        };
        std::vector<std::vector<Received>> received(held_.size());
        if (operands_) operands_->begin(engine::Round{round_});
        std::map<std::pair<engine::Rank, engine::Rank>, std::size_t> ordinals;
        for (std::size_t i = first; i < last; ++i) {
            const engine::Rank from = messages.from()[i];
            const engine::Rank to = messages.to()[i];
            // Where nothing is known of the schedule, those from the nearest ranks before come first.
            Received one{i, {(to.index() + held_.size() - from.index()) % held_.size(), engine::Action::append, {}}};
            if (operands_)
                if (auto known = operands_->of(from, to, ordinals[{from, to}]++)) one.operand = *std::move(known);
            received[to.index()].push_back(std::move(one));
        }
        if (operands_) operands_->end();
        std::vector<QString> words(held_.size());
        std::vector<std::uint64_t> after = held_;
        for (std::size_t rank = 0; rank < held_.size(); ++rank) {
            if (received[rank].empty()) continue;
            std::ranges::stable_sort(received[rank], {}, [](const Received& one) { return one.operand.place; });
            QStringList operands{resultOf(rank)};
            for (const Received& one : received[rank]) {
                const std::uint64_t part = partOf(one.message);
                // Whoever gets all that it has, and more, takes it instead.
                if (part != held_[rank] && (part & held_[rank]) == held_[rank]) operands.clear();
                const QString operand = partInWords(one.message, part, one.operand.terms);
                if (one.operand.action == engine::Action::prepend) operands.prepend(operand);
                else operands << operand;
                after[rank] |= part;
            }
            words[rank] = nameOf(round_ + 1, rank) + QStringLiteral(" = ") + operands.join(joins);
        }
        for (std::size_t rank = 0; rank < held_.size(); ++rank)
            if (!received[rank].empty()) changed_.resize(held_.size()), changed_[rank] = round_ + 1;
        held_ = std::move(after);
        ++round_;
        return words;
    }

    /// By rank its result so far, as "x₀ ∘ x₁"; empty where every rank's result is all that it has combined. A scan
    /// keeps other partial results beside the result.
    [[nodiscard]] std::vector<QString> resultsOfTheirOwn() const {
        std::vector<QString> words;
        bool differ = false;
        for (std::size_t rank = 0; operands_ && rank < held_.size(); ++rank) {
            const std::vector<std::int32_t> terms = operands_->resultOf(engine::Rank{static_cast<std::int32_t>(rank)});
            std::uint64_t part = 0;
            for (const std::int32_t term : terms) part |= std::uint64_t{1} << term;
            differ = differ || (!terms.empty() && part != held_[rank]);
            QStringList named;
            for (const std::int32_t term : terms) named << ownOf(static_cast<std::size_t>(term));
            if (named.size() > mostNamed) named = {named.front(), QStringLiteral("…"), named.back()};
            words.push_back(named.join(joins));
        }
        return differ ? words : std::vector<QString>{};
    }

    static QString ownOf(std::size_t rank) { return 'x' + asIndex(static_cast<std::int64_t>(rank), false); }

private:
    static QString nameOf(std::int64_t round, std::size_t rank) {
        return 'S' + asIndex(round, false) + asIndex(static_cast<std::int64_t>(rank), true);
    }
    /// Its result of the last round in which it got something.
    [[nodiscard]] QString resultOf(std::size_t rank) const {
        const std::int64_t changed = changed_.empty() ? 0 : changed_[rank];
        return changed == 0 ? ownOf(rank) : nameOf(changed, rank);
    }
    [[nodiscard]] std::uint64_t partOf(std::size_t message) const {
        std::uint64_t part = 0;
        for (const engine::Range range : subject_->run().messages.what(message))
            for (engine::Bytes each = range.begin; each < range.end; ++each) part |= std::uint64_t{1} << each;
        return part;
    }
    /// `terms`: its contributions in the order in which they were combined; empty where that is unknown.
    [[nodiscard]] QString partInWords(std::size_t message, std::uint64_t part,
                                      const std::vector<std::int32_t>& terms) const {
        const std::size_t from = subject_->run().messages.from()[message].index();
        if (part == held_[from]) return resultOf(from);
        const int count = std::popcount(part);
        if (count > mostNamed) return QStringLiteral("(%1 of %2)").arg(count).arg(resultOf(from));
        QStringList named;
        for (const std::int32_t term : terms) named << ownOf(static_cast<std::size_t>(term));
        for (std::size_t back = 0; back < held_.size() && terms.empty(); ++back) {
            const std::size_t rank = (from + held_.size() - back) % held_.size();
            if ((part >> rank & 1U) != 0) named << ownOf(rank);
        }
        return count == 1 ? named.front() : QStringLiteral("(%1)").arg(named.join(joins));
    }

    const DrawableRun* subject_;
    std::vector<std::uint64_t> held_;    // by rank, a bit for each contribution
    std::vector<std::int64_t> changed_;  // by rank, after which round; empty: none
    std::optional<Operands> operands_;   // where the schedule is known
    std::int64_t round_ = 0;
};

/// Why partial results cannot be shown; empty where they can.
QString whyNoPartials(const DrawableRun& subject) {
    if (!subject.hasRounds()) return noRoundsInWords();
    if (subject.columns().kind() != analysis::Columns::Kind::contributions)
        return QStringLiteral(
            "Only reductions of whole vectors, such as allreduce/butterfly, have partial results that can be listed.");
    if (subject.run().ranks > mostCombining)
        return QStringLiteral("Partial results are listed for up to %1 ranks.").arg(mostCombining);
    if (subject.run().droppedMessages > 0) return QStringLiteral("Not all messages were kept.");
    return {};
}

}  // namespace

Scene patternScene(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    if (!subject.hasRounds()) return sorry(noRoundsInWords(), state.dark, size);
    if (subject.run().rounds == 0) return sorry(whyNoRounds(subject), state.dark, size);
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    const Palette& palette = pencil.palette();
    const QRectF whole = QRectF{QPointF{}, size}.adjusted(margin, margin / 2, -margin, -margin / 2);
    const double line = lineHeight(points::small);
    const std::int32_t rows = processesOf(subject);
    const RoundsInSight seen = roundsInSight(subject, state, whole.width(), leastColumn);
    scene.description = inWords(seen, subject, rows);
    std::size_t messages = 0;
    for (std::int64_t round = seen.first; round < seen.first + seen.shown; ++round)
        if (const auto [first, last] = messagesOf(subject, round); !isHidden(subject, state, round))
            messages += last - first;
    if (messages > mostPatternArrows)
        scene.description += QStringLiteral(" %1 of %2 messages are drawn.")
                                 .arg(countInWords(static_cast<std::int64_t>(mostPatternArrows)),
                                      countInWords(static_cast<std::int64_t>(messages)));
    pencil
        .text(whole.topLeft(), Qt::AlignLeft | Qt::AlignTop, elided(scene.description, points::small, whole.width()),
              points::small, palette.muted)
        .tip = scene.description;
    const double top = whole.top() + 2 * line + 6;
    const double pitch = std::min(highestRow, (whole.bottom() - top) / rows);
    const double wide = std::min(widestColumn, whole.width() / static_cast<double>(seen.shown + 1));
    const double radius = std::clamp(std::min(pitch, wide / 2) / 2 - 2, 1.0, largestMark);
    const auto middle = [&](std::int32_t row, std::int64_t column) {
        return QPointF{whole.left() + (static_cast<double>(column) + 0.5) * wide, top + (row + 0.5) * pitch};
    };
    const double widest = sizeOf(columnInWords({0, 0}, seen.first + seen.shown), points::small, true).width();
    for (std::int64_t column = 0; column <= seen.shown; ++column) {
        const QString words = columnInWords(seen, column);
        const QString brief = words.section(' ', -1);
        pencil
            .text({middle(0, column).x(), top - 2}, Qt::AlignHCenter | Qt::AlignBottom,
                  widest + 6 <= wide ? words : elided(brief, points::small, wide - 4, true), points::small, palette.ink,
                  true)
            .meaning = {Meaning::Kind::round, seen.first + std::max<std::int64_t>(column - 1, 0), -1};
    }
    const QColor faint = mixed(palette.paper, palette.faint, 0.8);
    const std::int32_t marked = rows * (seen.shown + 1) <= mostPatternMarks ? rows : 0;
    for (std::int32_t row = 0; row < marked; ++row) pencil.line(middle(row, 0), middle(row, seen.shown), faint, 0.8);
    std::size_t drawn = 0;
    for (std::int64_t column = 0; column < seen.shown && drawn < mostPatternArrows; ++column) {
        const std::int64_t round = seen.first + column;
        if (isHidden(subject, state, round)) continue;
        for (const Arrow& arrow : arrowsOf(subject, round, rows)) {
            if (drawn++ == mostPatternArrows) break;
            const QLineF way{middle(arrow.from, column), middle(arrow.to, column + 1)};
            const QPointF step = (way.p2() - way.p1()) / way.length() * radius;
            const engine::MessageRecord message = subject.run().messages[arrow.message];
            const bool chosen =
                state.message == arrow.message || state.rank == message.from || state.rank == message.to;
            Shape& shape = pencil.arrow(way.p1() + step, way.p2() - step,
                                        chosen ? palette.accent : mixed(palette.paper, palette.ink, 0.75), 1.2);
            shape.meaning = {Meaning::Kind::message, static_cast<std::int64_t>(arrow.message), -1};
        }
    }
    for (std::int64_t column = 0; column <= seen.shown; ++column)
        for (std::int32_t row = 0; row < marked; ++row) {
            const std::int32_t rank = row % subject.run().ranks;
            const QPointF at = middle(row, column);
            const QRectF box{at - QPointF{radius, radius}, QSizeF{2 * radius, 2 * radius}};
            const Meaning meaning{Meaning::Kind::rank, rank, -1};
            const QColor pen =
                state.rank == engine::Rank{rank} ? palette.accent : mixed(palette.paper, palette.ink, 0.6);
            Shape& mark = pencil.ellipse(box, palette.paper, pen);
            mark.dashed = row != rank;
            mark.meaning = meaning;
            const QString number = QString::number(rank);
            if (radius >= numberedMark && sizeOf(number, points::tiny).width() <= 2 * radius - 3)
                pencil.text(at, Qt::AlignCenter, number, points::tiny, palette.ink).meaning = meaning;
        }
    scene.crowded = seen.shown < subject.run().rounds || radius < numberedMark || messages > mostPatternArrows;
    return scene;
}

Scene partialsScene(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    if (state.veil) return sorry(hiddenWords(), state.dark, size);
    if (const QString why = whyNoPartials(subject); !why.isEmpty()) return sorry(why, state.dark, size);
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    const Palette& palette = pencil.palette();
    const Table table = partialsTable(subject, state);
    const QRectF whole = QRectF{QPointF{}, size}.adjusted(margin, margin / 2, -margin, -margin / 2);
    const double line = lineHeight(points::normal) + 4;
    const double least = line - 4;
    const auto fit = static_cast<std::int64_t>((whole.height() - 2 * line) / least);
    const auto rows = static_cast<std::int64_t>(table.rows.size());
    const std::int64_t shown = std::clamp<std::int64_t>(fit, 0, rows);
    const double pitch =
        shown == 0 ? least : std::min(1.6 * line, (whole.height() - 2 * line) / static_cast<double>(shown));
    const auto wordsOf = [&](std::size_t row, std::size_t column) {
        return toQt(analysis::shown(table.rows[row][column], table.columns[column].content));
    };
    std::vector<double> widths;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        double widest = sizeOf(toQt(table.columns[column].name), points::normal, true).width();
        for (std::size_t row = 0; row < table.rows.size(); ++row)
            widest = std::max(widest, sizeOf(wordsOf(row, column), points::normal).width());
        widths.push_back(widest + 24);
    }
    const bool hasResults = table.columns.back().name == resultColumn;
    scene.description =
        QStringLiteral("x: vector of a rank; S with subscript t and superscript r: %1 after round t; -: unchanged. ")
            .arg(hasResults ? QStringLiteral("all that rank r has combined for itself or others")
                            : QStringLiteral("partial result of rank r")) +
        (knowsOperands(subject) ? QStringLiteral("Operands are in the order of combining.")
                                : QStringLiteral("The order of combining is unknown."));
    pencil
        .text(whole.topLeft(), Qt::AlignLeft | Qt::AlignTop, elided(scene.description, points::small, whole.width()),
              points::small, palette.muted)
        .tip = scene.description;
    double left = whole.left();
    const double top = whole.top() + 2 * line;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const double width = widths[column];
        const double room = std::min(width, whole.right() - left) - 4;
        const auto write = [&](double middle, const QString& words, bool bold, const Meaning& meaning) {
            const QString fitting = elided(words, points::normal, room, bold);
            if (fitting.isEmpty()) return;
            Shape& shape = pencil.text({left, middle}, Qt::AlignLeft | Qt::AlignVCenter, fitting, points::normal,
                                       palette.ink, bold);
            shape.tip = words;
            shape.meaning = meaning;
        };
        if (room < least) {
            scene.crowded = true;
            break;
        }
        write(top - line / 2, toQt(table.columns[column].name), true, {});
        for (std::int64_t row = 0; row < shown; ++row)
            write(top + (static_cast<double>(row) + 0.5) * pitch, wordsOf(static_cast<std::size_t>(row), column), false,
                  {Meaning::Kind::rank, row, -1});
        left += width;
    }
    const double right = std::min(left, whole.right());
    pencil.line({whole.left(), top}, {right, top}, palette.faint);
    scene.crowded = scene.crowded || shown < rows;
    return scene;
}

Table partialsTable(const DrawableRun& subject, const ViewState& state) {
    Table table = tableWith({{"Rank", Content::rank}, {"Start"}});
    if (!whyNoPartials(subject).isEmpty() || state.veil) return table;
    for (std::int64_t rank = 0; rank < subject.run().ranks; ++rank)
        table.rows.push_back({rank, cellOf(PartialResults::ownOf(static_cast<std::size_t>(rank)))});
    PartialResults results{subject};
    for (std::int64_t round = 1; round <= subject.run().rounds; ++round) {
        table.columns.push_back({"Round " + analysis::counted(round)});
        const std::vector<QString> words = results.next();
        for (std::size_t rank = 0; rank < words.size(); ++rank) table.rows[rank].push_back(cellOf(words[rank]));
    }
    if (const std::vector<QString> ends = results.resultsOfTheirOwn(); !ends.empty()) {
        table.columns.push_back({resultColumn});
        for (std::size_t rank = 0; rank < ends.size(); ++rank) table.rows[rank].push_back(cellOf(ends[rank]));
    }
    return table;
}

}  // namespace app::gui

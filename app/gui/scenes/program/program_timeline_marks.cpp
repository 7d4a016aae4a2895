// SPDX-License-Identifier: BSD-3-Clause
// What leads across tracks: ends of collectives, and iterations above all of them.
#include "app/gui/scenes/common/program_timeline_colours.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/program/program_timeline_frame.hpp"
#include "app/gui/scenes/text/activity_shares.hpp"
#include "app/gui/scenes/text/run_text.hpp"

#include <algorithm>
#include <cmath>

namespace app::gui {
namespace {

using analysis::Activity;
using engine::Picoseconds;

constexpr double collectiveApart = 5;  // pixels between collectives on the average, at least
constexpr double leastApart = 3;       // between two of them
constexpr double iterationApart = 3;   // pixels
constexpr double oddGround = 0.14;     // of the accent

/// Who sends to whom in the sign of a pattern, from above to below, in parts of its box.
std::vector<std::pair<double, double>> linesOf(analysis::PatternKind kind) {
    switch (kind) {
        case analysis::PatternKind::shift: return {{0, 0.6}, {0.4, 1}};
        case analysis::PatternKind::exchange: return {{0, 1}, {1, 0}};
        case analysis::PatternKind::tree: return {{0.5, 0}, {0.5, 0.5}, {0.5, 1}};
        case analysis::PatternKind::allToAll: return {{0, 0}, {0, 0.5}, {0, 1}, {1, 0}, {1, 0.5}, {1, 1}};
        case analysis::PatternKind::none: break;
    }
    return {};
}

/// The iterations of a program above its tracks: a box for each that is seen, then what they are called.
class IterationsDrawn {
public:
    IterationsDrawn(SceneBuilder& pencil, const analysis::TracedProgram& program, const ProgramTimelineFrame& frame)
        : pencil_{pencil}, program_{program}, frame_{frame}, all_{program.iterations().all} {}

    void draw() {
        findBoxes();
        for (const Box& each : boxes_) drawBox(each);
        const Form form = formOfAll();
        std::vector<Box> others;
        for (const Box& each : boxes_)
            if (!nameWithin(each, form)) others.push_back(each);
        if (!others.empty()) nameSome(others);
    }

private:
    struct Box {
        QRectF box;
        std::size_t iteration = 0;
    };

    static constexpr double besideAlone = 1;  // pixels around a number that has its box to itself
    static constexpr double besideOthers = 6;
    static constexpr double besideSign = 5;
    static constexpr double shortShare = 0.7;  // of the widest box

    [[nodiscard]] QString numberOf(const Box& each) const { return iterationNumber(program_, each.iteration); }
    [[nodiscard]] bool isOdd(const Box& each) const { return all_[each.iteration].odd; }
    [[nodiscard]] double widthOf(const Box& each) const {
        return sizeOf(numberOf(each), points::tiny, isOdd(each)).width();
    }
    [[nodiscard]] QColor inkOf(const Box& each) const {
        return isOdd(each) ? pencil_.palette().accent : pencil_.palette().muted;
    }
    [[nodiscard]] Meaning meaningOf(const Box& each) const {
        return {Meaning::Kind::iteration, static_cast<std::int64_t>(each.iteration), -1};
    }
    [[nodiscard]] Picoseconds endOf(std::size_t k) const {
        const Picoseconds own = all_[k].begin + all_[k].duration;
        return k + 1 < all_.size() ? std::min(own, std::max(all_[k + 1].begin, all_[k].begin)) : own;
    }

    void findBoxes() {
        const QRectF& band = frame_.iterations;
        double drawnTo = band.left() - iterationApart;
        const auto first = static_cast<std::size_t>(
            std::partition_point(all_.begin(), all_.end(),
                                 [&](const auto& one) { return one.begin + one.duration < frame_.axis.begin(); }) -
            all_.begin());
        for (std::size_t k = nextSeen(first, drawnTo); k < all_.size() && all_[k].begin < frame_.axis.end();
             k = nextSeen(k + 1, drawnTo)) {
            const double left = std::max(frame_.axis.pixel(all_[k].begin), band.left());
            const double right = std::min(frame_.axis.pixel(endOf(k)), band.right());
            // Of many in one pixel the odd ones are seen.
            if (right <= left || (!all_[k].odd && right - drawnTo < iterationApart)) continue;
            drawnTo = right;
            boxes_.push_back({{left, band.top(), std::max(right - left - 2, 1.0), band.height()}, k});
        }
    }

    /// Of thousands in a pixel only those are looked at that may be seen: odd ones, and those that end beyond the last
    /// box.
    [[nodiscard]] std::size_t nextSeen(std::size_t k, double drawnTo) const {
        const std::vector<std::size_t>& oddOnes = program_.oddIterations();
        const Picoseconds beyond = frame_.axis.time(drawnTo + iterationApart) - Picoseconds{1};
        const auto from = all_.begin() + static_cast<std::ptrdiff_t>(k);
        const auto seen = std::partition_point(from, all_.end(), [&](const auto& one) { return one.begin < beyond; });
        const auto oddOne = std::lower_bound(oddOnes.begin(), oddOnes.end(), k);
        return std::min(seen == from ? k : static_cast<std::size_t>(seen - all_.begin()) - 1,
                        oddOne == oddOnes.end() ? all_.size() : *oddOne);
    }

    void drawBox(const Box& each) {
        const Palette& palette = pencil_.palette();
        Shape& shape =
            pencil_.rectangle(each.box, isOdd(each) ? mixed(palette.paper, palette.accent, oddGround) : palette.groove);
        if (each.box.width() > 8) shape.radius = 3;
        shape.meaning = meaningOf(each);
    }

    /// How iterations are called: with a word or by their number alone, with the sign of their messages or without.
    struct Form {
        bool word = false;
        bool sign = false;
    };

    /// The fullest one that has room in all of them but short ones: what some had and others not would seem to be said
    /// of them.
    [[nodiscard]] Form formOfAll() const {
        double widest = 0;
        for (const Box& each : boxes_) widest = std::max(widest, each.box.width());
        for (const Form form : {Form{true, true}, Form{false, true}, Form{true, false}})
            if (std::ranges::all_of(boxes_, [&](const Box& each) {
                    return each.box.width() < widest * shortShare || roomFor(each, nameOf(each, form), form) > 0;
                }))
                return form;
        return {};
    }

    [[nodiscard]] QString nameOf(const Box& each, Form form) const {
        const QString number = numberOf(each);
        return form.word ? iterationWord(program_) + QLatin1Char(' ') + number : number;
    }
    [[nodiscard]] double signOf(const Box& each, Form form) const {
        const bool none = !form.sign || program_.patterns()[each.iteration].kind == analysis::PatternKind::none;
        return none ? 0 : each.box.height() - 8;
    }
    /// What its box has beside them, above 0; else they have no room.
    [[nodiscard]] double roomFor(const Box& each, const QString& name, Form form) const {
        const double sign = signOf(each, form);
        const bool alone = sign == 0 && name == numberOf(each);
        return each.box.width() - sizeOf(name, points::tiny, isOdd(each)).width() - (sign > 0 ? sign + besideSign : 0) -
               (alone ? besideAlone : besideOthers);
    }

    /// Whether there is room for its number at least; an odd one says more where it can.
    bool nameWithin(const Box& each, Form form) {
        const analysis::Iteration& iteration = all_[each.iteration];
        const QString odd = QStringLiteral("%1 %2  %3 instead of %4")
                                .arg(iterationWord(program_), numberOf(each), timeInWords(iteration.duration),
                                     timeInWords(program_.iterations().median));
        if (iteration.odd && roomFor(each, odd, form) > 0) return write(each, odd, form);
        for (const Form less : {form, Form{}})
            if (roomFor(each, nameOf(each, less), less) > 0) return write(each, nameOf(each, less), less);
        return false;
    }

    bool write(const Box& each, const QString& name, Form form) {
        const double sign = signOf(each, form);
        const double width = sizeOf(name, points::tiny, isOdd(each)).width();
        const double all = width + (sign > 0 ? besideSign + sign : 0);
        const double from = each.box.center().x() - all / 2;
        pencil_.text({from, each.box.center().y()}, Qt::AlignLeft | Qt::AlignVCenter, name, points::tiny, inkOf(each),
                     isOdd(each));
        named_.emplace_back(from, from + all);
        if (sign > 0)
            drawPattern(pencil_, {from + width + besideSign, each.box.center().y() - sign / 2, sign, sign},
                        program_.patterns()[each.iteration].kind, inkOf(each), meaningOf(each));
        return true;
    }

    /// Of those whose number is wider than they are every so many, and the odd ones, which come first.
    void nameSome(const std::vector<Box>& others) {
        const double all = boxes_.back().box.right() - boxes_.front().box.left();
        const auto count = static_cast<double>(boxes_.back().iteration - boxes_.front().iteration + 1);
        const auto step = static_cast<std::size_t>(labelStep(all / count, widthOf(boxes_.back()) + besideAlone));
        for (const bool odd : {true, false})
            for (const Box& each : others)
                if (isOdd(each) == odd && (odd || (each.iteration + 1) % step == 0)) nameAcross(each);
    }

    /// Its number, which covers some of those beside it.
    void nameAcross(const Box& each) {
        const double half = widthOf(each) / 2 + besideAlone;
        const QRectF& band = frame_.iterations;
        const double middle =
            std::clamp(each.box.center().x(), band.left() + half, std::max(band.right() - half, band.left() + half));
        if (std::ranges::any_of(named_, [&](const std::pair<double, double>& other) {
                return middle - half < other.second && other.first < middle + half;
            }))
            return;
        named_.emplace_back(middle - half, middle + half);
        pencil_.text({middle, band.center().y()}, Qt::AlignCenter, numberOf(each), points::tiny, inkOf(each),
                     isOdd(each));
    }

    SceneBuilder& pencil_;
    const analysis::TracedProgram& program_;
    const ProgramTimelineFrame& frame_;
    const std::vector<analysis::Iteration>& all_;
    std::vector<Box> boxes_;
    std::vector<std::pair<double, double>> named_;  // from where to where
};

}  // namespace

void drawCollectives(SceneBuilder& pencil, const analysis::TracedProgram& program, const ProgramTimelineFrame& frame) {
    const auto& marks = program.tracks().collectives();
    const auto first = std::partition_point(marks.begin(), marks.end(),
                                            [&](const auto& mark) { return mark.end < frame.axis.begin(); });
    const auto last =
        std::partition_point(first, marks.end(), [&](const auto& mark) { return mark.end <= frame.axis.end(); });
    if (static_cast<double>(last - first) * collectiveApart > frame.plot.width()) return;
    const traces::Collectives& collectives = program.recording().collectives;
    double drawnAt = frame.plot.left() - leastApart;
    for (auto mark = first; mark != last; ++mark) {
        // Where they crowd, some stand for all: lines side by side would be a bar.
        const double x = frame.axis.pixel(mark->end);
        if (x - drawnAt < leastApart) continue;
        auto [above, below] = std::pair{frame.rows.size(), std::size_t{0}};
        for (const traces::Participant& part : collectives.of(collectives.instances[mark->instance])) {
            const auto row = static_cast<std::size_t>(frame.rowOf[part.rank.index()]);
            above = std::min(above, row);
            below = std::max(below, row);
        }
        const double top = std::max(frame.topOf(above) + frame.gap() / 2, frame.plot.top());
        const double bottom = std::min(frame.topOf(below + 1) - frame.gap() / 2, frame.plot.bottom());
        if (above > below || bottom <= top) continue;
        drawnAt = x;
        Shape& line = pencil.line({x, top}, {x, bottom}, strongColour(Activity::collective, pencil.dark()), 1.5);
        line.meaning = {Meaning::Kind::collective, mark->instance, -1};
    }
}

void drawPattern(SceneBuilder& pencil, const QRectF& box, analysis::PatternKind kind, const QColor& ink,
                 const Meaning& meaning) {
    for (const auto& [above, below] : linesOf(kind))
        pencil
            .line({box.left() + above * box.width(), box.top()}, {box.left() + below * box.width(), box.bottom()}, ink,
                  1.2)
            .meaning = meaning;
}

void drawIterations(SceneBuilder& pencil, const analysis::TracedProgram& program, const ProgramTimelineFrame& frame) {
    if (program.iterations().all.empty() || frame.iterations.height() <= 0) return;
    IterationsDrawn{pencil, program, frame}.draw();
}

}  // namespace app::gui

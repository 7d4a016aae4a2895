// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/network/network_frame.hpp"

#include "app/gui/scenes/common/block_highlight.hpp"
#include "app/gui/scenes/drawing/rows_frame.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/network/binding_cut.hpp"
#include "app/gui/scenes/text/rank_glyphs.hpp"
#include "app/gui/scenes/text/run_text.hpp"

#include <algorithm>

namespace app::gui {
namespace {

constexpr double mostLegend = 0.4;  // of the height
constexpr double fewEntries = 3;    // beside the network that would not be worth their room

QString cargoWords(const DrawableRun& subject) {
    if (subject.columns().kind() == analysis::Columns::Kind::unknown || !subject.holdings().unknown().empty() ||
        subject.columns().uncut())
        return QStringLiteral("message");
    return QStringLiteral("message with its ") + QString::fromStdString(subject.columns().singular());
}

/// The label of the first message with a sum, of those that are looked at; empty for none.
QString aSumIn(const DrawableRun& subject) {
    if (subject.columns().kind() != analysis::Columns::Kind::contributions) return {};
    constexpr std::size_t mostLookedAt = 1000;
    for (std::size_t i = 0; i < std::min(subject.run().messages.size(), mostLookedAt); ++i)
        if (const QString cargo = subject.cargoOf(i); cargo.startsWith(QChar{0x3a3})) return cargo;
    return {};
}

bool namesAtRows(const DrawableRun& subject) {
    return subject.blueprint().arrangement == NetworkShape::Arrangement::facing;
}

}  // namespace

Legend networkLegend(const DrawableRun& subject, const ViewState& state) {
    Legend legend;
    legend.heading(QStringLiteral("Rank activity"));
    std::vector<RankState> states{RankState::sending, RankState::receiving, RankState::both, betweenState(subject)};
    if (!subject.run().combining.empty()) states.push_back(RankState::combining);
    if (!subject.computing().empty()) states.push_back(RankState::computing);
    if (subject.anyAbsent()) states.push_back(RankState::absent);
    states.push_back(RankState::done);
    for (const RankState what : states)
        // A program may go on after its last message.
        legend.entry(what != RankState::done  ? nameOf(what)
                     : subject.isProgram()    ? QStringLiteral("no later communication")
                     : subject.isUnfinished() ? afterwardsWords(subject)
                                              : nameOf(what),
                     [what](SceneBuilder& pencil, const QRectF& box) {
                         drawRank(pencil, box.center(), box.height() / 2, Side::whole, what, {});
                     });
    const bool twoGroups = subject.sideOf(engine::Rank{0}) == Side::a;
    const bool dummies = subject.sideOf(engine::Rank{subject.run().ranks - 1}) == Side::dummy;
    if (twoGroups || dummies) legend.heading(QStringLiteral("Group"));
    const auto side = [&](Side which) {
        legend.entry(nameOf(subject, which), [which](SceneBuilder& pencil, const QRectF& box) {
            drawRank(pencil, box.center(), box.height() / 2, which, RankState::done, {});
        });
    };
    if (twoGroups) {
        side(Side::a);
        side(Side::b);
    }
    if (dummies) side(Side::dummy);
    if (subject.hasLeaders()) {
        legend.heading(QStringLiteral("Role in two levels"));
        side(Side::leader);
    }
    legend.heading(QStringLiteral("Messages"));
    if (state.block) {
        const std::int32_t block = *state.block;
        addFollowedTo(legend, subject, block);
        legend.entry(QStringLiteral("remaining route"), [block, &subject](SceneBuilder& pencil, const QRectF& box) {
            const QColor colour = mixed(pencil.palette().paper, subject.colourOf(block, pencil.dark()), 0.6);
            pencil.line({box.left(), box.center().y()}, {box.right(), box.center().y()}, colour, 2).dashed = true;
        });
        if (subject.holdings().unknown().empty())
            legend.entry(QStringLiteral("rank that has it"), [block, &subject](SceneBuilder& pencil,
                                                                               const QRectF& box) {
                const double radius = box.height() / 2 - 2;
                drawRank(pencil, box.center(), radius, Side::whole, RankState::done, {});
                drawRing(pencil, box.center(), radius + 2, Side::whole, subject.colourOf(block, pencil.dark()), 2.5);
            });
        legend.entry(QStringLiteral("message without the block"), [](SceneBuilder& pencil, const QRectF& box) {
            drawMessage(pencil, box.center(), 5, otherMessages(pencil.dark()), {});
        });
    }
    const bool known = subject.columns().count() > 0;
    legend.entry(cargoWords(subject), [known, &subject](SceneBuilder& pencil, const QRectF& box) {
        drawMessage(pencil, box.center(), 6, subject.colourOf(known ? 0 : -1, pencil.dark()),
                    known ? QStringLiteral("0") : QString{});
    });
    if (const QString sum = aSumIn(subject); !sum.isEmpty())
        legend.entry(QStringLiteral("message with the sum of %1 contributions").arg(sum.mid(1)),
                     [sum, &subject](SceneBuilder& pencil, const QRectF& box) {
                         drawMessage(pencil, box.center(), 6, subject.colourOf(0, pencil.dark()), sum);
                     });
    if (subject.anyQueued())
        legend.entry(QStringLiteral("waits for its receiver"), [&subject](SceneBuilder& pencil, const QRectF& box) {
            drawWaiting(pencil, drawMessage(pencil, box.center(), 4, subject.colourOf(-1, pencil.dark()), {}));
        });
    const NetworkShape& print = subject.blueprint();
    const bool links = subject.report().network != nullptr && subject.report().network->links() > 0;
    const bool groups = print.arrangement == NetworkShape::Arrangement::groups;
    if (print.nodes > print.ranks || links || groups || !print.bonds.empty()) legend.heading(QStringLiteral("Network"));
    const auto line = [](SceneBuilder& pencil, const QRectF& box) {
        pencil.line({box.left(), box.center().y()}, {box.right(), box.center().y()}, quietLine(pencil.palette()));
    };
    if (links) legend.entry(QStringLiteral("link without load"), line);
    else if (!print.bonds.empty()) legend.entry(QStringLiteral("ranks that communicate"), line);
    if (groups)
        legend.entry(QStringLiteral("group of ranks"), [](SceneBuilder& pencil, const QRectF& box) {
            pencil.ellipse({box.center() - QPointF{6, 6}, QSizeF{12, 12}}, {}, quietLine(pencil.palette()));
        });
    if (print.hosts > print.ranks)
        legend.entry(QStringLiteral("free place"),
                     [](SceneBuilder& pencil, const QRectF& box) { drawFreePlace(pencil, box.center(), 5, {}); });
    if (print.nodes > print.hosts)
        legend.entry(QStringLiteral("switch"), [](SceneBuilder& pencil, const QRectF& box) {
            drawSwitch(pencil, box.center(), 4, QStringLiteral("s0"), {});
            drawSwitchName(pencil, box.center(), QStringLiteral("s0"));
        });
    if (const auto uneven = analysis::perturbationOf(subject.run().setting);
        uneven && !(uneven->slowRanks.empty() && uneven->slowLinks.empty()))
        legend.entry(QStringLiteral("takes as many times as long"), [](SceneBuilder& pencil, const QRectF& box) {
            pencil.text(box.center(), Qt::AlignCenter, QStringLiteral("2\u00d7"), points::tiny, pencil.palette().accent,
                        true);
        });
    if (subject.fault()) addFaultTo(legend);
    if (print.bundle > 1) legend.heading(QStringLiteral("One mark for %1 ranks").arg(print.bundle));
    addCutTo(legend, subject);
    return legend;
}

double loadLineHeight(const DrawableRun& subject) { return subject.peakLoad() > 0 ? lineHeight(points::small) + 4 : 0; }

namespace {

NetworkFrame dividedFrame(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    const QRectF whole = QRectF{QPointF{}, size}.adjusted(margin, margin, -margin, -margin);
    const Legend legend = networkLegend(subject, state);
    const double heading =
        subject.peakLoad() > 0
            ? sizeOf(loadHeading(subject.roundAt(subject.run().duration)), points::small, true).width()
            : 0;
    const double side = std::max({legend.width(), heading, 132.0});
    NetworkFrame frame;
    if (!state.legends) {
        frame.column = false;
        frame.network = whole;
        return frame;
    }
    const double least = fewEntries * lineHeight(points::small) + (subject.peakLoad() > 0 ? loadScaleHeight : 0);
    frame.column = whole.height() >= least &&
                   whole.width() - side - 3 * margin >= std::min(whole.height() * 0.8, 0.55 * whole.width());
    if (frame.column) {
        frame.legend = {whole.right() - side, whole.top(), side, whole.height()};
        frame.network = whole.adjusted(0, 0, -side - 3 * margin, 0);
    } else {
        double below = legend.rowsHeight(whole.width()) + loadLineHeight(subject);
        // In very little room the network itself is worth more than what its marks mean.
        if (below > mostLegend * whole.height()) below = 0;
        frame.legend = {whole.left(), whole.bottom() - below, whole.width(), below};
        frame.network = whole.adjusted(0, 0, 0, below > 0 ? -below - margin : 0);
    }
    return frame;
}

/// Never beyond the edges of all of it.
Lens within(Lens lens) {
    lens.zoom = std::clamp(lens.zoom, 1.0, mostLensZoom);
    const double half = 0.5 / lens.zoom;
    lens.middle = {std::clamp(lens.middle.x(), half, 1 - half), std::clamp(lens.middle.y(), half, 1 - half)};
    return lens;
}

}  // namespace

Lens zoomedAt(Lens lens, double factor, QPointF at, const NetworkFrame& frame) {
    const QPointF away = at - frame.network.center();
    const QPointF share{away.x() / std::max(frame.network.width(), 1.0),
                        away.y() / std::max(frame.network.height(), 1.0)};
    const QPointF kept = lens.middle + share / lens.zoom;
    lens.zoom = std::clamp(lens.zoom * factor, 1.0, mostLensZoom);
    lens.middle = kept - share / lens.zoom;
    return within(lens);
}

Lens moved(Lens lens, QPointF by) {
    lens.middle += by / lens.zoom;
    return within(lens);
}

NetworkFrame networkFrame(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    NetworkFrame frame = dividedFrame(subject, state, size);
    const Lens lens = within(state.lens);
    frame.zoom = lens.zoom;
    const QSizeF all = frame.network.size() * lens.zoom;
    frame.whole = {frame.network.center() - QPointF{lens.middle.x() * all.width(), lens.middle.y() * all.height()},
                   all};
    return frame;
}

NetworkLayout layoutIn(const DrawableRun& subject, const NetworkFrame& frame) {
    const double line = namesAtRows(subject) ? lineHeight(points::normal) + 6 : 0;
    NetworkLayout layout{subject, frame.network.adjusted(0, line, 0, -line)};
    if (numbersLeaves(subject.blueprint(), layout))
        layout = NetworkLayout{subject, frame.network.adjusted(0, 0, 0, -leafNumbersHeight())};
    if (frame.zoom > 1) layout.magnify(frame.zoom, frame.network.topLeft(), frame.whole.topLeft());
    return layout;
}

void cutToFrame(Scene& scene, std::size_t first, const NetworkFrame& frame) {
    if (frame.zoom == 1) return;
    const auto isBeyond = [&](Shape& shape) {
        if (shape.kind == Shape::Kind::text) return !frame.network.contains(shape.box);
        if (shape.kind != Shape::Kind::line && shape.kind != Shape::Kind::arrow)
            return !frame.network.contains(shape.box.center());
        const QLineF part = partWithin(frame.network, {shape.from, shape.to});
        if (part.isNull()) return true;
        // An arrow whose head is out of sight has none.
        if (part.p2() != shape.to) shape.kind = Shape::Kind::line;
        shape.from = part.p1();
        shape.to = part.p2();
        return false;
    };
    const auto begin = scene.shapes.begin() + static_cast<std::ptrdiff_t>(first);
    scene.shapes.erase(std::remove_if(begin, scene.shapes.end(), isBeyond), scene.shapes.end());
}

bool numbersLeaves(const NetworkShape& print, const NetworkLayout& layout) {
    return print.arrangement == NetworkShape::Arrangement::levels && layout.radius() < smallestNumbered;
}

double leafNumbersHeight() { return lineHeight(points::tiny) + 2; }

QString nameOfSwitch(const NetworkShape& print, std::int32_t node) {
    return QStringLiteral("s%1").arg(node - print.hosts);
}

bool namesSwitches(const NetworkShape& print, const NetworkLayout& layout) {
    if (layout.radius() < smallestNumbered || print.nodes == print.hosts) return false;
    const double widest = sizeOf(nameOfSwitch(print, print.nodes - 1), points::tiny, true).width() + 8;
    return std::ranges::all_of(print.tiers, [&](const std::vector<std::int32_t>& tier) {
        const auto tooClose = [&](std::int32_t a, std::int32_t b) {
            return QLineF{layout.middleOf(a), layout.middleOf(b)}.length() < widest;
        };
        return std::ranges::adjacent_find(tier, tooClose) == tier.end();
    });
}

}  // namespace app::gui

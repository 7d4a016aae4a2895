// SPDX-License-Identifier: BSD-3-Clause
// The lower layer of the network view: links, coloured by their load in the round in progress, and the legend.
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/network/binding_cut.hpp"
#include "app/gui/scenes/network/grid_slice.hpp"
#include "app/gui/scenes/network/network_frame.hpp"
#include "app/gui/scenes/text/maximum_with_ties.hpp"
#include "app/gui/scenes/text/rank_glyphs.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "emulation/clocks/route_costs.hpp"
#include "emulation/networks/congestion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace app::gui {
namespace {

// Lines of which nothing is known but that they are there: so many are always drawn, more only up to this share of the
// paper, lest they become a grey mass.
constexpr std::size_t alwaysDrawn = 500;
constexpr double mostInk = 0.1;

/// How long such a line may be to be drawn: short ones come first, those of about one length all or none.
double longestDrawn(std::vector<double> lengths, double width, QSizeF paper) {
    constexpr double any = std::numeric_limits<double>::infinity();
    if (lengths.size() <= alwaysDrawn) return any;
    std::ranges::sort(lengths);
    double room = mostInk * paper.width() * paper.height() / width;
    for (const double length : lengths)
        if ((room -= length) < 0) return 0.98 * length;
    return any;
}

double lengthOf(const Track& track) {
    double length = 0;
    for (int leg = 0; leg < track.count; ++leg) length += track.legs[static_cast<std::size_t>(leg)].length();
    return length;
}

/// Empty where none is.
QString leftOutInWords(std::size_t left, std::size_t all, const QString& what) {
    if (left == 0) return {};
    return QStringLiteral("%1 of %2 %3 are not drawn")
        .arg(countInWords(static_cast<std::int64_t>(left)), countInWords(static_cast<std::int64_t>(all)), what);
}

struct Loads {
    engine::Round round{};
    std::vector<engine::Bytes> perLink;
    engine::Bytes peak = 0;
    std::int32_t busiest = -1;
    Leaders most;       ///< links that carry the peak, where there is one
    bool even = false;  ///< several links are used, all as much: none of them is the busiest

    /// The busiest links are few, and marked.
    [[nodiscard]] bool areMarked() const { return busiest >= 0 && most.count <= 3 && !even; }
};

Loads loadsOf(const DrawableRun& subject, engine::Round round) {
    Loads loads;
    loads.round = round;
    const emulation::NetworkPtr& network = subject.report().network;
    if (network == nullptr || network->links() == 0 || round.value >= subject.run().rounds) return loads;
    loads.perLink = emulation::loadsInRound(subject.run(), *network, round);
    Leaders most = leadersOf(loads.perLink);
    if (most.count == 0 || loads.perLink[most.first] == 0) return loads;
    loads.peak = loads.perLink[most.first];
    loads.busiest = static_cast<std::int32_t>(most.first);
    loads.even = most.count > 1 &&
                 most.count == std::ranges::count_if(loads.perLink, [](engine::Bytes load) { return load > 0; });
    loads.most = std::move(most);
    return loads;
}

/// Returns what is left out, in words.
QString drawLinks(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state, const NetworkFrame& frame,
                  const NetworkLayout& layout, const Loads& loads) {
    const Palette& palette = pencil.palette();
    const emulation::Network* network = subject.report().network.get();
    if (network == nullptr || network->links() == 0) return {};
    const NetworkShape& print = subject.blueprint();
    const double thin = layout.radius() < 4 ? 0.6 : 1;
    const engine::Bytes scale = std::max({subject.peakLoad(), loads.peak, engine::Bytes{1}});
    const auto bytesOf = [&](std::int32_t link) {
        return loads.perLink.empty() ? engine::Bytes{0} : loads.perLink[static_cast<std::size_t>(link)];
    };
    // Of links that share a line the most loaded one stands for all.
    std::vector<std::int32_t> shown;
    for (const NetworkShape::Line& line : print.lines) shown.push_back(line.first);
    for (std::int32_t link = 0; link < static_cast<std::int32_t>(print.lineOf.size()); ++link) {
        const std::int32_t line = print.lineOfLink(link);
        if (line >= 0 && bytesOf(link) > bytesOf(shown[static_cast<std::size_t>(line)]))
            shown[static_cast<std::size_t>(line)] = link;
    }
    const auto draw = [&](std::int32_t link, const QColor& colour, double width) {
        const std::int32_t at = print.lineOfLink(link);
        if (at < 0) return;
        const NetworkShape::Line& line = print.lines[static_cast<std::size_t>(at)];
        if (line.from == line.to) return;
        const Track track = layout.between(line.from, line.to);
        for (int leg = 0; leg < track.count; ++leg) {
            Shape& shape = pencil.line(track.legs[static_cast<std::size_t>(leg)].p1(),
                                       track.legs[static_cast<std::size_t>(leg)].p2(), colour, width);
            shape.meaning = {Meaning::Kind::link, link, -1};
            if (!loads.perLink.empty() && network->links() <= 512)
                shape.tip = QStringLiteral("link %1: %2 in round %3")
                                .arg(QString::fromStdString(network->linkName(engine::LinkId{link})),
                                     bytesInWords(loads.perLink[static_cast<std::size_t>(link)]))
                                .arg(loads.round.value + 1);
        }
    };
    // Unused ones first, so that no thin line crosses a loaded one.
    std::vector<std::pair<std::int32_t, double>> unused;
    std::vector<double> lengths;
    for (const std::int32_t link : shown) {
        const std::int32_t at = print.lineOfLink(link);
        if (at < 0 || bytesOf(link) > 0) continue;
        const NetworkShape::Line& line = print.lines[static_cast<std::size_t>(at)];
        unused.emplace_back(link, lengthOf(layout.between(line.from, line.to)));
        lengths.push_back(unused.back().second);
    }
    const double longest = longestDrawn(std::move(lengths), thin, frame.network.size());
    std::size_t left = 0;
    for (const auto& [link, length] : unused) {
        if (length <= longest) draw(link, palette.faint, thin);
        else ++left;
    }
    const QString leftOut = leftOutInWords(left, unused.size(), QStringLiteral("links without load"));
    // Where lines share their way the most loaded one is seen.
    std::erase_if(shown, [&](std::int32_t link) { return bytesOf(link) == 0; });
    if (layout.hasTrunks()) std::ranges::stable_sort(shown, {}, bytesOf);
    for (const std::int32_t link : shown) {
        const engine::Bytes bytes = bytesOf(link);
        const double share = static_cast<double>(bytes) / static_cast<double>(scale);
        draw(link, loadColour(share, pencil.dark()), thin + share * std::clamp(layout.radius() * 0.28, 1.0, 4.0));
    }
    if (state.link && state.link->value < network->links()) draw(state.link->value, palette.accent, thin + 3);
    // The busiest one is marked when it stands out.
    if (!loads.areMarked()) return leftOut;
    for (std::int32_t link = loads.busiest; link < static_cast<std::int32_t>(loads.perLink.size()); ++link) {
        if (loads.perLink[static_cast<std::size_t>(link)] != loads.peak) continue;
        const emulation::LinkEnds ends = network->ends(engine::LinkId{link});
        if (print.markOf(ends.from) == print.markOf(ends.to)) continue;
        const Track track = layout.between(print.markOf(ends.from), print.markOf(ends.to));
        for (int leg = 0; leg < track.count; ++leg) {
            const QLineF line = track.legs[static_cast<std::size_t>(leg)];
            const QLineF normal = line.normalVector().unitVector();
            const QPointF aside = (normal.p1() - normal.p2()) * (layout.radius() * 0.2 + 3);
            pencil.line(line.p1() + aside, line.p2() + aside, palette.accent, 1.5);
        }
    }
    return leftOut;
}

constexpr double leastNumberedRim = 26;  // numbers in a smaller ring would meet
constexpr double widestScale = 132;
constexpr double scaleBar = 8;  // its height

void drawLoads(SceneBuilder& pencil, const QRectF& bar) {
    constexpr int steps = 24;
    for (int step = 0; step < steps; ++step)
        pencil.rectangle({bar.left() + bar.width() * step / steps, bar.top(), bar.width() / steps + 0.5, bar.height()},
                         loadColour((step + 0.5) / steps, pencil.dark()));
}

QString mostLoad(const DrawableRun& subject, const Loads& loads) {
    return bytesInWords(std::max(subject.peakLoad(), loads.peak));
}

/// The scale in one line, below the network.
void drawLoadLine(SceneBuilder& pencil, const DrawableRun& subject, const Loads& loads, QPointF at, double width) {
    const Palette& palette = pencil.palette();
    constexpr double gap = 7;
    const QString most = mostLoad(subject, loads);
    const auto roomBeside = [&](const QString& words) {
        return width - sizeOf(words, points::small).width() - sizeOf(most, points::tiny).width() - 2 * gap;
    };
    const bool whole = roomBeside(loadHeading(loads.round)) >= widestScale / 2;
    const QString words = whole ? loadHeading(loads.round) : QStringLiteral("link load");
    const double bar = std::min(roomBeside(words), widestScale);
    if (bar < widestScale / 4) return;
    const double middle = at.y() + lineHeight(points::small) / 2;
    Shape& heading =
        pencil.text({at.x(), middle}, Qt::AlignLeft | Qt::AlignVCenter, words, points::small, palette.muted);
    if (!whole) heading.tip = loadHeading(loads.round);
    const double left = heading.box.right() + gap;
    drawLoads(pencil, {left, middle - scaleBar / 2, bar, scaleBar});
    pencil.text({left + bar + gap, middle}, Qt::AlignLeft | Qt::AlignVCenter, most, points::tiny, palette.muted);
}

void drawLoadScale(SceneBuilder& pencil, const DrawableRun& subject, const Loads& loads, QPointF at, double width) {
    const Palette& palette = pencil.palette();
    pencil.text(at, Qt::AlignLeft | Qt::AlignTop, loadHeading(loads.round), points::small, palette.muted, true);
    double y = at.y() + lineHeight(points::small) + 3;
    const double bar = std::min(width, widestScale);
    drawLoads(pencil, {at.x(), y, bar, scaleBar});
    y += scaleBar + 2;
    pencil.text({at.x(), y}, Qt::AlignLeft | Qt::AlignTop, QStringLiteral("0"), points::tiny, palette.muted);
    pencil.text({at.x() + bar, y}, Qt::AlignRight | Qt::AlignTop, mostLoad(subject, loads), points::tiny,
                palette.muted);
    y += lineHeight(points::tiny) + 5;
    if (loads.busiest < 0) return;
    const auto nameOf = [&](std::size_t link) {
        return linkName(*subject.report().network, engine::LinkId{static_cast<std::int32_t>(link)});
    };
    QString words =
        loads.even ? QStringLiteral("%1 links in use").arg(countInWords(loads.most.count))
                   : QStringLiteral("busiest: ") + (loads.most.count == 1 ? nameOf(loads.most.first)
                                                                          : inWords(loads.most, QStringLiteral("link"),
                                                                                    QStringLiteral("links"), nameOf));
    words += QStringLiteral(", ") + bytesInWords(loads.peak);
    if (loads.most.count > 1) words += QStringLiteral(" each");
    const double left = loads.areMarked() ? 14 : 0;
    if (left > 0) pencil.line({at.x(), y + 7}, {at.x() + 10, y + 7}, palette.accent, 1.5);
    pencil.paragraph({at.x() + left, y}, width - left, words, points::small, palette.ink);
}

/// How many times as long slow ranks and links take, as "8x" beside each.
void drawFactors(SceneBuilder& pencil, const DrawableRun& subject, const NetworkLayout& layout) {
    const auto uneven = analysis::perturbationOf(subject.run().setting);
    const emulation::Network* network = subject.report().network.get();
    const NetworkShape& print = subject.blueprint();
    if (!uneven) return;
    const auto draw = [&](QPointF at, emulation::Factor factor, const Meaning& meaning) {
        const QString words = QString::number(static_cast<double>(factor.thousandths) / 1000) + QChar{0xd7};
        pencil.text(at, Qt::AlignCenter, words, points::tiny, pencil.palette().accent, true).meaning = meaning;
    };
    const QPointF corner{layout.radius() + 6, layout.radius() + 2};
    for (const emulation::SlowRank& slow : uneven->slowRanks)
        if (slow.rank.value < print.ranks && print.markOf(slow.rank.value) == slow.rank.value)
            draw(layout.middleOf(slow.rank.value) + corner, slow.factor, {Meaning::Kind::rank, slow.rank.value, -1});
    if (network == nullptr || network->links() == 0) return;
    for (const emulation::SlowLink& slow : uneven->slowLinks) {
        const engine::LinkId link = linksOf(*network, slow).front();
        const emulation::LinkEnds ends = network->ends(link);
        const std::int32_t from = print.markOf(ends.from);
        const std::int32_t to = print.markOf(ends.to);
        if (from == to) continue;
        const Track track = layout.between(from, to);
        const QLineF normal = track.legs[0].normalVector().unitVector();
        draw(track.at(0.3) + (normal.p1() - normal.p2()) * 9, slow.factor, {Meaning::Kind::link, link.value, -1});
    }
}

/// What ranks of a full network form: groups, and who sends to whom in a tree or a cube. Returns what is left out.
QString drawFormation(SceneBuilder& pencil, const DrawableRun& subject, const NetworkFrame& frame,
                      const NetworkLayout& layout) {
    const Palette& palette = pencil.palette();
    for (const QRectF& outline : layout.outlines()) pencil.ellipse(outline, {}, palette.faint).width = 1;
    const double thin = layout.radius() < 4 ? 0.6 : 1;
    std::vector<QLineF> lines;
    std::vector<double> lengths;
    for (const auto& [from, to] : subject.blueprint().bonds) {
        lines.emplace_back(layout.middleOf(from), layout.middleOf(to));
        lengths.push_back(lines.back().length());
    }
    const double longest = longestDrawn(std::move(lengths), thin, frame.network.size());
    std::size_t left = 0;
    for (const QLineF& line : lines) {
        if (line.length() <= longest) pencil.line(line.p1(), line.p2(), palette.faint, thin);
        else ++left;
    }
    return leftOutInWords(left, lines.size(), QStringLiteral("lines between ranks"));
}

void drawSwitches(SceneBuilder& pencil, const DrawableRun& subject, const NetworkLayout& layout) {
    const NetworkShape& print = subject.blueprint();
    const bool names = namesSwitches(print, layout);
    for (std::int32_t node = print.ranks; node < print.hosts; ++node)
        if (print.markOf(node) == node)
            drawFreePlace(pencil, layout.middleOf(node), layout.radius(),
                          QString::fromStdString(subject.report().network->nodeName(node)));
    for (std::int32_t node = print.hosts; node < print.nodes; ++node)
        drawSwitch(pencil, layout.middleOf(node), layout.switchRadius(), names ? nameOfSwitch(print, node) : QString{},
                   QString::fromStdString(subject.report().network->nodeName(node)));
}

/// Numbers within a ring whose ranks are too small for theirs.
void drawRingNumbers(SceneBuilder& pencil, const DrawableRun& subject, const NetworkLayout& layout) {
    const NetworkShape& print = subject.blueprint();
    if (layout.radius() >= smallestNumbered || print.arrangement != NetworkShape::Arrangement::circle) return;
    const QPointF top = layout.middleOf(0) - layout.middle();
    const double rim = std::hypot(top.x(), top.y());
    if (rim < leastNumberedRim) return;
    const std::int32_t step = labelStep(2 * std::numbers::pi * rim / print.hosts, 44);
    for (std::int32_t rank = 0; rank + step / 2 < print.ranks; rank += step) {
        const QPointF apart = layout.middleOf(rank) - layout.middle();
        const QString number = QString::number(rank);
        // As far within as the number reaches towards the rim.
        const double reach = 8 + sizeOf(number, points::tiny).width() / 2 * std::abs(apart.x()) / rim;
        pencil
            .text(layout.middle() + apart * ((rim - layout.radius() - reach) / rim), Qt::AlignCenter, number,
                  points::tiny, pencil.palette().muted)
            .meaning = {Meaning::Kind::rank, rank, -1};
    }
}

/// Of a switch of the first level; without free places.
std::vector<std::int32_t> ranksBelow(const NetworkShape& print, std::size_t leaf) {
    std::vector<std::int32_t> ranks;
    std::ranges::copy_if(print.leaves[leaf].ranks, std::back_inserter(ranks),
                         [&](std::int32_t host) { return host < print.ranks; });
    return ranks;
}

/// Below the ranks of each switch, where these are too small for their own: the first and the last, or the first alone.
void drawLeafNumbers(SceneBuilder& pencil, const DrawableRun& subject, const NetworkLayout& layout) {
    const NetworkShape& print = subject.blueprint();
    if (!numbersLeaves(print, layout)) return;
    double room = std::numeric_limits<double>::infinity();
    std::vector<std::pair<std::int32_t, double>> middles;  // leaf, place
    for (std::size_t i = 0; i < print.leaves.size(); ++i) {
        if (ranksBelow(print, i).empty()) continue;
        const double middle = layout.middleOf(print.leaves[i].node).x();
        if (!middles.empty()) room = std::min(room, middle - middles.back().second);
        middles.emplace_back(static_cast<std::int32_t>(i), middle);
    }
    const auto wordsOf = [&](std::int32_t leaf, bool whole) {
        const std::vector<std::int32_t> ranks = ranksBelow(print, static_cast<std::size_t>(leaf));
        const bool run = ranks.back() - ranks.front() + 1 == static_cast<std::int32_t>(ranks.size());
        const QString first = QString::number(ranks.front());
        return whole && run && ranks.size() > 1 ? first + QStringLiteral("–") + QString::number(ranks.back()) : first;
    };
    const auto widthWith = [&](bool whole) {
        double widest = 0;
        for (const auto& [leaf, middle] : middles)
            widest = std::max(widest, sizeOf(wordsOf(leaf, whole), points::tiny).width() + 6);
        return widest;
    };
    const bool whole = widthWith(true) <= room;
    const std::int32_t step = whole ? 1 : labelStep(room, widthWith(false));
    double below = 0;
    for (std::int32_t rank = 0; rank < print.ranks; ++rank) below = std::max(below, layout.middleOf(rank).y());
    below += layout.radius() + 3;
    for (std::size_t i = 0; i < middles.size(); i += static_cast<std::size_t>(step))
        pencil
            .text({middles[i].second, below}, Qt::AlignHCenter | Qt::AlignTop, wordsOf(middles[i].first, whole),
                  points::tiny, pencil.palette().muted)
            .meaning = {Meaning::Kind::rank, ranksBelow(print, static_cast<std::size_t>(middles[i].first)).front(), -1};
}

void drawGroupNames(SceneBuilder& pencil, const DrawableRun& subject, const NetworkFrame& frame,
                    const NetworkLayout& layout) {
    if (subject.sideOf(engine::Rank{0}) != Side::a) return;
    const QColor colour = pencil.palette().muted;
    const NetworkShape& print = subject.blueprint();
    if (print.arrangement == NetworkShape::Arrangement::facing) {
        const QPointF middle = frame.whole.center();
        pencil.text({middle.x(), frame.whole.top()}, Qt::AlignHCenter | Qt::AlignTop, nameOf(subject, Side::a),
                    points::normal, colour);
        pencil.text({middle.x(), frame.whole.bottom()}, Qt::AlignHCenter | Qt::AlignBottom, nameOf(subject, Side::b),
                    points::normal, colour);
        return;
    }
    const emulation::NetworkPtr& network = subject.report().network;
    const bool ring = network && network->wiring().kind() == engine::Wiring::Kind::ring;
    if (!ring || !print.places.empty()) return;
    // Within the ring there is room, as its messages keep to the rim. Both groups have their names, or none: one alone
    // would be a riddle. What a group does stands below its name, of both or of none.
    struct Name {
        QStringList lines;
        QPointF at;
        QPointF rim;
    };
    std::vector<Name> names;
    for (const Side side : {Side::a, Side::b}) {
        std::vector<std::int32_t> members;
        for (std::int32_t rank = 0; rank < subject.run().ranks; ++rank)
            if (subject.sideOf(engine::Rank{rank}) == side) members.push_back(rank);
        const std::size_t half = members.size() / 2;
        const QPointF rim = members.size() % 2 == 1
                                ? layout.middleOf(members[half])
                                : (layout.middleOf(members[half - 1]) + layout.middleOf(members[half])) / 2;
        names.push_back(
            {nameOf(subject, side).split(QStringLiteral(", ")), layout.middle() + (rim - layout.middle()) * 0.52, rim});
    }
    const double line = lineHeight(points::normal);
    const auto placeOf = [&](const Name& name, qsizetype i, qsizetype lines) {
        return name.at + QPointF{0, line * (static_cast<double>(i) - static_cast<double>(lines - 1) / 2)};
    };
    const auto boxOf = [&](const Name& name, qsizetype i, qsizetype lines) {
        const QSizeF needed = sizeOf(name.lines[i], points::normal, i == 0);
        return QRectF{placeOf(name, i, lines) - QPointF{needed.width() / 2, line / 2}, QSizeF{needed.width(), line}};
    };
    const auto fits = [&](qsizetype lines) {
        std::vector<QRectF> taken;
        for (const Name& name : names)
            for (qsizetype i = 0; i < std::min(lines, name.lines.size()); ++i) {
                const QRectF box = boxOf(name, i, std::min(lines, name.lines.size()));
                const QPointF apart = box.center() - layout.middle();
                const QPointF edge = name.rim - layout.middle();
                const bool within = std::hypot(std::abs(apart.x()) + box.width() / 2, std::abs(apart.y()) + line / 2) <=
                                    std::hypot(edge.x(), edge.y()) - layout.radius() - 8;
                if (!within || !pencil.freeOfText(box)) return false;
                if (std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(box); }))
                    return false;
                taken.push_back(box);
            }
        return true;
    };
    const qsizetype lines = fits(2) ? 2 : fits(1) ? 1 : 0;
    for (const Name& name : names)
        for (qsizetype i = 0; i < std::min(lines, name.lines.size()); ++i)
            pencil.text(placeOf(name, i, std::min(lines, name.lines.size())), Qt::AlignCenter, name.lines[i],
                        points::normal, i == 0 ? pencil.palette().ink : colour, i == 0);
}

}  // namespace

Scene networkBackground(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    const NetworkFrame frame = networkFrame(subject, state, size);
    const NetworkLayout layout = layoutIn(subject, frame);
    const engine::Round round = subject.roundAt(state.time);
    const bool hidden = state.veil && round == subject.roundAt(*state.veil);
    const Loads loads = hidden ? Loads{} : loadsOf(subject, round);
    if (!hidden) drawSideOfCut(pencil, subject, layout);
    // A network has links, or a formation.
    const QString leftOut =
        drawFormation(pencil, subject, frame, layout) + drawLinks(pencil, subject, state, frame, layout, loads);
    if (!hidden) drawLinksOfCut(pencil, subject, layout);
    drawSwitches(pencil, subject, layout);
    drawFactors(pencil, subject, layout);
    drawRingNumbers(pencil, subject, layout);
    drawLeafNumbers(pencil, subject, layout);
    drawGroupNames(pencil, subject, frame, layout);
    cutToFrame(scene, 0, frame);
    nameLayer(pencil, subject, state, frame);
    fadeOtherLayers(scene, subject, state);
    const Legend legend = networkLegend(subject, state);
    if (frame.column) {
        const double scale = loads.perLink.empty() ? 0 : loadScaleHeight;
        double below = legend.column(pencil, frame.legend.adjusted(0, 0, 0, -scale)) + 8;
        if (scale > 0 && frame.legend.height() - below >= scale - 8) {
            drawLoadScale(pencil, subject, loads, frame.legend.topLeft() + QPointF{0, below}, frame.legend.width());
            below += scale + 8;
        }
        if (!leftOut.isEmpty() && frame.legend.height() - below >= 3 * lineHeight(points::small))
            pencil.paragraph(frame.legend.topLeft() + QPointF{0, below}, frame.legend.width(), leftOut, points::small,
                             pencil.palette().muted);
    } else if (!frame.legend.isEmpty()) {
        legend.rows(pencil, frame.legend.adjusted(0, 0, 0, -loadLineHeight(subject)));
        if (!loads.perLink.empty())
            drawLoadLine(pencil, subject, loads, frame.legend.bottomLeft() - QPointF{0, loadLineHeight(subject)},
                         frame.legend.width());
    }
    return scene;
}

}  // namespace app::gui

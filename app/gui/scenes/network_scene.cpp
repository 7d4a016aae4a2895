// SPDX-License-Identifier: BSD-3-Clause
// The network: links below, coloured by their load in the round in progress; ranks and moving messages above.
#include "app/gui/scenes/layout.hpp"
#include "app/gui/scenes/legend.hpp"
#include "app/gui/scenes/marks.hpp"
#include "app/gui/scenes/words.hpp"
#include "emulation/congestion.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace app::gui {
namespace {

constexpr std::size_t mostMarkers = 2000;   // above: flows
constexpr std::size_t mostCargoes = 48;     // above: dots without words
constexpr std::size_t mostTrails = 300;     // lines behind messages of a full network
constexpr std::size_t mostCounts = 64;      // numbers beside flows
constexpr std::int32_t mostBundles = 32;    // of ranks, for flows of a full network
constexpr double margin = 8;

struct Loads {
    std::vector<engine::Bytes> perLink;
    engine::Bytes peak = 0;        ///< of this round
    std::int32_t busiest = -1;
    std::int64_t equallyBusy = 0;  ///< links that carry as much
};

Loads loadsOf(const Subject& subject, engine::Round round) {
    Loads loads;
    const emulation::NetworkPtr& network = subject.report().network;
    if (network == nullptr || network->links() == 0 || round.value >= subject.run().rounds) return loads;
    loads.perLink = emulation::loadsInRound(subject.run(), *network, round);
    for (std::size_t link = 0; link < loads.perLink.size(); ++link) {
        if (loads.perLink[link] > loads.peak) {
            loads.peak = loads.perLink[link];
            loads.busiest = static_cast<std::int32_t>(link);
        }
    }
    if (loads.peak > 0) loads.equallyBusy = std::count(loads.perLink.begin(), loads.perLink.end(), loads.peak);
    return loads;
}

/// How the picture is divided. The same for both layers.
struct Frame {
    QRectF network;
    QRectF legend;
    bool column = true;
};

QString cargoWords(const Subject& subject) {
    if (subject.columns().kind() == Columns::Kind::unknown || !subject.holdings().unknown().empty())
        return QStringLiteral("message");
    return QStringLiteral("message with its ") + subject.columns().plural().chopped(1);
}

Legend legendOf(const Subject& subject) {
    Legend legend;
    legend.heading(QStringLiteral("A rank is"));
    for (const RankState state :
         {RankState::sending, RankState::receiving, RankState::both, RankState::waiting, RankState::done})
        legend.entry(nameOf(state), [state](Pencil& pencil, const QRectF& box) {
            drawRank(pencil, box.center(), box.height() / 2, Side::whole, state, {});
        });
    const bool twoGroups = subject.sideOf(engine::Rank{0}) == Side::a;
    const bool dummies = subject.sideOf(engine::Rank{subject.run().ranks - 1}) == Side::dummy;
    if (twoGroups || dummies) legend.heading(QStringLiteral("It belongs to"));
    const auto side = [&](Side which) {
        legend.entry(nameOf(subject, which), [which](Pencil& pencil, const QRectF& box) {
            drawRank(pencil, box.center(), box.height() / 2, which, RankState::done, {});
        });
    };
    if (twoGroups) {
        side(Side::a);
        side(Side::b);
    }
    if (dummies) side(Side::dummy);
    legend.heading(QStringLiteral("Moving"));
    const bool known = subject.columns().count() > 0;
    legend.entry(cargoWords(subject), [known, &subject](Pencil& pencil, const QRectF& box) {
        drawMessage(pencil, box.center(), 6, subject.colourOf(known ? 0 : -1, pencil.dark()),
                    known ? QStringLiteral("0") : QString{});
    });
    return legend;
}

Frame frameOf(const Subject& subject, QSizeF size) {
    const QRectF whole = QRectF{QPointF{}, size}.adjusted(margin, margin, -margin, -margin);
    const Legend legend = legendOf(subject);
    const double side = std::max(legend.width(), 132.0);
    Frame frame;
    frame.column = whole.width() - side - 3 * margin >= std::min(whole.height() * 0.8, 0.55 * whole.width());
    if (frame.column) {
        frame.legend = {whole.right() - side, whole.top(), side, whole.height()};
        frame.network = whole.adjusted(0, 0, -side - 3 * margin, 0);
    } else {
        const double below = legend.rowsHeight(whole.width()) + (subject.peakLoad() > 0 ? 34 : 0);
        frame.legend = {whole.left(), whole.bottom() - below, whole.width(), below};
        frame.network = whole.adjusted(0, 0, 0, -below - margin);
    }
    return frame;
}

bool namesAtRows(const Subject& subject, const NetworkLayout::Arrangement arrangement) {
    return arrangement == NetworkLayout::Arrangement::facing && subject.sideOf(engine::Rank{0}) == Side::a;
}

/// The layout within the frame; two facing groups leave room for their names.
NetworkLayout layoutOf(const Subject& subject, const Frame& frame) {
    NetworkLayout layout{subject, frame.network};
    if (!namesAtRows(subject, layout.arrangement())) return layout;
    const double line = lineHeight(points::normal) + 6;
    return NetworkLayout{subject, frame.network.adjusted(0, line, 0, -line)};
}

void drawLinks(Pencil& pencil, const Subject& subject, const NetworkLayout& layout, const Loads& loads) {
    const Palette& palette = pencil.palette();
    const emulation::Network* network = subject.report().network.get();
    if (network == nullptr || network->links() == 0) return;
    const double thin = layout.radius() < 4 ? 0.6 : 1;
    const engine::Bytes scale = std::max({subject.peakLoad(), loads.peak, engine::Bytes{1}});
    const auto draw = [&](std::int32_t link, const QColor& colour, double width) {
        const emulation::LinkEnds ends = network->ends(engine::LinkId{link});
        if (ends.from == ends.to) return;
        const Track track = layout.between(ends.from, ends.to);
        for (int leg = 0; leg < track.count; ++leg) {
            Shape& shape = pencil.line(track.legs[static_cast<std::size_t>(leg)].p1(),
                                       track.legs[static_cast<std::size_t>(leg)].p2(), colour, width);
            shape.meaning = {Meaning::Kind::link, link, -1};
            if (!loads.perLink.empty() && network->links() <= 512)
                shape.tip = QStringLiteral("link %1: %2 in this round")
                                .arg(QString::fromStdString(network->linkName(engine::LinkId{link})),
                                     bytesInWords(loads.perLink[static_cast<std::size_t>(link)]));
        }
    };
    // Unused ones first, so that no thin line crosses a loaded one.
    for (std::int32_t link = 0; link < network->links(); ++link)
        if (loads.perLink.empty() || loads.perLink[static_cast<std::size_t>(link)] == 0) draw(link, palette.faint, thin);
    for (std::int32_t link = 0; link < static_cast<std::int32_t>(loads.perLink.size()); ++link) {
        const engine::Bytes bytes = loads.perLink[static_cast<std::size_t>(link)];
        if (bytes == 0) continue;
        const double share = static_cast<double>(bytes) / static_cast<double>(scale);
        draw(link, loadColour(share, pencil.dark()), thin + share * std::clamp(layout.radius() * 0.28, 1.0, 4.0));
    }
    // The busiest one is marked when it stands out.
    if (loads.busiest < 0 || loads.equallyBusy > 3) return;
    for (std::int32_t link = loads.busiest; link < static_cast<std::int32_t>(loads.perLink.size()); ++link) {
        if (loads.perLink[static_cast<std::size_t>(link)] != loads.peak) continue;
        const emulation::LinkEnds ends = network->ends(engine::LinkId{link});
        const Track track = layout.between(ends.from, ends.to);
        for (int leg = 0; leg < track.count; ++leg) {
            const QLineF line = track.legs[static_cast<std::size_t>(leg)];
            const QLineF normal = line.normalVector().unitVector();
            const QPointF aside = (normal.p1() - normal.p2()) * (layout.radius() * 0.2 + 3);
            pencil.line(line.p1() + aside, line.p2() + aside, palette.accent, 1.5);
        }
    }
}

void drawLoadScale(Pencil& pencil, const Subject& subject, const Loads& loads, QPointF at, double width) {
    const Palette& palette = pencil.palette();
    constexpr int steps = 24;
    constexpr double height = 8;
    pencil.text(at, Qt::AlignLeft | Qt::AlignTop, QStringLiteral("Load of a link, this round"), points::small,
                palette.muted, true);
    double y = at.y() + lineHeight(points::small) + 3;
    const double bar = std::min(width, 132.0);
    for (int step = 0; step < steps; ++step)
        pencil.rectangle({at.x() + bar * step / steps, y, bar / steps + 0.5, height},
                         loadColour((step + 0.5) / steps, pencil.dark()));
    y += height + 2;
    pencil.text({at.x(), y}, Qt::AlignLeft | Qt::AlignTop, QStringLiteral("0"), points::tiny, palette.muted);
    pencil.text({at.x() + bar, y}, Qt::AlignRight | Qt::AlignTop, bytesInWords(std::max(subject.peakLoad(), loads.peak)),
                points::tiny, palette.muted);
    y += lineHeight(points::tiny) + 5;
    if (loads.busiest < 0) return;
    const QString name = QString::fromStdString(subject.report().network->linkName(engine::LinkId{loads.busiest}))
                             .replace(QStringLiteral("->"), QStringLiteral("\u2192"));
    QString words = QStringLiteral("busiest: %1").arg(name);
    if (loads.equallyBusy > 1) words += QStringLiteral(" and %1 more").arg(loads.equallyBusy - 1);
    words += QStringLiteral(", ") + bytesInWords(loads.peak);
    if (loads.equallyBusy > 1) words += QStringLiteral(" each");
    const double left = loads.equallyBusy > 3 ? 0 : 14;
    if (left > 0) pencil.line({at.x(), y + 7}, {at.x() + 10, y + 7}, palette.accent, 1.5);
    pencil.paragraph({at.x() + left, y}, width - left, words, points::small, palette.ink);
}

void drawGroupNames(Pencil& pencil, const Subject& subject, const Frame& frame, const NetworkLayout& layout) {
    if (subject.sideOf(engine::Rank{0}) != Side::a) return;
    const QColor colour = pencil.palette().muted;
    if (namesAtRows(subject, layout.arrangement())) {
        const QPointF middle = frame.network.center();
        pencil.text({middle.x(), frame.network.top()}, Qt::AlignHCenter | Qt::AlignTop, nameOf(subject, Side::a),
                    points::normal, colour);
        pencil.text({middle.x(), frame.network.bottom()}, Qt::AlignHCenter | Qt::AlignBottom, nameOf(subject, Side::b),
                    points::normal, colour);
        return;
    }
    if (layout.arrangement() != NetworkLayout::Arrangement::circle) return;
    // Within the ring there is room, as its messages keep to the rim.
    for (const Side side : {Side::a, Side::b}) {
        std::vector<std::int32_t> members;
        for (std::int32_t rank = 0; rank < subject.run().ranks; ++rank)
            if (subject.sideOf(engine::Rank{rank}) == side) members.push_back(rank);
        const std::size_t half = members.size() / 2;
        const QPointF rim = members.size() % 2 == 1
                                ? layout.place(engine::Rank{members[half]})
                                : (layout.place(engine::Rank{members[half - 1]}) + layout.place(engine::Rank{members[half]})) / 2;
        const QStringList words = nameOf(subject, side).split(QStringLiteral(", "));
        const QPointF at = layout.middle() + (rim - layout.middle()) * 0.52;
        const double line = lineHeight(points::normal);
        for (qsizetype i = 0; i < words.size(); ++i) {
            const QPointF place = at + QPointF{0, line * (static_cast<double>(i) - static_cast<double>(words.size() - 1) / 2)};
            const QSizeF needed = sizeOf(words[i], points::normal);
            const QPointF apart = place - layout.middle();
            const QPointF edge = rim - layout.middle();
            if (std::hypot(std::abs(apart.x()) + needed.width() / 2, std::abs(apart.y()) + line / 2) >
                std::hypot(edge.x(), edge.y()) - layout.radius() - 8)
                continue;
            if (!pencil.freeOfText({place - QPointF{needed.width() / 2, line / 2}, needed})) continue;
            pencil.text(place, Qt::AlignCenter, words[i], points::normal, i == 0 ? pencil.palette().ink : colour, i == 0);
        }
    }
}

std::vector<RankState> statesAt(const Subject& subject, engine::Picoseconds time, const std::vector<std::size_t>& moving) {
    const engine::Messages& messages = subject.run().messages;
    std::vector<RankState> states(static_cast<std::size_t>(subject.run().ranks), RankState::waiting);
    for (std::size_t rank = 0; rank < states.size(); ++rank)
        if (subject.doneAt(engine::Rank{static_cast<std::int32_t>(rank)}) <= time) states[rank] = RankState::done;
    for (const std::size_t i : moving) {
        RankState& sender = states[static_cast<std::size_t>(messages.from()[i].value)];
        if (messages.sendBegin()[i] <= time && time < messages.sendEnd()[i])
            sender = sender == RankState::receiving || sender == RankState::both ? RankState::both : RankState::sending;
        RankState& receiver = states[static_cast<std::size_t>(messages.to()[i].value)];
        if (messages.receiveBegin()[i] <= time && time < messages.receiveEnd()[i])
            receiver = receiver == RankState::sending || receiver == RankState::both ? RankState::both : RankState::receiving;
    }
    return states;
}

void drawRanks(Pencil& pencil, const Subject& subject, const ViewState& state, const NetworkLayout& layout,
               const std::vector<RankState>& states) {
    const bool numbers = layout.radius() >= 6;
    for (std::int32_t rank = 0; rank < subject.run().ranks; ++rank) {
        const QPointF middle = layout.place(engine::Rank{rank});
        const double radius = layout.radius();
        drawRank(pencil, middle, radius, subject.sideOf(engine::Rank{rank}), states[static_cast<std::size_t>(rank)],
                 numbers ? QString::number(rank) : QString{}, {Meaning::Kind::rank, rank, -1});
        if (state.rank && state.rank->value == rank) {
            const double ring = radius + 4;
            pencil.ellipse({middle.x() - ring, middle.y() - ring, 2 * ring, 2 * ring}, {}, pencil.palette().accent).width = 2;
        }
    }
}

/// How far a message has come, 0..1: from the begin of its sending to the end of its receiving.
double shareOf(const Subject& subject, std::size_t message, const ViewState& state) {
    if (state.reduceMotion) return 0.5;
    const engine::MessageRecord record = subject.run().messages[message];
    const auto way = (record.receiveEnd - record.sendBegin).count();
    if (way <= 0) return 0.5;
    return std::clamp(static_cast<double>((state.time - record.sendBegin).count()) / static_cast<double>(way), 0.0, 1.0);
}

void drawMarkers(Pencil& pencil, const Subject& subject, const ViewState& state, const NetworkLayout& layout,
                 const std::vector<std::size_t>& moving) {
    const emulation::Network* network = subject.report().network.get();
    const engine::Messages& messages = subject.run().messages;
    const bool links = network != nullptr && network->links() > 0;
    const double largest = std::clamp(layout.radius() * 0.55, 2.0, 8.0);
    if (!links && moving.size() <= mostTrails)
        for (const std::size_t i : moving) {
            const QLineF way = layout.between(messages.from()[i].value, messages.to()[i].value).legs[0];
            const QColor colour = subject.colourOf(subject.columnOf(i), pencil.dark());
            Shape& trail = moving.size() <= mostCargoes
                               ? pencil.arrow(way.p1(), way.p2(), mixed(pencil.palette().paper, colour, 0.6), 1.4)
                               : pencil.line(way.p1(), way.p2(), mixed(pencil.palette().paper, colour, 0.5));
            trail.meaning = {Meaning::Kind::message, static_cast<std::int64_t>(i), -1};
        }
    if (state.message && *state.message < messages.size())
        for (const Track& track : layout.tracks(network, messages.from()[*state.message], messages.to()[*state.message]))
            for (int leg = 0; leg < track.count; ++leg)
                pencil.line(track.legs[static_cast<std::size_t>(leg)].p1(), track.legs[static_cast<std::size_t>(leg)].p2(),
                            pencil.palette().accent, 2);
    std::vector<engine::LinkId> route;
    for (const std::size_t i : moving) {
        const QPointF at = layout.along(network, messages.from()[i], messages.to()[i], shareOf(subject, i, state), route);
        const double size = subject.largestMessage() == 0
                                ? 1
                                : std::sqrt(static_cast<double>(messages.bytes()[i]) / static_cast<double>(subject.largestMessage()));
        const double radius = largest * (0.55 + 0.45 * size);
        QString cargo;
        if (moving.size() <= mostCargoes && layout.radius() >= 7) cargo = subject.cargoOf(i);
        const QSizeF room = sizeOf(cargo, points::tiny, true);
        if (!cargo.isEmpty() && !pencil.freeOfText({at - QPointF{room.width() / 2, room.height() / 2}, room})) cargo.clear();
        const Meaning meaning{Meaning::Kind::message, static_cast<std::int64_t>(i), -1};
        const QRectF box = drawMessage(pencil, at, radius, subject.colourOf(subject.columnOf(i), pencil.dark()), cargo, meaning);
        if (state.message == i) {
            Shape& ring = pencil.rectangle(box.adjusted(-3, -3, 3, 3), {}, pencil.palette().accent);
            ring.radius = box.height() / 2 + 3;
            ring.width = 2;
        }
    }
}

/// Too many to follow: what is on each link, or between bundles of ranks of a full network, as one line each.
void drawFlows(Pencil& pencil, const Subject& subject, const ViewState& state, const NetworkLayout& layout,
               const std::vector<std::size_t>& moving) {
    struct Flow {
        std::int64_t messages = 0;
        std::int32_t column = -1;
    };
    const emulation::Network* network = subject.report().network.get();
    const engine::Messages& messages = subject.run().messages;
    const std::int32_t bundle = (subject.run().ranks + mostBundles - 1) / mostBundles;
    std::map<std::pair<std::int32_t, std::int32_t>, Flow> flows;
    std::vector<engine::LinkId> route;
    std::vector<Flow> perLink(network == nullptr ? 0 : static_cast<std::size_t>(network->links()));
    for (const std::size_t i : moving) {
        Flow* flow = nullptr;
        if (perLink.empty()) {
            flow = &flows[{messages.from()[i].value / bundle, messages.to()[i].value / bundle}];
        } else {
            route.clear();
            network->route(messages.from()[i], messages.to()[i], route);
            if (route.empty()) continue;
            const double hops = shareOf(subject, i, state) * static_cast<double>(route.size());
            const engine::LinkId link = route[std::min(static_cast<std::size_t>(hops), route.size() - 1)];
            flow = &perLink[static_cast<std::size_t>(link.value)];
        }
        if (flow->messages++ == 0) flow->column = subject.columnOf(i);
    }
    const auto middleOf = [&](std::int32_t which) {
        return std::min(which * bundle + bundle / 2, subject.run().ranks - 1);
    };
    for (std::size_t link = 0; link < perLink.size(); ++link)
        if (perLink[link].messages > 0) {
            const emulation::LinkEnds ends = network->ends(engine::LinkId{static_cast<std::int32_t>(link)});
            flows[{ends.from, ends.to}] = perLink[link];
        }
    std::int64_t most = 1;
    for (const auto& [ends, flow] : flows) most = std::max(most, flow.messages);
    for (const auto& [ends, flow] : flows) {
        const bool bundled = perLink.empty();
        const std::int32_t from = bundled ? middleOf(ends.first) : ends.first;
        const std::int32_t to = bundled ? middleOf(ends.second) : ends.second;
        if (from == to) continue;
        const double width = 1 + 5 * static_cast<double>(flow.messages) / static_cast<double>(most);
        const Track track = layout.between(from, to);
        for (int leg = 0; leg < track.count; ++leg) {
            const QLineF way = track.legs[static_cast<std::size_t>(leg)];
            Shape& line = pencil.line(way.p1(), way.p2(), subject.colourOf(flow.column, pencil.dark()), width);
            line.tip = QStringLiteral("%1 messages").arg(flow.messages);
        }
        if (flows.size() > mostCounts) continue;
        const QString count = QString::number(flow.messages);
        const QSizeF room = sizeOf(count, points::tiny);
        const QPointF at = track.at(0.4);
        if (pencil.freeOfText({at - QPointF{room.width() / 2, room.height() / 2}, room}))
            pencil.text(at, Qt::AlignCenter, count, points::tiny, pencil.palette().ink);
    }
}

}  // namespace

Scene networkBackground(const Subject& subject, const ViewState& state, QSizeF size) {
    Scene scene;
    Pencil pencil{scene, state.dark};
    const Frame frame = frameOf(subject, size);
    const NetworkLayout layout = layoutOf(subject, frame);
    const Loads loads = loadsOf(subject, subject.roundAt(state.time));
    drawLinks(pencil, subject, layout, loads);
    drawGroupNames(pencil, subject, frame, layout);
    const Legend legend = legendOf(subject);
    if (frame.column) {
        const double below = legend.column(pencil, frame.legend) + 10;
        if (!loads.perLink.empty() && frame.legend.height() - below > 66)
            drawLoadScale(pencil, subject, loads, frame.legend.topLeft() + QPointF{0, below}, frame.legend.width());
    } else {
        legend.rows(pencil, frame.legend);
    }
    return scene;
}

Scene networkForeground(const Subject& subject, const ViewState& state, QSizeF size) {
    Scene scene;
    Pencil pencil{scene, state.dark};
    const NetworkLayout layout = layoutOf(subject, frameOf(subject, size));
    const std::vector<std::size_t> moving = subject.messagesAt(state.time);
    if (moving.size() > mostMarkers) drawFlows(pencil, subject, state, layout, moving);
    drawRanks(pencil, subject, state, layout, statesAt(subject, state.time, moving));
    if (moving.size() <= mostMarkers) drawMarkers(pencil, subject, state, layout, moving);
    scene.description = momentOf(subject, state.time) + QStringLiteral(". ") + eventsOf(subject, state.time);
    return scene;
}

Scene networkScene(const Subject& subject, const ViewState& state, QSizeF size) {
    Scene scene = networkBackground(subject, state, size);
    Scene above = networkForeground(subject, state, size);
    scene.shapes.insert(scene.shapes.end(), std::make_move_iterator(above.shapes.begin()),
                        std::make_move_iterator(above.shapes.end()));
    scene.description = titleOf(subject) + QStringLiteral(". ") + above.description;
    return scene;
}

}  // namespace app::gui

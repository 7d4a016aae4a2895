// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/network/binding_cut.hpp"

#include "app/gui/scenes/text/run_text.hpp"

#include <algorithm>

namespace app::gui {
namespace {

using emulation::bounds::NetworkBound;

constexpr std::int32_t mostGroups = 16;  // that are tinted in turn

/// Which nodes are tinted; empty where there are no sides to distinguish.
std::vector<bool> tinted(const NetworkBound& bound, std::int32_t ranks) {
    if (bound.kind == NetworkBound::Kind::distances || bound.groups > mostGroups) return {};
    const auto senders = std::count(bound.side.begin(), bound.side.begin() + ranks, 1);
    const std::int32_t side = 2 * senders <= ranks ? 1 : 0;
    std::vector<bool> nodes;
    for (const std::int32_t of : bound.side)
        nodes.push_back(bound.kind == NetworkBound::Kind::cut ? of == side : of >= 0 && of % 2 == 0);
    return nodes;
}

bool marksLinks(const NetworkBound& bound, const emulation::Network& network) {
    return 2 * bound.links.size() <= engine::asSize(network.links());
}

QColor tintOf(const SceneBuilder& pencil) { return mixed(pencil.palette().paper, pencil.palette().accent, 0.22); }

/// On a loaded link its edges stay visible.
void markLine(SceneBuilder& pencil, QPointF from, QPointF to) {
    pencil.line(from, to, pencil.palette().paper, 2.5);
    pencil.line(from, to, pencil.palette().accent, 2.5).dashed = true;
}

}  // namespace

void drawSideOfCut(SceneBuilder& pencil, const DrawableRun& subject, const NetworkLayout& layout) {
    const NetworkBound* bound = subject.report().binding();
    if (bound == nullptr) return;
    const std::vector<bool> nodes = tinted(*bound, subject.run().ranks);
    const NetworkShape& print = subject.blueprint();
    for (std::int32_t node = 0; node < std::min(print.nodes, static_cast<std::int32_t>(nodes.size())); ++node) {
        if (!nodes[engine::asSize(node)] || print.markOf(node) != node) continue;
        const double radius = (node < print.hosts ? layout.radius() : layout.switchRadius()) * 1.3 + 4;
        const QPointF middle = layout.middleOf(node);
        pencil.ellipse({middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius}, tintOf(pencil), {});
    }
}

void drawLinksOfCut(SceneBuilder& pencil, const DrawableRun& subject, const NetworkLayout& layout) {
    const NetworkBound* bound = subject.report().binding();
    if (bound == nullptr || !marksLinks(*bound, *subject.report().network)) return;
    const NetworkShape& print = subject.blueprint();
    for (const engine::LinkId link : bound->links) {
        const emulation::LinkEnds ends = subject.report().network->ends(link);
        if (print.markOf(ends.from) == print.markOf(ends.to)) continue;
        const Track track = layout.between(print.markOf(ends.from), print.markOf(ends.to));
        for (int leg = 0; leg < track.count; ++leg) {
            const QLineF line = track.legs[engine::asSize(leg)];
            markLine(pencil, line.p1(), line.p2());
        }
    }
}

void addCutTo(Legend& legend, const DrawableRun& subject) {
    const NetworkBound* bound = subject.report().binding();
    if (bound == nullptr) return;
    const bool links = marksLinks(*bound, *subject.report().network);
    const bool sides = !tinted(*bound, subject.run().ranks).empty();
    if (!links && !sides) return;
    legend.heading(QStringLiteral("Source of the lower bound"));
    if (links)
        legend.entry(QStringLiteral("links that limit every algorithm"), [](SceneBuilder& pencil, const QRectF& box) {
            markLine(pencil, {box.left(), box.center().y()}, {box.right(), box.center().y()});
        });
    if (sides)
        legend.entry(bound->kind == NetworkBound::Kind::cut
                         ? QStringLiteral("one side of these links")
                         : QStringLiteral("alternate groups of ranks, one side of these links"),
                     [](SceneBuilder& pencil, const QRectF& box) { pencil.ellipse(box, tintOf(pencil), {}); });
}

QString cutInWords(const DrawableRun& subject) {
    const NetworkBound* bound = subject.report().binding();
    if (bound == nullptr) return {};
    const analysis::Report& report = subject.report();
    QString words = QStringLiteral("Shared links raise the lower bound by %1: %2.")
                        .arg(timeInWords(report.limits->networkForces()),
                             QString::fromStdString(analysis::inWords(*bound, *report.network)));
    if (const auto load = report.bindingLoad())
        words += QStringLiteral(" This run moves %1 over these links, at most %2 over one.")
                     .arg(bytesInWords(load->all), bytesInWords(load->busiest));
    return words;
}

}  // namespace app::gui

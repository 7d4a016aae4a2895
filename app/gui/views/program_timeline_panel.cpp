// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/views/program_timeline_panel.hpp"

#include "app/gui/scenes/program/program_timeline_frame.hpp"
#include "app/gui/scenes/text/program_text.hpp"

#include <QMouseEvent>

#include <algorithm>
#include <numeric>

namespace app::gui {
namespace {

bool programIsReady(const DrawableRun& subject) { return !subject.isProgram() || subject.programReady(); }

std::optional<RowsInSight> rowsOf(const DrawableRun& subject, const ViewState& state, QSizeF paper) {
    const analysis::TracedProgram* program = programOf(subject);
    if (program == nullptr) return std::nullopt;
    const ProgramTimelineFrame frame = programTimelineFrame(subject, *program, state, paper);
    return RowsInSight{frame.pitch, frame.plot.top(), frame.top, frame.plot.height() / frame.pitch};
}

std::optional<engine::Rank> rankAt(const DrawableRun& subject, const ViewState& state, QSizeF paper, double y) {
    const analysis::TracedProgram* program = programOf(subject);
    if (program == nullptr) return std::nullopt;
    const ProgramTimelineFrame frame = programTimelineFrame(subject, *program, state, paper);
    const std::optional<std::size_t> row = frame.rowAt(y);
    return !row || frame.rows[*row].rank == traces::noRank ? std::nullopt : std::optional{frame.rows[*row].rank};
}

const std::vector<analysis::RankGroup>& groupsIn(const DrawableRun& subject, ProgramTimelineView::Groups groups) {
    static const std::vector<analysis::RankGroup> none;
    const analysis::TracedProgram* program = programOf(subject);
    return program == nullptr ? none : groupsOf(*program, {.groups = groups});
}

}  // namespace

ProgramTimelinePanel::ProgramTimelinePanel(Playback& playback)
    : DiagramPanel{
          playback, viewNamed("tracks"), {.axis = timeAxisOf, .rows = rowsOf, .groups = groupsIn, .rankAt = rankAt}} {
    addRowKey(tr("&Order rows by rank, waiting time, computation"), Qt::Key_O, [this] {
        ProgramTimelineView view = this->playback().state().tracks;
        view.order = next(view.order, 3);
        this->playback().setProgramTimeline(std::move(view));
    });
    addRowKey(tr("Another metri&c, all of them, none"), Qt::Key_V, [this] { nextMetrics(); });
    auto* const metrics = new QMenu{tr("&Metrics"), this};
    connect(metrics, &QMenu::aboutToShow, this, [this, metrics] { fillMetrics(*metrics); });
    addRowAction(metrics->menuAction());
}

/// A collective, or the call in which a rank took part in one, opens.
void ProgramTimelinePanel::mouseDoubleClickEvent(QMouseEvent* event) {
    const std::optional<Meaning> meaning = meaningAt(event->position());
    const bool opens = meaning && (meaning->kind == Meaning::Kind::collective || meaning->kind == Meaning::Kind::call ||
                                   meaning->kind == Meaning::Kind::wait);
    if (event->button() == Qt::LeftButton && opens) return playback().open(*meaning);
    DiagramPanel::mouseDoubleClickEvent(event);
}

std::optional<std::uint32_t> ProgramTimelinePanel::messageAt(QPointF at) {
    const DrawableRunPtr& subject = playback().subject();
    if (!subject || !programIsReady(*subject)) return std::nullopt;
    if (const std::optional<std::uint32_t> line = ViewWidget::messageAt(at)) return line;
    return programTimelineMessageAt(*subject, playback().shown(), paper(), at / playback().magnification());
}

void ProgramTimelinePanel::nextMetrics() {
    const DrawableRunPtr& subject = playback().subject();
    const analysis::TracedProgram* program = subject && programIsReady(*subject) ? programOf(*subject) : nullptr;
    if (program == nullptr || program->recording().metrics.empty()) return;
    const auto all = static_cast<std::int32_t>(program->recording().metrics.size());
    ProgramTimelineView view = playback().state().tracks;
    const std::vector<std::int32_t> shown = metricsIn(*program, view);
    std::vector<std::int32_t> next;
    if (shown.empty()) next = {0};
    else if (shown.size() == 1 && all > 1 && shown.front() + 1 < all) next = {shown.front() + 1};
    else if (shown.size() == 1 && all > 1) {
        next.resize(static_cast<std::size_t>(all));
        std::iota(next.begin(), next.end(), 0);
    }
    view.metrics = std::move(next);
    playback().setProgramTimeline(std::move(view));
}

void ProgramTimelinePanel::fillMetrics(QMenu& menu) {
    menu.clear();
    const DrawableRunPtr& subject = playback().subject();
    const analysis::TracedProgram* program = subject && programIsReady(*subject) ? programOf(*subject) : nullptr;
    if (program == nullptr || program->recording().metrics.empty()) {
        menu.addAction(tr("No metrics were recorded"))->setEnabled(false);
        return;
    }
    const std::vector<traces::Metric>& all = program->recording().metrics;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto metric = static_cast<std::int32_t>(i);
        const std::vector<std::int32_t> shown = metricsIn(*program, playback().state().tracks);
        QAction* action = menu.addAction(QString::fromStdString(all[i].name).replace('&', QLatin1String{"&&"}));
        action->setToolTip(QString::fromStdString(all[i].description));
        action->setCheckable(true);
        action->setChecked(std::binary_search(shown.begin(), shown.end(), metric));
        connect(action, &QAction::triggered, this, [this, shown, metric] {
            ProgramTimelineView view = playback().state().tracks;
            view.metrics = shown;
            const auto at = std::lower_bound(view.metrics->begin(), view.metrics->end(), metric);
            if (at != view.metrics->end() && *at == metric) view.metrics->erase(at);
            else view.metrics->insert(at, metric);
            playback().setProgramTimeline(std::move(view));
        });
    }
}

}  // namespace app::gui

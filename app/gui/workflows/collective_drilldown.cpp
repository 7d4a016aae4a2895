// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/workflows/collective_drilldown.hpp"

#include "app/analysis/overview/analysis_queue.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/widgets/drilldown_bar.hpp"
#include "app/gui/widgets/notice_bar.hpp"
#include "app/session/compare/single_collective.hpp"

namespace app::gui {
namespace {

struct Inside {
    DrawableRunPtr subject;
    QString name;
    QString how;
};

}  // namespace

CollectiveDrilldown::CollectiveDrilldown(Playback& playback, Contents& contents, RunLoader& presenter)
    : playback_{&playback},
      contents_{&contents},
      runLoader_{&presenter},
      opening_{new QAction{tr("Rounds of a co&llective"), this}},
      leaving_{new QAction{tr("Back to the t&race"), this}} {
    opening_->setShortcut(QKeySequence{Qt::ALT | Qt::Key_Down});
    opening_->setToolTip(
        tr("Opens the selected collective, or that of the selected rank at the time cursor, as a run"));
    leaving_->setShortcut(QKeySequence{Qt::ALT | Qt::Key_Up});
    leaving_->setToolTip(tr("Where it was left"));
    connect(opening_, &QAction::triggered, this, &CollectiveDrilldown::openChosen);
    connect(leaving_, &QAction::triggered, this, &CollectiveDrilldown::leave);
    connect(contents.inside, &InsideBar::left, this, &CollectiveDrilldown::leave);
    connect(&playback, &Playback::openWanted, this, &CollectiveDrilldown::open);
    connect(&presenter, &RunLoader::shown, this, &CollectiveDrilldown::follow);
    follow();
}

void CollectiveDrilldown::open(const Meaning& meaning) {
    const DrawableRunPtr subject = playback_->subject();
    if (!subject || !subject->recording()) return;
    const traces::Recording& recording = *subject->recording();
    const auto index = static_cast<std::size_t>(meaning.index);
    const auto at = [this](engine::Rank rank, engine::Picoseconds time) {
        start([rank, time](analysis::TraceAnalysis& analysis) { return instanceAt(analysis, rank, time); });
    };
    switch (meaning.kind) {
        case Meaning::Kind::collective:
            return start([index](analysis::TraceAnalysis& analysis) { return instanceOfCollective(analysis, index); });
        case Meaning::Kind::call: {
            const auto location = static_cast<std::size_t>(meaning.second);
            const traces::States& states = recording.states[location];
            return at(recording.locations[location].rank,
                      states.begin[index] + (states.end[index] - states.begin[index]) / 2);
        }
        case Meaning::Kind::message: {
            const engine::Messages& messages = subject->run().messages;
            return at(messages.from()[index], messages.sendBegin()[index]);
        }
        case Meaning::Kind::wait: {
            if (!subject->isProgram()) return;
            const analysis::Wait& wait = subject->programmed().program->waits()[index];
            return at(wait.rank, wait.begin);
        }
        default: return;
    }
}

void CollectiveDrilldown::openInstance(std::int64_t number) {
    start([number](analysis::TraceAnalysis&) { return std::optional{static_cast<std::size_t>(number - 1)}; });
}

void CollectiveDrilldown::openChosen() {
    const ViewState& state = playback_->state();
    using Kind = Meaning::Kind;
    if (state.asked && (state.asked->kind == Kind::collective || state.asked->kind == Kind::call ||
                        state.asked->kind == Kind::message || state.asked->kind == Kind::wait))
        return open(*state.asked);
    start([rank = state.rank.value_or(engine::Rank{0}), time = state.time](analysis::TraceAnalysis& analysis) {
        return instanceAt(analysis, rank, time);
    });
}

void CollectiveDrilldown::start(Find find) {
    const DrawableRunPtr subject = playback_->subject();
    if (!subject || inside() || !subject->recording() || subject->hasRounds()) return;
    worker_.start(
        [find = std::move(find), queue = subject->queue()](const engine::Progress& progress) {
            Inside made;
            queue->look(progress, [&](analysis::TraceAnalysis& analysis) {
                const std::optional<std::size_t> instance = find(analysis);
                if (!instance)
                    throw engine::Error{
                        "this rank was in no collective at this time, and had no message in "
                        "flight"};
                Opened opened = app::opened(analysis, *instance, progress);
                made.name = QString::fromStdString(opened.name);
                made.how = QString::fromStdString(opened.how);
                made.subject = std::make_shared<const DrawableRun>(std::move(opened.report), traces::RecordingPtr{},
                                                                   progress, DrawableRun::Rounds::known);
            });
            return made;
        },
        [this, subject](const Inside& made) {
            if (playback_->subject() != subject) return;
            outer_ = {subject, runLoader_->name(), runLoader_->source(), playback_->state()};
            shown_ = made.subject;
            contents_->inside->say(tr("%1 of %2: %3.").arg(made.name, outer_.name, withMu(made.how)));
            runLoader_->showPart(made.subject, made.name, outer_.source);
        },
        [this](const QString& sentence) { contents_->notice->say(tr("This cannot be opened: %1.").arg(sentence)); });
}

void CollectiveDrilldown::leave() {
    if (!inside()) return;
    const Outer outer = std::exchange(outer_, {});
    shown_.reset();
    runLoader_->showPart(outer.subject, outer.name, outer.source);
    if (outer.state.spanEnd > outer.state.spanBegin) playback_->showSpan(outer.state.spanBegin, outer.state.spanEnd);
    playback_->setProgramTimeline(outer.state.tracks);
    playback_->seek(outer.state.time);
    if (outer.state.rank) playback_->selectRank(outer.state.rank);
    if (outer.state.asked) playback_->choose(*outer.state.asked);
}

/// Something is shown: another run leaves the trace behind for good.
void CollectiveDrilldown::follow() {
    const DrawableRunPtr& subject = playback_->subject();
    if (inside() && subject != shown_) {
        outer_ = {};
        shown_.reset();
    }
    if (!inside()) contents_->inside->say({});
    opening_->setEnabled(!inside() && subject && subject->recording() && !subject->hasRounds());
    leaving_->setEnabled(inside());
}

}  // namespace app::gui

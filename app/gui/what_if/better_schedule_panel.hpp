// SPDX-License-Identifier: BSD-3-Clause
// The bounds of a run, and below them the search for a schedule that is nearer to them.
#pragma once

#include "app/gui/playback/playback.hpp"
#include "app/gui/widgets/worker.hpp"
#include "app/session/synthesis/better_schedule.hpp"

#include <QLabel>
#include <QPushButton>

#include <chrono>

namespace app::gui {

class RunProgress;

class BetterSchedulePanel final : public QWidget {
    Q_OBJECT

public:
    explicit BetterSchedulePanel(Playback& playback);

    [[nodiscard]] bool busy() const { return searcher_.busy(); }
    /// What the search found, as rich text; empty before one has ended.
    [[nodiscard]] QString said() const { return words_->text(); }

    [[nodiscard]] QSize sizeHint() const override { return {320, 240}; }

Q_SIGNALS:
    /// A schedule that was found is to be shown, as the text of an algorithm file, for the run that it improves.
    void scheduleWanted(const app::RunWish& run, const QString& text);

private:
    /// Another run is shown: what was found of the one before no longer stands there.
    void begin();
    void search();
    void tell(const Better& better);
    void open(bool fewerRounds);

    Playback* playback_;
    QPushButton* start_;
    RunProgress* progress_;
    QLabel* words_;
    DrawableRunPtr subject_;
    Better better_;
    static constexpr std::chrono::milliseconds limit{60'000};
    Worker searcher_;
};

}  // namespace app::gui

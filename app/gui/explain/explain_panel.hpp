// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/playback/playback.hpp"

#include <optional>

#include <QTextBrowser>

namespace app::gui {

/// The round in progress in words; links select what they name.
class ExplainPanel final : public QTextBrowser {
    Q_OBJECT

public:
    explicit ExplainPanel(Playback& playback);

    /// Tells of another one from now on.
    void speakOf(Playback& playback);

    [[nodiscard]] QSize sizeHint() const override { return {300, 280}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, 80}; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void follow();

    Playback* playback_;
    QString words_;
    // What they were made for
    SubjectPtr subject_;
    engine::Round round_{-1};
    RoundSpan rounds_{};
    std::optional<engine::Rank> rank_;
    std::size_t latecomers_ = 0;
    bool over_ = false;
    std::optional<engine::Picoseconds> time_;  // where that matters
};

}  // namespace app::gui

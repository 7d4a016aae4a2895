// SPDX-License-Identifier: BSD-3-Clause
// The run in words: the round in progress, and what was clicked last.
#pragma once

#include "app/gui/playback/playback.hpp"

#include <QTextBrowser>

#include <optional>
#include <tuple>

namespace app::gui {

/// Words about a run, whose links select what they name.
class RunTextPanel : public QTextBrowser {
    Q_OBJECT

public:
    /// Tells of another one from now on.
    void speakOf(Playback& playback);

    [[nodiscard]] QSize sizeHint() const override { return {300, 280}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, 80}; }

protected:
    explicit RunTextPanel(Playback& playback);

    [[nodiscard]] Playback& playback() const { return *playback_; }
    /// Sets the text only where the words would differ: some walk along all messages, and laying out rich text at every
    /// frame would cost more than all pictures.
    virtual void follow() = 0;
    void changeEvent(QEvent* event) override;

    DrawableRunPtr subject_;  // of which the text is; null: it is to be set again

private:
    void lead(const QUrl& link);

    Playback* playback_;
};

/// The round in progress in words; links select what they name.
class ExplainPanel final : public RunTextPanel {
    Q_OBJECT

public:
    explicit ExplainPanel(Playback& playback);

private:
    void follow() override;

    QString words_;
    /// What they were made for: the round that is explained, those in progress, the selected rank, how many came late,
    /// whether the run is over, and the time where that matters.
    std::tuple<engine::Round, RoundSpan, std::optional<engine::Rank>, std::size_t, bool,
               std::optional<engine::Picoseconds>>
        of_;
};

/// What was clicked last, and why it is so; links lead on to what they name.
class DetailsPanel final : public RunTextPanel {
    Q_OBJECT

public:
    explicit DetailsPanel(Playback& playback);

private:
    void follow() override;

    /// What the text was made for: what was clicked, the round where that matters, and what is hidden.
    std::tuple<std::optional<Meaning>, engine::Round, std::optional<engine::Picoseconds>> of_;
};

}  // namespace app::gui

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/playback/playback.hpp"

#include <QTextBrowser>

namespace app::gui {

/// What was clicked last, and why it is so; links lead on to what they name.
class DetailsPanel final : public QTextBrowser {
    Q_OBJECT

public:
    explicit DetailsPanel(Playback& playback);

    /// Tells of another one from now on.
    void speakOf(Playback& playback);

    [[nodiscard]] QSize sizeHint() const override { return {300, 280}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, 80}; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void follow();
    void lead(const QUrl& link);

    Playback* playback_;
    // What the text was made for
    SubjectPtr subject_;
    std::optional<Meaning> asked_;
    engine::Round round_{-1};
    std::optional<engine::Picoseconds> veil_;
};

}  // namespace app::gui

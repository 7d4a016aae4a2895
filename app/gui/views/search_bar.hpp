// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/playback/playback.hpp"

#include <QFrame>
#include <QLabel>
#include <QLineEdit>

namespace app::gui {

/// A line above the pictures that finds messages: Return selects the next one, Shift+Return the one before, Escape
/// closes.
class SearchBar final : public QFrame {
    Q_OBJECT

public:
    explicit SearchBar(Playback& playback);

    /// Opens it with the keyboard in it.
    void begin();
    void step(int direction);
    [[nodiscard]] QString verdict() const { return verdict_->text(); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void find();
    void say();

    Playback* playback_;
    std::vector<std::size_t> found_;
    std::optional<std::size_t> at_;  ///< index into found_
    QLineEdit* words_;
    QLabel* verdict_;
};

}  // namespace app::gui

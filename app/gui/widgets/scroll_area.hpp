// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QScrollArea>

namespace app::gui {

/// Content as wide as its place, and scrolled to where that is lower than it must be. QScrollArea does the same, but
/// where lines of words are wrapped, and only fit without the scroll bar, it lays them out again for ever.
class Scrolled final : public QScrollArea {
    Q_OBJECT

public:
    /// Of the content `leastSeen` pixels of height are always seen.
    explicit Scrolled(QWidget* content, int leastSeen = 40);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();
    [[nodiscard]] int heightAt(int width) const;
};

}  // namespace app::gui

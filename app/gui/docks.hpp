// SPDX-License-Identifier: BSD-3-Clause
// The panels around the pictures: above each other where the window is high enough, else all of a side in one place.
//
// Qt keeps a copy of an arrangement that comes back while the window becomes maximised or full screen, and lays it out
// again at the next size: a dock that was put elsewhere in between is gone there, and the program with it. So docks are
// never moved inside a change of size, and an arrangement comes back to a window of the usual state; once the window
// has the size it was kept at, it is laid out again.
#pragma once

#include "app/gui/layouts.hpp"

#include <QDockWidget>
#include <QMainWindow>
#include <QTimer>

#include <optional>

namespace app::gui {

class CardDock;

class Docks final : public QObject {
    Q_OBJECT

public:
    /// Where all of them stand.
    struct Arrangement {
        QByteArray docks;                 ///< as Qt tells it
        QSize window;                     ///< how large the window was then
        bool stacked = false;             ///< each side is in one place
        Layout layout = Layout::inspect;  ///< that it comes from
        friend bool operator==(const Arrangement&, const Arrangement&) = default;
    };

    explicit Docks(QMainWindow& window);

    /// A new one with `content`, to be found by `name`.
    CardDock& add(const QString& title, const QString& name, QWidget* content);
    [[nodiscard]] const QList<QDockWidget*>& all() const { return all_; }
    /// The one of that name.
    [[nodiscard]] QDockWidget& operator[](const QString& name) const;

    /// Shows it in front of the others; from the bottom with some height, if it was closed.
    void bringUp(const QString& name);
    /// Gives two that stand beside each other the same width.
    void even(const QString& one, const QString& other);
    /// Makes one higher by `pixels`, at the cost of its neighbours, as far as the window allows.
    void heighten(const QString& name, int pixels);
    /// In front of the others in its place, if it was not closed and `unless` is not in sight there.
    void bringForward(const QString& name, const QString& unless);
    /// Puts all where they belong in `layout`, opens those that are in sight there and closes the others.
    void arrange(Layout layout);
    /// Gives each the room that it has in its layout.
    void shareOut();
    /// The one that was arranged last, or came back.
    [[nodiscard]] Layout layout() const { return layout_; }

    /// Where they stand, or will once the window has come back.
    [[nodiscard]] Arrangement arrangement() const;
    /// Brings an arrangement back. A hidden window must not be told before to be maximised or full screen. False, with
    /// nothing changed, when it is none of these docks.
    bool bringBack(const Arrangement& arrangement);
    /// To be called when the window has another size.
    void fit();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using Stacks = std::vector<QList<QDockWidget*>>;

    void settle();
    void place();
    void nameTabs();
    [[nodiscard]] Stacks stacksOf(const std::vector<Plan::Stack>& names) const;

    QMainWindow* window_;
    QList<QDockWidget*> all_;
    bool stacked_ = false;
    Layout layout_ = Layout::inspect;
    std::optional<Arrangement> coming_;  // until the window has its size
    QTimer settling_;
    QTimer namingTabs_;
};

}  // namespace app::gui

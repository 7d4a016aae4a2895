// SPDX-License-Identifier: BSD-3-Clause
// The panels around the pictures: above each other where the window is high enough, else all of a side in one place; in
// a small window all in one place beside the pictures.
//
// Qt applies a restored layout again at the next resize. If a dock has been moved in between, Qt uses a deleted layout
// item and crashes. So docks are never moved inside a resize event, a layout is restored only while the window is
// neither maximised nor full screen, and it is applied once more when the window has the size of the saved layout.
#pragma once

#include "app/gui/settings/dock_layouts.hpp"

#include <QDockWidget>
#include <QMainWindow>
#include <QTimer>

#include <optional>

namespace app::gui {

class CardTitle;

/// How the panels of a layout share what room there is.
enum class Packing : std::uint8_t {
    apart,    ///< stacks above each other
    stacked,  ///< those of a side in one place
    together  ///< all in one place
};

class DockAreas final : public QObject {
    Q_OBJECT

public:
    /// Where all of them stand.
    struct Arrangement {
        QByteArray docks;  ///< as Qt tells it
        QSize window;      ///< how large the window was then
        Packing packing = Packing::apart;
        Layout layout = Layout::inspect;  ///< that it comes from
        friend bool operator==(const Arrangement&, const Arrangement&) = default;
    };

    explicit DockAreas(QMainWindow& window);

    /// The next one, with `content`; they are added in the order of Dock.
    void add(Dock dock, QWidget* content);
    [[nodiscard]] const QList<QDockWidget*>& all() const { return all_; }
    [[nodiscard]] QDockWidget& operator[](Dock dock) const;
    [[nodiscard]] CardTitle& titleOf(Dock dock) const;

    /// Shows it in front of the others; from the bottom with some height, if it was closed.
    void bringUp(Dock which);
    /// Gives two that stand beside each other the same width.
    void even(Dock one, Dock other);
    /// Makes one higher by `pixels`, at the cost of its neighbours, as far as the window allows.
    void growBy(Dock which, int pixels);
    /// In front of the others in its place, if it was not closed and `unless` is not in sight there.
    void bringForward(Dock which, Dock unless);
    /// Puts all where they belong in `layout`, opens those that are in sight there and closes the others.
    void arrange(Layout layout);
    /// Gives each the room that it has in its layout.
    void shareOut();
    /// The one that was arranged last, or came back.
    [[nodiscard]] Layout layout() const { return layout_; }

    /// Does at once what was to be done after the window got another size.
    void catchUp();
    /// Where they stand, or will once the window has come back.
    [[nodiscard]] Arrangement arrangement() const;
    /// Brings back how a layout was left by a user of this very window, which may have had another size then. False,
    /// with nothing changed, when it is none of these docks.
    bool comeBackTo(const Arrangement& arrangement);
    /// Brings an arrangement back. A hidden window must not be made maximised or full screen before. False, with
    /// nothing changed, when it is none of these docks.
    bool bringBack(const Arrangement& arrangement);
    /// To be called when the window has another size.
    void fit();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using Stacks = std::vector<QList<QDockWidget*>>;

    [[nodiscard]] Packing packingNow() const;
    [[nodiscard]] int sideWidth(int planned) const;
    void settle();
    void pack();
    void place();
    void nameTabs();
    [[nodiscard]] Stacks stacksOf(const std::vector<Plan::Stack>& names) const;

    QMainWindow* window_;
    QList<QDockWidget*> all_;
    Packing packing_ = Packing::apart;
    bool squeezed_ = false;  // sides are as narrow as a narrow window has them
    Layout layout_ = Layout::inspect;
    std::optional<Arrangement> coming_;  // until the window has its size
    QTimer settling_;
    QTimer namingTabs_;
};

}  // namespace app::gui

// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/tables/table_look.hpp"

#include <QHeaderView>
#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QToolTip>

#include <algorithm>

namespace app::gui {
namespace {

/// What is seen of a cell in the width of a table.
QRect seenOf(const QRect& cell, const QWidget& viewport) {
    return cell.intersected(QRect{0, cell.top(), viewport.width(), cell.height()});
}

class SeenCells final : public QStyledItemDelegate {
public:
    explicit SeenCells(QTableView& table) : QStyledItemDelegate{&table}, table_{&table} {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem seen = option;
        seen.rect = seenOf(option.rect, *table_->viewport());
        QStyledItemDelegate::paint(painter, seen, index);
    }

    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override {
        if (event->type() != QEvent::ToolTip || index.data(Qt::ToolTipRole).isValid())
            return QStyledItemDelegate::helpEvent(event, view, option, index);
        QToolTip::showText(event->globalPos(), index.data().toString(), view);
        return true;
    }

private:
    QTableView* table_;
};

class SeenHeadings final : public QHeaderView {
public:
    explicit SeenHeadings(QWidget* parent) : QHeaderView{Qt::Horizontal, parent} {
        setSectionsClickable(true);
        setDefaultAlignment(Qt::AlignCenter);
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override {
        QHeaderView::paintSection(painter, seenOf(rect, *viewport()), section);
    }
    void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override {
        QHeaderView::initStyleOptionForIndex(option, section);
        const int left = sectionViewportPosition(section);
        const int seen = std::min(left + sectionSize(section), viewport()->width()) - std::max(left, 0);
        const int around = 2 * (style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, this) + 1);
        option->text = option->fontMetrics.elidedText(option->text, Qt::ElideRight, seen - around);
    }
};

}  // namespace

void keepCellsWhole(QTableView& table) {
    table.setHorizontalHeader(new SeenHeadings{&table});
    table.setItemDelegate(new SeenCells{table});
    // What was at the edge is elsewhere now, and has more room.
    QObject::connect(table.horizontalScrollBar(), &QScrollBar::valueChanged, &table, [&table] {
        table.viewport()->update();
        table.horizontalHeader()->viewport()->update();
    });
}

void showRows(QTableView& table, QAbstractItemModel& model, const QString& name) {
    keepCellsWhole(table);
    table.setModel(&model);
    table.setAccessibleName(name);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setTabKeyNavigation(false);
    table.verticalHeader()->hide();
}

void chooseRows(QTableView& table) {
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setAlternatingRowColors(true);
    table.setShowGrid(false);
    table.setFrameShape(QFrame::NoFrame);
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table.horizontalHeader()->setHighlightSections(false);
}

void keepRows(QTableView& table, int rows) {
    // A heading without columns has no height yet; it is about a row.
    const int row = table.verticalHeader()->defaultSectionSize();
    const int heading = row + 4;
    table.setMinimumHeight(heading + rows * row + table.horizontalScrollBar()->sizeHint().height());
}

}  // namespace app::gui

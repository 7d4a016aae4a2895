// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/widgets/flow_layout.hpp"

#include <algorithm>

namespace app::gui {
namespace {

constexpr int betweenItems = 6;  // pixels, and as many between lines

QSize around(const QMargins& margins) { return {margins.left() + margins.right(), margins.top() + margins.bottom()}; }

}  // namespace

FlowLayout::FlowLayout() { setSpacing(betweenItems); }

FlowLayout::~FlowLayout() { qDeleteAll(items_); }

QLayoutItem* FlowLayout::takeAt(int index) {
    return index >= 0 && index < items_.size() ? items_.takeAt(index) : nullptr;
}

int FlowLayout::heightForWidth(int width) const { return flow({0, 0, width, 0}, false); }

QSize FlowLayout::sizeHint() const {
    QSize all{0, 0};
    for (const QLayoutItem* item : items_) {
        if (item->isEmpty()) continue;
        const QSize its = item->sizeHint();
        all = {all.width() + (all.width() > 0 ? spacing() : 0) + its.width(), std::max(all.height(), its.height())};
    }
    return all + around(contentsMargins());
}

QSize FlowLayout::minimumSize() const {
    QSize most{0, 0};
    for (const QLayoutItem* item : items_)
        if (!item->isEmpty()) most = most.expandedTo(item->minimumSize());
    return most + around(contentsMargins());
}

void FlowLayout::setGeometry(const QRect& place) {
    QLayout::setGeometry(place);
    flow(place, true);
}

int FlowLayout::flow(const QRect& place, bool really) const {
    const QRect room = place.marginsRemoved(contentsMargins());
    const bool small = sizeHint().width() > place.width();
    const int line = sizeHint().height() - around(contentsMargins()).height();
    int x = room.left(), y = room.top();
    for (QLayoutItem* item : items_) {
        if (item->isEmpty()) continue;
        const QSize size = small ? item->minimumSize() : item->sizeHint();
        if (x > room.left() && x + size.width() > room.left() + room.width()) {
            x = room.left();
            y += line + spacing();
        }
        if (really) item->setGeometry({{x, y + (line - size.height()) / 2}, size});
        x += size.width() + spacing();
    }
    return y + line - place.top() + contentsMargins().bottom();
}

}  // namespace app::gui

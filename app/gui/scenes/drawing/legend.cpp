// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/drawing/legend.hpp"

#include <algorithm>

namespace app::gui {
namespace {

constexpr QSizeF markSize{18, 12};
constexpr double markGap = 8;
constexpr double entryGap = 16;
constexpr double headingGap = 8;

}  // namespace

double Legend::width() const {
    double widest = 0;
    for (const Entry& entry : entries_)
        widest = std::max(widest, sizeOf(entry.words, points::small, !entry.mark).width() +
                                      (entry.mark ? markSize.width() + markGap : 0));
    return widest;
}

double Legend::column(SceneBuilder& pencil, const QRectF& area) const {
    const double line = lineHeight(points::small);
    const auto headings = static_cast<double>(
        std::count_if(entries_.begin(), entries_.end(), [](const Entry& entry) { return !entry.mark; }));
    const auto all = static_cast<double>(entries_.size());
    const bool withHeadings = all * line + headings * headingGap <= area.height();
    const double pitch =
        withHeadings ? std::clamp((area.height() - headings * headingGap) / all, line, line + 5) : line;
    // What has no room is counted.
    auto left = static_cast<std::int64_t>(all - headings);
    double y = area.top();
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const Entry& entry = entries_[i];
        if (!entry.mark && !withHeadings) continue;
        if (!entry.mark && y > area.top()) y += headingGap;
        if (y + line > area.bottom() + 0.5) break;
        const bool last = y + pitch + line > area.bottom() + 0.5;
        if (entry.mark && last && left > 1) {
            pencil
                .text({area.left() + markSize.width() + markGap, y + line / 2}, Qt::AlignLeft | Qt::AlignVCenter,
                      QStringLiteral("%1 more").arg(left), points::small, pencil.palette().muted)
                .tip = wordsFrom(i).join('\n');
            y += pitch;
            break;
        }
        if (entry.mark) --left;
        const QPointF middle{area.left(), y + line / 2};
        if (entry.mark) {
            entry.mark(pencil, {middle - QPointF{0, markSize.height() / 2}, markSize});
            pencil.text(middle + QPointF{markSize.width() + markGap, 0}, Qt::AlignLeft | Qt::AlignVCenter, entry.words,
                        points::small, pencil.palette().ink);
        } else {
            pencil.text(middle, Qt::AlignLeft | Qt::AlignVCenter, entry.words, points::small, pencil.palette().muted,
                        true);
        }
        y += pitch;
    }
    return y - area.top();
}

QStringList Legend::wordsFrom(std::size_t first) const {
    QStringList words;
    for (std::size_t i = first; i < entries_.size(); ++i)
        if (entries_[i].mark) words << entries_[i].words;
    return words;
}

template <class Visit>
int Legend::flow(double width, Visit visit) const {
    const double line = lineHeight(points::small);
    double x = 0;
    int lines = 0;
    for (const Entry& entry : entries_) {
        if (!entry.mark) continue;
        const double wide = markSize.width() + markGap + sizeOf(entry.words, points::small).width();
        if (lines == 0 || x + wide > width) {
            x = 0;
            ++lines;
        }
        visit(entry, QPointF{x, (lines - 1) * (line + 2) + line / 2});
        x += wide + entryGap;
    }
    return lines;
}

double Legend::rowsHeight(double width) const {
    return flow(width, [](const Entry&, QPointF) {}) * (lineHeight(points::small) + 2);
}

void Legend::rows(SceneBuilder& pencil, const QRectF& area) const {
    // The last one that has room counts those that have none.
    std::size_t fitting = 0;
    const auto fits = [&](QPointF at) { return area.top() + at.y() <= area.bottom(); };
    const auto all = static_cast<std::size_t>(wordsFrom(0).size());
    flow(area.width(), [&](const Entry&, QPointF at) { fitting += fits(at) ? 1 : 0; });
    std::size_t number = 0;
    flow(area.width(), [&](const Entry& entry, QPointF at) {
        const QPointF middle = area.topLeft() + at;
        if (!fits(at)) return;
        if (++number == fitting && fitting < all) {
            const auto first = static_cast<std::size_t>(&entry - entries_.data());
            pencil
                .text(middle, Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("%1 more").arg(all - fitting + 1),
                      points::small, pencil.palette().muted)
                .tip = wordsFrom(first).join('\n');
            return;
        }
        entry.mark(pencil, {middle - QPointF{0, markSize.height() / 2}, markSize});
        const double left = markSize.width() + markGap;
        const QString words = elided(entry.words, points::small, area.right() - middle.x() - left + 0.5);
        if (words.isEmpty()) return;
        Shape& text = pencil.text(middle + QPointF{left, 0}, Qt::AlignLeft | Qt::AlignVCenter, words, points::small,
                                  pencil.palette().muted);
        if (words != entry.words) text.tip = entry.words;
    });
}

}  // namespace app::gui

// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/page/page_colours.hpp"

#include "app/gui/scenes/drawing/style.hpp"

namespace app::gui::page {
namespace {

QByteArray inCss(const QColor& colour) {
    QByteArray words = colour.name().toLatin1();
    if (colour.alpha() < 255) words += QByteArray::number(colour.alpha() + 256, 16).last(2);
    return words;
}

}  // namespace

int Inks::of(const QColor& light, const QColor& dark) {
    const std::pair<QByteArray, QByteArray> pair{inCss(dark_ ? dark : light), inCss(dark)};
    const QByteArray key = pair.first + pair.second;
    if (const auto found = known_.constFind(key); found != known_.constEnd()) return *found;
    pairs_.push_back(pair);
    return *known_.insert(key, static_cast<int>(pairs_.size()) - 1);
}

int Inks::hatching(const QColor& light, const QColor& dark) {
    const int number = of(light, dark);
    hatches_.insert(number);
    return number;
}

QByteArray Inks::style() const {
    QByteArray light = cssVariables(dark_);
    QByteArray dark = cssVariables(true);
    QByteArray classes;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        const QByteArray number = QByteArray::number(static_cast<qulonglong>(i));
        light += "--c" + number + ':' + pairs_[i].first + ';';
        if (pairs_[i].first != pairs_[i].second) dark += "--c" + number + ':' + pairs_[i].second + ';';
        classes += ".f" + number + "{fill:var(--c" + number + ")}.s" + number + "{stroke:var(--c" + number + ")}\n";
    }
    return ":root{color-scheme:" + QByteArray{dark_ ? "dark" : "light dark"} + ';' + light + "}\n" +
           (dark_ ? QByteArray{} : "@media (prefers-color-scheme:dark){:root{" + dark + "}}\n") + classes;
}

QByteArray Inks::patterns() const {
    QByteArray all;
    for (const int number : hatches_)
        all += "<pattern id=\"h" + QByteArray::number(number) +
               "\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\"><path class=\"s" +
               QByteArray::number(number) + "\" d=\"M0 5L5 0M-1 1L1 -1M4 6L6 4\"/></pattern>";
    return all;
}

}  // namespace app::gui::page

// SPDX-License-Identifier: BSD-3-Clause
// The colours of a page. A reader's machine says whether paper is light or dark; a picture is written for both at once.
#pragma once

#include <QByteArray>
#include <QColor>
#include <QHash>

#include <set>
#include <utility>
#include <vector>

namespace app::gui::page {

class Inks {
public:
    /// `dark`: the paper is dark, whatever the reader's machine says.
    explicit Inks(bool dark) : dark_{dark} {}

    /// Number of a colour: light(n) on light paper, dark(n) on dark. Classes "f0" fill with it and "s0" draw with it.
    int of(const QColor& light, const QColor& dark);
    /// The same number, of a colour that also hatches: url(#h0).
    int hatching(const QColor& light, const QColor& dark);

    /// The style that gives the classes their colours, and names those of the paper as style.hpp does: --paper, --ink,
    /// ...
    [[nodiscard]] QByteArray style() const;
    /// <pattern> elements of all hatches.
    [[nodiscard]] QByteArray patterns() const;

private:
    bool dark_;
    QHash<QByteArray, int> known_;
    std::vector<std::pair<QByteArray, QByteArray>> pairs_;
    std::set<int> hatches_;
};

}  // namespace app::gui::page

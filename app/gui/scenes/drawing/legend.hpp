// SPDX-License-Identifier: BSD-3-Clause
// What the marks of a picture mean: a column at its side or a line below it.
#pragma once

#include "app/gui/scenes/drawing/scene_builder.hpp"

#include <functional>

namespace app::gui {

class Legend {
public:
    /// Draws the mark into a box of the given place and size.
    using Mark = std::function<void(SceneBuilder&, const QRectF&)>;

    void heading(const QString& words) { entries_.push_back({words, nullptr}); }
    void entry(const QString& words, Mark mark) { entries_.push_back({words, std::move(mark)}); }
    [[nodiscard]] bool empty() const { return entries_.empty(); }

    /// Width of the column.
    [[nodiscard]] double width() const;
    /// Draws from the top of `area` down, where there is little room closer and without headings; entries that do not
    /// fit are counted in the last line, whose tip names them.
    /// Returns the height taken.
    double column(SceneBuilder& pencil, const QRectF& area) const;
    /// Height of the lines the entries take within `width`; headings are left out.
    [[nodiscard]] double rowsHeight(double width) const;
    /// Draws those lines from the upper left corner of `area`; of lines that do not fit the entries are counted in the
    /// last one that does; words wider than all of it end in an ellipsis.
    void rows(SceneBuilder& pencil, const QRectF& area) const;

private:
    struct Entry {
        QString words;
        Mark mark;  // none: a heading
    };

    /// Of all entries from there on.
    [[nodiscard]] QStringList wordsFrom(std::size_t first) const;
    /// Calls visit(entry, place of its left end) for the entries in lines; returns the number of lines.
    template <class Visit>
    int flow(double width, Visit visit) const;

    std::vector<Entry> entries_;
};

}  // namespace app::gui

// SPDX-License-Identifier: BSD-3-Clause
// Scenes as SVG for a page: every shape is written once, and a picture is a list of their numbers.
#pragma once

#include "app/gui/page/page_colours.hpp"
#include "app/gui/scenes/drawing/scene.hpp"

#include <map>

namespace app::gui::page {

/// Numbers of shapes, back to front.
using Frame = std::vector<int>;

class Drawing {
public:
    /// Drawings of one page share their colours, which must outlive them.
    explicit Drawing(Inks& inks) : inks_{&inks} {}

    /// The same scene for light paper and for dark, whose shapes differ in colour alone.
    Frame add(const Scene& light, const Scene& dark);
    /// The shapes of a frame as SVG.
    [[nodiscard]] QByteArray svg(const Frame& frame) const;
    /// All shapes as a JSON array of SVG words, in the order of their numbers.
    [[nodiscard]] QByteArray json() const;
    /// Bytes that the shapes take so far.
    [[nodiscard]] qsizetype bytes() const { return bytes_; }

private:
    int number(const Shape& light, const Shape& dark);

    Inks* inks_;
    QHash<QByteArray, int> known_;
    std::vector<QByteArray> shapes_;
    qsizetype bytes_ = 0;
};

/// What a meaning is called in data-m: "r3" a rank, "m17" a message, "b2.3" block 2 at rank 3, "n4" a round; empty
/// where a page has nothing to say.
QByteArray nameOf(const Meaning& meaning);

/// A frame as JSON, where numbers follow each other as [first, how many]: [0,57,60,1].
QByteArray toJson(const Frame& frame);
/// Words as a JSON string, which no </script> can end.
QByteArray toJson(const QString& words);

}  // namespace app::gui::page

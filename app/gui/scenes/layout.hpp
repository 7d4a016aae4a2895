// SPDX-License-Identifier: BSD-3-Clause
// Where ranks and links lie: closed formulas, the same in every frame and every picture.
//
// | network              | ranks lie                                                                      |
// |----------------------|--------------------------------------------------------------------------------|
// | ring                 | on a circle, rank 0 at the top, clockwise                                        |
// | torus, 2 dimensions  | on a grid; links that close a row or column leave as a stub and come back in    |
// | torus, 3 dimensions  | on layers of such grids, drawn obliquely                                         |
// | torus, more          | on grids of grids                                                                |
// | full, one group      | on a circle                                                                      |
// | full, two groups     | on two bows facing each other, A above, B below                                  |
#pragma once

#include "app/gui/scenes/subject.hpp"

#include <QLineF>
#include <QRectF>

#include <array>

namespace app::gui {

/// The way along a link: one straight leg, or two for a link that leaves the picture and comes back in.
struct Track {
    std::array<QLineF, 2> legs;
    int count = 0;

    /// The place at `share` (0..1) of the way.
    [[nodiscard]] QPointF at(double share) const;
};

class NetworkLayout {
public:
    enum class Arrangement : std::uint8_t { circle, facing, grid };

    NetworkLayout(const Subject& subject, const QRectF& area);

    [[nodiscard]] Arrangement arrangement() const { return arrangement_; }
    /// Middle of the circle of a rank.
    [[nodiscard]] QPointF place(engine::Rank rank) const { return places_[static_cast<std::size_t>(rank.value)]; }
    [[nodiscard]] double radius() const { return radius_; }
    [[nodiscard]] QPointF middle() const { return middle_; }

    /// The way from one direct neighbour to another; the two directions keep to their right.
    [[nodiscard]] Track between(std::int32_t from, std::int32_t to) const;
    /// The way over any network, hop by hop: the place of a message at `share` (0..1) of its whole way.
    [[nodiscard]] QPointF along(const emulation::Network* network, engine::Rank from, engine::Rank to, double share,
                                std::vector<engine::LinkId>& route) const;
    /// The tracks of that whole way.
    [[nodiscard]] std::vector<Track> tracks(const emulation::Network* network, engine::Rank from, engine::Rank to) const;

private:
    void circle(std::int32_t ranks, const QRectF& area);
    void facing(const Subject& subject, const QRectF& area);
    void grid(const QRectF& area);
    [[nodiscard]] QPointF coordinates(std::int32_t rank) const;
    [[nodiscard]] bool closes(std::int32_t from, std::int32_t to, QPointF& direction) const;

    Arrangement arrangement_ = Arrangement::circle;
    std::vector<int> lengths_;  // of a torus
    std::vector<QPointF> places_;
    std::vector<QPointF> axes_;  // of a torus: one step in each dimension, in pixels
    QPointF middle_;
    double radius_ = 8;
    double lane_ = 0;  // how far a direction keeps to its right
};

}  // namespace app::gui

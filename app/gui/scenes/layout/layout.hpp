// SPDX-License-Identifier: BSD-3-Clause
// Where ranks, switches and links lie: closed formulas, the same in every frame and picture (network_shape.hpp).
#pragma once

#include "app/gui/scenes/run/drawable_run.hpp"

#include <QLineF>
#include <QRectF>

#include <algorithm>
#include <array>

namespace app::gui {

/// The way along a link: one straight leg, two for a link that leaves the picture and comes back in, three for one that
/// bends, or the pieces of a bow.
struct Track {
    std::array<QLineF, 16> legs;
    int count = 0;

    /// The place at `share` (0..1) of the way.
    [[nodiscard]] QPointF at(double share) const;
};

class NetworkLayout {
public:
    static constexpr double largestRadius = 17;

    NetworkLayout(const DrawableRun& subject, const QRectF& area);

    /// Makes all of it `times` as large, with what was at `from` at `to`. Marks grow with it, but not beyond their
    /// largest size.
    void magnify(double times, QPointF from, QPointF to);

    /// Middle of a node: of a rank, or of a switch after the ranks.
    [[nodiscard]] QPointF middleOf(std::int32_t node) const { return places_[static_cast<std::size_t>(node)]; }
    /// Of a rank, and of a switch.
    [[nodiscard]] double radius() const { return radius_; }
    [[nodiscard]] double switchRadius() const { return std::max(radius_ * 0.6, 1.0); }
    [[nodiscard]] QPointF middle() const { return middle_; }
    /// Whether ranks hang on their switches in several rows.
    [[nodiscard]] bool hasTrunks() const { return !trunks_.empty(); }
    /// Around each group of ranks that stand together.
    [[nodiscard]] const std::vector<QRectF>& outlines() const { return outlines_; }

    /// The way from one direct neighbour to another; the two directions keep to their right.
    [[nodiscard]] Track between(std::int32_t from, std::int32_t to) const;
    /// The way over any network, hop by hop: the place of a message at `share` (0..1) of its whole way.
    [[nodiscard]] QPointF along(const emulation::Network* network, engine::Rank from, engine::Rank to, double share,
                                std::vector<engine::LinkId>& route) const;
    /// The tracks of that whole way.
    [[nodiscard]] std::vector<Track> tracks(const emulation::Network* network, engine::Rank from,
                                            engine::Rank to) const;

private:
    void circle(const QRectF& area);
    void tiers(const QRectF& area);
    void hang(const QRectF& area, bool round);
    void facing(const DrawableRun& subject, const QRectF& area);
    void grid(const QRectF& area);
    void tree(const QRectF& area);
    void groups(const QRectF& area);
    void drawn(const QRectF& area);
    void useRadius(double radius);
    [[nodiscard]] QPointF coordinates(std::int32_t place) const;
    [[nodiscard]] Track bow(std::int32_t from, std::int32_t to) const;
    [[nodiscard]] Track arch(std::int32_t from, std::int32_t to) const;
    [[nodiscard]] Track overTrunk(std::int32_t from, std::int32_t to, std::int32_t rank) const;
    [[nodiscard]] bool closes(std::int32_t from, std::int32_t to, QPointF& direction) const;

    /// Of a rank that hangs on its switch in one of several rows: where the link bends.
    struct Trunk {
        QPointF top;
        QPointF side;
    };

    const NetworkShape* print_;
    const DrawableRun* subject_;
    std::vector<QPointF> places_;
    std::vector<QPointF> axes_;  // of a grid: one step in each dimension, in pixels
    std::vector<QRectF> outlines_;
    std::vector<Trunk> trunks_;
    double top_ = 0;  // of the area
    QPointF middle_;
    double radius_ = 8;
    double wantedRadius_ = 8;  // that the arrangement has room for
    double lane_ = 0;          // how far a direction keeps to its right
};

}  // namespace app::gui

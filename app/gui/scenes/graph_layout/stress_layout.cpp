// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/graph_layout/stress_layout.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

namespace app::gui {
namespace {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

constexpr int multiplications = 50;
constexpr int sweeps = 60;

/// In links; empty where the graph falls apart.
Matrix distancesIn(const Graph& graph) {
    const auto count = static_cast<std::size_t>(graph.nodes());
    Matrix distances(count, Vector(count));
    for (std::int32_t from = 0; from < graph.nodes(); ++from) {
        Vector& row = distances[static_cast<std::size_t>(from)];
        std::vector<std::int32_t> reached{from};
        for (std::size_t next = 0; next < reached.size(); ++next)
            for (const std::int32_t other : graph.near(reached[next]))
                if (double& far = row[static_cast<std::size_t>(other)]; other != from && far == 0) {
                    far = row[static_cast<std::size_t>(reached[next])] + 1;
                    reached.push_back(other);
                }
        if (reached.size() != count) return {};
    }
    return distances;
}

double product(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

/// Of places that lie so far apart, measured from their middle: what squares of distances say.
Matrix productsOf(const Matrix& distances) {
    const auto count = static_cast<double>(distances.size());
    Vector means;
    for (const Vector& row : distances) means.push_back(product(row, row) / count);
    const double all = std::reduce(means.begin(), means.end()) / count;
    Matrix products = distances;
    for (std::size_t i = 0; i < products.size(); ++i)
        for (std::size_t j = 0; j < products.size(); ++j)
            products[i][j] = (means[i] + means[j] - all - distances[i][j] * distances[i][j]) / 2;
    return products;
}

/// Where the nodes lie along the line on which they differ most, across `other` where there is one.
Vector widest(const Matrix& products, const Vector& other) {
    Vector found(products.size());
    // Leans towards no node, nor to where another one that began like it has come.
    for (std::size_t i = 0; i < found.size(); ++i)
        found[i] = std::cos(static_cast<double>(i * i + 1) * (other.empty() ? std::numbers::phi : std::numbers::e));
    for (int time = 0; time < multiplications; ++time) {
        Vector next;
        for (const Vector& row : products) next.push_back(product(row, found));
        const double along = other.empty() ? 0 : product(next, other);
        for (std::size_t i = 0; along != 0 && i < next.size(); ++i) next[i] -= along * other[i];
        const double length = std::sqrt(std::max(product(next, next), 1e-30));
        for (double& each : next) each /= length;
        found = std::move(next);
    }
    return found;
}

/// Moves a node to the middle of where the others want it.
void settle(std::vector<QPointF>& spots, const Vector& distances, std::size_t node) {
    QPointF sum;
    double weights = 0;
    for (std::size_t other = 0; other < spots.size(); ++other) {
        if (other == node) continue;
        const QPointF way = spots[node] - spots[other];
        const double far = std::max(std::hypot(way.x(), way.y()), 1e-9);
        const double weight = 1 / (distances[other] * distances[other]);
        sum += weight * (spots[other] + way * (distances[other] / far));
        weights += weight;
    }
    spots[node] = sum / weights;
}

}  // namespace

std::vector<QPointF> heldBySprings(const Graph& graph) {
    const Matrix distances = distancesIn(graph);
    if (distances.size() < 2) return {};
    const Matrix products = productsOf(distances);
    const Vector across = widest(products, {});
    const Vector down = widest(products, across);
    std::vector<QPointF> spots;
    for (std::size_t node = 0; node < distances.size(); ++node) {
        // Nodes that nothing tells apart would lie on each other.
        const auto turn = static_cast<double>(node);
        const double size = std::sqrt(static_cast<double>(distances.size()));
        spots.push_back(size * QPointF{across[node] + 0.01 * std::cos(turn), down[node] + 0.01 * std::sin(turn)});
    }
    for (int sweep = 0; sweep < sweeps; ++sweep)
        for (std::size_t node = 0; node < spots.size(); ++node) settle(spots, distances[node], node);
    return spots;
}

}  // namespace app::gui

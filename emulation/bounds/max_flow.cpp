// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/bounds/max_flow.hpp"

#include "engine/base/types.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>

namespace emulation::bounds {
struct MaxFlow::Graph {
    using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
    struct NodeState {
        boost::default_color_type color = boost::white_color;
        long distance = 0;
        Traits::edge_descriptor predecessor{};
    };
    struct EdgeState {
        double capacity = 0;
        double residual = 0;
        Traits::edge_descriptor reverse{};
    };
    using Adjacency = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, NodeState, EdgeState>;

    explicit Graph(std::int32_t nodes) : adjacency{engine::asSize(nodes)} {}

    Adjacency adjacency;
    std::vector<Traits::edge_descriptor> edges{};
};

MaxFlow::MaxFlow(std::int32_t nodes) : graph_{std::make_unique<Graph>(nodes)} {}
MaxFlow::~MaxFlow() = default;

std::int32_t MaxFlow::add(std::int32_t from, std::int32_t to, double capacity) {
    Graph::Adjacency& graph = graph_->adjacency;
    const auto there = boost::add_edge(engine::asSize(from), engine::asSize(to), graph).first;
    const auto back = boost::add_edge(engine::asSize(to), engine::asSize(from), graph).first;
    graph[there].capacity = capacity;
    graph[there].reverse = back;
    graph[back].reverse = there;
    graph_->edges.push_back(there);
    return static_cast<std::int32_t>(graph_->edges.size()) - 1;
}

void MaxFlow::setCapacity(std::int32_t edge, double capacity) {
    graph_->adjacency[graph_->edges[engine::asSize(edge)]].capacity = capacity;
}

double MaxFlow::flow(std::int32_t source, std::int32_t sink) {
    Graph::Adjacency& graph = graph_->adjacency;
    return boost::boykov_kolmogorov_max_flow(
        graph, boost::get(&Graph::EdgeState::capacity, graph), boost::get(&Graph::EdgeState::residual, graph),
        boost::get(&Graph::EdgeState::reverse, graph), boost::get(&Graph::NodeState::predecessor, graph),
        boost::get(&Graph::NodeState::color, graph), boost::get(&Graph::NodeState::distance, graph),
        boost::get(boost::vertex_index, graph), engine::asSize(source), engine::asSize(sink));
}

std::vector<bool> MaxFlow::sourceSide() const {
    const Graph::Adjacency& graph = graph_->adjacency;
    std::vector<bool> side(boost::num_vertices(graph));
    for (std::size_t node = 0; node < side.size(); ++node) side[node] = graph[node].color == boost::black_color;
    return side;
}

}  // namespace emulation::bounds

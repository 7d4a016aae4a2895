// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/networks/graph_file.hpp"

#include "engine/base/error.hpp"
#include "engine/base/nesting_depth.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphml.hpp>
#include <boost/graph/graphviz.hpp>

#include <algorithm>
#include <numeric>
#include <sstream>

namespace emulation {
namespace {

constexpr std::int64_t mostBytes = std::int64_t{16} << 20;  // of a file: Boost's readers take 80 times as much
constexpr int mostLevels = 500;                             // they call themselves for each

/// Collects what the GraphML reader finds; values stay words, whatever type the file declares.
class Collector final : public boost::mutate_graph {
public:
    explicit Collector(GraphFile& file) : file_{file} {}

    [[nodiscard]] bool is_directed() const override { return file_.directed; }
    boost::any do_add_vertex() override {
        file_.nodes.push_back({engine::text(file_.nodes.size()), ""});
        return file_.nodes.size() - 1;
    }
    std::pair<boost::any, bool> do_add_edge(boost::any source, boost::any target) override {
        const auto node = [](const boost::any& any) {
            return static_cast<std::int32_t>(boost::any_cast<std::size_t>(any));
        };
        file_.edges.push_back({node(source), node(target), "", ""});
        return {file_.edges.size() - 1, true};
    }
    void set_graph_property(const std::string&, const std::string&, const std::string&) override {}
    void set_vertex_property(const std::string& name, boost::any vertex, const std::string& value,
                             const std::string&) override {
        if (name == "rank") file_.nodes[boost::any_cast<std::size_t>(vertex)].rank = value;
    }
    void set_edge_property(const std::string& name, boost::any edge, const std::string& value,
                           const std::string&) override {
        GraphFile::Edge& found = file_.edges[boost::any_cast<std::size_t>(edge)];
        if (name == "latency") found.latency = value;
        if (name == "bandwidth" || name == "capacity") found.bandwidth = value;
    }

private:
    GraphFile& file_;
};

GraphFile readGraphml(std::istream& in, bool directed) {
    GraphFile file;
    file.directed = directed;
    Collector collector{file};
    boost::read_graphml(in, collector, 0);
    return file;
}

template <class Direction>
GraphFile readDot(std::istream& in, bool directed) {
    struct Edge {
        std::string latency, bandwidth, capacity;
    };
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, Direction, GraphFile::Node, Edge>;
    Graph graph;
    boost::dynamic_properties words{boost::ignore_other_properties};
    words.property("node_id", boost::get(&GraphFile::Node::name, graph));
    words.property("rank", boost::get(&GraphFile::Node::rank, graph));
    words.property("latency", boost::get(&Edge::latency, graph));
    words.property("bandwidth", boost::get(&Edge::bandwidth, graph));
    words.property("capacity", boost::get(&Edge::capacity, graph));
    boost::read_graphviz(in, graph, words, "node_id");

    // The reader hands nodes out in an order of its own.
    std::vector<std::size_t> order(boost::num_vertices(graph));
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair{graph[a].name.size(), graph[a].name} < std::pair{graph[b].name.size(), graph[b].name};
    });
    std::vector<std::int32_t> place(order.size());
    GraphFile file;
    file.directed = directed;
    for (const std::size_t node : order) {
        place[node] = static_cast<std::int32_t>(file.nodes.size());
        file.nodes.push_back(graph[node]);
    }
    for (const auto edge : boost::make_iterator_range(boost::edges(graph)))
        file.edges.push_back({place[boost::source(edge, graph)], place[boost::target(edge, graph)], graph[edge].latency,
                              graph[edge].bandwidth.empty() ? graph[edge].capacity : graph[edge].bandwidth});
    return file;
}

/// Reads a graph as undirected, or else as directed: the readers only take what they were told to expect.
template <class Undirected, class Directed>
GraphFile readEither(std::istream& in, Undirected undirected, Directed directed) {
    try {
        return undirected(in);
    } catch (const boost::directed_graph_error&) {
        in.clear();
        in.seekg(0);
        return directed(in);
    }
}

}  // namespace

GraphFile readGraphFile(const std::string& path, const std::string& where) {
    const auto ends = [&](std::string_view ending) { return path.ends_with(ending); };
    const bool graphml = ends(".graphml") || ends(".xml");
    if (!graphml && !ends(".dot") && !ends(".gv"))
        throw engine::Error{where + ": the file's name must end in .graphml, .xml, .dot or .gv"};
    std::istringstream in{engine::contentOf(path, mostBytes, where + ": cannot read the file")};
    if ((graphml ? engine::nestingOfXml(in.view()) : engine::nestingOfDot(in.view())) > mostLevels)
        throw engine::Error{engine::text(where, " has ", graphml ? "elements" : "subgraphs",
                                         " in each other, more than ", mostLevels,
                                         " levels; that is the most that is read")};
    try {
        if (graphml)
            return readEither(
                in, [](std::istream& s) { return readGraphml(s, false); },
                [](std::istream& s) { return readGraphml(s, true); });
        return readEither(
            in, [](std::istream& s) { return readDot<boost::undirectedS>(s, false); },
            [](std::istream& s) { return readDot<boost::directedS>(s, true); });
    } catch (const std::exception& error) {
        std::string reason = error.what();
        std::replace(reason.begin(), reason.end(), '\n', ' ');
        throw engine::Error{engine::text(where, " is no ", graphml ? "GraphML" : "DOT", " graph: ", reason)};
    }
}

}  // namespace emulation

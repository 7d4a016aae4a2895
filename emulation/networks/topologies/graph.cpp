// SPDX-License-Identifier: BSD-3-Clause
// Any network: a GraphML or DOT file.
//
// Nodes with an attribute "rank" are those ranks and the others are switches; where no node has one, all are ranks in
// the file's order. An undirected edge is two links, number 2e there and 2e+1 back; a directed one is one. Edges may
// say "bandwidth" (or "capacity") and "latency" as "10GB/s" and "1us", or as bare numbers in bytes per second and
// seconds; an edge without leaves both to the model.
// A message takes the way of the least latency, then of the fewest links, then that whose last links are least. The
// ways from a rank are found when it first sends and kept: 4 bytes for every node, which limits ranks x nodes.
#include "emulation/networks/graph_file.hpp"
#include "emulation/networks/topology_arguments.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <mutex>
#include <queue>
#include <utility>

namespace emulation::kinds::of_graph {
namespace {

/// Most entries in all tables of ways together: 256 MiB.
constexpr std::int64_t mostEntries = std::int64_t{1} << 26;

struct Link {
    LinkEnds ends;
    std::optional<LinkQuality> quality;
};

class Graph final : public Network {
public:
    Graph(std::string name, std::vector<Link> links, std::int32_t nodes, std::int32_t ranks)
        : name_{std::move(name)},
          links_{std::move(links)},
          ranks_{ranks},
          firstOut_(engine::asSize(nodes) + 1),
          out_(links_.size()),
          found_{std::make_unique<std::once_flag[]>(engine::asSize(ranks))},
          ways_(engine::asSize(ranks)) {
        for (const Link& link : links_) ++firstOut_[engine::asSize(link.ends.from) + 1];
        for (std::size_t node = 1; node < firstOut_.size(); ++node) firstOut_[node] += firstOut_[node - 1];
        std::vector<std::size_t> next{firstOut_.begin(), firstOut_.end() - 1};
        std::vector<std::uint64_t> pairs;
        for (std::size_t link = 0; link < links_.size(); ++link) {
            out_[next[engine::asSize(links_[link].ends.from)]++] = static_cast<std::int32_t>(link);
            pairs.push_back(pairOf(links_[link].ends.from, links_[link].ends.to));
        }
        std::sort(pairs.begin(), pairs.end());
        neighbours_ = std::make_shared<const std::vector<std::uint64_t>>(std::move(pairs));
    }

    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] std::int32_t ranks() const override { return ranks_; }
    [[nodiscard]] std::int32_t links() const override { return static_cast<std::int32_t>(links_.size()); }
    [[nodiscard]] LinkEnds ends(LinkId link) const override { return at(link).ends; }
    [[nodiscard]] std::optional<LinkQuality> quality(LinkId link) const override { return at(link).quality; }

    void route(Rank from, Rank to, std::vector<LinkId>& out) const override {
        const std::vector<std::int32_t>& ways = waysFrom(from.value);
        const auto begin = static_cast<std::ptrdiff_t>(out.size());
        for (std::int32_t node = to.value; node != from.value;) {
            const std::int32_t link = ways[engine::asSize(node)];
            ENSURE(link >= 0, "a node of a connected graph was not reached");
            out.push_back(LinkId{link});
            node = links_[engine::asSize(link)].ends.from;
        }
        std::reverse(out.begin() + begin, out.end());
    }

    [[nodiscard]] engine::Wiring wiring() const override {
        return engine::Wiring::named(name_, [neighbours = neighbours_](Rank a, Rank b) {
            return a != b && std::binary_search(neighbours->begin(), neighbours->end(), pairOf(a.value, b.value));
        });
    }

    /// Per node the last link of the way to it, -1 where none leads.
    [[nodiscard]] const std::vector<std::int32_t>& waysFrom(std::int32_t rank) const {
        const auto source = engine::asSize(rank);
        std::call_once(found_[source], [&] { ways_[source] = search(rank); });
        return ways_[source];
    }

private:
    static std::uint64_t pairOf(std::int32_t from, std::int32_t to) {
        return static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
    }
    [[nodiscard]] const Link& at(LinkId link) const { return links_[link.index()]; }

    [[nodiscard]] std::vector<std::int32_t> search(std::int32_t source) const {
        using Length = std::pair<std::int64_t, std::int32_t>;  // latency [ps], links
        constexpr Length far{std::numeric_limits<std::int64_t>::max(), 0};
        std::vector<std::int32_t> last(firstOut_.size() - 1, -1);
        std::vector<Length> length(last.size(), far);
        std::priority_queue<std::pair<Length, std::int32_t>, std::vector<std::pair<Length, std::int32_t>>,
                            std::greater<>>
            open;
        length[engine::asSize(source)] = {0, 0};
        open.emplace(Length{0, 0}, source);
        while (!open.empty()) {
            const auto [done, node] = open.top();
            open.pop();
            if (done != length[engine::asSize(node)]) continue;
            for (std::size_t i = firstOut_[engine::asSize(node)]; i < firstOut_[engine::asSize(node) + 1]; ++i) {
                const Link& link = links_[engine::asSize(out_[i])];
                const auto to = engine::asSize(link.ends.to);
                const Length longer{done.first + (link.quality ? link.quality->latency.count() : 0), done.second + 1};
                if (longer == length[to]) last[to] = std::min(last[to], out_[i]);
                if (longer >= length[to]) continue;
                length[to] = longer;
                last[to] = out_[i];
                open.emplace(longer, link.ends.to);
            }
        }
        return last;
    }

    std::string name_;
    std::vector<Link> links_;
    std::int32_t ranks_;
    std::vector<std::size_t> firstOut_;  // per node, into out_
    std::vector<std::int32_t> out_;      // links by the node they leave
    std::shared_ptr<const std::vector<std::uint64_t>> neighbours_;
    std::unique_ptr<std::once_flag[]> found_;              // per rank
    mutable std::vector<std::vector<std::int32_t>> ways_;  // per rank; guarded by found_
};

/// Bare numbers get the unit they are meant in.
std::string withUnit(const std::string& words, const char* unit) {
    double number = 0;
    const auto [end, code] = std::from_chars(words.data(), words.data() + words.size(), number);
    return code == std::errc{} && end == words.data() + words.size() ? words + unit : words;
}

std::optional<LinkQuality> qualityOf(const GraphFile& file, const GraphFile::Edge& edge, const std::string& where) {
    if (edge.bandwidth.empty() && edge.latency.empty()) return std::nullopt;
    const std::string what = engine::text(where, ", edge from node ", file.nodes[engine::asSize(edge.from)].name,
                                          " to node ", file.nodes[engine::asSize(edge.to)].name);
    if (edge.bandwidth.empty()) throw engine::Error{what + ": it has a latency but no bandwidth; give it both"};
    LinkQuality quality{{}, engine::readBandwidth(withUnit(edge.bandwidth, "B/s"), what + ", bandwidth")};
    if (!edge.latency.empty()) quality.latency = engine::readTime(withUnit(edge.latency, "s"), what + ", latency");
    return quality;
}

/// The id of every node: ranks first, switches behind them. Of everyPlace it makes the number of ranks.
std::vector<std::int32_t> idsOf(const GraphFile& file, std::int32_t& ranks, const std::string& where) {
    std::vector<std::int32_t> ids(file.nodes.size(), -1);
    const auto named = std::count_if(file.nodes.begin(), file.nodes.end(),
                                     [](const GraphFile::Node& node) { return !node.rank.empty(); });
    if (ranks == everyPlace) ranks = static_cast<std::int32_t>(named == 0 ? std::ssize(ids) : named);
    if (named == 0 && std::cmp_not_equal(ids.size(), ranks))
        throw engine::Error{engine::text(where, " has ", ids.size(), " nodes, but there are ", ranks,
                                         " ranks; where some nodes are switches, give the others an attribute rank")};
    if (named > 0 && named != ranks)
        throw engine::Error{engine::text(where, " has ", named, " nodes with a rank, but there are ", ranks, " ranks")};
    std::int32_t others = named == 0 ? 0 : ranks;
    std::vector<bool> taken(engine::asSize(ranks));
    for (std::size_t node = 0; node < ids.size(); ++node) {
        if (file.nodes[node].rank.empty()) {
            ids[node] = others++;
            continue;
        }
        const std::string what = engine::text(where, ", rank of node ", file.nodes[node].name);
        ids[node] = static_cast<std::int32_t>(engine::readInteger(file.nodes[node].rank, what, 0, ranks - 1));
        if (taken[engine::asSize(ids[node])])
            throw engine::Error{engine::text(what, ": another node is rank ", ids[node], " already")};
        taken[engine::asSize(ids[node])] = true;
    }
    return ids;
}

/// The smallest rank without a route from rank 0, or -1.
std::int32_t unreached(const Graph& graph) {
    const std::vector<std::int32_t>& ways = graph.waysFrom(0);
    for (std::int32_t rank = 1; rank < graph.ranks(); ++rank)
        if (ways[engine::asSize(rank)] < 0) return rank;
    return -1;
}

NetworkPtr make(std::string_view path, std::int32_t ranks) {
    if (path.empty())
        throw engine::Error{engine::text(engine::field::topology, " graph needs a file, for example ",
                                         engine::field::topology, " graph:machine.graphml")};
    std::string name = engine::text("graph:", path);
    const std::string where = engine::text(engine::field::topology, " ", name);
    const GraphFile file = readGraphFile(std::string{path}, where);
    const std::vector<std::int32_t> ids = idsOf(file, ranks, where);
    const auto nodes = static_cast<std::int64_t>(ids.size());
    if (nodes * ranks > mostEntries)
        throw engine::Error{engine::text(where, " has ", nodes, " nodes; with ", ranks, " ranks at most ",
                                         mostEntries / ranks, " are possible")};
    requireLinks(where, static_cast<__int128>(file.edges.size()) * 2);
    std::vector<Link> links;
    std::vector<Link> backwards;  // the same network with every link turned round
    for (const GraphFile::Edge& edge : file.edges) {
        if (edge.from == edge.to) continue;  // no message ever needs it
        const LinkEnds there{ids[engine::asSize(edge.from)], ids[engine::asSize(edge.to)]};
        const LinkEnds back{there.to, there.from};
        const std::optional<LinkQuality> quality = qualityOf(file, edge, where);
        links.push_back({there, quality});
        if (file.directed) backwards.push_back({back, quality});
        else links.push_back({back, quality});
    }
    const auto nodeCount = static_cast<std::int32_t>(nodes);
    auto graph = std::make_shared<const Graph>(std::move(name), std::move(links), nodeCount, ranks);
    if (const std::int32_t rank = unreached(*graph); rank >= 0)
        throw engine::Error{engine::text(where, " is not connected: no way leads from rank 0 to rank ", rank)};
    if (file.directed)
        if (const std::int32_t rank = unreached(Graph{"", std::move(backwards), nodeCount, ranks}); rank >= 0)
            throw engine::Error{engine::text(where, " is not connected: no way leads from rank ", rank, " to rank 0")};
    return graph;
}

}  // namespace

Topology topology() {
    return {.name = "graph",
            .usage = "graph:FILE",
            .meaning = "nodes and edges of a GraphML or DOT file, with bandwidths and latencies; shortest paths",
            .make = make};
}

}  // namespace emulation::kinds::of_graph

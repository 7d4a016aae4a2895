// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/training/nccl_channels.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace app::analysis::nccl {
namespace {

using engine::text;
using traces::nccl::Channel;
using traces::nccl::Communicator;
using traces::nccl::nobody;
using traces::nccl::TreeNode;
using Result = Check::Result;

std::string channelWords(const std::vector<std::int32_t>& channels) {
    std::vector<std::string> numbers;
    for (const std::int32_t channel : channels) numbers.push_back(text(channel));
    return text(channels.size() == 1 ? "channel " : "channels ", listed(numbers));
}

/// The ring of a channel as far as it was logged, and what is wrong with it.
struct Walk {
    std::vector<std::int32_t> order;
    bool whole = false;
    std::string fault;
};

std::string outside(std::int32_t rank, std::int32_t ranks) {
    return text("rank ", rank, " is none of ranks 0..", ranks - 1);
}

Walk walked(const Channel& channel, std::int32_t ranks) {
    Walk walk;
    walk.order = channel.order;
    for (const auto& [rank, neighbours] : channel.ring)
        if (rank < 0 || rank >= ranks) {
            walk.fault = outside(rank, ranks);
            return walk;
        }
    const auto known = static_cast<std::int32_t>(channel.ring.size());
    if (known < ranks) {
        walk.whole = !channel.cut && static_cast<std::int32_t>(walk.order.size()) >= ranks;
    } else {
        walk.whole = true;
        // Neighbours of all ranks: more than what rank 0 lists.
        std::vector<std::int32_t> order;
        std::int32_t at = 0;
        do {
            order.push_back(at);
            const std::int32_t next = channel.ring.at(at).second;
            const auto after = channel.ring.find(next);
            if (after == channel.ring.end() || after->second.first != at) {
                walk.fault = text("rank ", at, " sends to rank ", next, ", which receives from ",
                                  after == channel.ring.end() ? "no rank" : text("rank ", after->second.first));
                break;
            }
            at = next;
        } while (at != 0 && static_cast<std::int32_t>(order.size()) <= ranks);
        if (walk.fault.empty())
            for (std::size_t i = 0; i < std::min(order.size(), walk.order.size()); ++i)
                if (order[i] != walk.order[i])
                    walk.fault = text("rank 0 lists rank ", walk.order[i], " at position ", i,
                                      ", where neighbours lead to rank ", order[i]);
        walk.order = std::move(order);
    }
    if (!walk.fault.empty()) return walk;
    std::set<std::int32_t> passed;
    for (const std::int32_t rank : walk.order) {
        if (rank < 0 || rank >= ranks) walk.fault = outside(rank, ranks);
        else if (!passed.insert(rank).second) walk.fault = text("rank ", rank, " occurs twice");
        if (!walk.fault.empty()) return walk;
    }
    if (walk.whole && static_cast<std::int32_t>(passed.size()) < ranks) {
        std::int32_t missing = 0;
        while (passed.contains(missing)) ++missing;
        walk.fault = text("it returns to rank 0 after ", passed.size(), " of ", ranks, " ranks; rank ", missing,
                          " is not in it");
    }
    return walk;
}

/// What is wrong with a tree of which all ranks are known; sets its root and depth.
std::string faultOf(Tree& tree, std::int32_t ranks) {
    std::vector<std::int32_t> roots;
    for (const auto& [rank, node] : tree.nodes) {
        if (rank < 0 || rank >= ranks) return outside(rank, ranks);
        if (node.parent == nobody) roots.push_back(rank);
        else {
            const auto parent = tree.nodes.find(node.parent);
            if (parent == tree.nodes.end() || std::find(parent->second.children.begin(), parent->second.children.end(),
                                                        rank) == parent->second.children.end())
                return text("rank ", rank, " has the parent ", node.parent, ", which does not have it as a child");
        }
        std::set<std::int32_t> children;
        for (const std::int32_t child : node.children) {
            if (const auto its = tree.nodes.find(child); its == tree.nodes.end() || its->second.parent != rank)
                return text("rank ", rank, " has the child ", child, ", which does not have it as its parent");
            if (!children.insert(child).second) return text("rank ", rank, " has the child ", child, " twice");
        }
    }
    if (roots.empty()) return "it has no root";
    if (roots.size() > 1) return text("ranks ", roots[0], " and ", roots[1], " have no parent");
    tree.root = roots[0];
    std::vector<std::pair<std::int32_t, std::int32_t>> open{{tree.root, 0}};
    std::size_t reached = 0;
    while (!open.empty()) {
        const auto [rank, depth] = open.back();
        open.pop_back();
        ++reached;
        tree.depth = std::max(tree.depth, depth);
        for (const std::int32_t child : tree.nodes.at(rank).children) open.emplace_back(child, depth + 1);
    }
    if (reached < tree.nodes.size())
        return text("the root reaches ", reached, " of ", tree.nodes.size(), " ranks; the others form a cycle");
    return {};
}

/// Hosts of which a rank has a child on another host.
std::set<std::string> forwarding(const Tree& tree, const std::map<std::int32_t, std::string>& hosts) {
    std::set<std::string> found;
    for (const auto& [rank, node] : tree.nodes)
        for (const std::int32_t child : node.children)
            if (hosts.at(rank) != hosts.at(child)) found.insert(hosts.at(rank));
    return found;
}

/// Adds up checks that came out the same.
class Verdicts {
public:
    void add(Result result, std::int32_t channel, const std::string& words) {
        for (auto& [check, channels] : all_)
            if (check.result == result && check.words == words) return channels.push_back(channel);
        all_.push_back({{result, words}, {channel}});
    }
    void into(std::vector<Check>& checks, std::string_view what) const {
        for (const auto& [check, channels] : all_)
            checks.push_back({check.result, text(what, channels.size() == 1 ? " of " : "s of ", channelWords(channels),
                                                 ": ", check.words)});
    }

private:
    std::vector<std::pair<Check, std::vector<std::int32_t>>> all_;
};

void addTrees(const Communicator& its, Channels& report) {
    Verdicts verdicts;
    std::vector<std::string> faults;  ///< of trees
    const std::string spans = text("each spans all ", its.ranks, " ranks");
    for (const auto& [number, channel] : its.channels) {
        const bool none = std::all_of(channel.tree.begin(), channel.tree.end(), [](const auto& one) {
            return one.second.parent == nobody && one.second.children.empty();
        });
        if (channel.tree.empty() || (none && its.ranks > 1)) continue;
        if (static_cast<std::int32_t>(channel.tree.size()) < its.ranks) {
            verdicts.add(Result::unknown, number,
                         text("the log has ", channel.tree.size(), " of ", its.ranks, " ranks; not checked"));
            continue;
        }
        const auto same = std::find_if(report.trees.begin(), report.trees.end(),
                                       [&, &tree = channel.tree](const Tree& one) { return one.nodes == tree; });
        if (same != report.trees.end()) {
            same->channels.push_back(number);
            const std::string& fault = faults[static_cast<std::size_t>(same - report.trees.begin())];
            verdicts.add(fault.empty() ? Result::holds : Result::fails, number, fault.empty() ? spans : fault);
            continue;
        }
        Tree& tree = report.trees.emplace_back();
        tree.channels = {number};
        tree.nodes = channel.tree;
        const std::string& fault = faults.emplace_back(faultOf(tree, its.ranks));
        verdicts.add(fault.empty() ? Result::holds : Result::fails, number, fault.empty() ? spans : fault);
    }
    verdicts.into(report.checks, "tree");
    std::set<std::string> hosts;
    for (const auto& [rank, host] : its.hosts) hosts.insert(host);
    std::size_t channels = 0;
    for (const Tree& tree : report.trees) channels += tree.channels.size();
    if (hosts.size() < 2 || channels < 2 || static_cast<std::int32_t>(its.hosts.size()) < its.ranks ||
        std::any_of(faults.begin(), faults.end(), [](const std::string& fault) { return !fault.empty(); }))
        return;
    // Channels differ in the ranks of a host, and share two trees of hosts.
    std::vector<std::pair<std::set<std::string>, std::vector<std::int32_t>>> kinds;
    for (const Tree& tree : report.trees) {
        std::set<std::string> inner = forwarding(tree, its.hosts);
        const auto same =
            std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.first == inner; });
        if (same == kinds.end()) kinds.emplace_back(std::move(inner), tree.channels);
        else same->second.insert(same->second.end(), tree.channels.begin(), tree.channels.end());
    }
    for (std::size_t i = 0; i < kinds.size(); ++i) std::sort(kinds[i].second.begin(), kinds[i].second.end());
    if (kinds.size() == 1) {
        report.checks.push_back(
            {Result::fails, "double trees: not complementary, all trees forward on the same hosts"});
        return;
    }
    if (kinds.size() > 2) {
        report.checks.push_back({Result::unknown, text("double trees: ", kinds.size(),
                                                       " kinds of trees over hosts, not two; not checked")});
        return;
    }
    std::vector<std::string> both;
    std::set_intersection(kinds[0].first.begin(), kinds[0].first.end(), kinds[1].first.begin(), kinds[1].first.end(),
                          std::back_inserter(both));
    const bool holds = both.size() <= hosts.size() % 2;
    report.checks.push_back(
        {holds ? Result::holds : Result::fails,
         text("double trees of ", channelWords(kinds[0].second), ", and of ", channelWords(kinds[1].second), ": ",
              both.empty() ? text("complementary: no host of ", hosts.size(), " forwards in both")
              : holds      ? text("complementary: only host ", both[0],
                                  " forwards in both, as one of an odd number of hosts must")
                           : text("not complementary: ", both.size(), " of ", hosts.size(), " hosts forward in both, ",
                                  both[0], " among them"))});
}

/// Names of DOT without quotes need letters, digits and underscores.
std::string quoted(const std::string& name) {
    std::string safe = name;
    std::replace_if(
        safe.begin(), safe.end(), [](char c) { return c == '"' || c == '\\' || c == '\n'; }, '_');
    return text('"', safe, '"');
}

struct Edge {
    std::string a, b;
    double gigabytes = 0;  ///< 0: not logged
    bool local = false;    ///< between accelerators
};

/// Without switches and cards that lead nowhere.
void prune(std::vector<Edge>& edges, const std::set<std::string>& ranks) {
    for (bool changed = true; changed;) {
        std::map<std::string, int> degree;
        for (const Edge& edge : edges) ++degree[edge.a], ++degree[edge.b];
        const auto leads = [&](const std::string& node) { return ranks.contains(node) || degree[node] > 1; };
        const std::size_t before = edges.size();
        std::erase_if(edges, [&](const Edge& edge) { return !leads(edge.a) || !leads(edge.b); });
        changed = edges.size() != before;
    }
}

std::vector<Edge> edgesOfHosts(const Communicator& its, std::map<std::string, std::int32_t>& rankOf) {
    std::vector<Edge> edges;
    for (const auto& [name, host] : its.topology) {
        const auto node = [&, &name = name](const std::string& part) { return name + " " + part; };
        for (const auto& [accelerator, rank] : host.accelerators) rankOf[node(accelerator)] = rank;
        std::set<std::string> cards;
        for (const traces::nccl::HostLink& link : host.links) {
            edges.push_back(
                {node(link.from), node(link.to), link.gigabytes, link.kind == "NVL" || link.kind == "XGMI"});
            if (link.to.starts_with("NET/") && its.topology.size() > 1 && cards.insert(link.to).second)
                edges.push_back({node(link.to), "network", link.gigabytes, false});
        }
    }
    // Of equally long routes the first link is taken: the accelerators' own links come first.
    std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.local > b.local; });
    std::set<std::string> ranks;
    for (const auto& [node, rank] : rankOf) ranks.insert(node);
    prune(edges, ranks);
    return edges;
}

std::vector<Edge> edgesOfChannels(const Communicator& its, std::map<std::string, std::int32_t>& rankOf) {
    std::set<std::pair<std::int32_t, std::int32_t>> pairs;
    const auto add = [&](std::int32_t a, std::int32_t b) {
        if (a >= 0 && b >= 0 && a != b && a < its.ranks && b < its.ranks) pairs.emplace(std::min(a, b), std::max(a, b));
    };
    for (const auto& [number, channel] : its.channels) {
        const Walk walk = walked(channel, its.ranks);
        for (std::size_t i = 0; i + 1 < walk.order.size(); ++i) add(walk.order[i], walk.order[i + 1]);
        if (walk.whole && walk.fault.empty()) add(walk.order.back(), walk.order.front());
        for (const auto& [rank, neighbours] : channel.ring) add(rank, neighbours.second);
        for (const auto& [rank, node] : channel.tree) add(rank, node.parent);
    }
    for (const auto& [pair, via] : its.connections) add(pair.first, pair.second);
    std::vector<Edge> edges;
    const auto node = [&](std::int32_t rank) {
        std::string name = text("rank ", rank);
        rankOf[name] = rank;
        return name;
    };
    for (const auto& [a, b] : pairs) edges.push_back({node(a), node(b)});
    return edges;
}

}  // namespace

Channels channelsOf(const Communicator& its) {
    Channels report;
    Verdicts verdicts;
    for (const auto& [number, channel] : its.channels) {
        if (channel.order.empty() && channel.ring.empty() && !channel.cut) continue;
        Walk walk = walked(channel, its.ranks);
        if (!walk.fault.empty()) verdicts.add(Result::fails, number, walk.fault);
        else if (walk.whole) verdicts.add(Result::holds, number, text("each passes all ", its.ranks, " ranks once"));
        else
            verdicts.add(Result::unknown, number,
                         text("the log has ", std::max(walk.order.size(), channel.ring.size()), " of ", its.ranks,
                              " ranks; not checked (NCCL_DEBUG_SUBSYS=INIT,GRAPH logs all)"));
        const auto same = std::find_if(report.rings.begin(), report.rings.end(),
                                       [&](const Ring& ring) { return ring.order == walk.order; });
        if (same != report.rings.end()) same->channels.push_back(number);
        else report.rings.push_back({{number}, std::move(walk.order), walk.whole && walk.fault.empty()});
    }
    verdicts.into(report.checks, "ring");
    addTrees(its, report);
    return report;
}

std::string networkOf(const Communicator& its) {
    std::map<std::string, std::int32_t> rankOf;
    std::vector<Edge> edges = edgesOfHosts(its, rankOf);
    bool speeds = true;
    if (static_cast<std::int32_t>(rankOf.size()) != its.ranks) {
        rankOf.clear();
        edges = edgesOfChannels(its, rankOf);
        speeds = false;
        if (static_cast<std::int32_t>(rankOf.size()) != its.ranks)
            throw engine::Error{text("the log connects ", rankOf.size(), " of ", its.ranks,
                                     " ranks; record all ranks with NCCL_DEBUG_SUBSYS=INIT,GRAPH")};
    }
    std::string words = text("// ", its.ranks, " ranks, from a debug log of NCCL. ",
                             speeds ? "Links and bandwidths as NCCL found them on each host."
                                    : "Pairs of ranks that rings and trees connect; the log has no bandwidths.",
                             "\ngraph nccl {\n");
    for (const auto& [node, rank] : rankOf) words += text("  ", quoted(node), " [rank=", rank, "];\n");
    for (const Edge& edge : edges)
        words += text(
            "  ", quoted(edge.a), " -- ", quoted(edge.b),
            edge.gigabytes > 0 ? text(" [bandwidth=\"", engine::showNumber(edge.gigabytes, 6), "GB/s\"]") : "", ";\n");
    return words + "}\n";
}

std::string placementOf(const Communicator& its) {
    const Channels channels = channelsOf(its);
    const auto first =
        std::find_if(channels.rings.begin(), channels.rings.end(), [](const Ring& ring) { return ring.whole; });
    if (first == channels.rings.end())
        throw engine::Error{
            "no ring of the log includes all ranks; record all ranks with NCCL_DEBUG_SUBSYS=INIT,GRAPH"};
    std::string words;
    for (const Ring& ring : channels.rings) {
        if (!ring.whole) continue;
        words += text("# ring of ", channelWords(ring.channels), "\n", &ring == &*first ? "" : "#");
        for (const std::int32_t rank : ring.order)
            words += text(&ring == &*first && rank == ring.order[0] ? "" : " ", rank);
        words += '\n';
    }
    return words;
}

}  // namespace app::analysis::nccl

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/hang_diagnosis/wait_graph.hpp"

#include "engine/base/types.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace engine::live {
namespace {

/// Strongly connected components, each before those that lead to it (Tarjan, without recursion).
class Components {
public:
    explicit Components(const std::vector<std::vector<std::int32_t>>& edges)
        : edges_{edges}, index_(edges.size(), unseen), low_(edges.size()), isOn_(edges.size()) {
        for (std::size_t node = 0; node < edges.size(); ++node)
            if (index_[node] == unseen) visit(static_cast<std::int32_t>(node));
    }
    [[nodiscard]] const std::vector<std::vector<std::int32_t>>& all() const { return all_; }

private:
    static constexpr std::int32_t unseen = -1;

    void enter(std::int32_t node) {
        index_[asSize(node)] = low_[asSize(node)] = next_++;
        stack_.push_back(node);
        isOn_[asSize(node)] = true;
        path_.emplace_back(node, 0);
    }

    void visit(std::int32_t root) {
        enter(root);
        while (!path_.empty()) {
            auto& [node, edge] = path_.back();
            const auto& out = edges_[asSize(node)];
            if (edge < out.size()) {
                const std::int32_t to = out[edge++];
                if (index_[asSize(to)] == unseen) enter(to);
                else if (isOn_[asSize(to)]) low_[asSize(node)] = std::min(low_[asSize(node)], index_[asSize(to)]);
                continue;
            }
            const std::int32_t done = node;
            path_.pop_back();
            if (!path_.empty()) {
                std::int32_t& above = low_[asSize(path_.back().first)];
                above = std::min(above, low_[asSize(done)]);
            }
            if (low_[asSize(done)] != index_[asSize(done)]) continue;
            std::vector<std::int32_t>& component = all_.emplace_back();
            std::int32_t node2 = unseen;
            while (node2 != done) {
                node2 = stack_.back();
                stack_.pop_back();
                isOn_[asSize(node2)] = false;
                component.push_back(node2);
            }
        }
    }

    const std::vector<std::vector<std::int32_t>>& edges_;
    std::vector<std::int32_t> index_, low_;
    std::vector<bool> isOn_;
    std::vector<std::int32_t> stack_;
    std::vector<std::pair<std::int32_t, std::size_t>> path_;
    std::vector<std::vector<std::int32_t>> all_;
    std::int32_t next_ = 0;
};

}  // namespace

void WaitGraph::add(std::vector<std::int32_t> waiters, std::vector<std::int32_t> awaited, bool together,
                    std::vector<std::int32_t> entered) {
    waits_.push_back({std::move(waiters), std::move(awaited), std::move(entered), together});
}

bool WaitGraph::precedes(const Wait& earlier, const Wait& later) {
    return earlier.together && later.together &&
           std::any_of(later.waiters.begin(), later.waiters.end(), [&](std::int32_t process) {
               return std::binary_search(earlier.entered.begin(), earlier.entered.end(), process);
           });
}

/// Processes, then waits: a process leads to its waits, a wait to those that it is for.
std::vector<std::vector<std::int32_t>> WaitGraph::edges() const {
    std::vector<std::vector<std::int32_t>> edges(asSize(processes_) + waits_.size());
    for (std::size_t i = 0; i < waits_.size(); ++i) {
        const auto node = processes_ + static_cast<std::int32_t>(i);
        for (const std::int32_t waiter : waits_[i].waiters) edges[asSize(waiter)].push_back(node);
        edges[asSize(node)] = waits_[i].awaited;
    }
    return edges;
}

WaitGraph::Verdict WaitGraph::judge() const {
    const auto edges = this->edges();
    std::vector<bool> isAwaited(asSize(processes_));
    for (const Wait& wait : waits_)
        for (const std::int32_t process : wait.awaited) isAwaited[asSize(process)] = true;
    Verdict verdict{.atFault = std::vector<bool>(asSize(processes_))};
    const Components components{edges};
    std::vector<std::size_t> componentOf(edges.size());
    for (std::size_t c = 0; c < components.all().size(); ++c)
        for (const std::int32_t node : components.all()[c]) componentOf[asSize(node)] = c;
    for (std::size_t c = 0; c < components.all().size(); ++c) {
        const std::vector<std::int32_t>& nodes = components.all()[c];
        const bool leaves = std::any_of(nodes.begin(), nodes.end(), [&](std::int32_t node) {
            const auto& out = edges[asSize(node)];
            return std::any_of(out.begin(), out.end(), [&](std::int32_t to) { return componentOf[asSize(to)] != c; });
        });
        if (leaves) continue;
        if (nodes.size() > 1) judgeCircle(nodes, verdict);
        else if (nodes.front() < processes_) verdict.atFault[asSize(nodes.front())] = isAwaited[asSize(nodes.front())];
    }
    return verdict;
}

/// Who is missing in the call that comes first in the program is the odd one out; where that is not known, who is
/// awaited where the most wait for the fewest, if no other wait tells otherwise.
void WaitGraph::judgeCircle(const std::vector<std::int32_t>& nodes, Verdict& verdict) const {
    const std::set<std::int32_t> within{nodes.begin(), nodes.end()};
    const auto count = [&](const std::vector<std::int32_t>& processes) {
        std::set<std::int32_t> some;
        for (const std::int32_t process : processes)
            if (within.contains(process)) some.insert(process);
        return some;
    };
    struct Claim {
        std::set<std::int32_t> waiters;
        bool together = false;
    };
    std::map<std::set<std::int32_t>, Claim> claims;  // by those who are awaited
    bool together = false;
    std::vector<const Wait*> waits;
    for (const std::int32_t node : nodes)
        if (node >= processes_) waits.push_back(&waits_[asSize(node - processes_)]);
    for (const Wait* const one : waits) {
        const Wait& wait = *one;
        together = together || wait.together;
        const bool isLater = std::any_of(waits.begin(), waits.end(), [&](const Wait* other) {
            return precedes(*other, wait) && !precedes(wait, *other);
        });
        if (isLater) continue;
        Claim& claim = claims[count(wait.awaited)];
        claim.waiters.merge(count(wait.waiters));
        claim.together = claim.together || wait.together;
    }
    using Key = std::tuple<std::size_t, std::int64_t, bool>;
    std::vector<std::pair<Key, const std::set<std::int32_t>*>> order;
    for (const auto& [awaited, claim] : claims)
        order.push_back(
            {Key{awaited.size(), -static_cast<std::int64_t>(claim.waiters.size()), !claim.together}, &awaited});
    std::sort(order.begin(), order.end());
    const bool isTie = order.empty() || (order.size() > 1 && order[0].first == order[1].first);
    if (!isTie && together) {
        for (const std::int32_t process : *order.front().second) verdict.atFault[asSize(process)] = true;
        return;
    }
    std::vector<std::int32_t>& circle = verdict.circles.emplace_back();
    for (const std::int32_t node : within)
        if (node < processes_) circle.push_back(node);
}

}  // namespace engine::live

// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/replay/goal_program.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/schedule_files/goal/goal_rounds.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace emulation {

namespace goal = engine::schedules::goal;
using engine::Error;
using engine::text;
using goal::Kind;

namespace {

constexpr std::int64_t inNanosecond = 1000;
constexpr std::size_t noChain = static_cast<std::size_t>(-1);

/// The operations of one rank in chains.
class ChainsOfRank {
public:
    /// `messages`: by operation. All but `rank` outlive the object.
    ChainsOfRank(const std::vector<goal::Operation>& operations, Rank rank, const std::int64_t* messages,
                 std::string_view file, GoalProgram& made)
        : operations_{operations},
          rank_{rank},
          messages_{messages},
          file_{file},
          made_{made},
          chainOf_(operations.size(), noChain),
          ended_(operations.size(), -1),
          begun_(operations.size(), -1) {}

    void add() {
        sortOut();
        part();
        for (const std::uint32_t i : order_)
            for (std::size_t at = 0; at < operations_[i].waits(); ++at) markAwaited(i, at);
        firstChain_ = made_.program.chains.size();
        for (const std::int32_t cpu : processors_)
            made_.program.chains.push_back({.rank = rank_, .processor = processorNamed(std::max(cpu, 0))});
        made_.lines.resize(made_.program.chains.size());
        for (const std::uint32_t i : order_) write(i);
    }

private:
    /// Each after all that it waits for.
    void sortOut() {
        std::vector<std::vector<std::uint32_t>> waiting(operations_.size());
        std::vector<std::size_t> pending(operations_.size());
        for (std::uint32_t i = 0; i < operations_.size(); ++i) {
            pending[i] = operations_[i].waits();
            for (std::size_t at = 0; at < pending[i]; ++at) waiting[operations_[i].waited(at)].push_back(i);
            if (pending[i] == 0) order_.push_back(i);
        }
        for (std::size_t next = 0; next < order_.size(); ++next)
            for (const std::uint32_t other : waiting[order_[next]])
                if (--pending[other] == 0) order_.push_back(other);
        if (order_.size() == operations_.size()) return;
        const auto stuck = std::find_if(pending.begin(), pending.end(), [](std::size_t count) { return count > 0; });
        const auto line = operations_[static_cast<std::size_t>(stuck - pending.begin())].line;
        throw Error{text(file_, ':', line, ": rank ", rank_, " waits here for an operation that waits for this one")};
    }

    /// Into chains: an operation follows the first one that it waits for and that nothing follows yet.
    void part() {
        std::vector<std::size_t> last;  // by chain
        places_.resize(operations_.size());
        for (const std::uint32_t i : order_) {
            const goal::Operation& one = operations_[i];
            const bool calculates = one.kind == Kind::calculate;
            const auto fits = [&](std::uint32_t before) {
                const std::size_t chain = chainOf_[before];
                return last[chain] == before &&
                       (!calculates || processors_[chain] < 0 || processors_[chain] == one.processor);
            };
            const auto before = std::find_if(one.waitsFor.begin(), one.waitsFor.end(), fits);
            const std::size_t chain = before == one.waitsFor.end() ? last.size() : chainOf_[*before];
            if (chain == last.size()) last.push_back(i), processors_.push_back(-1), lengths_.push_back(0);
            if (calculates) processors_[chain] = one.processor;
            last[chain] = i;
            chainOf_[i] = chain;
            places_[i] = lengths_[chain]++;
        }
    }

    /// Whether its chain brings `i` behind the `at`-th that it waits for.
    [[nodiscard]] bool isBehind(std::uint32_t i, std::size_t at) const {
        const std::uint32_t other = operations_[i].waited(at);
        return chainOf_[other] == chainOf_[i] && places_[other] < places_[i];
    }
    [[nodiscard]] std::int64_t& milestoneOf(std::uint32_t i, std::size_t at) {
        return (at < operations_[i].waitsFor.size() ? ended_ : begun_)[operations_[i].waited(at)];
    }
    void markAwaited(std::uint32_t i, std::size_t at) {
        if (isBehind(i, at)) return;
        if (std::int64_t& milestone = milestoneOf(i, at); milestone < 0) milestone = made_.program.milestones++;
    }

    void write(std::uint32_t i) {
        const goal::Operation& one = operations_[i];
        const auto add = [&](Does what, std::int64_t number) {
            made_.program.chains[firstChain_ + chainOf_[i]].does.add(what, number);
            made_.lines[firstChain_ + chainOf_[i]].push_back(one.line);
        };
        for (std::size_t at = 0; at < one.waits(); ++at)
            if (!isBehind(i, at)) add(Does::passes, milestoneOf(i, at));
        if (begun_[i] >= 0) add(Does::reaches, begun_[i]);
        switch (one.kind) {
            case Kind::calculate:
                if (one.duration > std::numeric_limits<std::int64_t>::max() / inNanosecond)
                    throw Error{text(file_, ':', one.line, ": this calc takes more time than can be added up")};
                if (one.duration > 0) add(Does::computes, inNanosecond * one.duration);
                break;
            case Kind::send:
                add(Does::sends, messages_[i]);
                add(Does::awaitsSend, messages_[i]);
                break;
            case Kind::receive:
                add(Does::receives, messages_[i]);
                add(Does::awaitsReceive, messages_[i]);
                break;
        }
        if (ended_[i] >= 0) add(Does::reaches, ended_[i]);
    }

    std::int32_t processorNamed(std::int32_t cpu) {
        const auto [its, isNew] = numbers_.try_emplace(cpu, made_.program.processors);
        if (isNew) ++made_.program.processors, made_.processorOf.push_back(cpu);
        return its->second;
    }

    const std::vector<goal::Operation>& operations_;
    Rank rank_;
    const std::int64_t* messages_;
    std::string_view file_;
    GoalProgram& made_;
    std::vector<std::uint32_t> order_;
    std::vector<std::size_t> chainOf_;      // by operation
    std::vector<std::size_t> places_;       // by operation, in its chain
    std::vector<std::size_t> lengths_;      // by chain
    std::vector<std::int32_t> processors_;  // by chain: the `cpu` of what it calculates; -1: nothing yet
    std::vector<std::int64_t> ended_;       // by operation: the milestone at its end; -1: nothing awaits it
    std::vector<std::int64_t> begun_;       // likewise at its start
    std::size_t firstChain_ = 0;
    std::map<std::int32_t, std::int32_t> numbers_;  // of processors, by `cpu`
};

}  // namespace

GoalProgram programOf(const goal::File& goal, std::string_view file) {
    const std::vector<std::size_t> partners = goal::partnersOf(goal, file);
    GoalProgram made;
    made.program.ranks.resize(static_cast<std::int32_t>(goal.ranks.size()));
    std::vector<std::int64_t> messages(partners.size(), -1);  // by operation
    std::size_t count = 0;
    PointToPoint& all = made.program.messages;
    for (const Rank rank : made.program.ranks.ids())
        for (const goal::Operation& one : goal.ranks[rank.index()]) {
            const std::size_t number = count++;
            if (one.kind == Kind::calculate) continue;
            if (partners[number] == goal::noPartner)
                throw Error{one.kind == Kind::send
                                ? text(file, ':', one.line, ": rank ", one.peer, " does not receive this message")
                                : text(file, ':', one.line, ": rank ", one.peer, " does not send this message")};
            if (one.kind == Kind::receive) continue;
            messages[number] = messages[partners[number]] = static_cast<std::int64_t>(all.size());
            all.from.push_back(rank);
            all.to.push_back(one.peer);
            all.bytes.push_back(one.bytes);
        }
    count = 0;
    for (const Rank rank : made.program.ranks.ids()) {
        const std::vector<goal::Operation>& operations = goal.ranks[rank.index()];
        ChainsOfRank{operations, rank, messages.data() + count, file, made}.add();
        count += operations.size();
    }
    return made;
}

}  // namespace emulation

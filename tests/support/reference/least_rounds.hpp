// SPDX-License-Identifier: BSD-3-Clause
// The judge of the bounds: the least number of rounds of any schedule whatever, found by trying them all, breadth
// first over what the ranks hold. For a handful of ranks and pieces.
#pragma once

#include "engine/problem/contract.hpp"
#include "engine/problem/problem.hpp"
#include "engine/schedule/wiring.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <set>
#include <stdexcept>
#include <vector>

namespace support {

/// What a message may carry.
enum class Load : std::uint8_t {
    everything,  ///< all that its sender holds: rounds are startups
    onePiece,    ///< one piece: rounds are pieces through the busiest port
};

/// Tries all schedules of one problem whose line is cut into at most eight pieces, on at most eight ranks.
class LeastRounds {
public:
    /// `pieces[b]`: how many pieces contribution b has. Ranks from the problem's on are dummies of the wiring.
    LeastRounds(const engine::Problem& problem, const engine::Wiring& wiring, const std::vector<int>& pieces, Load load)
        : ranks_{problem.ranks()}, ports_{problem.ports}, load_{load} {
        if (wiring.kind() != engine::Wiring::Kind::any)
            ranks_ = std::accumulate(wiring.dimensions().begin(), wiring.dimensions().end(), 1, std::multiplies{});
        std::vector<Pieces> of;  // per contribution
        for (const int count : pieces) {
            of.push_back(static_cast<Pieces>(((1U << count) - 1U) << pieces_));
            pieces_ += count;
        }
        if (ranks_ > most || pieces_ > most) throw std::invalid_argument{"too large to try every schedule"};
        start_.fill(0);
        goal_.fill(0);
        for (std::size_t b = 0; b < of.size(); ++b) start_[ownerOf(problem, b)] |= of[b];
        for (int r = 0; r < problem.ranks(); ++r)
            for (std::size_t b = 0; b < of.size(); ++b)
                if (needs(problem, r, b)) goal_[index(r)] |= of[b];
        for (int a = 0; a < ranks_; ++a)
            for (int b = 0; b < ranks_; ++b)
                linked_[index(a)][index(b)] = a != b && wiring.adjacent(engine::Rank{a}, engine::Rank{b});
        findSymmetries();
    }

    /// Until everyone holds what it must in the end.
    int untilDone() {
        return search([&](const State& state) {
            for (std::size_t r = 0; r < index(ranks_); ++r)
                if ((goal_[r] & ~state[r]) != 0) return false;
            return true;
        });
    }
    /// Until everyone holds at least one piece of what it must hold in the end.
    int untilServed() {
        return search([&](const State& state) {
            for (std::size_t r = 0; r < index(ranks_); ++r)
                if (goal_[r] != 0 && (goal_[r] & ~start_[r]) != 0 && (goal_[r] & ~start_[r] & state[r]) == 0)
                    return false;
            return true;
        });
    }

private:
    static constexpr int most = 8;
    using Pieces = std::uint8_t;             ///< a set: bit i = piece i
    using State = std::array<Pieces, most>;  ///< what each rank holds
    struct Symmetry {
        std::array<std::uint8_t, most> rank;   ///< where each rank goes
        std::array<std::uint8_t, most> piece;  ///< and each piece
    };

    static std::size_t index(int i) { return static_cast<std::size_t>(i); }
    static std::size_t ownerOf(const engine::Problem& problem, std::size_t block) {
        return problem.collective == engine::Collective::bcast ? problem.root.index() : block;
    }
    /// The promises of contract.hpp, said again; a reduction needs to have heard of everyone.
    static bool needs(const engine::Problem& problem, int rank, std::size_t block) {
        const bool inA = rank < problem.groupA;
        const bool ofA = static_cast<int>(block) < problem.groupA;
        switch (problem.collective) {
            case engine::Collective::halfduplexAllgather: return !inA;
            case engine::Collective::intergroupAllgatherv: return inA != ofA;
            default: return true;
        }
    }

    template <class Done>
    int search(const Done& done) {
        std::set<State> now{canonical(start_)};
        for (int rounds = 0;; ++rounds) {
            for (const State& state : now)
                if (done(state)) return rounds;
            next_.clear();
            for (const State& state : now) {
                before_ = state;
                sent_.fill(0);
                State after = state;
                serve(0, 0, 0, after);
            }
            if (next_ == now) throw std::logic_error{"nothing more can be sent"};
            now = std::move(next_);
        }
    }

    /// Lets rank `receiver` and those behind it take in messages, in every way that leaves no useful one unsent: to
    /// hold more is never worse. `from` and `taken`: the offers that this one refused, and how many it took.
    void serve(int receiver, int offer, int taken, State& after) {
        if (receiver == ranks_) {
            if (!couldTakeMore(after)) next_.insert(canonical(after));
            return;
        }
        const int offers = load_ == Load::everything ? ranks_ : ranks_ * pieces_;
        if (offer == offers || taken == ports_) {
            taken_[index(receiver)] = taken;
            serve(receiver + 1, 0, 0, after);
            return;
        }
        const int sender = load_ == Load::everything ? offer : offer / pieces_;
        const Pieces carried = load_ == Load::everything
                                   ? before_[index(sender)]
                                   : static_cast<Pieces>(before_[index(sender)] & (1U << (offer % pieces_)));
        if (linked_[index(sender)][index(receiver)] && sent_[index(sender)] < ports_ &&
            (carried & ~after[index(receiver)]) != 0) {
            const Pieces held = after[index(receiver)];
            after[index(receiver)] |= carried;
            ++sent_[index(sender)];
            serve(receiver, offer + 1, taken + 1, after);
            --sent_[index(sender)];
            after[index(receiver)] = held;
        }
        serve(receiver, offer + 1, taken, after);
    }
    bool couldTakeMore(const State& after) const {
        for (int to = 0; to < ranks_; ++to)
            for (int from = 0; from < ranks_; ++from)
                if (linked_[index(from)][index(to)] && sent_[index(from)] < ports_ && taken_[index(to)] < ports_ &&
                    (before_[index(from)] & ~after[index(to)]) != 0)
                    return true;
        return false;
    }

    /// Renumberings of ranks that change nothing, with the renumbering of pieces that goes with each.
    void findSymmetries() {
        std::array<std::uint8_t, most> order{};
        std::iota(order.begin(), order.end(), std::uint8_t{0});
        do {
            Symmetry found{order, {}};
            if (keepsLinks(order) && placePieces(found)) symmetries_.push_back(found);
        } while (std::next_permutation(order.begin(), order.begin() + ranks_));
    }
    bool keepsLinks(const std::array<std::uint8_t, most>& to) const {
        for (std::size_t a = 0; a < index(ranks_); ++a)
            for (std::size_t b = 0; b < index(ranks_); ++b)
                if (linked_[a][b] != linked_[to[a]][to[b]]) return false;
        return true;
    }
    bool placePieces(Symmetry& found) const {
        for (std::size_t r = 0; r < index(ranks_); ++r) {
            const Pieces there = start_[found.rank[r]];
            if (std::popcount(start_[r]) != std::popcount(there)) return false;
            int place = std::countr_zero(there);
            for (int piece = 0; piece < pieces_; ++piece)
                if ((start_[r] >> piece & 1U) != 0) found.piece[index(piece)] = static_cast<std::uint8_t>(place++);
        }
        for (std::size_t r = 0; r < index(ranks_); ++r)
            if (moved(goal_[r], found) != goal_[found.rank[r]]) return false;
        return true;
    }
    Pieces moved(Pieces pieces, const Symmetry& by) const {
        Pieces result = 0;
        for (int piece = 0; piece < pieces_; ++piece)
            if ((pieces >> piece & 1U) != 0) result |= static_cast<Pieces>(1U << by.piece[index(piece)]);
        return result;
    }
    State canonical(const State& state) const {
        State least = state;
        for (const Symmetry& by : symmetries_) {
            State other{};
            for (std::size_t r = 0; r < index(ranks_); ++r) other[by.rank[r]] = moved(state[r], by);
            least = std::min(least, other);
        }
        return least;
    }

    int ranks_;
    int pieces_ = 0;
    int ports_;
    Load load_;
    State start_{};
    State goal_{};
    std::array<std::array<bool, most>, most> linked_{};
    std::vector<Symmetry> symmetries_;

    // Of the round in work.
    State before_{};
    std::array<int, most> sent_{};   ///< messages by each rank
    std::array<int, most> taken_{};  ///< messages to each rank
    std::set<State> next_;
};

}  // namespace support

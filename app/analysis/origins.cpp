// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/origins.hpp"

#include "app/analysis/mostly_sorted.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;

/// Whether waits are told which wave they are of.
enum class Waves : std::uint8_t { counted, leftOut };

class Accounts {
public:
    Accounts(std::int32_t ranks, Waves waves)
        : waves_{waves},
          own_(engine::asSize(ranks)),
          accounts_(engine::asSize(ranks)),
          open_(engine::asSize(ranks)),
          inChain_(engine::asSize(ranks)) {}

    /// Waits that end together: first those of ranks that others waited for.
    void together(std::span<Wait* const> ending) {
        if (ending.size() == 1) return trace(*ending.front());
        for (Wait* const wait : ending) open_[wait->rank.index()].push_back(wait);
        for (const Wait* const wait : ending) settle(wait->rank);
    }
    std::vector<Delay> delays() && { return std::move(delays_); }

private:
    static constexpr std::size_t mostParts = 64;

    /// What a rank has lost to the delays of one rank, and how the last of it came.
    struct Lost {
        Rank origin;
        Picoseconds time{};
        std::int32_t hops = 0;
        std::uint32_t wave = 0;
    };

    class Account {
    public:
        [[nodiscard]] const std::vector<Lost>& parts() const { return parts_; }

        /// Asked for origins that rise.
        class Walk {
        public:
            explicit Walk(const Account& account) : account_{account} {}
            /// At least: what is no longer kept apart counts as much as the largest that was given up.
            Picoseconds to(Rank origin) {
                const std::vector<Lost>& parts = account_.parts_;
                while (at_ < parts.size() && parts[at_].origin < origin) ++at_;
                return at_ < parts.size() && parts[at_].origin == origin ? parts[at_].time : account_.forgotten_;
            }

        private:
            const Account& account_;
            std::size_t at_ = 0;
        };

        void lose(const Lost& more) {
            auto at = find(more.origin);
            if (at != parts_.end() && at->origin == more.origin) {
                at->time += more.time;
                at->hops = more.hops;
                at->wave = more.wave;
                return;
            }
            Lost entry = more;
            entry.time += forgotten_;
            parts_.insert(at, entry);
            if (parts_.size() <= mostParts) return;
            const auto least = std::min_element(parts_.begin(), parts_.end(),
                                                [](const Lost& a, const Lost& b) { return a.time < b.time; });
            forgotten_ = std::max(forgotten_, least->time);
            parts_.erase(least);
        }

    private:
        [[nodiscard]] std::vector<Lost>::iterator find(Rank origin) {
            return std::partition_point(parts_.begin(), parts_.end(),
                                        [&](const Lost& one) { return one.origin < origin; });
        }

        std::vector<Lost> parts_;  ///< by origin
        Picoseconds forgotten_{};
    };

    void settle(Rank rank) {
        // Whoever goes on waiting for the next one is looked at before those that wait for it; never twice.
        std::vector<Rank> chain{rank};
        inChain_[rank.index()] = true;
        while (!chain.empty()) {
            auto& its = open_[chain.back().index()];
            if (its.empty()) {
                inChain_[chain.back().index()] = false;
                chain.pop_back();
                continue;
            }
            const Rank next = its.back()->late;
            if (!inChain_[next.index()] && !open_[next.index()].empty()) {
                inChain_[next.index()] = true;
                chain.push_back(next);
                continue;
            }
            trace(*its.back());
            its.pop_back();
        }
    }

    void trace(Wait& wait) {
        Account& mine = accounts_[wait.rank.index()];
        passed_.clear();
        Picoseconds sum{};
        Account::Walk lost{mine};
        for (const Lost& part : accounts_[wait.late.index()].parts()) {
            if (part.origin == wait.rank) continue;  // it does not wait for itself
            const Picoseconds more = part.time - lost.to(part.origin);
            if (more <= Picoseconds{}) continue;
            passed_.push_back({part.origin, more, part.hops + 1, part.wave});
            sum += more;
        }
        // What the late rank had lost beyond this wait, it had made up for.
        if (sum > wait.time)
            for (Lost& part : passed_)
                part.time = Picoseconds{static_cast<std::int64_t>(static_cast<__int128>(part.time.count()) *
                                                                  wait.time.count() / sum.count())};
        Picoseconds rest = wait.time;
        const Lost* most = nullptr;
        for (const Lost& part : passed_) {
            rest -= part.time;
            if (most == nullptr || part.time > most->time) most = &part;
        }
        wait.origin = wait.late;
        wait.hops = 0;
        if (most != nullptr && most->time >= rest)
            wait.origin = most->origin, wait.hops = most->hops, wait.wave = most->wave;
        else wait.wave = waveOf(wait);
        for (const Lost& part : passed_) mine.lose(part);
        if (rest > Picoseconds{}) mine.lose({wait.late, rest, 0, wait.hops == 0 ? wait.wave : waveOf(wait)});
    }

    /// Ranks that wait until the same moment for the same rank wait for one delay.
    std::uint32_t waveOf(const Wait& wait) {
        if (waves_ == Waves::leftOut) return 0;
        Own& last = own_[wait.late.index()];
        if (!last.known || last.until != wait.end()) {
            last = {wait.end(), static_cast<std::uint32_t>(delays_.size()), true};
            delays_.push_back({wait.late, wait.end(), wait.rank, wait.begin});
        }
        Delay& delay = delays_[last.wave];
        if (wait.begin < delay.since) delay.waiter = wait.rank, delay.since = wait.begin;
        return last.wave;
    }

    /// The latest delay of a rank itself.
    struct Own {
        Picoseconds until{};
        std::uint32_t wave = 0;
        bool known = false;
    };

    Waves waves_;
    std::vector<Own> own_;  ///< by rank
    std::vector<Account> accounts_;
    std::vector<std::vector<Wait*>> open_;  ///< by rank: those of its waits that end now
    std::vector<bool> inChain_;             ///< by rank: it is being settled
    std::vector<Lost> passed_;
    std::vector<Delay> delays_;  ///< by wave
};

Origins::Origins(std::int32_t ranks) : accounts_{std::make_unique<Accounts>(ranks, Waves::leftOut)} {}
Origins::~Origins() = default;
void Origins::trace(std::span<Wait* const> ending) { accounts_->together(ending); }

std::vector<Delay> traceOrigins(std::vector<Wait>& waits, std::int32_t ranks) {
    std::vector<std::uint32_t> order(waits.size());
    std::iota(order.begin(), order.end(), 0U);
    sortMostlySorted(std::span{order},
                     [&](std::uint32_t a, std::uint32_t b) { return waits[a].end() < waits[b].end(); });
    Accounts accounts{ranks, Waves::counted};
    std::vector<Wait*> ending;
    for (std::size_t i = 0; i < order.size(); ++i) {
        ending.push_back(&waits[order[i]]);
        if (i + 1 < order.size() && waits[order[i + 1]].end() == ending.front()->end()) continue;
        accounts.together(ending);
        ending.clear();
    }
    return std::move(accounts).delays();
}

}  // namespace app::analysis

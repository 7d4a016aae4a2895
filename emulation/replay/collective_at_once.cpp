// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/replay/collective_at_once.hpp"

#include "emulation/clocks/bounded_time.hpp"
#include "emulation/clocks/hockney.hpp"

#include <algorithm>
#include <tuple>

namespace emulation {
namespace {

using engine::MessageRecord;
using engine::Picoseconds;
using engine::Round;

class Passing {
public:
    Passing(const CollectiveDone& collective, Ports& ports, const engine::ById<Rank, Factor>& factors,
            ReplayObserver* observer, std::int64_t number)
        : members_{*collective.members},
          gamma_{collective.gamma},
          ports_{ports},
          factors_{factors},
          observer_{observer},
          number_{number} {}

    /// Sends and receives that stand side by side: each member's turn ends when all of them have finished.
    void together(const CollectiveRound& round, Round at, std::vector<Picoseconds>& clocks) {
        next_ = clocks;
        send(round, at, clocks, next_);
        receive(round, clocks, next_);
        for (std::size_t place = 0; place < clocks.size(); ++place)
            clocks[place] =
                later(next_[place], round.combining(static_cast<std::int32_t>(place), gamma_, factorOf(place)));
    }

    /// Those that do not wait for each other.
    void apart(const CollectiveRound& round, Round at, std::vector<Picoseconds>& sends,
               std::vector<Picoseconds>& receives) {
        next_ = sends;
        send(round, at, sends, next_);
        std::swap(sends, next_);
        next_ = receives;
        receive(round, receives, next_);
        std::swap(receives, next_);
    }

private:
    [[nodiscard]] Factor factorOf(std::size_t place) const {
        return factors_.empty() ? Factor{} : factors_[members_[place]];
    }

    void send(const CollectiveRound& round, Round at, const std::vector<Picoseconds>& clocks,
              std::vector<Picoseconds>& ends) {
        records_.resize(round.size());
        for (std::size_t i = 0; i < round.size(); ++i) {
            const auto from = engine::asSize(round.from(i));
            MessageRecord& record = records_[i];
            record = {members_[from], members_[engine::asSize(round.to(i))], at, round.bytes(i), {}, {}, {}, {}};
            ports_.send(record, round.cost(i), clocks[from]);
            ends[from] = std::max(ends[from], record.sendEnd);
        }
    }

    /// A receiver's in-ports take messages in the order in which both ends are there.
    void receive(const CollectiveRound& round, const std::vector<Picoseconds>& clocks, std::vector<Picoseconds>& ends) {
        for (std::size_t place = 0; place < clocks.size(); ++place) {
            std::span<const std::uint32_t> its = round.receives(static_cast<std::int32_t>(place));
            if (its.size() > 1) {
                order_.assign(its.begin(), its.end());
                std::ranges::sort(order_, {}, [&](std::uint32_t i) {
                    const Picoseconds left = records_[i].sendBegin;
                    return std::tuple{hockney::receiveBegin(left, clocks[place]), left, i};
                });
                its = order_;
            }
            for (const std::uint32_t i : its) {
                MessageRecord& record = records_[i];
                ports_.receive(record, round.cost(i), hockney::receiveBegin(record.sendBegin, clocks[place]));
                ends[place] = std::max(ends[place], record.receiveEnd);
                if (observer_ != nullptr) observer_->message(record, number_);
            }
        }
    }

    const std::vector<Rank>& members_;
    engine::Rate gamma_;
    Ports& ports_;
    const engine::ById<Rank, Factor>& factors_;
    ReplayObserver* observer_;
    std::int64_t number_;
    std::vector<MessageRecord> records_;  // of the round
    std::vector<Picoseconds> next_;
    std::vector<std::uint32_t> order_;
};

}  // namespace

void goThrough(const CollectiveDone& collective, const CollectiveRounds& collectiveRounds, Ports& ports,
               const engine::ById<Rank, Factor>& factors, std::vector<Picoseconds>& clocks, ReplayObserver* observer,
               std::int64_t number) {
    const engine::Facts& facts = collective.schedule->facts();
    Passing passing{collective, ports, factors, observer, number};
    std::vector<Picoseconds> receives;
    for (Round round{0}; round.value < facts.rounds; ++round) {
        const CollectiveRound& one = *collectiveRounds.rounds[engine::asSize(round.value)];
        if (!facts.uncoupled.contains(round)) {
            passing.together(one, round, clocks);
            continue;
        }
        if (round == facts.uncoupled.first) receives = clocks;
        passing.apart(one, round, clocks, receives);
        if (!facts.joins(round)) continue;
        for (std::size_t place = 0; place < clocks.size(); ++place)
            clocks[place] = std::max(clocks[place], receives[place]);
    }
}

}  // namespace emulation

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/splitphase/shared_memory_transport.hpp"

#include <algorithm>

namespace engine::splitphase {

class Board::OfRank final : public Transport {
public:
    OfRank(Board& board, Rank rank) : board_{board}, rank_{rank} {}

    void put(Rank to, std::int32_t index, std::int64_t call, std::span<const std::byte> data) override {
        Slot& slot = board_.slot(to, index, call);
        std::copy(data.begin(), data.end(), slot.data.begin());
        slot.note.store(2 * (call + 1) + (data.empty() ? 0 : 1), std::memory_order_release);
    }
    void notify() override {}
    std::optional<std::span<const std::byte>> arrived(std::int32_t index, std::int64_t call) override {
        const Slot& slot = board_.slot(rank_, index, call);
        const std::int64_t note = slot.note.load(std::memory_order_acquire);
        if (note / 2 != call + 1) return std::nullopt;
        return note % 2 == 0 ? std::span<const std::byte>{} : std::span<const std::byte>{slot.data};
    }
    void release(std::int32_t, std::int64_t) override {}

private:
    Board& board_;
    Rank rank_;
};

Board::Board(const Plan& plan) {
    const std::int32_t ranks = plan.schedule->facts().ranks;
    std::int32_t all = 0;
    Turn turn;
    for (Rank rank{0}; rank.value < ranks; ++rank) {
        first_.push_back(all);
        for (Round round{0}; round.value < plan.schedule->facts().rounds; ++round) {
            plan.schedule->turn(rank, round, turn);
            all += static_cast<std::int32_t>(turn.receives().size());
        }
    }
    const std::size_t slots = asSize(all) * 2;
    slots_ = std::make_unique<Slot[]>(slots);
    for (std::size_t s = 0; s < slots; ++s) slots_[s].data.resize(asSize(plan.problem.layout.largest()));
}

std::unique_ptr<Transport> Board::transportOf(Rank rank) { return std::make_unique<OfRank>(*this, rank); }

}  // namespace engine::splitphase

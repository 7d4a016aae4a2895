// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/mpi/execution_method.hpp"

namespace engine::mpi {
namespace {

/// A schedule, turn by turn.
class Planned final : public Method {
public:
    Planned(const Entry& entry, Rank rank, std::unique_ptr<Exchange> exchange, const Mark& mark)
        : entry_{entry}, rank_{rank}, combining_{entry.problem}, exchange_{std::move(exchange)}, mark_{mark} {
        Turn turn;
        for (Round round{0}; round.value < schedule().facts().rounds; ++round) {
            schedule().turn(rank, round, turn);
            events_ += static_cast<std::int64_t>(turn.sends().size() + turn.receives().size());
            // Where they do not join, each side has turns of its own.
            const bool uncoupled = schedule().facts().uncoupled.contains(round);
            events_ += uncoupled ? !turn.sends().empty() + !turn.receives().empty() : !turn.empty();
        }
        Planned::fill();
    }

    void fill() override {
        buffers_ = std::make_unique<RankBuffers>(entry_.problem, schedule().facts(), rank_);
        buffers_->combineWith([this](auto received, auto slot) { combining_.combine(received, slot); },
                              combining_.commutes() ? Operands::mayChangePlaces : Operands::keepPlaces);
    }
    void execute() override { Walker{schedule(), buffers_->holdings(), rank_, *exchange_, mark_}.walk(); }
    [[nodiscard]] std::string compare() const override { return buffers_->compare(); }
    [[nodiscard]] std::int64_t events() const override { return events_; }

private:
    [[nodiscard]] const Schedule& schedule() const { return *entry_.plan->schedule; }

    const Entry& entry_;
    Rank rank_;
    Combining combining_;
    std::unique_ptr<Exchange> exchange_;
    const Mark& mark_;
    std::int64_t events_ = 0;
    std::unique_ptr<RankBuffers> buffers_;
};

}  // namespace

std::unique_ptr<Method> methodOf(const Entry& entry, MPI_Comm comm, bool neighboursOnly, Leaves leaves,
                                 const Mark& mark) {
    if (entry.native != nullptr) return ofTheLibrary(entry, comm);
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    if (entry.split) return splitPhase(entry, comm, Rank{rank}, mark);
    return std::make_unique<Planned>(
        entry, Rank{rank},
        neighboursOnly ? neighbourExchange(comm, mark, leaves) : freeExchange(comm, mark, entry.problem.ports, leaves),
        mark);
}

}  // namespace engine::mpi

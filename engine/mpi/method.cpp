// SPDX-License-Identifier: BSD-3-Clause
#include "engine/mpi/method.hpp"

#include "engine/contract.hpp"

#include <numeric>

namespace engine::mpi {
namespace {

/// A schedule, turn by turn.
class Planned final : public Method {
public:
    Planned(const Entry& entry, Rank rank, std::unique_ptr<Exchange> exchange, const Mark& mark)
        : entry_{entry}, rank_{rank}, combining_{entry.problem.operation}, exchange_{std::move(exchange)}, mark_{mark} {
        Turn turn;
        for (Round round{0}; round.value < schedule().facts().rounds; ++round) {
            schedule().turn(rank, round, turn);
            events_ += static_cast<std::int64_t>(turn.sends().size() + turn.receives().size());
            // Where directions run apart, each has turns of its own.
            const bool apart = schedule().facts().apart.contains(round);
            events_ += apart ? !turn.sends().empty() + !turn.receives().empty() : !turn.empty();
        }
        Planned::fill();
    }

    void fill() override {
        buffers_ = std::make_unique<RankBuffers>(entry_.problem, schedule().facts(), rank_);
        buffers_->combineWith([this](std::span<const std::byte> received, std::span<std::byte> slot) {
            const Element element = entry_.problem.element;
            check(MPI_Reduce_local(received.data(), slot.data(),
                                   count(static_cast<Bytes>(slot.size()) / sizeOf(element)), typeOf(element),
                                   combining_.operation()),
                  "combining");
        });
    }
    void execute() override { Walker{schedule(), *buffers_, rank_, *exchange_, mark_}.walk(); }
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

/// The library's own collective. One slot: what a rank brings is what it gets back.
class OfTheLibrary final : public Method {
public:
    OfTheLibrary(const Entry& entry, MPI_Comm comm) : problem_{entry.problem}, comm_{comm}, combining_{problem_.operation} {
        MPI_Comm_rank(comm, &rank_);
        if (isIntergroup(problem_.collective)) joinGroups();
        else if (problem_.collective == Collective::allgatherv) takeBlocks(0, problem_.ranks());
        OfTheLibrary::fill();
    }
    ~OfTheLibrary() override {
        if (between_ != MPI_COMM_NULL) MPI_Comm_free(&between_);
        if (own_ != MPI_COMM_NULL) MPI_Comm_free(&own_);
    }

    void fill() override { buffers_ = std::make_unique<RankBuffers>(problem_, facts_, Rank{rank_}); }

    void execute() override {
        switch (problem_.collective) {
            case Collective::barrier: return check(MPI_Barrier(comm_), "MPI_Barrier");
            case Collective::bcast:
                return check(MPI_Bcast(whole(), count(problem_.layout.total()), MPI_BYTE, problem_.root.value, comm_),
                             "MPI_Bcast");
            case Collective::allreduce:
                return check(MPI_Allreduce(MPI_IN_PLACE, buffers_->slot(0).data(),
                                           count(problem_.layout.largest() / sizeOf(problem_.element)),
                                           typeOf(problem_.element), combining_.operation(), comm_),
                             "MPI_Allreduce");
            case Collective::allgatherv:
                return check(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_BYTE, whole(), counts_.data(), places_.data(),
                                            MPI_BYTE, comm_),
                             "MPI_Allgatherv");
            case Collective::intergroupAllgatherv:
            case Collective::halfduplexAllgather: {
                const Range brought = Contract{problem_}.before(Rank{rank_});
                return check(MPI_Allgatherv(buffers_->line(brought).data(), count(brought.size()), MPI_BYTE, whole(),
                                            counts_.data(), places_.data(), MPI_BYTE, between_),
                             "MPI_Allgatherv");
            }
        }
    }
    [[nodiscard]] std::string compare() const override { return buffers_->compare(); }
    [[nodiscard]] std::int64_t events() const override { return 0; }

private:
    [[nodiscard]] std::byte* whole() { return buffers_->line({0, problem_.layout.total()}).data(); }

    /// The intercommunicator between A and B; blocks come from the other group only.
    void joinGroups() {
        const bool inA = rank_ < problem_.groupA;
        check(MPI_Comm_split(comm_, inA ? 0 : 1, rank_, &own_), "making groups");
        check(MPI_Intercomm_create(own_, 0, comm_, inA ? problem_.groupA : 0, 0, &between_), "joining groups");
        if (!inA) takeBlocks(0, problem_.groupA);
        else if (problem_.collective == Collective::intergroupAllgatherv) takeBlocks(problem_.groupA, problem_.groupB);
        else counts_.resize(static_cast<std::size_t>(problem_.groupB)), places_ = counts_;
    }
    void takeBlocks(std::int32_t first, std::int32_t blocks) {
        for (std::int32_t block = first; block < first + blocks; ++block) {
            counts_.push_back(count(problem_.layout.size(block)));
            places_.push_back(count(problem_.layout.offset(block)));
        }
    }

    const Problem& problem_;
    Facts facts_{};
    MPI_Comm comm_;
    MPI_Comm own_ = MPI_COMM_NULL;
    MPI_Comm between_ = MPI_COMM_NULL;
    Combining combining_;
    int rank_ = 0;
    std::vector<int> counts_;
    std::vector<int> places_;
    std::unique_ptr<RankBuffers> buffers_;
};

}  // namespace

std::unique_ptr<Method> methodOf(const Entry& entry, MPI_Comm comm, bool neighboursOnly, const Mark& mark) {
    if (entry.native != nullptr) return std::make_unique<OfTheLibrary>(entry, comm);
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return std::make_unique<Planned>(
        entry, Rank{rank}, neighboursOnly ? neighbourExchange(comm, mark) : freeExchange(comm, mark), mark);
}

}  // namespace engine::mpi

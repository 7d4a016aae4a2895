// SPDX-License-Identifier: BSD-3-Clause
// The library's own collectives as methods, the broadcast in two levels among them.
#include "engine/contract.hpp"
#include "engine/live/mpi/method.hpp"
#include "engine/shapes/grouping.hpp"

namespace engine::mpi {
namespace {

/// The library's broadcast among the leaders of groups, then inside all groups. Source: Hasanov, Quintin, Lastovetsky
/// 2014, Algorithm 1, with the leaders of shapes/grouping.hpp.
class TwoLevels {
public:
    TwoLevels(const Problem& problem, std::int32_t groups, MPI_Comm comm, Rank self)
        : grouping_{problem.groupA, groups, problem.root},
          group_{grouping_.groupOf(self)},
          outerRoot_{grouping_.groupOf(problem.root)},
          innerRoot_{grouping_.leaderPlace(group_)},
          leaders_{split(comm, grouping_.leader(group_) == self ? 0 : MPI_UNDEFINED, self)},
          own_{split(comm, group_, self)} {}

    void broadcast(std::byte* data, int bytes) const {
        if (leaders_.comm() != MPI_COMM_NULL)
            check(MPI_Bcast(data, bytes, MPI_BYTE, outerRoot_, leaders_.comm()), "MPI_Bcast among leaders");
        check(MPI_Bcast(data, bytes, MPI_BYTE, innerRoot_, own_.comm()), "MPI_Bcast in a group");
    }

private:
    static MPI_Comm split(MPI_Comm comm, int colour, Rank self) {
        MPI_Comm part = MPI_COMM_NULL;
        check(MPI_Comm_split(comm, colour, self.value, &part), "making groups");
        return part;
    }

    shapes::Grouping grouping_;
    std::int32_t group_;
    int outerRoot_;
    int innerRoot_;
    Team leaders_;
    Team own_;
};

/// One slot: what a rank brings is what it gets back.
class OfTheLibrary final : public Method {
public:
    OfTheLibrary(const Entry& entry, MPI_Comm comm)
        : problem_{entry.problem}, comm_{comm}, combining_{problem_.operation} {
        MPI_Comm_rank(comm, &rank_);
        check(MPI_Barrier(comm), "starting together");
        const std::int64_t begin = now();
        if (isIntergroup(problem_.collective)) joinGroups();
        else if (problem_.collective == Collective::bcast && entry.options.number("groups") > 1)
            levels_ = std::make_unique<TwoLevels>(problem_, static_cast<std::int32_t>(entry.options.number("groups")),
                                                  comm, Rank{rank_});
        if (levels_ || isIntergroup(problem_.collective)) setUp_ = now() - begin;
        if (problem_.collective == Collective::allgatherv) takeBlocks(0, problem_.ranks());
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
                if (levels_) return levels_->broadcast(whole(), count(problem_.layout.total()));
                return check(MPI_Bcast(whole(), count(problem_.layout.total()), MPI_BYTE, problem_.root.value, comm_),
                             "MPI_Bcast");
            case Collective::allreduce:
                return check(MPI_Allreduce(MPI_IN_PLACE, buffers_->slot(0).data(),
                                           count(problem_.layout.largest() / sizeOf(problem_.element)),
                                           typeOf(problem_.element), combining_.operation(), comm_),
                             "MPI_Allreduce");
            case Collective::allgatherv:
                return check(
                    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_BYTE, whole(), counts_.data(), places_.data(), MPI_BYTE, comm_),
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
    [[nodiscard]] std::int64_t setUp() const override { return setUp_; }

private:
    [[nodiscard]] std::byte* whole() { return buffers_->line({0, problem_.layout.total()}).data(); }

    /// The intercommunicator between A and B; blocks come from the other group only.
    void joinGroups() {
        const bool inA = rank_ < problem_.groupA;
        check(MPI_Comm_split(comm_, inA ? 0 : 1, rank_, &own_), "making groups");
        check(MPI_Intercomm_create(own_, 0, comm_, inA ? problem_.groupA : 0, 0, &between_), "joining groups");
        if (!inA) takeBlocks(0, problem_.groupA);
        else if (problem_.collective == Collective::intergroupAllgatherv) takeBlocks(problem_.groupA, problem_.groupB);
        else counts_.resize(asSize(problem_.groupB)), places_ = counts_;
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
    std::int64_t setUp_ = 0;
    std::vector<int> counts_;
    std::vector<int> places_;
    std::unique_ptr<TwoLevels> levels_;
    std::unique_ptr<RankBuffers> buffers_;
};

}  // namespace

std::unique_ptr<Method> ofTheLibrary(const Entry& entry, MPI_Comm comm) {
    return std::make_unique<OfTheLibrary>(entry, comm);
}

}  // namespace engine::mpi

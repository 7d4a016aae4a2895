// SPDX-License-Identifier: BSD-3-Clause
// The library's own collectives as methods, the broadcast in two levels among them.
#include "engine/live/mpi/execution_method.hpp"
#include "engine/problem/contract.hpp"
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
    OfTheLibrary(const Entry& entry, MPI_Comm comm) : problem_{entry.problem}, comm_{comm}, combining_{problem_} {
        MPI_Comm_rank(comm, &rank_);
        check(MPI_Barrier(comm), "starting together");
        const std::int64_t begin = now();
        if (isIntergroup(problem_.collective)) joinGroups();
        else if (problem_.collective == Collective::bcast && entry.options.number("groups") > 1)
            levels_ = std::make_unique<TwoLevels>(problem_, static_cast<std::int32_t>(entry.options.number("groups")),
                                                  comm, Rank{rank_});
        if (levels_ || isIntergroup(problem_.collective)) setUp_ = now() - begin;
        tellPlaces();
        OfTheLibrary::fill();
    }
    ~OfTheLibrary() override {
        if (between_ != MPI_COMM_NULL) MPI_Comm_free(&between_);
        if (own_ != MPI_COMM_NULL) MPI_Comm_free(&own_);
    }

    void fill() override { buffers_ = std::make_unique<RankBuffers>(problem_, facts_, Rank{rank_}); }

    void execute() override {
        const int root = problem_.root.value;
        switch (problem_.collective) {
            case Collective::barrier: return check(MPI_Barrier(comm_), "MPI_Barrier");
            case Collective::bcast:
                if (levels_) return levels_->broadcast(whole(), count(problem_.layout.total()));
                return check(MPI_Bcast(whole(), count(problem_.layout.total()), MPI_BYTE, root, comm_), "MPI_Bcast");
            case Collective::reduce: {
                void* own = vector().data();
                return check(MPI_Reduce(rank_ == root ? MPI_IN_PLACE : own, own, units(), combining_.type(),
                                        combining_.operation(), root, comm_),
                             "MPI_Reduce");
            }
            case Collective::gatherv:
                return check(MPI_Gatherv(rank_ == root ? MPI_IN_PLACE : brought().data(), bytes(brought()), MPI_BYTE,
                                         whole(), theirs_.counts(), theirs_.places(), MPI_BYTE, root, comm_),
                             "MPI_Gatherv");
            case Collective::scatterv: {
                const auto own = buffers_->line(problem_.layout.block(rank_));
                return check(MPI_Scatterv(whole(), theirs_.counts(), theirs_.places(), MPI_BYTE,
                                          rank_ == root ? MPI_IN_PLACE : own.data(), bytes(own), MPI_BYTE, root, comm_),
                             "MPI_Scatterv");
            }
            case Collective::allgatherv:
                return check(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_BYTE, whole(), theirs_.counts(), theirs_.places(),
                                            MPI_BYTE, comm_),
                             "MPI_Allgatherv");
            case Collective::alltoallv:
            case Collective::intergroupAlltoallv:
                take(brought());
                return check(
                    MPI_Alltoallv(taken_.data(), ours_.counts(), ours_.places(), MPI_BYTE, whole(), theirs_.counts(),
                                  theirs_.places(), MPI_BYTE, between_ == MPI_COMM_NULL ? comm_ : between_),
                    "MPI_Alltoallv");
            case Collective::allreduce:
                return check(MPI_Allreduce(MPI_IN_PLACE, vector().data(), units(), combining_.type(),
                                           combining_.operation(), comm_),
                             "MPI_Allreduce");
            case Collective::reduceScatter:
                take(vector());
                return check(MPI_Reduce_scatter(taken_.data(), vector().data() + blocksOf(problem_)[rank_].begin,
                                                theirs_.counts(), combining_.type(), combining_.operation(), comm_),
                             "MPI_Reduce_scatter");
            case Collective::scan:
                if (problem_.exclusive)
                    return check(MPI_Exscan(MPI_IN_PLACE, vector().data(), units(), combining_.type(),
                                            combining_.operation(), comm_),
                                 "MPI_Exscan");
                return check(
                    MPI_Scan(MPI_IN_PLACE, vector().data(), units(), combining_.type(), combining_.operation(), comm_),
                    "MPI_Scan");
            case Collective::intergroupBcast:
                return check(MPI_Bcast(whole(), count(problem_.layout.total()), MPI_BYTE, rootBetween(), between_),
                             "MPI_Bcast");
            case Collective::intergroupReduce:
                take(vector());
                return check(MPI_Reduce(taken_.data(), vector().data(), units(), combining_.type(),
                                        combining_.operation(), rootBetween(), between_),
                             "MPI_Reduce");
            case Collective::intergroupAllreduce:
                take(vector());
                return check(MPI_Allreduce(taken_.data(), vector().data(), units(), combining_.type(),
                                           combining_.operation(), between_),
                             "MPI_Allreduce");
            case Collective::intergroupAllgatherv:
            case Collective::halfduplexAllgather:
                return check(MPI_Allgatherv(brought().data(), bytes(brought()), MPI_BYTE, whole(), theirs_.counts(),
                                            theirs_.places(), MPI_BYTE, between_),
                             "MPI_Allgatherv");
        }
    }
    [[nodiscard]] std::string compare() const override { return buffers_->compare(); }
    [[nodiscard]] std::int64_t events() const override { return 0; }
    [[nodiscard]] std::int64_t setUp() const override { return setUp_; }

private:
    /// Counts and places of one side, as the library takes them.
    class Blocks {
    public:
        void add(Range range) { add(count(range.size()), count(range.begin)); }
        void add(int count, int place) {
            counts_.push_back(count);
            places_.push_back(place);
        }
        [[nodiscard]] const int* counts() const { return counts_.data(); }
        [[nodiscard]] const int* places() const { return places_.data(); }

    private:
        std::vector<int> counts_;
        std::vector<int> places_;
    };

    [[nodiscard]] std::byte* whole() { return buffers_->line({0, problem_.layout.total()}).data(); }
    [[nodiscard]] std::span<std::byte> brought() { return buffers_->line(Contract{problem_}.before(Rank{rank_})); }
    [[nodiscard]] std::span<std::byte> vector() { return buffers_->slot(0); }
    [[nodiscard]] int units() const { return combining_.units(problem_.layout.largest()); }
    [[nodiscard]] static int bytes(std::span<const std::byte> data) { return count(static_cast<Bytes>(data.size())); }
    /// What goes out from a place of its own, since it must not overlap with what comes in.
    void take(std::span<const std::byte> data) { taken_.assign(data.begin(), data.end()); }

    [[nodiscard]] bool inA(int rank) const { return rank < problem_.groupA; }
    /// How a rank names the root of an intercommunicator.
    [[nodiscard]] int rootBetween() const {
        const int root = problem_.root.value;
        if (root == rank_) return MPI_ROOT;
        if (inA(root) == inA(rank_)) return MPI_PROC_NULL;
        return inA(root) ? root : root - problem_.groupA;
    }

    /// The intercommunicator between A and B.
    void joinGroups() {
        check(MPI_Comm_split(comm_, inA(rank_) ? 0 : 1, rank_, &own_), "making groups");
        check(MPI_Intercomm_create(own_, 0, comm_, inA(rank_) ? problem_.groupA : 0, 0, &between_), "joining groups");
    }

    /// Where blocks of others come to, and of alltoall those for others go from.
    void tellPlaces() {
        const Layout& layout = problem_.layout;
        const std::int32_t p = problem_.groupA;
        // The others of this rank: everybody, or the other group.
        const std::int32_t first = isIntergroup(problem_.collective) && inA(rank_) ? p : 0;
        const std::int32_t end = isIntergroup(problem_.collective) && !inA(rank_) ? p : problem_.ranks();
        switch (problem_.collective) {
            case Collective::gatherv:
            case Collective::scatterv:
            case Collective::allgatherv:
            case Collective::intergroupAllgatherv:
            case Collective::halfduplexAllgather:
                for (std::int32_t block = first; block < end; ++block)
                    theirs_.add(block < layout.count() ? layout.block(block) : Range{});
                break;
            case Collective::alltoallv:
            case Collective::intergroupAlltoallv: {
                const Bytes begin = Contract{problem_}.before(Rank{rank_}).begin;
                for (Rank other{first}; other.value < end; ++other) {
                    theirs_.add(layout.block(blockBetween(problem_, other, Rank{rank_}).value));
                    const Range own = layout.block(blockBetween(problem_, Rank{rank_}, other).value);
                    ours_.add({own.begin - begin, own.end - begin});
                }
                break;
            }
            case Collective::reduceScatter:
                for (std::int32_t block = 0; block < end; ++block)
                    theirs_.add(combining_.units(blocksOf(problem_)[block].size()), 0);
                break;
            default: break;
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
    Blocks ours_;
    Blocks theirs_;
    std::vector<std::byte> taken_;
    std::unique_ptr<TwoLevels> levels_;
    std::unique_ptr<RankBuffers> buffers_;
};

}  // namespace

std::unique_ptr<Method> ofTheLibrary(const Entry& entry, MPI_Comm comm) {
    return std::make_unique<OfTheLibrary>(entry, comm);
}

}  // namespace engine::mpi

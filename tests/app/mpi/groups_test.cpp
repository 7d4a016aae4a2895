// SPDX-License-Identifier: BSD-3-Clause
// Every collective between two groups by every algorithm, byte for byte the library's own result. Allgathers are in
// catalogue_test.cpp.
#include "tests/app/mpi/bench.hpp"

using namespace support;
using engine::Algorithm;
using engine::Bytes;
using engine::Collective;
using engine::Layout;
using engine::Problem;
using engine::Rank;

namespace {

class BetweenGroups : public testing::Test {
protected:
    void SetUp() override {
        if (sizeOf(MPI_COMM_WORLD) < 2) GTEST_SKIP() << "two groups need two processes";
        groups_.emplace();
    }

    [[nodiscard]] Problem problem(Collective collective, Layout layout, int root = 0) const {
        return {.collective = collective,
                .groupA = groups_->p(),
                .groupB = groups_->q(),
                .layout = std::move(layout),
                .root = Rank{root}};
    }
    /// The root as this process has to name it; `root` is a rank of the world.
    [[nodiscard]] int named(int root) const {
        const bool inA = root < groups_->p();
        if (root == rankIn(MPI_COMM_WORLD)) return MPI_ROOT;
        if (inA == groups_->inA()) return MPI_PROC_NULL;
        return inA ? root : root - groups_->p();
    }
    [[nodiscard]] std::vector<int> roots() const {
        return {0, groups_->p() - 1, groups_->p(), sizeOf(MPI_COMM_WORLD) - 1};
    }
    [[nodiscard]] int others() const { return groups_->inA() ? groups_->q() : groups_->p(); }

    std::optional<TwoGroups> groups_;
};

TEST_F(BetweenGroups, isBroadcast) {
    forEach(Collective::intergroupBcast, [&](const Algorithm& algorithm, std::size_t index) {
        const int count = static_cast<int>(someBytesFor(index) / 4);
        for (const int root : roots()) {
            const bool isRoot = root == rankIn(MPI_COMM_WORLD);
            const Numbers data = isRoot ? numbers(static_cast<std::size_t>(count), root)
                                        : Numbers(static_cast<std::size_t>(count), untouched);
            expectSame(algorithm, problem(Collective::intergroupBcast, Layout::regular(1, Bytes{count} * 4), root),
                       data, [&](Way way, Numbers& buffer) {
                           const bool aside = named(root) == MPI_PROC_NULL;
                           return CALLED(way, Bcast, Ibcast, buffer.data(), aside ? 0 : count, MPI_INT32_T, named(root),
                                         groups_->comm());
                       });
        }
    });
}

TEST_F(BetweenGroups, isReduced) {
    forEach(Collective::intergroupReduce, [&](const Algorithm& algorithm, std::size_t index) {
        const int count = static_cast<int>(someBytesFor(index) / 4);
        const Numbers own = numbers(static_cast<std::size_t>(count), rankIn(MPI_COMM_WORLD));
        for (const int root : roots())
            expectSame(
                algorithm,
                problem(Collective::intergroupReduce, Layout::regular(sizeOf(MPI_COMM_WORLD), Bytes{count} * 4), root),
                Numbers(own.size(), untouched), [&](Way way, Numbers& to) {
                    const bool aside = named(root) == MPI_PROC_NULL;
                    return CALLED(way, Reduce, Ireduce, own.data(), to.data(), aside ? 0 : count, MPI_INT32_T, MPI_SUM,
                                  named(root), groups_->comm());
                });
    });
}

TEST_F(BetweenGroups, isReducedToAll) {
    forEach(Collective::intergroupAllreduce, [&](const Algorithm& algorithm, std::size_t index) {
        const int count = static_cast<int>(someBytesFor(index) / 4);
        const Numbers own = numbers(static_cast<std::size_t>(count), rankIn(MPI_COMM_WORLD));
        expectSame(algorithm,
                   problem(Collective::intergroupAllreduce, Layout::regular(sizeOf(MPI_COMM_WORLD), Bytes{count} * 4)),
                   Numbers(own.size(), untouched), [&](Way way, Numbers& to) {
                       return CALLED(way, Allreduce, Iallreduce, own.data(), to.data(), count, MPI_INT32_T, MPI_SUM,
                                     groups_->comm());
                   });
    });
}

TEST_F(BetweenGroups, isExchangedByAll) {
    forEach(Collective::intergroupAlltoallv, [&](const Algorithm& algorithm, std::size_t index) {
        // A sends twice as much to each.
        const std::int32_t pairs = groups_->p() * groups_->q();
        const int unit = static_cast<int>(someBytesFor(index) / 4) / (3 * pairs);
        const int sent = groups_->inA() ? 2 * unit : unit;
        const int received = groups_->inA() ? unit : 2 * unit;
        std::vector<Bytes> sizes(static_cast<std::size_t>(pairs), Bytes{unit} * 8);
        sizes.resize(sizes.size() * 2, Bytes{unit} * 4);
        const Problem asked = problem(Collective::intergroupAlltoallv, Layout::irregular(sizes));
        const Numbers own = numbers(static_cast<std::size_t>(sent * others()), rankIn(MPI_COMM_WORLD));
        const Numbers empty(static_cast<std::size_t>(received * others()), untouched);
        expectSame(algorithm, asked, empty, [&](Way way, Numbers& to) {
            return CALLED(way, Alltoall, Ialltoall, own.data(), sent, MPI_INT32_T, to.data(), received, MPI_INT32_T,
                          groups_->comm());
        });
        std::vector<int> sentCounts(static_cast<std::size_t>(others()), sent);
        std::vector<int> counts(static_cast<std::size_t>(others()), received);
        std::vector<int> sentPlaces;
        std::vector<int> places;
        for (int i = 0; i < others(); ++i) {
            sentPlaces.push_back(i * sent);
            places.push_back((others() - 1 - i) * received);
        }
        expectSame(algorithm, asked, empty, [&](Way way, Numbers& to) {
            return CALLED(way, Alltoallv, Ialltoallv, own.data(), sentCounts.data(), sentPlaces.data(), MPI_INT32_T,
                          to.data(), counts.data(), places.data(), MPI_INT32_T, groups_->comm());
        });
    });
}

}  // namespace

// SPDX-License-Identifier: BSD-3-Clause
// Every collective within one group by every algorithm, byte for byte the library's own result.
#include "tests/app/mpi/bench.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace support;
using engine::Algorithm;
using engine::Bytes;
using engine::Collective;
using engine::Layout;
using engine::Problem;
using engine::Rank;

namespace {

int size() { return sizeOf(MPI_COMM_WORLD); }
int self() { return rankIn(MPI_COMM_WORLD); }
std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Counts that differ, zeros among them, of some bytes in all; and places for them, the other way round with gaps.
struct Uneven {
    std::vector<int> counts{};
    std::vector<int> places{};
    int end = 0;

    explicit Uneven(Bytes total, int blocks, int shift = 0) {
        for (int i = 0; i < blocks; ++i)
            counts.push_back((i + shift) % 3 == 1 ? 0 : static_cast<int>(total / 8) / blocks * ((i + shift) % 2 + 1));
        counts[0] += static_cast<int>(total / 4) - std::accumulate(counts.begin(), counts.end(), 0);
        places.resize(counts.size());
        for (int i = blocks - 1; i >= 0; --i) {
            places[at(i)] = end;
            end += counts[at(i)] + 3;
        }
    }
    [[nodiscard]] std::vector<Bytes> bytes() const {
        std::vector<Bytes> all;
        for (const int count : counts) all.push_back(Bytes{count} * 4);
        return all;
    }
};

/// An operation that does not commute, on matrices of 2 x 2 numbers modulo 2^32.
void multiply(void* in, void* inOut, int* count, MPI_Datatype*) {
    const auto* a = static_cast<const std::uint32_t*>(in);
    auto* b = static_cast<std::uint32_t*>(inOut);
    for (int i = 0; i < *count; ++i, a += 4, b += 4) {
        const std::uint32_t product[] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
                                         a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
        std::memcpy(b, product, sizeof product);
    }
}

/// How vectors are combined, and what the engine calls it.
struct Combining {
    MPI_Op operation;
    MPI_Datatype type;
    int numbers;  ///< of 4 bytes in an element
    engine::Operation kind;
};

class Vectors : public testing::Test {
protected:
    Vectors() {
        MPI_Op_create(multiply, 0, &product_);
        MPI_Type_contiguous(4, MPI_UINT32_T, &matrix_);
        MPI_Type_commit(&matrix_);
        all_ = {{MPI_SUM, MPI_INT32_T, 1, engine::Operation::sum},
                {MPI_MAX, MPI_INT32_T, 1, engine::Operation::min},
                {product_, matrix_, 4, engine::Operation::ordered}};
    }
    ~Vectors() override {
        MPI_Op_free(&product_);
        MPI_Type_free(&matrix_);
    }

    /// A vector of so many whole elements in the range of rule `index`.
    static int elements(std::size_t index, const Combining& how) {
        return static_cast<int>(someBytesFor(index) / 4) / how.numbers;
    }
    static Problem problem(Collective collective, Bytes bytes, const Combining& how, int root = 0) {
        return {.collective = collective,
                .groupA = size(),
                .layout = Layout::regular(size(), bytes),
                .root = Rank{root},
                .operation = how.kind,
                .grain = Bytes{how.numbers} * 4};
    }

    std::vector<Combining> all_;

private:
    MPI_Op product_ = MPI_OP_NULL;
    MPI_Datatype matrix_ = MPI_DATATYPE_NULL;
};

TEST_F(Vectors, areReducedToEveryRoot) {
    forEach(Collective::reduce, [&](const Algorithm& algorithm, std::size_t index) {
        for (const Combining& how : all_)
            for (const int root : {0, size() - 1}) {
                const int count = elements(index, how);
                const Numbers own = numbers(at(count * how.numbers), self());
                const Problem asked = problem(Collective::reduce, Bytes{count} * how.numbers * 4, how, root);
                for (const bool inPlace : {false, true})
                    expectSame(
                        algorithm, asked, inPlace && self() == root ? own : Numbers(own.size(), untouched),
                        [&](Way way, Numbers& to) {
                            // MPICH 4.0.2 alone ends in a crash where what does not commute is reduced in place to
                            // another root than 0.
                            const bool stays = inPlace && self() == root && way != Way::alone;
                            const void* from = stays ? MPI_IN_PLACE : own.data();
                            return CALLED(way, Reduce, Ireduce, from, to.data(), count, how.type, how.operation, root,
                                          MPI_COMM_WORLD);
                        },
                        inPlace ? "in place" : "");
            }
    });
}

TEST_F(Vectors, areReducedToAllInOrder) {
    forEach(Collective::allreduce, [&](const Algorithm& algorithm, std::size_t index) {
        for (const Combining& how : all_) {
            const int count = elements(index, how);
            const Numbers own = numbers(at(count * how.numbers), self());
            const Problem asked = problem(Collective::allreduce, Bytes{count} * how.numbers * 4, how);
            for (const bool inPlace : {false, true})
                expectSame(algorithm, asked, inPlace ? own : Numbers(own.size(), untouched), [&](Way way, Numbers& to) {
                    return CALLED(way, Allreduce, Iallreduce, inPlace ? MPI_IN_PLACE : own.data(), to.data(), count,
                                  how.type, how.operation, MPI_COMM_WORLD);
                });
        }
    });
}

TEST_F(Vectors, areReducedAndScattered) {
    forEach(Collective::reduceScatter, [&](const Algorithm& algorithm, std::size_t index) {
        for (const Combining& how : all_) {
            const int each = elements(index, how) / size();
            const Numbers own = numbers(at(each * size() * how.numbers), self());
            const Problem asked = problem(Collective::reduceScatter, Bytes{each} * size() * how.numbers * 4, how);
            for (const bool inPlace : {false, true})
                // What lies behind the block is left to chance in place.
                expectSame(algorithm, asked, inPlace ? own : Numbers(own.size(), untouched), [&](Way way, Numbers& to) {
                    const int code =
                        CALLED(way, Reduce_scatter_block, Ireduce_scatter_block, inPlace ? MPI_IN_PLACE : own.data(),
                               to.data(), each, how.type, how.operation, MPI_COMM_WORLD);
                    if (inPlace) to.resize(at(each * how.numbers));
                    return code;
                });
        }
    });
}

TEST_F(Vectors, areScatteredInBlocksThatDiffer) {
    forEach(Collective::reduceScatter, [&](const Algorithm& algorithm, std::size_t index) {
        for (const Combining& how : all_) {
            const Uneven blocks{Bytes{elements(index, how)} * 4, size()};
            const int count = std::accumulate(blocks.counts.begin(), blocks.counts.end(), 0);
            const int longest = *std::max_element(blocks.counts.begin(), blocks.counts.end());
            const Numbers own = numbers(at(count * how.numbers), self());
            const Problem asked = problem(Collective::reduceScatter, Bytes{longest} * size() * how.numbers * 4, how);
            for (const bool inPlace : {false, true})
                expectSame(
                    algorithm, asked, inPlace ? own : Numbers(own.size(), untouched),
                    [&](Way way, Numbers& to) {
                        const int code =
                            CALLED(way, Reduce_scatter, Ireduce_scatter, inPlace ? MPI_IN_PLACE : own.data(), to.data(),
                                   blocks.counts.data(), how.type, how.operation, MPI_COMM_WORLD);
                        if (inPlace) to.resize(at(blocks.counts[at(self())] * how.numbers));
                        return code;
                    },
                    inPlace ? "in place" : "");
        }
    });
}

TEST_F(Vectors, areScanned) {
    forEach(Collective::scan, [&](const Algorithm& algorithm, std::size_t index) {
        for (const Combining& how : all_)
            for (const bool exclusive : {false, true}) {
                const int count = elements(index, how);
                const Numbers own = numbers(at(count * how.numbers), self());
                Problem asked = problem(Collective::scan, Bytes{count} * how.numbers * 4, how);
                asked.exclusive = exclusive;
                for (const bool inPlace : {false, true})
                    expectSame(
                        algorithm, asked, inPlace ? own : Numbers(own.size(), untouched),
                        [&](Way way, Numbers& to) {
                            const void* from = inPlace ? MPI_IN_PLACE : own.data();
                            const int code = exclusive ? CALLED(way, Exscan, Iexscan, from, to.data(), count, how.type,
                                                                how.operation, MPI_COMM_WORLD)
                                                       : CALLED(way, Scan, Iscan, from, to.data(), count, how.type,
                                                                how.operation, MPI_COMM_WORLD);
                            if (exclusive && self() == 0) to.clear();  // it gets nothing that means anything
                            return code;
                        },
                        exclusive ? "exclusive" : "");
            }
    });
}

TEST(Bytewise, areGatheredAndScattered) {
    const int n = size();
    forEach(Collective::gatherv, [&](const Algorithm& algorithm, std::size_t index) {
        const int each = static_cast<int>(someBytesFor(index) / n / 4);
        for (const int root : {0, n - 1})
            for (const bool inPlace : {false, true}) {
                const Problem asked{.collective = Collective::gatherv,
                                    .groupA = n,
                                    .layout = Layout::regular(n, Bytes{each} * 4),
                                    .root = Rank{root}};
                const Numbers own = numbers(at(each), self());
                const bool keeps = inPlace && self() == root;
                Numbers data(at(self() == root ? each * n : 0), untouched);
                if (keeps) std::copy(own.begin(), own.end(), data.begin() + std::ptrdiff_t{each} * root);
                expectSame(algorithm, asked, data, [&](Way way, Numbers& to) {
                    return CALLED(way, Gather, Igather, keeps ? MPI_IN_PLACE : own.data(), each, MPI_INT32_T, to.data(),
                                  each, MPI_INT32_T, root, MPI_COMM_WORLD);
                });
            }
    });
    forEach(Collective::scatterv, [&](const Algorithm& algorithm, std::size_t index) {
        const int each = static_cast<int>(someBytesFor(index) / n / 4);
        for (const int root : {0, n - 1})
            for (const bool inPlace : {false, true}) {
                const Problem asked{.collective = Collective::scatterv,
                                    .groupA = n,
                                    .layout = Layout::regular(n, Bytes{each} * 4),
                                    .root = Rank{root}};
                const Numbers whole = numbers(at(each * n), root);
                expectSame(algorithm, asked, Numbers(at(each), untouched), [&](Way way, Numbers& to) {
                    void* const place = inPlace && self() == root ? MPI_IN_PLACE : to.data();
                    return CALLED(way, Scatter, Iscatter, whole.data(), each, MPI_INT32_T, place, each, MPI_INT32_T,
                                  root, MPI_COMM_WORLD);
                });
            }
    });
}

TEST(Bytewise, areGatheredAndScatteredWhereTheyDiffer) {
    const int n = size();
    forEach(Collective::gatherv, [&](const Algorithm& algorithm, std::size_t index) {
        const Uneven blocks{someBytesFor(index), n};
        for (const int root : {0, n - 1}) {
            const Problem asked{.collective = Collective::gatherv,
                                .groupA = n,
                                .layout = Layout::irregular(blocks.bytes()),
                                .root = Rank{root}};
            const Numbers own = numbers(at(blocks.counts[at(self())]), self());
            expectSame(algorithm, asked, Numbers(at(self() == root ? blocks.end : 0), untouched),
                       [&](Way way, Numbers& to) {
                           // Only the root's mean anything.
                           const bool isRoot = self() == root;
                           return CALLED(way, Gatherv, Igatherv, own.data(), static_cast<int>(own.size()), MPI_INT32_T,
                                         to.data(), isRoot ? blocks.counts.data() : nullptr,
                                         isRoot ? blocks.places.data() : nullptr, MPI_INT32_T, root, MPI_COMM_WORLD);
                       });
        }
    });
    forEach(Collective::scatterv, [&](const Algorithm& algorithm, std::size_t index) {
        const Uneven blocks{someBytesFor(index), n};
        for (const int root : {0, n - 1}) {
            const Problem asked{.collective = Collective::scatterv,
                                .groupA = n,
                                .layout = Layout::irregular(blocks.bytes()),
                                .root = Rank{root}};
            const Numbers whole = numbers(at(blocks.end), root);
            const int own = blocks.counts[at(self())];
            expectSame(algorithm, asked, Numbers(at(own), untouched), [&](Way way, Numbers& to) {
                return CALLED(way, Scatterv, Iscatterv, whole.data(), blocks.counts.data(), blocks.places.data(),
                              MPI_INT32_T, to.data(), own, MPI_INT32_T, root, MPI_COMM_WORLD);
            });
        }
    });
}

TEST(Bytewise, areExchangedByAll) {
    const int n = size();
    forEach(Collective::alltoallv, [&](const Algorithm& algorithm, std::size_t index) {
        const int each = static_cast<int>(someBytesFor(index) / n / n / 4);
        const Problem asked{
            .collective = Collective::alltoallv, .groupA = n, .layout = Layout::regular(n * n, Bytes{each} * 4)};
        const Numbers own = numbers(at(each * n), self());
        for (const bool inPlace : {false, true})
            expectSame(algorithm, asked, inPlace ? own : Numbers(own.size(), untouched), [&](Way way, Numbers& to) {
                return CALLED(way, Alltoall, Ialltoall, inPlace ? MPI_IN_PLACE : own.data(), each, MPI_INT32_T,
                              to.data(), each, MPI_INT32_T, MPI_COMM_WORLD);
            });
    });
}

TEST(Bytewise, areExchangedByAllWhereTheyDiffer) {
    const int n = size();
    forEach(Collective::alltoallv, [&](const Algorithm& algorithm, std::size_t index) {
        // Rank r sends Uneven{r}; what comes to this rank is the column.
        std::vector<Uneven> rows;
        std::vector<Bytes> pairs;
        for (int r = 0; r < n; ++r) {
            rows.emplace_back(someBytesFor(index) / n / 4 * 4, n, r);
            for (const Bytes bytes : rows.back().bytes()) pairs.push_back(bytes);
        }
        std::vector<int> counts;
        std::vector<int> places;
        int end = 0;
        for (int r = n - 1; r >= 0; --r) {
            counts.insert(counts.begin(), rows[at(r)].counts[at(self())]);
            places.insert(places.begin(), end);
            end += counts.front() + 1;
        }
        const Uneven& mine = rows[at(self())];
        const Problem asked{.collective = Collective::alltoallv, .groupA = n, .layout = Layout::irregular(pairs)};
        const Numbers own = numbers(at(mine.end), self());
        expectSame(algorithm, asked, Numbers(at(end), untouched), [&](Way way, Numbers& to) {
            return CALLED(way, Alltoallv, Ialltoallv, own.data(), mine.counts.data(), mine.places.data(), MPI_INT32_T,
                          to.data(), counts.data(), places.data(), MPI_INT32_T, MPI_COMM_WORLD);
        });
        const std::vector<MPI_Datatype> types(at(n), MPI_INT32_T);
        std::vector<int> fromBytes;
        std::vector<int> toBytes;
        for (int i = 0; i < n; ++i) {
            fromBytes.push_back(mine.places[at(i)] * 4);
            toBytes.push_back(places[at(i)] * 4);
        }
        expectSame(
            algorithm, asked, Numbers(at(end), untouched),
            [&](Way way, Numbers& to) {
                return CALLED(way, Alltoallw, Ialltoallw, own.data(), mine.counts.data(), fromBytes.data(),
                              types.data(), to.data(), counts.data(), toBytes.data(), types.data(), MPI_COMM_WORLD);
            },
            "with types");
    });
}

/// Communicators of the same ranks, made in every way that is watched; two groups, where there are processes for them.
std::vector<MPI_Comm> ofTheSameRanks() {
    std::vector<MPI_Comm> all(5);
    MPI_Comm_dup(MPI_COMM_WORLD, &all[0]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, self(), &all[1]);
    const int length = size();
    const int isPeriodic = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &length, &isPeriodic, 0, &all[2]);
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &all[3]);
    MPI_Group_free(&group);
    MPI_Comm_dup_with_info(all[2], MPI_INFO_NULL, &all[4]);
    return all;
}

/// Processes may come to communicators of the same ranks in any order.
TEST(NonblockingQueue, keepsCommunicatorsApartWhateverTheOrder) {
    const auto& all = engine::catalogue();
    const auto replaced = at(static_cast<int>(
        std::find(all.begin(), all.end(), engine::algorithmsFor(Collective::bcast).front()) - all.begin()));
    const auto count = engine::asSize(someBytesFor(replaced) / 4);
    std::vector<MPI_Comm> comms = ofTheSameRanks();
    const auto number = static_cast<int>(comms.size());
    for (int round = 0; round < 3; ++round) {
        std::vector<std::vector<std::int32_t>> data;
        std::vector<MPI_Request> requests(comms.size(), MPI_REQUEST_NULL);
        for (int i = 0; i < number; ++i) data.emplace_back(count, self() == 0 ? 10 * round + i : -1);
        const std::int64_t before = messages();
        for (int i = 0; i < number; ++i) {
            const std::size_t which = at((i + self() + round) % number);
            MPI_Ibcast(data[which].data(), static_cast<int>(count), MPI_INT32_T, 0, comms[which], &requests[which]);
        }
        MPI_Waitall(number, requests.data(), MPI_STATUSES_IGNORE);
        EXPECT_TRUE(size() == 1 || messages() > before) << "not replaced";
        for (int i = 0; i < number; ++i)
            EXPECT_EQ(data[at(i)], std::vector<std::int32_t>(count, 10 * round + i)) << "communicator " << i;
    }
    for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

/// The same of two groups, whose communicators are made by both together.
TEST(NonblockingQueue, keepsPairsOfGroupsApartWhateverTheOrder) {
    if (size() < 2) return;
    const auto& all = engine::catalogue();
    const auto replaced = at(static_cast<int>(
        std::find(all.begin(), all.end(), engine::algorithmsFor(Collective::intergroupAllgatherv).front()) -
        all.begin()));
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, self() < size() / 2 ? 0 : 1, 0, &half);
    std::vector<MPI_Comm> comms(3, MPI_COMM_NULL);
    for (int i = 0; i < 3; ++i)
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, self() < size() / 2 ? size() / 2 : 0, i, &comms[at(i)]);
    int others = 0;
    MPI_Comm_remote_size(comms[0], &others);
    const auto count = engine::asSize(someBytesFor(replaced) / 4 / size());
    std::vector<std::vector<std::int32_t>> own;
    std::vector<std::vector<std::int32_t>> got(3, std::vector<std::int32_t>(count * at(others), -1));
    std::vector<MPI_Request> requests(3, MPI_REQUEST_NULL);
    for (int i = 0; i < 3; ++i) own.emplace_back(count, i);
    for (int i = 0; i < 3; ++i) {
        const std::size_t which = at((i + self()) % 3);
        MPI_Iallgather(own[which].data(), static_cast<int>(count), MPI_INT32_T, got[which].data(),
                       static_cast<int>(count), MPI_INT32_T, comms[which], &requests[which]);
    }
    MPI_Waitall(3, requests.data(), MPI_STATUSES_IGNORE);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(got[at(i)], std::vector<std::int32_t>(count * at(others), i)) << "communicator " << i;
    for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
    MPI_Comm_free(&half);
}

/// One that was copied without waiting has no number that all know: the library's own call does it.
TEST(NonblockingQueue, leavesCopiesThatDidNotWaitToTheLibrary) {
    const auto& all = engine::catalogue();
    const auto replaced = at(static_cast<int>(
        std::find(all.begin(), all.end(), engine::algorithmsFor(Collective::bcast).front()) - all.begin()));
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    std::vector<std::int32_t> data(engine::asSize(someBytesFor(replaced) / 4), self() == 0 ? 7 : -1);
    const std::int64_t before = messages();
    MPI_Ibcast(data.data(), static_cast<int>(data.size()), MPI_INT32_T, 0, copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT_EQ(messages(), before);
    EXPECT_EQ(data, std::vector<std::int32_t>(data.size(), 7));
    MPI_Comm_free(&copy);
}

}  // namespace

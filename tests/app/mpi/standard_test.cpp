// SPDX-License-Identifier: BSD-3-Clause
// What the standard says of odd arguments stays true under rules that would replace everything.
#include "tests/app/mpi/bench.hpp"

#include "engine/catalogue/catalogue.hpp"

#include <array>
#include <cstring>
#include <numeric>
#include <thread>

using namespace support;

namespace {

/// Elements of 4 bytes for which some rule names `id`.
int elementsFor(const char* id) {
    for (std::size_t i = 0; i < engine::catalogue().size(); ++i)
        if (engine::catalogue()[i]->id == id) return static_cast<int>(someBytesFor(i) / 4);
    return 0;
}
const int broadcast = elementsFor("bcast/binomial-tree");
const int reduced = elementsFor("allreduce/binomial-tree");
const int gathered = elementsFor("allgatherv/linear-ring");

class Type {
public:
    explicit Type(MPI_Datatype type) : type_{type} { MPI_Type_commit(&type_); }
    ~Type() { MPI_Type_free(&type_); }
    Type(const Type&) = delete;
    Type& operator=(const Type&) = delete;
    operator MPI_Datatype() const { return type_; }

private:
    MPI_Datatype type_;
};

MPI_Datatype everyOther(int count) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(count, 1, 2, MPI_INT32_T, &type);
    return type;
}

/// One element of two numbers in the wrong order, without a gap.
MPI_Datatype swapped() {
    const int lengths[] = {1, 1};
    const MPI_Aint places[] = {4, 0};
    const MPI_Datatype types[] = {MPI_INT32_T, MPI_INT32_T};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, lengths, places, types, &type);
    return type;
}

/// Messages of ours that the call takes; one process alone sends none, and nothing can be told by them.
template <class Call>
std::int64_t messagesOf(Call call) {
    const std::int64_t before = messages();
    call();
    return sizeOf(MPI_COMM_WORLD) > 1 ? messages() - before : 1;
}

TEST(Standard, derivedTypesKeepTheirGaps) {
    const Type sparse{everyOther(broadcast)};
    const int root = sizeOf(MPI_COMM_WORLD) - 1;
    auto ours = numbers(static_cast<std::size_t>(2 * broadcast), rankIn(MPI_COMM_WORLD));
    auto native = ours;
    EXPECT_GT(messagesOf([&] { MPI_Bcast(ours.data(), 1, sparse, root, MPI_COMM_WORLD); }), 0);
    PMPI_Bcast(native.data(), 1, sparse, root, MPI_COMM_WORLD);
    EXPECT_EQ(ours, native);
}

TEST(Standard, rootAndOthersMayNameDifferentTypesOfOneSignature) {
    const Type pairs{swapped()};
    const Type sparse{everyOther(broadcast / 2 * 2)};
    const bool isRoot = rankIn(MPI_COMM_WORLD) == 0;
    auto ours = numbers(static_cast<std::size_t>(2 * broadcast), rankIn(MPI_COMM_WORLD));
    auto native = ours;
    const int count = isRoot ? broadcast / 2 : 1;
    const MPI_Datatype type = isRoot ? pairs : sparse;
    EXPECT_GT(messagesOf([&] { MPI_Bcast(ours.data(), count, type, 0, MPI_COMM_WORLD); }), 0);
    PMPI_Bcast(native.data(), count, type, 0, MPI_COMM_WORLD);
    EXPECT_EQ(ours, native);
}

TEST(Standard, addressesMayBeAbsolute) {
    auto data = numbers(static_cast<std::size_t>(broadcast), rankIn(MPI_COMM_WORLD));
    MPI_Aint place = 0;
    MPI_Get_address(data.data(), &place);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed_block(1, broadcast, &place, MPI_INT32_T, &made);
    const Type absolute{made};
    EXPECT_GT(messagesOf([&] { MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, MPI_COMM_WORLD); }), 0);
    EXPECT_EQ(data, numbers(static_cast<std::size_t>(broadcast), 0));
}

TEST(Standard, gathersBetweenTypes) {
    const int n = sizeOf(MPI_COMM_WORLD);
    const int each = gathered / n / 2 * 2;
    const Type sparse{everyOther(each)};
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(sparse, 0, static_cast<MPI_Aint>(each) * 8 + 16, &made);
    const Type wide{made};
    const auto own = numbers(static_cast<std::size_t>(each), rankIn(MPI_COMM_WORLD));
    std::vector<std::int32_t> ours(static_cast<std::size_t>(n * (2 * each + 4)), untouched);
    auto native = ours;
    EXPECT_GT(messagesOf([&] { MPI_Allgather(own.data(), each, MPI_INT32_T, ours.data(), 1, wide, MPI_COMM_WORLD); }),
              0);
    PMPI_Allgather(own.data(), each, MPI_INT32_T, native.data(), 1, wide, MPI_COMM_WORLD);
    EXPECT_EQ(ours, native);
    EXPECT_GT(
        messagesOf([&] { MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, ours.data(), 1, wide, MPI_COMM_WORLD); }),
        0);
    EXPECT_EQ(ours, native);
}

TEST(Standard, nothingIsBroadcastAndGatheredToo) {
    std::int32_t number = untouched;
    EXPECT_EQ(MPI_Bcast(nullptr, 0, MPI_INT32_T, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(MPI_Allgather(nullptr, 0, MPI_INT32_T, nullptr, 0, MPI_INT32_T, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(MPI_Allreduce(&number, &number + 1, 0, MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(number, untouched);
}

void farther(void* in, void* inOut, int* count, MPI_Datatype*) {
    const auto* a = static_cast<const std::int32_t*>(in);
    auto* b = static_cast<std::int32_t*>(inOut);
    for (int i = 0; i < *count; ++i) b[i] = std::abs(a[i] - 500) > std::abs(b[i] - 500) ? a[i] : b[i];
}
/// Of two 2x2 matrices the product, modulo 2^32: the order counts.
void multiply(void* in, void* inOut, int* count, MPI_Datatype*) {
    const auto* a = static_cast<const std::uint32_t*>(in);
    auto* b = static_cast<std::uint32_t*>(inOut);
    for (int i = 0; i < *count; ++i, a += 4, b += 4) {
        const std::uint32_t product[] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
                                         a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
        std::memcpy(b, product, sizeof product);
    }
}

TEST(Standard, operationsOfTheProgramKeepTheirOrder) {
    const auto own = numbers(static_cast<std::size_t>(reduced), rankIn(MPI_COMM_WORLD));
    std::vector<std::int32_t> ours(own.size(), untouched);
    auto native = ours;
    MPI_Op operation = MPI_OP_NULL;
    MPI_Op_create(farther, 1, &operation);
    EXPECT_GT(
        messagesOf([&] { MPI_Allreduce(own.data(), ours.data(), reduced, MPI_INT32_T, operation, MPI_COMM_WORLD); }),
        0);
    PMPI_Allreduce(own.data(), native.data(), reduced, MPI_INT32_T, operation, MPI_COMM_WORLD);
    EXPECT_EQ(ours, native);
    MPI_Op_free(&operation);

    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(4, MPI_UINT32_T, &made);
    const Type matrix{made};
    MPI_Op_create(multiply, 0, &operation);
    EXPECT_GT(
        messagesOf([&] { MPI_Allreduce(own.data(), ours.data(), reduced / 4, matrix, operation, MPI_COMM_WORLD); }), 0)
        << "a binomial tree keeps the order";
    PMPI_Allreduce(own.data(), native.data(), reduced / 4, matrix, operation, MPI_COMM_WORLD);
    EXPECT_EQ(ours, native);
    MPI_Op_free(&operation);
}

/// Types and operations may be freed, and communicators, while calls are under way; several may be, in any order.
TEST(Standard, whatIsUnderWayKeepsWhatItNeeds) {
    const int n = sizeOf(MPI_COMM_WORLD);
    const auto firstOf = [](engine::Collective collective) {
        return elementsFor(engine::algorithmsFor(collective).front()->id.c_str()) / 2 * 2;
    };
    const int moved = firstOf(engine::Collective::bcast);
    const int combined = firstOf(engine::Collective::allreduce);
    for (int i = 0; i < 20; ++i) {
        MPI_Comm comm = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Datatype sparse = everyOther(moved);
        MPI_Type_commit(&sparse);
        MPI_Op operation = MPI_OP_NULL;
        MPI_Op_create(farther, 1, &operation);
        const auto own = numbers(static_cast<std::size_t>(combined), rankIn(comm));
        auto data = numbers(static_cast<std::size_t>(2 * moved), rankIn(comm));
        auto native = data;
        std::vector<std::int32_t> ours(own.size(), untouched);
        auto alone = ours;
        std::array<MPI_Request, 3> requests{};
        const auto run = [&] {
            MPI_Ibcast(data.data(), 1, sparse, n - 1, comm, &requests[0]);
            MPI_Iallreduce(own.data(), ours.data(), combined, MPI_INT32_T, operation, comm, &requests[1]);
            MPI_Ibarrier(comm, &requests[2]);
        };
        EXPECT_GT(messagesOf([&] {
                      run();
                      PMPI_Bcast(native.data(), 1, sparse, n - 1, comm);
                      PMPI_Allreduce(own.data(), alone.data(), combined, MPI_INT32_T, operation, comm);
                      MPI_Type_free(&sparse);
                      MPI_Op_free(&operation);
                      MPI_Comm_free(&comm);
                      EXPECT_EQ(sparse, MPI_DATATYPE_NULL);
                      EXPECT_EQ(operation, MPI_OP_NULL);
                      EXPECT_EQ(MPI_Waitall(3, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
                  }),
                  0);
        EXPECT_EQ(data, native);
        EXPECT_EQ(ours, alone);
    }
}

/// One waits for the other within calls of the program: the collective goes on meanwhile.
TEST(Standard, whatIsUnderWayGoesOnByItself) {
    const int n = sizeOf(MPI_COMM_WORLD);
    const int rank = rankIn(MPI_COMM_WORLD);
    const int count = elementsFor(engine::algorithmsFor(engine::Collective::bcast).front()->id.c_str());
    auto data = numbers(static_cast<std::size_t>(count), rank);
    MPI_Request request = MPI_REQUEST_NULL;
    int token = rank;
    if (rank == 0) {
        MPI_Ibcast(data.data(), count, MPI_INT32_T, 0, MPI_COMM_WORLD, &request);
        for (int other = 1; other < n; ++other) PMPI_Send(&token, 1, MPI_INT, other, 9, MPI_COMM_WORLD);
        // The others answer when they have it.
        for (int other = 1; other < n; ++other)
            MPI_Recv(&token, 1, MPI_INT, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&token, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Ibcast(data.data(), count, MPI_INT32_T, 0, MPI_COMM_WORLD, &request);
        int done = 0;
        while (done == 0) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        PMPI_Send(&token, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
    }
    EXPECT_EQ(data, numbers(static_cast<std::size_t>(count), 0));
}

TEST(Standard, pairsWithGapsAreLeftToTheLibrary) {
    struct Pair {
        double value;
        int place;
    };
    std::vector<Pair> own(static_cast<std::size_t>(reduced) / 3);
    for (std::size_t i = 0; i < own.size(); ++i)
        own[i] = {static_cast<double>((i * 7 + static_cast<std::size_t>(rankIn(MPI_COMM_WORLD)) * 5) % 11),
                  static_cast<int>(i)};
    auto ours = own;
    auto native = own;
    MPI_Allreduce(own.data(), ours.data(), static_cast<int>(own.size()), MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    PMPI_Allreduce(own.data(), native.data(), static_cast<int>(own.size()), MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    for (std::size_t i = 0; i < own.size(); ++i) {
        EXPECT_EQ(ours[i].value, native[i].value);
        EXPECT_EQ(ours[i].place, native[i].place);
    }
}

TEST(Standard, vectorsNeedNotBeWholeWords) {
    const std::vector<char> own(static_cast<std::size_t>(reduced) * 4 - 1,
                                static_cast<char>(rankIn(MPI_COMM_WORLD) + 1));
    std::vector<char> ours(own.size(), 'x');
    auto native = ours;
    const auto count = static_cast<int>(own.size());
    EXPECT_GT(
        messagesOf([&] { MPI_Allreduce(own.data(), ours.data(), count, MPI_SIGNED_CHAR, MPI_SUM, MPI_COMM_WORLD); }),
        0);
    PMPI_Allreduce(own.data(), native.data(), count, MPI_SIGNED_CHAR, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(ours, native);
}

int copies = 0;
int countCopies(MPI_Comm, int, void*, void*, void*, int* flag) {
    ++copies;
    *flag = 0;
    return MPI_SUCCESS;
}

TEST(Standard, attributesOfTheProgramAreNotCopied) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(countCopies, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
    MPI_Comm_set_attr(comm, key, &copies);
    auto data = numbers(static_cast<std::size_t>(broadcast), rankIn(comm));
    EXPECT_GT(messagesOf([&] { MPI_Bcast(data.data(), broadcast, MPI_INT32_T, 0, comm); }), 0);
    EXPECT_EQ(copies, 0);
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&key);
}

TEST(Standard, communicatorsComeAndGo) {
    const int n = sizeOf(MPI_COMM_WORLD);
    const int rank = rankIn(MPI_COMM_WORLD);
    for (int i = 0; i < 300; ++i) {
        MPI_Comm comm = MPI_COMM_NULL;
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, n - rank, &comm);  // the other way round
        auto data = numbers(static_cast<std::size_t>(broadcast), rank);
        MPI_Bcast(data.data(), broadcast, MPI_INT32_T, 0, comm);
        const int first = (n - 1) % 2 == rank % 2 ? n - 1 : n - 2;
        EXPECT_EQ(data, numbers(static_cast<std::size_t>(broadcast), first));
        MPI_Comm_free(&comm);
        EXPECT_EQ(comm, MPI_COMM_NULL);
    }
}

TEST(Standard, aProcessAloneIsACommunicatorToo) {
    auto data = numbers(static_cast<std::size_t>(broadcast), 5);
    EXPECT_EQ(MPI_Bcast(data.data(), broadcast, MPI_INT32_T, 0, MPI_COMM_SELF), MPI_SUCCESS);
    EXPECT_EQ(data, numbers(static_cast<std::size_t>(broadcast), 5));
    std::vector<std::int32_t> sums(static_cast<std::size_t>(reduced));
    const auto own = numbers(static_cast<std::size_t>(reduced), 2);
    EXPECT_EQ(MPI_Allreduce(own.data(), sums.data(), reduced, MPI_INT32_T, MPI_SUM, MPI_COMM_SELF), MPI_SUCCESS);
    EXPECT_EQ(sums, own);
}

TEST(Standard, threadsDoNotMeet) {
    int provided = 0;
    MPI_Query_thread(&provided);
    if (provided < MPI_THREAD_MULTIPLE) GTEST_SKIP() << "the library offers no MPI_THREAD_MULTIPLE";
    std::vector<MPI_Comm> comms(3);
    for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    std::vector<int> wrong(comms.size());
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < comms.size(); ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 60; ++i) {
                const int root = i % sizeOf(comms[t]);
                auto data = numbers(static_cast<std::size_t>(broadcast), rankIn(comms[t]) + 10 * static_cast<int>(t));
                MPI_Bcast(data.data(), broadcast, MPI_INT32_T, root, comms[t]);
                if (data != numbers(static_cast<std::size_t>(broadcast), root + 10 * static_cast<int>(t))) ++wrong[t];
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(std::accumulate(wrong.begin(), wrong.end(), 0), 0);
    for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

#ifdef OMPI_MAJOR_VERSION
extern "C" void mpi_bcast_(void*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*);
extern "C" void mpi_allreduce_(void*, void*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*);
extern "C" int mpi_fortran_in_place_;

TEST(Standard, fortranComesByTheSameWay) {
    auto data = numbers(static_cast<std::size_t>(broadcast), rankIn(MPI_COMM_WORLD));
    MPI_Fint count = broadcast;
    MPI_Fint type = MPI_Type_c2f(MPI_INT32_T);
    MPI_Fint comm = MPI_Comm_c2f(MPI_COMM_WORLD);
    MPI_Fint root = 0;
    MPI_Fint error = -1;
    EXPECT_GT(messagesOf([&] { mpi_bcast_(data.data(), &count, &type, &root, &comm, &error); }), 0);
    EXPECT_EQ(error, MPI_SUCCESS);
    EXPECT_EQ(data, numbers(static_cast<std::size_t>(broadcast), 0));
    auto sums = numbers(static_cast<std::size_t>(reduced), 1);
    MPI_Fint vector = reduced;
    MPI_Fint operation = MPI_Op_c2f(MPI_MAX);
    EXPECT_GT(messagesOf([&] {
                  mpi_allreduce_(&mpi_fortran_in_place_, sums.data(), &vector, &type, &operation, &comm, &error);
              }),
              0);
    EXPECT_EQ(sums, numbers(static_cast<std::size_t>(reduced), 1));
}
#endif

}  // namespace

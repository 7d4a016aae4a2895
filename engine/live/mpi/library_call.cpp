// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/mpi/library_call.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace engine::mpi {
namespace {

using live::Called;

struct Comm {
    explicit Comm(MPI_Comm given) : comm{given} {
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &ranks);
    }
    MPI_Comm comm;
    int rank = 0;
    int ranks = 0;
};

/// What a call is made with.
struct Arguments {
    int count = 0;  ///< of elements in a block, or in a reduction's vector (of a reduce_scatter in one block of it)
    MPI_Datatype type = MPI_INT;
    MPI_Op operation = MPI_SUM;
    int root = 0;
    bool inPlace = false;
};

bool reduces(Called called) {
    switch (called) {
        case Called::allreduce:
        case Called::reduce:
        case Called::reduceScatter:
        case Called::reduceScatterBlock:
        case Called::scan:
        case Called::exscan: return true;
        default: return false;
    }
}

/// Blocks of each rank's buffers: in and out.
std::pair<int, int> blocksOf(Called called, int ranks) {
    switch (called) {
        case Called::barrier: return {0, 0};
        case Called::bcast:
        case Called::allreduce:
        case Called::reduce:
        case Called::scan:
        case Called::exscan: return {1, 1};
        case Called::allgather:
        case Called::allgatherv:
        case Called::gather: return {1, ranks};
        case Called::scatter:
        case Called::reduceScatter:
        case Called::reduceScatterBlock: return {ranks, 1};
        case Called::alltoall:
        case Called::alltoallv: return {ranks, ranks};
        default: throw Error{text(name(called), " is not measured")};
    }
}

void call(Called called, const Comm& comm, const Arguments& given, void* in, void* out, const std::vector<int>& counts,
          const std::vector<int>& places) {
    const int n = given.count;
    const MPI_Datatype type = given.type;
    const bool root = comm.rank == given.root;
    void* const from = given.inPlace ? MPI_IN_PLACE : in;
    const auto made = [&]() -> int {
        switch (called) {
            case Called::barrier: return MPI_Barrier(comm.comm);
            case Called::bcast: return MPI_Bcast(out, n, type, given.root, comm.comm);
            case Called::allreduce: return MPI_Allreduce(from, out, n, type, given.operation, comm.comm);
            case Called::reduce:
                return MPI_Reduce(given.inPlace && !root ? out : from, out, n, type, given.operation, given.root,
                                  comm.comm);
            case Called::scan: return MPI_Scan(from, out, n, type, given.operation, comm.comm);
            case Called::exscan: return MPI_Exscan(from, out, n, type, given.operation, comm.comm);
            case Called::allgather: return MPI_Allgather(from, n, type, out, n, type, comm.comm);
            case Called::allgatherv:
                return MPI_Allgatherv(from, n, type, out, counts.data(), places.data(), type, comm.comm);
            case Called::gather:
                return MPI_Gather(given.inPlace && !root ? in : from, n, type, out, n, type, given.root, comm.comm);
            case Called::scatter: return MPI_Scatter(in, n, type, out, n, type, given.root, comm.comm);
            case Called::reduceScatter:
                return MPI_Reduce_scatter(in, out, counts.data(), type, given.operation, comm.comm);
            case Called::reduceScatterBlock:
                return MPI_Reduce_scatter_block(in, out, n, type, given.operation, comm.comm);
            case Called::alltoall: return MPI_Alltoall(from, n, type, out, n, type, comm.comm);
            case Called::alltoallv:
                return MPI_Alltoallv(from, counts.data(), places.data(), type, out, counts.data(), places.data(), type,
                                     comm.comm);
            default: return MPI_ERR_OTHER;
        }
    };
    check(made(), live::nameOfCall(called).c_str());
}

class Plain final : public LibraryCall {
public:
    Plain(Called called, Bytes bytes, MPI_Comm comm) : called_{called}, comm_{comm} {
        const auto [in, out] = blocksOf(called, comm_.ranks);
        const bool scatters = called == Called::reduceScatter || called == Called::reduceScatterBlock;
        given_.type = reduces(called) ? MPI_INT : MPI_BYTE;
        given_.count = count(reduces(called) ? bytes / 4 : bytes);
        if (scatters) given_.count = std::max(1, given_.count / comm_.ranks);
        const auto size = static_cast<std::size_t>(given_.count) * (reduces(called) ? 4 : 1);
        in_.resize(size * static_cast<std::size_t>(std::max(in, 1)) + 1);
        out_.resize(size * static_cast<std::size_t>(std::max(out, 1)) + 1);
        counts_.assign(static_cast<std::size_t>(comm_.ranks), given_.count);
        for (int i = 0; i < comm_.ranks; ++i) places_.push_back(i * given_.count);
    }
    void execute() override { call(called_, comm_, given_, in_.data(), out_.data(), counts_, places_); }

private:
    Called called_;
    Comm comm_;
    Arguments given_;
    std::vector<std::byte> in_;
    std::vector<std::byte> out_;
    std::vector<int> counts_;
    std::vector<int> places_;
};

/// x -> a x + b, whose composition does not commute; or two numbers that are added. Numbers wrap.
struct Affine {
    std::uint32_t a = 1;
    std::uint32_t b = 0;

    friend bool operator==(const Affine&, const Affine&) = default;
};

Affine after(Affine first, Affine second) { return {first.a * second.a, second.a * first.b + second.b}; }
Affine plus(Affine first, Affine second) { return {first.a + second.a, first.b + second.b}; }

template <Affine (*combined)(Affine, Affine)>
void combine(void* in, void* inOut, int* length, MPI_Datatype*) {
    const auto* first = static_cast<const Affine*>(in);
    auto* second = static_cast<Affine*>(inOut);
    for (int i = 0; i < *length; ++i) second[i] = combined(first[i], second[i]);
}

/// Element `i` of the block that `rank` has for `other`.
Affine valueOf(int rank, int other, int i) {
    return {static_cast<std::uint32_t>(2 * (rank + 3 * other + i) + 1),
            static_cast<std::uint32_t>(7 * rank + 5 * other + i + 1)};
}

/// One test: elements are pairs of numbers, so that a type of two ints is derived and an operation need not commute.
class Test {
public:
    Test(Called called, MPI_Comm comm, int elements, bool commutes)
        : called_{called}, comm_{comm}, n_{elements}, commutes_{commutes} {
        check(MPI_Type_contiguous(2, MPI_UINT32_T, &type_), "MPI_Type_contiguous");
        check(MPI_Type_commit(&type_), "MPI_Type_commit");
        check(MPI_Op_create(commutes ? &combine<plus> : &combine<after>, commutes ? 1 : 0, &operation_),
              "MPI_Op_create");
    }
    ~Test() {
        MPI_Op_free(&operation_);
        MPI_Type_free(&type_);
    }
    Test(const Test&) = delete;
    Test& operator=(const Test&) = delete;

    /// Empty, or what is wrong on this rank.
    std::string fault(int root, bool inPlace) {
        const auto [ins, outs] = blocksOf(called_, comm_.ranks);
        std::vector<Affine> in(size(ins));
        std::vector<Affine> out(size(std::max(ins, outs)), Affine{0, 0});
        for (int block = 0; block < ins; ++block)
            for (int i = 0; i < n_; ++i) in[size(block) + place(i)] = valueOf(comm_.rank, block, i);
        if (called_ == Called::bcast && comm_.rank == root) out = in;
        if (inPlace) putInPlace(in, out, root);
        std::vector<int> counts(static_cast<std::size_t>(comm_.ranks), n_);
        std::vector<int> places(counts.size());
        for (int i = 0; i < comm_.ranks; ++i) places[static_cast<std::size_t>(i)] = i * n_;
        // One that gathers in place reads its own block from where it is to be.
        try {
            call(called_, comm_,
                 {.count = n_, .type = type_, .operation = operation_, .root = root, .inPlace = inPlace}, in.data(),
                 out.data(), counts, places);
        } catch (const Error& failure) {
            return failure.what();
        }
        return compare(out, outs, root, inPlace);
    }

private:
    [[nodiscard]] std::size_t size(int blocks) const {
        return static_cast<std::size_t>(blocks) * static_cast<std::size_t>(n_);
    }
    static std::size_t place(int i) { return static_cast<std::size_t>(i); }

    void putInPlace(const std::vector<Affine>& in, std::vector<Affine>& out, int root) const {
        if (called_ == Called::allgather || called_ == Called::allgatherv || called_ == Called::gather) {
            if (called_ != Called::gather || comm_.rank == root)
                std::copy(in.begin(), in.end(), out.begin() + static_cast<std::ptrdiff_t>(size(comm_.rank)));
        } else {
            std::copy(in.begin(), in.end(), out.begin());
        }
    }

    /// What rank r's results must be, element i of block b; nothing where any value may stand.
    std::optional<Affine> expected(int b, int i, int root) const {
        const int r = comm_.rank;
        const auto combined = [&](int last, int block) {
            Affine all = valueOf(0, block, i);
            for (int k = 1; k <= last; ++k)
                all = commutes_ ? plus(all, valueOf(k, block, i)) : after(all, valueOf(k, block, i));
            return all;
        };
        switch (called_) {
            case Called::bcast: return valueOf(root, 0, i);
            case Called::allreduce: return combined(comm_.ranks - 1, 0);
            case Called::reduce: return r == root ? std::optional{combined(comm_.ranks - 1, 0)} : std::nullopt;
            case Called::scan: return combined(r, 0);
            case Called::exscan: return r > 0 ? std::optional{combined(r - 1, 0)} : std::nullopt;
            case Called::reduceScatter:
            case Called::reduceScatterBlock: return combined(comm_.ranks - 1, r);
            case Called::allgather:
            case Called::allgatherv: return valueOf(b, 0, i);
            case Called::gather: return r == root ? std::optional{valueOf(b, 0, i)} : std::nullopt;
            case Called::scatter: return valueOf(root, r, i);
            case Called::alltoall:
            case Called::alltoallv: return valueOf(b, r, i);
            default: return std::nullopt;
        }
    }

    std::string compare(const std::vector<Affine>& out, int blocks, int root, bool inPlace) const {
        for (int b = 0; b < blocks; ++b)
            for (int i = 0; i < n_; ++i) {
                const auto right = expected(b, i, root);
                if (right && !(out[size(b) + place(i)] == *right))
                    return text(live::nameOfCall(called_), " gives wrong results on ", comm_.ranks, " ranks with ", n_,
                                " elements of a derived type",
                                commutes_ ? "" : " and an operation that does not commute", inPlace ? ", in place" : "",
                                live::isRooted(called_) ? text(", root ", root) : "");
            }
        return {};
    }

    Called called_;
    Comm comm_;
    int n_;
    bool commutes_;
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    MPI_Op operation_ = MPI_OP_NULL;
};

// In MPICH 4.0.2, MPI_Reduce with MPI_IN_PLACE at a root other than rank 0 ends the program, whatever its algorithm.
#ifdef MPICH_VERSION
constexpr bool reducesInPlaceEverywhere = false;
#else
constexpr bool reducesInPlaceEverywhere = true;
#endif

bool canBeInPlace(Called called, int root) {
    if (called == Called::reduce && root != 0 && !reducesInPlaceEverywhere) return false;
    return called != Called::bcast && called != Called::barrier && called != Called::scatter &&
           called != Called::reduceScatter && called != Called::reduceScatterBlock;
}

/// Elements of a test in a block, for the bytes that a Trial counts.
int elementsOf(Called called, Bytes bytes, int ranks) {
    constexpr Bytes most = 32 << 20;  // of a buffer
    const auto [in, out] = blocksOf(called, ranks);
    const auto size = static_cast<Bytes>(sizeof(Affine));
    const bool scatters = called == Called::reduceScatter || called == Called::reduceScatterBlock;
    const Bytes wanted = (bytes / (scatters ? ranks : 1) + size - 1) / size;
    return count(std::min(wanted, most / size / std::max({in, out, 1})));
}

}  // namespace

std::unique_ptr<LibraryCall> libraryCall(Called called, Bytes bytes, MPI_Comm comm) {
    return std::make_unique<Plain>(called, bytes, comm);
}

Faults faultsOf(Called called, MPI_Comm comm, Bytes bytes) {
    const Comm whole{comm};
    Faults faults;
    const bool hasRoot =
        called == Called::bcast || called == Called::reduce || called == Called::gather || called == Called::scatter;
    // On all ranks, then on all but the last: one of the two numbers is no power of two, unless there are two ranks.
    for (const int ranks : {whole.ranks, whole.ranks - 1}) {
        if (ranks < 2) continue;
        MPI_Comm part = MPI_COMM_NULL;
        check(MPI_Comm_split(comm, whole.rank < ranks ? 0 : MPI_UNDEFINED, whole.rank, &part), "making a part");
        if (part == MPI_COMM_NULL) continue;
        const Team team{part};
        MPI_Comm_set_errhandler(part, MPI_ERRORS_RETURN);
        // Every rank makes every call, also where its own results are wrong already: the others wait for it.
        for (const bool commutes : {true, false}) {
            if (!commutes && !reduces(called)) continue;
            std::string& first = commutes ? faults.always : faults.ofOrder;
            std::vector<int> counts{0, 1, 1031};
            if (bytes > 0 && ranks == whole.ranks) counts.push_back(elementsOf(called, bytes, ranks));
            for (const int elements : counts) {
                Test test{called, part, elements, commutes};
                for (const int root : {0, ranks - 1})
                    for (const bool inPlace : {false, true}) {
                        if ((inPlace && !canBeInPlace(called, root)) || (root != 0 && !hasRoot)) continue;
                        const std::string fault = test.fault(root, inPlace);
                        if (first.empty()) first = fault;
                    }
            }
        }
    }
    return faults;
}

}  // namespace engine::mpi

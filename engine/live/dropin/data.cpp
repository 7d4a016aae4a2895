// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/dropin/data.hpp"

#include <cstring>

namespace engine::mpi::dropin {
namespace {

/// Elements at absolute addresses, told from an address that is not zero: MPICH packs nothing that begins at
/// MPI_BOTTOM.
class FromHere {
public:
    FromHere(int count, MPI_Datatype type) {
        MPI_Aint here = 0;
        check(PMPI_Get_address(&here_, &here), "reading an address");
        const MPI_Aint bottom = -here;
        check(PMPI_Type_create_hindexed_block(1, count, &bottom, type, &type_), "making a type");
        check(PMPI_Type_commit(&type_), "making a type");
    }
    FromHere(const FromHere&) = delete;
    FromHere& operator=(const FromHere&) = delete;
    ~FromHere() { PMPI_Type_free(&type_); }

    [[nodiscard]] void* address() { return &here_; }
    [[nodiscard]] MPI_Datatype type() const { return type_; }

private:
    char here_ = 0;
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace

Bytes bytesOf(std::int64_t count, MPI_Datatype type) {
    MPI_Count size = 0;
    check(PMPI_Type_size_x(type, &size), "reading a type");
    return count * size;
}

bool isPlain(MPI_Datatype type) {
    int integers = 0;
    int addresses = 0;
    int types = 0;
    int combiner = 0;
    check(PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), "reading a type");
    return combiner == MPI_COMBINER_NAMED && isDense(type);
}

bool isDense(MPI_Datatype type) {
    MPI_Aint low = 0;
    MPI_Aint extent = 0;
    MPI_Aint trueLow = 0;
    MPI_Aint trueExtent = 0;
    check(PMPI_Type_get_extent(type, &low, &extent), "reading a type");
    check(PMPI_Type_get_true_extent(type, &trueLow, &trueExtent), "reading a type");
    return low == 0 && trueLow == 0 && extent == trueExtent && extent == bytesOf(1, type);
}

void* at(void* buffer, std::int64_t elements, MPI_Datatype type) {
    MPI_Aint low = 0;
    MPI_Aint extent = 0;
    check(PMPI_Type_get_extent(type, &low, &extent), "reading a type");
    return static_cast<std::byte*>(buffer) + elements * extent;
}

void pack(const void* from, int count, MPI_Datatype type, std::span<std::byte> bytes, MPI_Comm comm) {
    if (bytes.empty()) return;
    if (isPlain(type)) {
        std::memmove(bytes.data(), from, bytes.size());
        return;
    }
    if (from == MPI_BOTTOM) {
        FromHere bottom{count, type};
        return pack(bottom.address(), 1, bottom.type(), bytes, comm);
    }
    int position = 0;
    check(PMPI_Pack(from, count, type, bytes.data(), mpi::count(static_cast<Bytes>(bytes.size())), &position, comm),
          "packing");
    ENSURE(position == static_cast<int>(bytes.size()), "packed data are not as long as their elements");
}

void unpack(std::span<const std::byte> bytes, void* to, int count, MPI_Datatype type, MPI_Comm comm) {
    if (bytes.empty()) return;
    if (isPlain(type)) {
        std::memmove(to, bytes.data(), bytes.size());
        return;
    }
    if (to == MPI_BOTTOM) {
        FromHere bottom{count, type};
        return unpack(bytes, bottom.address(), 1, bottom.type(), comm);
    }
    int position = 0;
    check(PMPI_Unpack(bytes.data(), mpi::count(static_cast<Bytes>(bytes.size())), &position, to, count, type, comm),
          "unpacking");
}

}  // namespace engine::mpi::dropin

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/pmpi/replacement/program_data.hpp"

#include <cstring>

namespace engine::mpi::pmpi {
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

Failed tooLong() { return {"a contribution is longer than its place", MPI_ERR_TRUNCATE}; }

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

void pack(const Elements& from, std::span<std::byte> bytes, MPI_Comm comm) {
    const Bytes size = bytesOf(from);
    if (size == 0) return;
    if (size > static_cast<Bytes>(bytes.size())) throw tooLong();
    if (isPlain(from.type)) {
        std::memmove(bytes.data(), from.address, asSize(size));
        return;
    }
    if (from.address == MPI_BOTTOM) {
        FromHere bottom{from.count, from.type};
        return pack({bottom.address(), 1, bottom.type()}, bytes, comm);
    }
    int position = 0;
    check(PMPI_Pack(from.address, from.count, from.type, bytes.data(), mpi::count(size), &position, comm), "packing");
    ENSURE(position == static_cast<int>(size), "packed data are not as long as their elements");
}

void unpack(std::span<const std::byte> bytes, const Elements& to, MPI_Comm comm) {
    const auto size = static_cast<Bytes>(bytes.size());
    if (size == 0) return;
    if (size > bytesOf(to)) throw tooLong();
    if (isPlain(to.type)) {
        std::memmove(to.address, bytes.data(), bytes.size());
        return;
    }
    if (to.address == MPI_BOTTOM) {
        FromHere bottom{to.count, to.type};
        return unpack(bytes, {bottom.address(), 1, bottom.type()}, comm);
    }
    const auto whole = static_cast<int>(size / bytesOf(1, to.type));
    int position = 0;
    check(PMPI_Unpack(bytes.data(), mpi::count(size), &position, to.address, whole, to.type, comm), "unpacking");
}

}  // namespace engine::mpi::pmpi

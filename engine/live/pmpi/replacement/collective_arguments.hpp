// SPDX-License-Identifier: BSD-3-Clause
// The arguments of a collective call, told alike for all of them.
#pragma once

#include "engine/live/records/collective_records.hpp"

#include <mpi.h>

namespace engine::mpi::pmpi {

/// Where elements lie in the program's memory.
struct Elements {
    void* address = nullptr;
    int count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// What a process sends, or where it receives: one block, or one for each other process.
struct Side {
    void* buffer = nullptr;  ///< may be MPI_IN_PLACE
    MPI_Datatype type = MPI_DATATYPE_NULL;
    std::int64_t each = 0;                   ///< elements of every block, one after the other, where it has no counts
    const int* counts = nullptr;             ///< elements by process
    const MPI_Count* largeCounts = nullptr;  ///< instead of `counts`, which then has no displacements either
    const int* displacements = nullptr;      ///< in extents of the type; with `types` in bytes
    const MPI_Datatype* types = nullptr;

    Side() = default;
    /// `buffer` may be the program's to read only; nothing is ever written to the side that sends.
    Side(const void* buffer_, std::int64_t count, MPI_Datatype type_)
        : buffer{const_cast<void*>(buffer_)}, type{type_}, each{count} {}
    Side(const void* buffer_, const int* counts_, const int* displacements_, MPI_Datatype type_)
        : buffer{const_cast<void*>(buffer_)}, type{type_}, counts{counts_}, displacements{displacements_} {}
    Side(const void* buffer_, const int* counts_, const int* displacements_, const MPI_Datatype* types_)
        : buffer{const_cast<void*>(buffer_)}, counts{counts_}, displacements{displacements_}, types{types_} {}
    Side(const void* buffer_, const MPI_Count* counts_, const MPI_Aint* /*displacements*/, MPI_Datatype type_)
        : buffer{const_cast<void*>(buffer_)}, type{type_}, largeCounts{counts_} {}
    Side(const void* buffer_, const MPI_Count* counts_, const MPI_Aint* /*displacements*/, const MPI_Datatype* types_)
        : buffer{const_cast<void*>(buffer_)}, largeCounts{counts_}, types{types_} {}

    [[nodiscard]] bool inPlace() const { return buffer == MPI_IN_PLACE; }
    [[nodiscard]] bool hasCounts() const { return counts != nullptr || largeCounts != nullptr; }
    [[nodiscard]] std::int64_t count(std::int32_t process) const {
        return counts != nullptr ? counts[process] : largeCounts != nullptr ? largeCounts[process] : each;
    }
    [[nodiscard]] MPI_Datatype typeOf(std::int32_t process) const { return types != nullptr ? types[process] : type; }
    /// The block of, or for, a process; not of large counts.
    [[nodiscard]] Elements of(std::int32_t process) const;
    /// The only block; not of a large count.
    [[nodiscard]] Elements only() const { return {buffer, static_cast<int>(each), type}; }
};

/// Rooted calls name a root, reductions an operation. A broadcast has its one buffer as `from` and as `to`.
struct Arguments {
    Side from{};
    Side to{};
    MPI_Op operation = MPI_OP_NULL;
    int root = 0;
};

class Communicator;
class ElementTypes;

/// A call as one process made it: which of its arguments, which must outlive it, mean something there, and what.
/// Nothing is read that does not.
class CollectiveRequest {
public:
    CollectiveRequest(const Communicator& comm, live::Called called, const Arguments& arguments);

    /// As the program called it.
    [[nodiscard]] live::Called named() const { return named_; }
    /// The call of that kind that blocks.
    [[nodiscard]] live::Called called() const { return called_; }
    [[nodiscard]] Collective collective() const;
    [[nodiscard]] const Arguments& arguments() const { return *arguments_; }
    /// The same call, of which the arguments lie elsewhere.
    [[nodiscard]] CollectiveRequest with(const Arguments& arguments) const {
        CollectiveRequest same = *this;
        same.arguments_ = &arguments;
        return same;
    }

    [[nodiscard]] std::int32_t rank() const { return rank_; }
    /// Whether this process brings data, and whether it is to get some.
    [[nodiscard]] bool brings() const { return brings_; }
    [[nodiscard]] bool takes() const { return takes_; }
    /// Whether it brings, or gets, a block for each of `others()`.
    [[nodiscard]] bool bringsToEach() const { return brings_ && bringsToEach_; }
    [[nodiscard]] bool takesFromEach() const { return takes_ && takesFromEach_; }
    [[nodiscard]] std::int32_t others() const { return others_; }
    /// What it brings lies where its result is to come, or, for a scatter, the root keeps its own where it is.
    [[nodiscard]] bool inPlace() const { return inPlace_; }
    [[nodiscard]] bool isRoot() const { return isRoot_; }
    /// Of two groups in that of the root, and not the root: MPI_PROC_NULL.
    [[nodiscard]] bool standsAside() const { return aside_; }
    /// Where the data that it brings lie: in place with those that it gets.
    [[nodiscard]] const Side& source() const;
    /// Elements of the vector that a reduction combines.
    [[nodiscard]] std::int64_t elements() const;
    /// Bytes that its arguments tell, for the record.
    struct Counted {
        Bytes sent = 0;
        Bytes received = 0;
    };
    [[nodiscard]] Counted counted() const;
    /// How the record tells the root.
    [[nodiscard]] std::int32_t recordedRoot() const;

    /// Arguments that only the library itself can argumentChecker.
    [[nodiscard]] bool isStrange() const;
    /// Whether counted() can be asked before the library has taken the call.
    [[nodiscard]] bool isSizedBy(ElementTypes& types) const;

private:
    void ofAGathering();
    void ofAScattering();
    [[nodiscard]] bool isStrange(const Side& side, bool each) const;
    [[nodiscard]] Bytes bytesOf(const Side& side, bool each) const;
    [[nodiscard]] Bytes sent() const;
    [[nodiscard]] Bytes received() const;

    live::Called named_;
    live::Called called_;
    const Arguments* arguments_;
    std::int32_t rank_;
    std::int32_t others_;
    std::int32_t size_;  ///< of the own group
    bool brings_ = true;
    bool takes_ = true;
    bool bringsToEach_ = false;
    bool takesFromEach_ = false;
    bool inPlace_ = false;
    bool isRoot_ = false;
    bool aside_ = false;
    bool inter_ = false;
    bool badRoot_ = false;
};

}  // namespace engine::mpi::pmpi

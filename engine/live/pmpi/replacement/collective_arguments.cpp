// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/pmpi/replacement/collective_arguments.hpp"

#include "engine/live/pmpi/recording/communicator.hpp"
#include "engine/live/pmpi/recording/element_types.hpp"
#include "engine/live/pmpi/replacement/program_data.hpp"

#include <algorithm>

namespace engine::mpi::pmpi {

using live::Called;

namespace {

bool hasARoot(Called called) {
    switch (called) {
        case Called::bcast:
        case Called::gather:
        case Called::gatherv:
        case Called::reduce:
        case Called::scatter:
        case Called::scatterv: return true;
        default: return false;
    }
}

}  // namespace

Elements Side::of(std::int32_t process) const {
    const MPI_Datatype its = typeOf(process);
    if (types != nullptr)
        return {static_cast<std::byte*>(buffer) + displacements[process], counts[process], types[process]};
    const std::int64_t place = counts != nullptr ? displacements[process] : each * process;
    return {at(buffer, place, its), static_cast<int>(count(process)), its};
}

CollectiveRequest::CollectiveRequest(const Communicator& comm, Called called, const Arguments& arguments)
    : named_{called},
      called_{live::blockingOf(called)},
      arguments_{&arguments},
      rank_{comm.rank()},
      others_{comm.sources()},
      size_{comm.size()},
      inter_{comm.inter()} {
    if (hasARoot(called_)) {
        const int root = arguments.root;
        isRoot_ = inter_ ? root == MPI_ROOT : root == rank_;
        aside_ = inter_ && root == MPI_PROC_NULL;
        badRoot_ = !(inter_ && (isRoot_ || aside_)) && (root < 0 || root >= others_);
    }
    switch (called_) {
        case Called::bcast:
            brings_ = isRoot_;
            takes_ = !isRoot_ && !aside_;
            break;
        case Called::reduce:
        case Called::gather:
        case Called::gatherv: ofAGathering(); break;
        case Called::scatter:
        case Called::scatterv: ofAScattering(); break;
        case Called::allgather:
        case Called::allgatherv:
            takesFromEach_ = true;
            inPlace_ = arguments.from.inPlace();
            break;
        case Called::alltoall:
        case Called::alltoallv:
        case Called::alltoallw:
            bringsToEach_ = takesFromEach_ = true;
            inPlace_ = arguments.from.inPlace();
            break;
        case Called::reduceScatter:
        case Called::reduceScatterBlock:
            bringsToEach_ = true;
            inPlace_ = arguments.from.inPlace();
            break;
        case Called::barrier: brings_ = takes_ = false; break;
        default: inPlace_ = arguments.from.inPlace(); break;
    }
}

Collective CollectiveRequest::collective() const {
    const Collective within = live::collectiveOf(called_);
    return inter_ ? live::collectiveBetweenGroups(called_).value_or(within) : within;
}

/// To the root.
void CollectiveRequest::ofAGathering() {
    brings_ = inter_ ? !isRoot_ && !aside_ : true;
    takes_ = isRoot_;
    takesFromEach_ = called_ != Called::reduce;
    inPlace_ = isRoot_ && !inter_ && arguments_->from.inPlace();
}

void CollectiveRequest::ofAScattering() {
    brings_ = isRoot_;
    takes_ = inter_ ? !isRoot_ && !aside_ : true;
    bringsToEach_ = true;
    inPlace_ = isRoot_ && !inter_ && arguments_->to.inPlace();
}

const Side& CollectiveRequest::source() const {
    const bool keeps = called_ == Called::scatter || called_ == Called::scatterv;
    return inPlace_ && !keeps ? arguments_->to : arguments_->from;
}

std::int64_t CollectiveRequest::elements() const {
    if (called_ == Called::reduceScatterBlock) return arguments_->to.each * size_;
    if (called_ != Called::reduceScatter) return arguments_->to.each;
    std::int64_t all = 0;
    for (std::int32_t i = 0; i < size_; ++i) all += arguments_->to.count(i);
    return all;
}

Bytes CollectiveRequest::bytesOf(const Side& side, bool each) const {
    if (!each) return pmpi::bytesOf(side.count(rank_), side.type);
    if (!side.hasCounts()) return pmpi::bytesOf(side.each * others_, side.type);
    std::int64_t all = 0;
    for (std::int32_t i = 0; i < others_; ++i)
        all += side.types != nullptr ? pmpi::bytesOf(side.count(i), side.types[i]) : side.count(i);
    return side.types != nullptr ? all : pmpi::bytesOf(all, side.type);
}

CollectiveRequest::Counted CollectiveRequest::counted() const {
    switch (called_) {
        case Called::barrier: return {};
        case Called::bcast: {
            const Bytes bytes = aside_ ? 0 : pmpi::bytesOf(arguments_->from.each, arguments_->from.type);
            return {brings_ ? bytes : 0, isRoot_ && inter_ ? 0 : bytes};
        }
        case Called::reduce:
        case Called::allreduce:
        case Called::scan:
        case Called::exscan: {
            const Bytes bytes = aside_ ? 0 : pmpi::bytesOf(arguments_->to.each, arguments_->to.type);
            return {brings_ ? bytes : 0, takes_ && !(called_ == Called::exscan && rank_ == 0) ? bytes : 0};
        }
        default: return {sent(), received()};
    }
}

Bytes CollectiveRequest::sent() const {
    if (!brings_) return 0;
    if (combinesVectors(collective())) return pmpi::bytesOf(elements(), arguments_->to.type);
    if (called_ == Called::alltoall) return pmpi::bytesOf(source().each, source().type);
    return bytesOf(source(), bringsToEach_);
}

Bytes CollectiveRequest::received() const {
    if (!takes_) return 0;
    if (called_ == Called::alltoall) return pmpi::bytesOf(arguments_->to.each, arguments_->to.type);
    if (inPlace_ && called_ == Called::scatter) return pmpi::bytesOf(arguments_->from.each, arguments_->from.type);
    if (inPlace_ && called_ == Called::scatterv)
        return pmpi::bytesOf(arguments_->from.count(rank_), arguments_->from.type);
    return bytesOf(arguments_->to, takesFromEach_);
}

std::int32_t CollectiveRequest::recordedRoot() const {
    if (!hasARoot(called_)) return live::root::none;
    return aside_ ? live::root::sameGroup : inter_ && isRoot_ ? live::root::self : arguments_->root;
}

bool CollectiveRequest::isStrange(const Side& side, bool each) const {
    const bool vectors = combinesVectors(collective());
    if (side.inPlace()) return true;
    if (!side.hasCounts()) return side.type == MPI_DATATYPE_NULL || side.each < 0;
    if (side.counts != nullptr && side.displacements == nullptr && !vectors) return true;
    const std::int32_t all = vectors ? size_ : each ? others_ : 0;
    for (std::int32_t i = 0; i < all; ++i)
        if (side.count(i) < 0 || side.typeOf(i) == MPI_DATATYPE_NULL) return true;
    return side.types == nullptr && side.type == MPI_DATATYPE_NULL;
}

bool CollectiveRequest::isStrange() const {
    if (collective() == Collective::barrier) return false;
    if (badRoot_ || (inPlace_ && inter_)) return true;
    if (combinesVectors(collective()) && arguments_->operation == MPI_OP_NULL) return true;
    if (brings_ && isStrange(source(), bringsToEach_)) return true;
    const bool keeps = inPlace_ && &source() == &arguments_->from;
    return takes_ && !keeps && isStrange(arguments_->to, takesFromEach_);
}

bool CollectiveRequest::isSizedBy(ElementTypes& types) const {
    if (isStrange()) return false;
    const auto knows = [&](const Side& side) {
        if (side.types == nullptr) return types.has(side.type);
        return std::all_of(side.types, side.types + others_, [&](MPI_Datatype type) { return types.has(type); });
    };
    const bool vectors = combinesVectors(collective());
    if (vectors || called_ == Called::bcast) return knows(arguments_->to);
    const bool keeps = inPlace_ && &source() == &arguments_->from;
    return (!brings_ || knows(source())) && (!takes_ || keeps || knows(arguments_->to));
}

}  // namespace engine::mpi::pmpi

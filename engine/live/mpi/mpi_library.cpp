// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/mpi/mpi_library.hpp"

#include "engine/live/threads/buffers.hpp"

namespace engine::mpi {
namespace {

Element elementOf(MPI_Datatype type) {
    for (const Element element : {Element::int32, Element::int64, Element::uint32, Element::uint64, Element::float32})
        if (typeOf(element) == type) return element;
    return Element::float64;
}

extern "C" void combineUser(void* in, void* inOut, int* length, MPI_Datatype* type) {
    const Element element = elementOf(*type);
    const auto bytes = asSize(*length) * asSize(sizeOf(element));
    combineInto(Operation::user, element, {static_cast<const std::byte*>(in), bytes},
                {static_cast<std::byte*>(inOut), bytes});
}

template <Element element>
void multiply(void* in, void* inOut, int* length, MPI_Datatype*) {
    const auto bytes = asSize(*length) * asSize(sizeOf(element)) * 4;
    combineInto(Operation::ordered, element, {static_cast<const std::byte*>(in), bytes},
                {static_cast<std::byte*>(inOut), bytes});
}

// Products wrap: those of unsigned numbers are the same bits.
extern "C" void multiplyInt32(void* in, void* inOut, int* length, MPI_Datatype* type) {
    multiply<Element::int32>(in, inOut, length, type);
}
extern "C" void multiplyInt64(void* in, void* inOut, int* length, MPI_Datatype* type) {
    multiply<Element::int64>(in, inOut, length, type);
}

}  // namespace

Combining::Combining(const Problem& problem)
    : type_{typeOf(problem.element)}, unit_{unitOf(problem)}, commutes_{problem.operation != Operation::ordered} {
    switch (problem.operation) {
        case Operation::sum: operation_ = MPI_SUM; return;
        case Operation::min: operation_ = MPI_MIN; return;
        case Operation::max: operation_ = MPI_MAX; return;
        case Operation::user: check(MPI_Op_create(combineUser, 1, &operation_), "making an operation"); break;
        case Operation::ordered:
            check(MPI_Op_create(sizeOf(problem.element) == 4 ? multiplyInt32 : multiplyInt64, 0, &operation_),
                  "making an operation");
            check(MPI_Type_contiguous(4, typeOf(problem.element), &type_), "making a type");
            check(MPI_Type_commit(&type_), "making a type");
            ownType_ = true;
            break;
    }
    ownOperation_ = true;
}

void Combining::combine(std::span<const std::byte> left, std::span<std::byte> right) const {
    check(MPI_Reduce_local(left.data(), right.data(), units(static_cast<Bytes>(right.size())), type_, operation_),
          "combining");
}

Combining::~Combining() {
    if (ownOperation_) MPI_Op_free(&operation_);
    if (ownType_) MPI_Type_free(&type_);
}

}  // namespace engine::mpi

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/mpi/library.hpp"

#include "engine/live/threads/buffers.hpp"

namespace engine::mpi {
namespace {

Element elementOf(MPI_Datatype type) {
    for (const Element element : {Element::int32, Element::int64, Element::float32})
        if (typeOf(element) == type) return element;
    return Element::float64;
}

extern "C" void combineUser(void* in, void* inOut, int* length, MPI_Datatype* type) {
    const Element element = elementOf(*type);
    const auto bytes = asSize(*length) * asSize(sizeOf(element));
    combineInto(Operation::user, element, {static_cast<const std::byte*>(in), bytes},
                {static_cast<std::byte*>(inOut), bytes});
}

}  // namespace

Combining::Combining(Operation operation) {
    switch (operation) {
        case Operation::sum: operation_ = MPI_SUM; return;
        case Operation::min: operation_ = MPI_MIN; return;
        case Operation::max: operation_ = MPI_MAX; return;
        case Operation::user: check(MPI_Op_create(combineUser, 1, &operation_), "making an operation"); own_ = true;
    }
}

Combining::~Combining() {
    if (own_) MPI_Op_free(&operation_);
}

}  // namespace engine::mpi

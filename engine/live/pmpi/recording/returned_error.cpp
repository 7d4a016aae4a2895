// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/pmpi/recording/returned_error.hpp"

#include <array>

namespace engine::mpi::pmpi {
namespace {

struct ErrorClass {
    int number;
    bool refuses;
};

constexpr int notOfThisLibrary = -1;

/// In the order of live::errorClassNames, behind its first.
constexpr auto classes = std::to_array<ErrorClass>({
#define ERROR_CLASS(name, refuses) {MPI_ERR_##name, refuses},
#if MPI_VERSION >= 4
#define ERROR_CLASS_4(name, refuses) {MPI_ERR_##name, refuses},
#else
#define ERROR_CLASS_4(name, refuses) {notOfThisLibrary, refuses},
#endif
#include "engine/live/records/error_classes.inc"
#undef ERROR_CLASS
#undef ERROR_CLASS_4
});

}  // namespace

ReturnedError::ReturnedError(int code) {
    if (PMPI_Error_class(code, &class_) != MPI_SUCCESS) return;
    for (std::size_t i = 0; i < classes.size(); ++i) {
        if (classes[i].number != class_) continue;
        place_ = static_cast<std::int32_t>(i + 1);
        refused_ = classes[i].refuses;
    }
}

}  // namespace engine::mpi::pmpi

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string_view>

namespace traces {

/// What recordings call a region's paradigm, by the numbers that OTF2 has for paradigms.
inline constexpr std::array<std::string_view, 25> paradigmNames{
    "unknown", "user",     "compiler", "openmp",   "mpi",   "cuda",      "measurement", "pthread",   "hmpp",
    "ompss",   "hardware", "gaspi",    "upc",      "shmem", "winthread", "qtthread",    "acethread", "tbbthread",
    "openacc", "opencl",   "mtapi",    "sampling", "none",  "hip",       "kokkos"};

}  // namespace traces

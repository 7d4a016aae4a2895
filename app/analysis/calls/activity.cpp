// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/calls/activity.hpp"

#include <algorithm>

namespace app::analysis {
namespace {

constexpr std::array<std::string_view, activities> names{"nothing",        "compute",     "MPI point-to-point",
                                                         "MPI collective", "other MPI",   "input and output",
                                                         "threads",        "accelerator", "waiting"};

constexpr std::array<std::string_view, 22> readAndWrite{
    "read",  "write",  "open",  "openat", "close", "pread",  "pwrite", "readv", "writev",  "lseek",  "fsync",
    "fopen", "fclose", "fread", "fwrite", "fseek", "fflush", "fputs",  "fgets", "fprintf", "fscanf", "fdatasync"};

constexpr std::array<std::string_view, 8> ofThreads{"openmp",   "pthread",   "ompss",     "winthread",
                                                    "qtthread", "acethread", "tbbthread", "mtapi"};

constexpr std::array<std::string_view, 6> ofAccelerators{"cuda", "hip", "opencl", "openacc", "hmpp", "kokkos"};

template <std::size_t size>
bool isAny(std::string_view word, const std::array<std::string_view, size>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

Activity ofMpi(traces::Call call) {
    switch (call) {
        case traces::Call::send:
        case traces::Call::receive:
        case traces::Call::sendReceive:
        case traces::Call::wait: return Activity::pointToPoint;
        case traces::Call::collective: return Activity::collective;
        case traces::Call::communicator:
        case traces::Call::setup:
        case traces::Call::other:
        case traces::Call::none: break;
    }
    return Activity::otherMpi;
}

}  // namespace

std::string_view name(Activity activity) { return names[static_cast<std::size_t>(activity)]; }

Activity activityOf(const traces::Region& region) {
    if (region.name.starts_with("MPI_File_")) return Activity::inputOutput;
    if (traces::operationOf(region.name) == traces::Operation::fence) return Activity::collective;
    if (region.call != traces::Call::none) return ofMpi(region.call);
    if (isAny(region.paradigm, ofThreads)) return Activity::threads;
    if (isAny(region.paradigm, ofAccelerators)) return Activity::accelerator;
    if (isAny(region.name, readAndWrite)) return Activity::inputOutput;
    return Activity::compute;
}

}  // namespace app::analysis

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/mpi/clock_offsets.hpp"

#include "engine/live/boot_id.hpp"
#include "engine/live/mpi/recorder.hpp"

#include <algorithm>
#include <array>
#include <ctime>

namespace engine::mpi {
namespace {

constexpr int trips = 32;

/// Process 0 asks `other` for its time.
void answer(MPI_Comm comm, int other) {
    for (int trip = 0; trip < trips; ++trip) {
        check(MPI_Recv(nullptr, 0, MPI_BYTE, other, 0, comm, MPI_STATUS_IGNORE), "comparing clocks");
        const std::int64_t time = now();
        check(MPI_Send(&time, 1, MPI_INT64_T, other, 0, comm), "comparing clocks");
    }
}

live::ClockSample ask(MPI_Comm comm) {
    live::ClockSample sample;
    std::int64_t fastest = std::numeric_limits<std::int64_t>::max();
    for (int trip = 0; trip < trips; ++trip) {
        std::int64_t theirs = 0;
        const std::int64_t left = now();
        check(MPI_Send(nullptr, 0, MPI_BYTE, 0, 0, comm), "comparing clocks");
        check(MPI_Recv(&theirs, 1, MPI_INT64_T, 0, 0, comm, MPI_STATUS_IGNORE), "comparing clocks");
        const std::int64_t back = now();
        if (back - left >= fastest) continue;
        fastest = back - left;
        sample = {.at = back, .offset = left + (back - left) / 2 - theirs};
    }
    return sample;
}

}  // namespace

bool shareClock(MPI_Comm comm) {
    const std::string kernel = live::bootId();
    const auto own = static_cast<std::int64_t>(std::hash<std::string>{}(kernel) >> 1);
    std::int64_t least = own;
    std::int64_t most = own;
    check(MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT64_T, MPI_MIN, comm), "comparing hosts");
    check(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT64_T, MPI_MAX, comm), "comparing hosts");
    return !kernel.empty() && least == most;
}

live::ClockSample compareClocks(MPI_Comm comm) {
    int self = 0;
    int all = 0;
    MPI_Comm_rank(comm, &self);
    MPI_Comm_size(comm, &all);
    live::ClockSample sample;
    for (int other = 1; other < all; ++other) {
        if (self == 0) answer(comm, other);
        else if (self == other) sample = ask(comm);
        check(MPI_Barrier(comm), "comparing clocks");
    }
    return sample;
}

std::int64_t startTogether(MPI_Comm comm, std::int64_t offset, std::int64_t& leaving) {
    const std::int64_t came = now() - offset;
    std::array<std::int64_t, 2> latest{came, leaving};
    check(MPI_Allreduce(MPI_IN_PLACE, latest.data(), 2, MPI_INT64_T, MPI_MAX, comm), "starting together");
    const std::int64_t left = now() - offset;
    leaving = std::max(leaving - leaving / 8, left - latest[0]);
    constexpr std::int64_t leastLead = 200'000;
    constexpr std::int64_t mostLead = 20'000'000;
    const std::int64_t start = latest[0] + std::clamp(2 * latest[1], leastLead, mostLead) + offset;
    sleepUntil(start);
    return start;
}

void sleepUntil(std::int64_t time) {
    const timespec until{.tv_sec = time / 1'000'000'000, .tv_nsec = time % 1'000'000'000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

}  // namespace engine::mpi

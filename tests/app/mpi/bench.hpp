// SPDX-License-Identifier: BSD-3-Clause
// Calls under libcollscope-pmpi.so (MPI_...) beside the library's own (PMPI_...), in one program.
#pragma once

#include "engine/base/error.hpp"
#include "engine/catalogue/catalogue.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace support {

/// Messages that the program's processes sent by MPI_Send and MPI_Isend so far; all of them must ask.
std::int64_t messages();

/// The bytes for which the rules of this program name algorithm `index` of the catalogue.
inline std::pair<engine::Bytes, engine::Bytes> bytesFor(std::size_t index) {
    constexpr engine::Bytes each = 4096;
    const auto first = static_cast<engine::Bytes>(index) * each + 1;
    return {first, first + each - 1};
}
/// A number of bytes in the middle of them.
inline engine::Bytes someBytesFor(std::size_t index) {
    return (bytesFor(index).first + bytesFor(index).second) / 2 / 8 * 8;
}

inline int rankIn(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}
inline int sizeOf(MPI_Comm comm) {
    int size = 0;
    MPI_Comm_size(comm, &size);
    return size;
}

/// Numbers that differ between ranks and places.
inline std::vector<std::int32_t> numbers(std::size_t count, int rank) {
    std::vector<std::int32_t> all(count);
    for (std::size_t i = 0; i < count; ++i)
        all[i] = static_cast<std::int32_t>(i * 7 + static_cast<std::size_t>(rank) * 1000 + 3);
    return all;
}

/// What nobody writes must stay.
inline constexpr std::int32_t untouched = -77;

/// Whether the algorithm can do it with the processes at hand.
inline bool canPlan(const engine::Algorithm& algorithm, const engine::Problem& problem) {
    try {
        return engine::makePlan(algorithm, problem, {}).schedule->facts().ranks == problem.ranks();
    } catch (const engine::Error&) {
        return false;
    }
}

template <class Work>
void forEach(engine::Collective collective, Work work) {
    for (std::size_t i = 0; i < engine::catalogue().size(); ++i)
        if (engine::catalogue()[i]->collective == collective) work(*engine::catalogue()[i], i);
}

/// Runs `call` and expects that its messages were the algorithm's own exactly when it can be planned.
template <class Call>
void expectReplaced(const engine::Algorithm& algorithm, bool planned, Call call) {
    const std::int64_t before = messages();
    call();
    const std::int64_t sent = messages() - before;
    EXPECT_EQ(sent > 0, planned && sizeOf(MPI_COMM_WORLD) > 1) << algorithm.id << ", messages: " << sent;
}

using Numbers = std::vector<std::int32_t>;

/// How a collective is called: the library's own, ours before it, ours without blocking and then waited for.
enum class Way : std::uint8_t { alone, ours, later };

/// PMPI_Bcast, MPI_Bcast, or MPI_Ibcast and MPI_Wait.
template <class Alone, class Ours, class Later, class... Given>
int called(Way way, Alone alone, Ours ours, Later later, Given... given) {
    if (way == Way::alone) return alone(given...);
    if (way == Way::ours) return ours(given...);
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = later(given..., &request);
    return code != MPI_SUCCESS ? code : MPI_Wait(&request, MPI_STATUS_IGNORE);
}
#define CALLED(way, name, nonBlocking, ...) \
    support::called(way, PMPI_##name, MPI_##name, MPI_##nonBlocking, __VA_ARGS__)

/// Lets `call(way, data)` work on copies of `data`: the results of ours are the library's, and its messages were the
/// algorithm's exactly when it can be planned. Calls that do not block have a rule for the first algorithm only.
template <class Call>
void expectSame(const engine::Algorithm& algorithm, const engine::Problem& problem, const Numbers& data, Call call,
                const std::string& words = {}) {
    const bool planned = canPlan(algorithm, problem);
    Numbers alone = data;
    EXPECT_EQ(call(Way::alone, alone), MPI_SUCCESS) << words;
    const bool first = engine::algorithmsFor(algorithm.collective).front() == &algorithm;
    for (const Way way : {Way::ours, Way::later}) {
        if (way == Way::later && !first) continue;
        Numbers result = data;
        expectReplaced(algorithm, planned, [&] { EXPECT_EQ(call(way, result), MPI_SUCCESS) << words; });
        EXPECT_EQ(result, alone) << algorithm.id << ' ' << words << (way == Way::later ? ", later" : "");
    }
}

/// The two groups of the world, joined.
class TwoGroups {
public:
    TwoGroups() {
        size_ = sizeOf(MPI_COMM_WORLD);
        p_ = size_ / 2;
        const int rank = rankIn(MPI_COMM_WORLD);
        inA_ = rank < p_;
        MPI_Comm_split(MPI_COMM_WORLD, inA_ ? 0 : 1, rank, &own_);
        MPI_Intercomm_create(own_, 0, MPI_COMM_WORLD, inA_ ? p_ : 0, 0, &between_);
    }
    ~TwoGroups() {
        MPI_Comm_free(&between_);
        MPI_Comm_free(&own_);
    }
    TwoGroups(const TwoGroups&) = delete;
    TwoGroups& operator=(const TwoGroups&) = delete;

    [[nodiscard]] MPI_Comm comm() const { return between_; }
    [[nodiscard]] int p() const { return p_; }
    [[nodiscard]] int q() const { return size_ - p_; }
    [[nodiscard]] bool inA() const { return inA_; }

private:
    int size_ = 0;
    int p_ = 0;
    bool inA_ = true;
    MPI_Comm own_ = MPI_COMM_NULL;
    MPI_Comm between_ = MPI_COMM_NULL;
};

}  // namespace support

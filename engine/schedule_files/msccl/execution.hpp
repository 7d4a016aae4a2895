// SPDX-License-Identifier: BSD-3-Clause
// What happens when thread blocks do their steps: which message carries what in which round, and the first thing that
// is wrong.
//
// A send leaves as soon as its thread block comes to it and its queue (one for each sender, receiver and channel)
// accepts any number. A message belongs to the first round in which it is there and its receiver is ready; what it
// brings can be sent on a round later. Each thread block sends one message a round and receives one. Those of a GPU
// that send in one round do so in the order of the file. Steps within a GPU take no round.
#pragma once

#include "engine/schedule/counter_example.hpp"
#include "engine/schedule_files/msccl/postcondition.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace engine::schedules::msccl {

/// How a GPU made a partial result: of its own chunk, or not, and of what arrived, which rises.
struct Recipe {
    bool own = false;
    std::vector<std::int32_t> arrivals{};
};

/// A chunk of a message.
struct Carried {
    std::int32_t content = 0;  ///< into Course::contents
    std::int32_t recipe = 0;   ///< of its sender, into Course::recipes
};

struct Delivery {
    std::int64_t round = 0;
    std::int32_t from = 0;
    std::int32_t to = 0;
    std::int32_t sender = 0;        ///< thread block, counted through all GPUs in the order of the file
    std::int32_t firstArrival = 0;  ///< its chunks are arrivals firstArrival, firstArrival + 1, ...
    std::vector<Carried> chunks{};
};

/// A chunk of output in the end.
struct Result {
    std::int32_t gpu = 0;
    std::int64_t chunk = 0;
    Carried carried{};
};

struct Course {
    std::vector<Delivery> deliveries{};  ///< those of one round and receiver in the order in which they are taken
    std::vector<std::vector<Origin>> contents{};  ///< rising by GPU; several are one partial result
    std::vector<Recipe> recipes{};
    std::vector<Result> results{};
    Promise promise;         ///< the one kept, or the first
    CounterExample wrong{};  ///< no sentence: all is as promised
    std::vector<std::string> remarks{};
};

/// Throws Error, which begins with `file`, where there is more than is followed.
Course courseOf(const File& msccl, std::string_view file);

}  // namespace engine::schedules::msccl

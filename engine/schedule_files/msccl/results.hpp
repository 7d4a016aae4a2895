// SPDX-License-Identifier: BSD-3-Clause
// Partial results, and what is left in the outputs in the end.
#pragma once

#include "engine/schedule/counter_example.hpp"
#include "engine/schedule_files/msccl/execution.hpp"
#include "engine/schedule_files/msccl/memory.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace engine::schedules::msccl {

/// What was combined so far.
struct Joined {
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> contents{};  ///< by those of which they are
    std::int64_t terms = 0;

    /// Throws Error, without the file's name, where there are more terms than are followed.
    void count(std::size_t more);
};

/// left o right. Throws Wrong (states.hpp), whose sentence has no subject, for different chunks and for one that is
/// counted twice.
Carried combinedOf(Carried left, Carried right, Course& course, Joined& joined);

/// Finds the first of `promises` that the outputs keep, and puts it and them into the course. `nameOf` names the step
/// that left a wrong chunk. Where none is kept, throws Wrong with the fault of the first; of a "custom" collective,
/// which may be any, Error with the name of the file.
void conclude(std::span<const Promise> promises, std::string_view collective, bool inPlace, Memory& memory,
              Course& course, const std::function<std::string(Doer)>& nameOf, std::string_view file);

/// Sorts the messages by round; rounds without messages are none.
void numberRounds(Course& course);

}  // namespace engine::schedules::msccl

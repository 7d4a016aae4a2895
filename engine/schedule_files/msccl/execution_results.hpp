// SPDX-License-Identifier: BSD-3-Clause
// What the executions of MSCCL's files and of MSCCL++'s plans have in common: the chunks of all GPUs, messages and
// partial results, and what is left in the outputs in the end.
#pragma once

#include "engine/schedule_files/msccl/execution.hpp"
#include "engine/schedule_files/msccl/memory.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace engine::schedules::msccl {

class Execution {
protected:
    /// A step of a thread block, and the steps that the block knows to be done.
    struct User {
        std::int32_t gpu = 0;
        Doer doer{};
        const Clock& clock;
    };
    /// Thread blocks that may have something to do, by when.
    using Ready = std::priority_queue<std::pair<std::int64_t, std::int32_t>,
                                      std::vector<std::pair<std::int64_t, std::int32_t>>, std::greater<>>;

    /// Throws Error, which begins with `file`, where there is more than is followed.
    Execution(const File& msccl, std::string_view file);
    ~Execution() = default;
    Execution(const Execution&) = delete;
    Execution& operator=(const Execution&) = delete;

    /// The step at the start of a sentence, and within one.
    [[nodiscard]] virtual std::string name(Doer doer) const = 0;
    [[nodiscard]] virtual std::string mention(Doer doer) const = 0;
    [[nodiscard]] virtual std::string nameOfChunk(std::int32_t gpu, Place place, std::int64_t chunk) const;

    /// Calls `run`, finds the first promise that the outputs keep, and puts it and them into the course. What is wrong
    /// first ends it; where no promise is kept, that is the fault of the first one. Throws Error for a "custom"
    /// collective, which may be any, whose outputs keep none.
    void attempt(const std::function<void()>& run);
    void placeInputs(std::int32_t gpu);
    /// Whether there are not too many thread blocks to check that `steps` ("operations") wait for each other.
    [[nodiscard]] bool keepsClocks(std::int64_t blocks, std::int64_t count, std::string_view steps);
    static void join(Clock& clock, const Clock& other);

    /// What is in a chunk. Throws Wrong (states.hpp) where nothing is, or the user does not wait for who left it there.
    Carried get(const User& user, std::int32_t gpu, Place place, std::int64_t chunk);
    void put(const User& user, std::int32_t gpu, Place place, std::int64_t chunk, Carried value);
    /// left o right. Throws Wrong for different chunks and for one that is counted twice.
    Carried combined(const User& user, Carried left, Carried right);
    /// What its receiver has of a chunk that was sent.
    Carried arrived(const Carried& sent);

    /// Sorts the messages by round; rounds without messages are none.
    void numberRounds();

    std::string file_;
    std::vector<Promise> promises_;
    Memory memory_;
    Course course_;
    std::int32_t arrivals_ = 0;

private:
    void requireOrder(const User& user, std::optional<Doer> before, std::int32_t gpu, Place place,
                      std::int64_t chunk) const;
    Carried combinedOf(Carried left, Carried right);
    void count(std::size_t more);
    void conclude();
    [[nodiscard]] std::optional<CounterExample> faultOf(const Promise& promise);
    void collectResults();

    const File& msccl_;
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> joined_;  ///< what was combined, by its parts
    std::int64_t terms_ = 0;
};

}  // namespace engine::schedules::msccl

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/msccl/execution_results.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/schedule_files/msccl/states.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

namespace engine::schedules::msccl {
namespace {

constexpr std::int64_t mostTerms = std::int64_t{1} << 25;   // of all partial results
constexpr std::int64_t mostClocks = std::int64_t{1} << 27;  // numbers that are looked at for the order of steps

std::string ofGpu(const Promise::Wanted& wanted) {
    return wanted.first == wanted.last ? text(" of that of gpu ", wanted.first) : std::string{};
}

/// What is wrong with one chunk of output.
std::string faultAt(const Promise::Wanted& wanted, const std::vector<Origin>& there, const std::string& where,
                    const std::string& by) {
    if (there.front().chunk != wanted.chunk)
        return text(where, " holds chunk ", there.front().chunk, " of the input", by, ", but must hold chunk ",
                    wanted.chunk, ofGpu(wanted));
    for (std::int32_t gpu = wanted.first; gpu <= wanted.last; ++gpu)
        if (std::none_of(there.begin(), there.end(), [&](const Origin& one) { return one.gpu == gpu; }))
            return text(where, " lacks chunk ", wanted.chunk, " of the input of gpu ", gpu, by);
    if (there.size() != asSize(wanted.last - wanted.first + 1))
        return text(where, " holds more than chunk ", wanted.chunk, ofGpu(wanted), by);
    return {};
}

}  // namespace

Execution::Execution(const File& msccl, std::string_view file)
    : file_{file},
      promises_{promisesOf(msccl, file)},
      memory_{msccl, promises_.front(), file},
      course_{.promise = promises_.front()},
      msccl_{msccl} {
    course_.recipes.push_back({.own = true});
}

std::string Execution::nameOfChunk(std::int32_t, Place place, std::int64_t chunk) const {
    return text("chunk ", place.first + chunk, " of buffer ", bufferLetters[static_cast<std::size_t>(place.buffer)]);
}

void Execution::attempt(const std::function<void()>& run) {
    try {
        run();
        conclude();
    } catch (const Wrong& wrong) {
        course_.wrong = wrong.what;
    }
}

void Execution::placeInputs(std::int32_t gpu) {
    std::int64_t inputs = msccl_.gpus[asSize(gpu)].chunks[0];
    for (const Promise& promise : promises_) inputs = std::max(inputs, promise.inputs(gpu));
    for (std::int64_t c = 0; c < inputs; ++c) {
        const Place place{Buffer::input, c};
        if (!memory_.has(gpu, place, 1)) continue;  // of another root's input
        Cell& cell = memory_.at(gpu, place, 0);
        cell.content = static_cast<std::int32_t>(course_.contents.size());
        cell.recipe = 0;
        course_.contents.push_back({Origin{gpu, c}});
    }
}

bool Execution::keepsClocks(std::int64_t blocks, std::int64_t count, std::string_view steps) {
    if (blocks * (count + blocks) <= mostClocks) return true;
    course_.remarks.push_back(text("that ", steps, " wait for each other before they use one chunk is not checked: ",
                                   blocks, " thread blocks are too many"));
    return false;
}

void Execution::join(Clock& clock, const Clock& other) {
    for (std::size_t b = 0; b < clock.size(); ++b) clock[b] = std::max(clock[b], other[b]);
}

void Execution::requireOrder(const User& user, std::optional<Doer> before, std::int32_t gpu, Place place,
                             std::int64_t chunk) const {
    if (!before) return;
    stopAt({.rank = Rank{user.gpu}}, name(user.doer), " uses ", nameOfChunk(gpu, place, chunk), ", as does ",
           mention(*before), ", and neither waits for the other");
}

Carried Execution::get(const User& user, std::int32_t gpu, Place place, std::int64_t chunk) {
    Cell& cell = memory_.at(gpu, place, chunk);
    requireOrder(user, read(cell, user.doer, user.clock), gpu, place, chunk);
    if (cell.content < 0)
        stopAt({.rank = Rank{user.gpu}}, name(user.doer), " reads ", nameOfChunk(gpu, place, chunk),
               " before anything is there");
    return {cell.content, cell.recipe};
}

void Execution::put(const User& user, std::int32_t gpu, Place place, std::int64_t chunk, Carried value) {
    Cell& cell = memory_.at(gpu, place, chunk);
    requireOrder(user, write(cell, user.doer, user.clock), gpu, place, chunk);
    cell.content = value.content;
    cell.recipe = value.recipe;
}

Carried Execution::arrived(const Carried& sent) {
    course_.recipes.push_back({.own = false, .arrivals = {arrivals_++}});
    return {sent.content, static_cast<std::int32_t>(course_.recipes.size()) - 1};
}

Carried Execution::combined(const User& user, Carried left, Carried right) {
    try {
        return combinedOf(left, right);
    } catch (const Wrong& wrong) {
        stopAt({.rank = Rank{user.gpu}}, name(user.doer), ' ', wrong.what.sentence);
    } catch (const Error& error) {
        throw Error{text(file_, ": ", error.what())};
    }
}

void Execution::count(std::size_t more) {
    terms_ += static_cast<std::int64_t>(more);
    if (terms_ > mostTerms) throw Error{"its partial results have more terms than are followed"};
}

/// The sentence of what is wrong has no subject.
Carried Execution::combinedOf(Carried left, Carried right) {
    const std::vector<Origin>& a = course_.contents[asSize(left.content)];
    const std::vector<Origin>& b = course_.contents[asSize(right.content)];
    if (a.front().chunk != b.front().chunk)
        stopAt({}, "combines chunk ", a.front().chunk, " of the input with chunk ", b.front().chunk);
    auto& content = joined_[{left.content, right.content}];
    if (content == 0) {
        std::vector<Origin> both(a.size() + b.size());
        const auto byGpu = [](const Origin& x, const Origin& y) { return x.gpu < y.gpu; };
        std::merge(a.begin(), a.end(), b.begin(), b.end(), both.begin(), byGpu);
        const auto twice = std::adjacent_find(both.begin(), both.end());
        if (twice != both.end())
            stopAt({}, "counts chunk ", twice->chunk, " of the input of gpu ", twice->gpu, " twice");
        count(both.size());
        content = static_cast<std::int32_t>(course_.contents.size());
        course_.contents.push_back(std::move(both));
    }
    const Recipe& first = course_.recipes[asSize(left.recipe)];
    const Recipe& second = course_.recipes[asSize(right.recipe)];
    Recipe recipe{.own = first.own || second.own};
    std::merge(first.arrivals.begin(), first.arrivals.end(), second.arrivals.begin(), second.arrivals.end(),
               std::back_inserter(recipe.arrivals));
    count(recipe.arrivals.size());
    course_.recipes.push_back(std::move(recipe));
    return {content, static_cast<std::int32_t>(course_.recipes.size()) - 1};
}

/// What is wrong with the outputs if the collective is this one.
std::optional<CounterExample> Execution::faultOf(const Promise& promise) {
    const std::int32_t gpus = promise.problem().ranks();
    for (std::int32_t r = 0; r < gpus; ++r)
        for (std::int64_t c = 0; c < promise.outputs(r); ++c) {
            const Place place{Buffer::output, c};
            if (promise.collective() == Collective::bcast && r == promise.root() && !msccl_.inPlace) continue;
            const Promise::Wanted wanted = promise.wanted(r, c);
            const auto broken = [&](std::string sentence) {
                engine::Place at{.rank = Rank{r}};
                if (!isReduction(promise.collective()))
                    if (const auto chunk = promise.onLine({wanted.first, wanted.chunk})) at.byte = *chunk * chunkBytes;
                return CounterExample{std::move(sentence), std::move(at)};
            };
            if (!memory_.has(r, place, 1)) return broken(text("gpu ", r, " has no chunk ", c, " of output"));
            const Cell& cell = memory_.at(r, place, 0);
            const std::string where = text("in the end chunk ", c, " of the output of gpu ", r);
            if (cell.content < 0) return broken(where + " is empty");
            const std::string by =
                cell.writer.block < 0 ? std::string{} : text(", as ", mention(cell.writer), " leaves it");
            std::string fault = faultAt(wanted, course_.contents[asSize(cell.content)], where, by);
            if (!fault.empty()) return broken(std::move(fault));
        }
    return std::nullopt;
}

/// Puts what is in the outputs that are promised into the course_.
void Execution::collectResults() {
    const Promise& promise = course_.promise;
    const std::int32_t gpus = promise.problem().ranks();
    for (std::int32_t r = 0; r < gpus; ++r)
        for (std::int64_t c = 0; c < promise.outputs(r); ++c) {
            const Place place{Buffer::output, c};
            if (!memory_.has(r, place, 1)) continue;
            const Cell& cell = memory_.at(r, place, 0);
            if (cell.content >= 0) course_.results.push_back({r, c, {cell.content, cell.recipe}});
        }
}

void Execution::conclude() {
    std::optional<CounterExample> first;
    for (const Promise& promise : promises_) {
        std::optional<CounterExample> fault = faultOf(promise);
        if (!fault) {
            course_.promise = promise;
            collectResults();
            return;
        }
        if (!first) first = std::move(fault);
    }
    if (msccl_.collective == "custom")
        throw Error{
            text(file_,
                 ": its collective is \"custom\", and its outputs are those of no supported collective; name the "
                 "collective in the file")};
    throw Wrong{*first};
}

void Execution::numberRounds() {
    std::map<std::int64_t, std::int64_t> numbers;
    for (const Delivery& one : course_.deliveries) numbers.emplace(one.round, 0);
    std::int64_t next = 0;
    for (auto& [round, number] : numbers) number = next++;
    for (Delivery& one : course_.deliveries) one.round = numbers[one.round];
    std::stable_sort(course_.deliveries.begin(), course_.deliveries.end(),
                     [](const Delivery& a, const Delivery& b) { return a.round < b.round; });
}

}  // namespace engine::schedules::msccl

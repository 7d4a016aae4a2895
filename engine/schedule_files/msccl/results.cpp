// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/msccl/results.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/schedule_files/msccl/states.hpp"

#include <algorithm>
#include <iterator>

namespace engine::schedules::msccl {
namespace {

constexpr std::int64_t mostTerms = std::int64_t{1} << 25;  // of all partial results

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

void Joined::count(std::size_t more) {
    terms += static_cast<std::int64_t>(more);
    if (terms > mostTerms) throw Error{"its partial results have more terms than are followed"};
}

Carried combinedOf(Carried left, Carried right, Course& course, Joined& joined) {
    const std::vector<Origin>& a = course.contents[asSize(left.content)];
    const std::vector<Origin>& b = course.contents[asSize(right.content)];
    if (a.front().chunk != b.front().chunk)
        stopAt({}, "combines chunk ", a.front().chunk, " of the input with chunk ", b.front().chunk);
    auto& content = joined.contents[{left.content, right.content}];
    if (content == 0) {
        std::vector<Origin> both(a.size() + b.size());
        const auto byGpu = [](const Origin& x, const Origin& y) { return x.gpu < y.gpu; };
        std::merge(a.begin(), a.end(), b.begin(), b.end(), both.begin(), byGpu);
        const auto twice = std::adjacent_find(both.begin(), both.end());
        if (twice != both.end())
            stopAt({}, "counts chunk ", twice->chunk, " of the input of gpu ", twice->gpu, " twice");
        joined.count(both.size());
        content = static_cast<std::int32_t>(course.contents.size());
        course.contents.push_back(std::move(both));
    }
    const Recipe& first = course.recipes[asSize(left.recipe)];
    const Recipe& second = course.recipes[asSize(right.recipe)];
    Recipe recipe{.own = first.own || second.own};
    std::merge(first.arrivals.begin(), first.arrivals.end(), second.arrivals.begin(), second.arrivals.end(),
               std::back_inserter(recipe.arrivals));
    joined.count(recipe.arrivals.size());
    course.recipes.push_back(std::move(recipe));
    return {content, static_cast<std::int32_t>(course.recipes.size()) - 1};
}

namespace {

/// What is wrong with the outputs if the collective is this one.
std::optional<CounterExample> faultOf(const Promise& promise, bool inPlace, Memory& memory, const Course& course,
                                      const std::function<std::string(Doer)>& nameOf) {
    const std::int32_t gpus = promise.problem().ranks();
    for (std::int32_t r = 0; r < gpus; ++r)
        for (std::int64_t c = 0; c < promise.outputs(r); ++c) {
            const Place place{Buffer::output, c};
            if (promise.collective() == Collective::bcast && r == promise.root() && !inPlace) continue;
            const Promise::Wanted wanted = promise.wanted(r, c);
            const auto broken = [&](std::string sentence) {
                engine::Place at{.rank = Rank{r}};
                if (!isReduction(promise.collective()))
                    if (const auto chunk = promise.onLine({wanted.first, wanted.chunk})) at.byte = *chunk * chunkBytes;
                return CounterExample{std::move(sentence), std::move(at)};
            };
            if (!memory.has(r, place, 1)) return broken(text("gpu ", r, " has no chunk ", c, " of output"));
            const Cell& cell = memory.at(r, place, 0);
            const std::string where = text("in the end chunk ", c, " of the output of gpu ", r);
            if (cell.content < 0) return broken(where + " is empty");
            const std::string by =
                cell.writer.block < 0 ? std::string{} : text(", as ", nameOf(cell.writer), " leaves it");
            std::string fault = faultAt(wanted, course.contents[asSize(cell.content)], where, by);
            if (!fault.empty()) return broken(std::move(fault));
        }
    return std::nullopt;
}

/// Puts what is in the outputs that are promised into the course.
void collectResults(const Promise& promise, Memory& memory, Course& course) {
    const std::int32_t gpus = promise.problem().ranks();
    for (std::int32_t r = 0; r < gpus; ++r)
        for (std::int64_t c = 0; c < promise.outputs(r); ++c) {
            const Place place{Buffer::output, c};
            if (!memory.has(r, place, 1)) continue;
            const Cell& cell = memory.at(r, place, 0);
            if (cell.content >= 0) course.results.push_back({r, c, {cell.content, cell.recipe}});
        }
}

}  // namespace

void conclude(std::span<const Promise> promises, std::string_view collective, bool inPlace, Memory& memory,
              Course& course, const std::function<std::string(Doer)>& nameOf, std::string_view file) {
    std::optional<CounterExample> first;
    for (const Promise& promise : promises) {
        std::optional<CounterExample> fault = faultOf(promise, inPlace, memory, course, nameOf);
        if (!fault) {
            course.promise = promise;
            collectResults(promise, memory, course);
            return;
        }
        if (!first) first = std::move(fault);
    }
    if (collective == "custom")
        throw Error{
            text(file,
                 ": its collective is \"custom\", and its outputs are those of no supported collective; name the "
                 "collective in the file")};
    throw Wrong{*first};
}

void numberRounds(Course& course) {
    std::map<std::int64_t, std::int64_t> numbers;
    for (const Delivery& one : course.deliveries) numbers.emplace(one.round, 0);
    std::int64_t next = 0;
    for (auto& [round, number] : numbers) number = next++;
    for (Delivery& one : course.deliveries) one.round = numbers[one.round];
    std::stable_sort(course.deliveries.begin(), course.deliveries.end(),
                     [](const Delivery& a, const Delivery& b) { return a.round < b.round; });
}

}  // namespace engine::schedules::msccl

// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/options/ranges.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "engine/base/error.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

namespace app {
namespace {

using engine::Error;
using engine::text;

constexpr std::size_t mostNumbers = 1'000'000;

void readPart(std::string_view words, std::string_view what, const ReadNumber& read, std::vector<std::int64_t>& out) {
    const auto dots = words.find("..");
    if (dots == std::string_view::npos) {
        out.push_back(read(words, what));
        return;
    }
    std::string_view end = words.substr(dots + 2);
    std::int64_t step = 1;
    std::int64_t factor = 1;
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    if (const auto mark = end.find_first_of("/*"); mark != std::string_view::npos) {
        const std::string_view stride = end.substr(mark + 1);
        if (end[mark] == '/') step = engine::readInteger(stride, text(what, " step"), 1, most);
        else factor = engine::readInteger(stride, text(what, " factor"), 2, most);
        end = end.substr(0, mark);
    }
    if (dots == 0 || end.empty())
        throw Error{text(what, ": the range '", words, "' lacks an end; write for example 2..24")};
    const std::int64_t first = read(words.substr(0, dots), what);
    const std::int64_t last = read(end, what);
    if (last < first) throw Error{text(what, ": the first number of ", words, " must not exceed the second")};
    constexpr std::int64_t mostSizes = 1'000;
    const bool hasUnit = std::any_of(words.begin(), words.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
    if (hasUnit && factor == 1 && step == 1 && last - first >= mostSizes)
        throw Error{text(what, ": the range ", words, " has ", last - first + 1,
                         " numbers; write a factor or a step, such as ", words, "*2")};
    if (factor > 1 && first < 1)
        throw Error{text(what, ": the range ", words, " multiplies, so it cannot begin with 0")};
    for (std::int64_t number = first;;) {
        if (out.size() >= mostNumbers)
            throw Error{text(what, ": the range ", words, " has more than 1,000,000 numbers")};
        out.push_back(number);
        if (factor > 1 ? number > last / factor : last - number < step) return;
        number = factor > 1 ? number * factor : number + step;
    }
}

/// The values of an option.
std::vector<std::string> valuesOf(const engine::Option& option, const std::string& words) {
    using Kind = engine::Option::Kind;
    if (option.kind == Kind::text) return {words};
    if (option.kind == Kind::choice) return engine::split(words, ',');
    std::vector<std::string> values;
    for (const std::string& part : engine::split(words, ',')) {
        if (part.find("..") == std::string::npos) {
            values.push_back(part);
            continue;
        }
        const ReadNumber read = [&](std::string_view number, std::string_view what) {
            return option.kind == Kind::bytes ? engine::readBytes(number, what)
                                              : engine::readInteger(number, what, option.low, option.high);
        };
        for (const std::int64_t number : readRange(part, text(engine::field::set, ' ', option.name), read))
            values.push_back(std::to_string(number));
    }
    return values;
}

}  // namespace

std::vector<std::int64_t> readRange(std::string_view words, std::string_view what, const ReadNumber& read) {
    std::vector<std::int64_t> numbers;
    for (const std::string& part : engine::split(words, ',')) readPart(part, what, read, numbers);
    return numbers;
}

std::vector<std::map<std::string, std::string>> combinations(const engine::Algorithm& algorithm,
                                                             const std::map<std::string, std::string>& settings) {
    std::vector<std::map<std::string, std::string>> all(1);
    for (const auto& [key, words] : settings) {
        const auto option = std::find_if(algorithm.options.begin(), algorithm.options.end(),
                                         [&, &name = key](const engine::Option& one) { return one.name == name; });
        const std::vector<std::string> values =
            option == algorithm.options.end() ? std::vector{words} : valuesOf(*option, words);
        std::vector<std::map<std::string, std::string>> more;
        for (const auto& one : all)
            for (const std::string& value : values) (more.emplace_back(one))[key] = value;
        all = std::move(more);
    }
    return all;
}

}  // namespace app

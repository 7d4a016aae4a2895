// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/ranges.hpp"

#include "engine/error.hpp"
#include "engine/text.hpp"

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
    if (last < first) throw Error{text(what, ": the range ", words, " ends before it begins")};
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

}  // namespace

std::vector<std::int64_t> readRange(std::string_view words, std::string_view what, const ReadNumber& read) {
    std::vector<std::int64_t> numbers;
    for (const std::string& part : engine::split(words, ',')) readPart(part, what, read, numbers);
    return numbers;
}

}  // namespace app

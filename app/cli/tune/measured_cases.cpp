// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/tune/measured_cases.hpp"

#include "app/session/options/ranges.hpp"
#include "app/session/replay/rule_words.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app::cli {

using engine::Error;
using engine::text;

engine::live::Called calledOf(const std::string& word) {
    const auto called = calledNamed(word);
    if (called && isBlocking(*called)) return *called;
    std::vector<std::string> names;
    for (const engine::live::Called one : engine::live::everyCalled)
        if (isBlocking(one)) names.emplace_back(name(one));
    throw Error{text("'", word, "' is not a collective; choose one of ", engine::joined(names, ", "),
                     engine::didYouMean(word, names))};
}

std::vector<engine::live::Called> callsFrom(const std::string& words) {
    std::vector<engine::live::Called> calls;
    for (const std::string& word : engine::split(words, ',')) {
        const engine::live::Called called = calledOf(word);
        if (!isMeasured(called)) throw Error{text(word, ": cannot be measured; leave it out")};
        if (std::ranges::find(calls, called) == calls.end()) calls.push_back(called);
    }
    return calls;
}

std::vector<engine::Bytes> sizesFrom(std::string words) {
    if (words.find("..") != std::string::npos && words.find_first_of("*/,") == std::string::npos) words += "*4";
    std::vector<engine::Bytes> sizes =
        readRange(words, "--sizes", [](auto word, auto what) { return engine::readBytes(word, what); });
    std::ranges::sort(sizes);
    sizes.erase(std::ranges::unique(sizes).begin(), sizes.end());
    constexpr engine::Bytes most = engine::Bytes{256} << 20;
    constexpr std::size_t mostSizes = 64;
    for (const engine::Bytes size : sizes)
        if (size < 4 || size > most || size % 4 != 0)
            throw Error{
                text("--sizes: ", size,
                     " is no multiple of 4 from 4 to 256MiB: reductions are measured with elements of 4 bytes")};
    if (sizes.size() > mostSizes)
        throw Error{text("--sizes: ", sizes.size(), " sizes; at most ", mostSizes, " are measured, as in 4..4MiB*4")};
    return sizes;
}

std::vector<std::int64_t> ranksFrom(const std::string& words) {
    std::vector<std::int64_t> ranks =
        readRange(words, "--ranks", [](auto word, auto what) { return engine::readInteger(word, what, 2, 65536); });
    std::ranges::sort(ranks);
    ranks.erase(std::ranges::unique(ranks).begin(), ranks.end());
    return ranks;
}

}  // namespace app::cli

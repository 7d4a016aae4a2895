// SPDX-License-Identifier: BSD-3-Clause
// A tree of plain data, as Python's pickle and json write it. Of pickle only what makes data is carried out: whatever
// names a class or calls a function is refused, so that reading a file never runs what is in it.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace traces::flight {

struct Node {
    enum class Kind : std::uint8_t { none, truth, number, real, words, list, dictionary };

    Kind kind = Kind::none;
    std::int64_t number = 0;  ///< of truth 0 or 1
    double real = 0;
    std::string words;
    std::vector<const Node*> items;  ///< of a dictionary keys and values, one after the other

    /// The value of a key; null where this is no dictionary, or has none of that name.
    [[nodiscard]] const Node* at(std::string_view key) const;
    /// A number, also where it is written as words; `otherwise` where it is none.
    [[nodiscard]] std::int64_t integer(std::int64_t otherwise) const;
};

/// Its nodes may refer to each other in circles.
struct Document {
    std::deque<Node> nodes;
    const Node* root = nullptr;
};

/// Throws Error with `name` where the bytes are no pickle of data alone, end early, or hold more than 10 million
/// values.
Document readPickle(std::string_view bytes, const std::string& name);
/// The same of json.
Document readJson(std::string_view bytes, const std::string& name);

}  // namespace traces::flight

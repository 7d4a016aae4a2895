// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/conditions.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace emulation {

std::string toText(Sharing sharing, const Protocol& protocol) {
    std::string words;
    for (const auto& [kind, name] : sharingNames)
        if (kind == sharing) words = name;
    if (protocol.header > 0) words += engine::text(" header=", protocol.header, "B");
    if (protocol.detached > 0) words += engine::text(" detached=", protocol.detached, "B");
    return words;
}

SharingWords sharingFromText(std::string_view words) {
    SharingWords result;
    if (words.empty()) return result;
    bool known = false;
    for (const std::string& word : engine::split(words, ' ')) {
        const auto named = std::find_if(sharingNames.begin(), sharingNames.end(),
                                        [&](const auto& each) { return each.second == word; });
        if (named != sharingNames.end()) {
            result.sharing = named->first;
            known = true;
        } else if (word.starts_with("header=")) {
            result.protocol.header = engine::readBytes(word.substr(7), "header");
        } else if (word.starts_with("detached=")) {
            result.protocol.detached = engine::readBytes(word.substr(9), "detached");
        } else {
            throw engine::Error{engine::text("sharing: '", word, "' is not known")};
        }
    }
    if (!known) throw engine::Error{engine::text("sharing: '", words, "' names no kind of sharing")};
    return result;
}

}  // namespace emulation

// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/options/variant.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

namespace app {

Variant readVariant(const std::string& words, const std::string& what) {
    const std::vector<std::string> parts = engine::split(words, ':');
    Variant variant{parts.at(0), {}};
    std::string last;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const auto equals = parts[i].find('=');
        if (equals == std::string::npos && i > 1) {  // a colon of the value: placement=random:3
            variant.options[last] += ':' + parts[i];
            continue;
        }
        if (equals == std::string::npos || equals == 0)
            throw engine::Error{engine::text(what, ": '", parts[i], "' of '", words,
                                             "' is not key=value; write for example ID:segments=4")};
        last = parts[i].substr(0, equals);
        variant.options[last] = parts[i].substr(equals + 1);
    }
    return variant;
}

}  // namespace app

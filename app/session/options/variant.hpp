// SPDX-License-Identifier: BSD-3-Clause
// An algorithm with options of its own in one word, where several algorithms stand on one command line.
#pragma once

#include <map>
#include <string>

namespace app {

struct Variant {
    std::string id;
    std::map<std::string, std::string> options;
};

/// Reads "id" or "id:option=value:option=value"; values may have colons of their own. Nothing is looked up. Throws
/// Error, which begins with `what`.
Variant readVariant(const std::string& words, const std::string& what);

}  // namespace app

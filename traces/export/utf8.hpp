// SPDX-License-Identifier: BSD-3-Clause
// Words of a trace may have any bytes; files that are read elsewhere have UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace traces {

/// `words` with U+FFFD in place of every byte that belongs to no character.
std::string validUtf8(std::string_view words);

}  // namespace traces

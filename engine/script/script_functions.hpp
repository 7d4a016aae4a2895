// SPDX-License-Identifier: BSD-3-Clause
// The words of a script: what it can say of bytes, and what it does in a turn.
//
// | word                                    | what it is                                                             |
// |-----------------------------------------|------------------------------------------------------------------------|
// | block(i), block(from, to)               | contribution i; of all-to-all that of one rank for another; of a       |
// |                                         | vector block i of n                                                    |
// | blocks(first, count)                    | count of them from first on, going round the end                       |
// | all()                                   | everything                                                             |
// | bytes(first, last)                      | bytes first to last - 1 of the line, or of the vector                  |
// | part(what, pieces, index)               | one of so many balanced pieces of each range of it                     |
// | a .. b, #a                              | both, and how many bytes                                               |
// | send(to, what, slot)                    | what is sent; slot 0 of a reduction unless said otherwise              |
// | receive(from, what, slot...)            | what is received and kept                                              |
// | combine(from, what, slot..., side)      | what is received and combined into slots, from the "right" or "left"   |
#pragma once

#include <lua.hpp>

namespace engine::script {

/// Its address is where the registry keeps the table that `algorithm` was called with.
extern const char headKey;

/// Adds the words to the table on the stack. May raise an error of Lua.
void addWords(lua_State* state);

}  // namespace engine::script

// SPDX-License-Identifier: BSD-3-Clause
// How deep a text of brackets or tags goes: its readers call themselves once per level, and end with the stack.
#pragma once

#include <string_view>

namespace engine {

/// Levels of braces in DOT. Never fewer than a reader may find: what only might stand in a comment or in HTML opens a
/// level, but closes none.
int nestingOfDot(std::string_view words);

/// Levels of elements in XML.
int nestingOfXml(std::string_view words);

}  // namespace engine

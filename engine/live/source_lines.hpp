// SPDX-License-Identifier: BSD-3-Clause
// Lines of source where a program calls, by the debugging information of its files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace engine::live {

/// Adds to each file of teams (collective_records.hpp) the line of every place that it names, as far as binutils'
/// addr2line knows it within ten seconds. Where there is none, or no debugging information, the files stay as they are.
void addLines(std::vector<std::string>& teamFiles);

/// Whether an ELF file has a function of that name of its own, by its symbols.
bool definesFunction(const std::string& object, std::string_view name);

}  // namespace engine::live

// SPDX-License-Identifier: BSD-3-Clause
// What a run was asked for, from what is recorded of it: an archive's properties say it in words of the fields.
#pragma once

#include "app/session/options/specification.hpp"

namespace app {

/// Adds what a property says: its first word is the value of the field `first`, the others are "key=value" of the
/// fields they name. "fair header=16B" is of "sharing"; where `first` is empty, all are "key=value".
void addRecorded(Asked& asked, std::string_view first, const std::string& words);

/// The wish that would make this run again, as far as its setting tells it; nothing for a foreign trace, and where its
/// contributions have sizes that no rule gives.
std::optional<RunWish> wishBehind(const Report& report);

/// `wish` without the name of its network where the algorithm takes that one anyway: another algorithm in its place
/// then takes its own.
RunWish unpinned(RunWish wish);

}  // namespace app

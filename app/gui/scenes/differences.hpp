// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/scenes/subject.hpp"

namespace app::gui {

/// Two runs number by number: what, the first, the second, and the second measured by the first. Then round by round,
/// for as many rounds as the longer one has.
Table differences(const Subject& first, const Subject& second);

}  // namespace app::gui

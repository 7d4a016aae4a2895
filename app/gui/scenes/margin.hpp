// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace app::gui {

/// Pixels that stay free around what a scene draws, and between its parts.
constexpr double margin = 8;

}  // namespace app::gui

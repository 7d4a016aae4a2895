// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>

#include <string_view>

namespace app::gui {

/// Words of the rooms that know no Qt, which are UTF-8.
inline QString toQt(std::string_view words) {
    return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
}

}  // namespace app::gui

// SPDX-License-Identifier: BSD-3-Clause
// The lessons that come with the program, by name. No Qt type.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace app::gui {

/// A lesson that comes with the program.
struct LessonName {
    std::string name;  ///< "what-a-round-is"
    std::string title;
};
std::vector<LessonName> lessonNames();

/// Files of lessons end so.
inline constexpr std::string_view lessonEnding = ".lesson";

}  // namespace app::gui

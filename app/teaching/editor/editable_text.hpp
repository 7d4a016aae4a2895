// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a text file as an editor shows them, and back again without a change that nobody made.
#pragma once

#include <QString>

#include <string>
#include <string_view>

namespace app::gui {

struct EditableText {
    QString text{};             ///< its lines end in '\n'
    bool marked = false;        ///< the file begins with a byte order mark
    bool carriageEnds = false;  ///< the lines of the file end in "\r\n"
};

/// What stands in a file. Throws Error{complaint + ": " + reason} where its bytes could not be written again as they
/// are: no valid UTF-8, or line ends of several kinds.
EditableText editableFrom(std::string_view bytes, const std::string& complaint);

/// The bytes of the file.
std::string bytesOf(const EditableText& file);

}  // namespace app::gui

// SPDX-License-Identifier: BSD-3-Clause
#include "app/teaching/editor/editable_text.hpp"

#include "app/gui/scenes/drawing/to_qt.hpp"
#include "engine/base/error.hpp"

#include <algorithm>

namespace app::gui {
namespace {

constexpr std::string_view mark = "\xEF\xBB\xBF";

/// What a text document takes for the end of a line, beside '\n'.
bool endsALine(QChar letter) {
    return letter == '\r' || letter == QChar::ParagraphSeparator || letter == QChar{0xfdd0} || letter == QChar{0xfdd1};
}

}  // namespace

EditableText editableFrom(std::string_view bytes, const std::string& complaint) {
    EditableText file;
    file.marked = bytes.starts_with(mark);
    if (file.marked) bytes.remove_prefix(mark.size());
    file.text = toQt(bytes);
    if (file.text.toStdString() != bytes) throw engine::Error{complaint + ": it is no valid UTF-8"};
    const auto ends = file.text.count('\n');
    file.carriageEnds = ends > 0 && file.text.count(QStringLiteral("\r\n")) == ends;
    if (file.carriageEnds) file.text.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
    if (std::any_of(file.text.begin(), file.text.end(), endsALine))
        throw engine::Error{complaint + ": its lines end in several ways; let all end in the same"};
    return file;
}

std::string bytesOf(const EditableText& file) {
    QString text = file.text;
    if (file.carriageEnds) text.replace(QStringLiteral("\n"), QStringLiteral("\r\n"));
    return (file.marked ? std::string{mark} : std::string{}) + text.toStdString();
}

}  // namespace app::gui

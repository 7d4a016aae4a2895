// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>

#include <string_view>

namespace app::gui {

/// Words of the rooms that know no Qt, which are UTF-8.
inline QString toQt(std::string_view words) {
    return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
}

/// `words` with U+FFFD in place of every character that XML 1.0, and so SVG, has no way to write: names of regions,
/// ranks and files may hold any.
inline QString withoutControls(QString words) {
    for (qsizetype i = 0; i < words.size(); ++i) {
        const QChar one = words[i];
        const bool paired = (one.isHighSurrogate() && i + 1 < words.size() && words[i + 1].isLowSurrogate()) ||
                            (one.isLowSurrogate() && i > 0 && words[i - 1].isHighSurrogate());
        const bool control = one < u' ' && one != u'\t' && one != u'\n' && one != u'\r';
        if (control || (one.isSurrogate() && !paired) || one == QChar{0xfffe} || one == QChar{0xffff})
            words[i] = QChar::ReplacementCharacter;
    }
    return words;
}

}  // namespace app::gui

// SPDX-License-Identifier: BSD-3-Clause
// Texts of algorithms that were changed and not saved: kept by their path while others are edited, and over a restart.
#pragma once

#include "app/teaching/editor/editable_text.hpp"

#include <QByteArray>
#include <QSettings>

#include <optional>
#include <string>
#include <vector>

namespace app::gui {

/// A text, and the bytes of the file that it began as; none: there was no file.
struct UnsavedText {
    std::string path;
    EditableText file;
    std::optional<QByteArray> before;
};

class UnsavedTexts final {
public:
    /// In the place of what was kept under that path before.
    void keep(UnsavedText text);
    /// What is kept under that path, which it is no longer.
    std::optional<UnsavedText> take(const std::string& path);
    /// The path of what was kept last; nothing: nothing is kept.
    [[nodiscard]] std::optional<std::string> last() const;

    static UnsavedTexts readFrom(QSettings& settings);
    void writeTo(QSettings& settings) const;

private:
    std::vector<UnsavedText> all_;
};

}  // namespace app::gui

// SPDX-License-Identifier: BSD-3-Clause
#include "app/teaching/editor/unsaved_texts.hpp"

#include "app/gui/scenes/drawing/to_qt.hpp"

#include <algorithm>

namespace app::gui {

void UnsavedTexts::keep(UnsavedText text) {
    take(text.path);
    all_.push_back(std::move(text));
}

std::optional<UnsavedText> UnsavedTexts::take(const std::string& path) {
    const auto found =
        std::find_if(all_.begin(), all_.end(), [&](const UnsavedText& each) { return each.path == path; });
    if (found == all_.end()) return std::nullopt;
    UnsavedText taken = std::move(*found);
    all_.erase(found);
    return taken;
}

std::optional<std::string> UnsavedTexts::last() const {
    return all_.empty() ? std::nullopt : std::optional{all_.back().path};
}

UnsavedTexts UnsavedTexts::readFrom(QSettings& settings) {
    UnsavedTexts texts;
    const int number = settings.beginReadArray(QStringLiteral("editor"));
    for (int i = 0; i < number; ++i) {
        settings.setArrayIndex(i);
        UnsavedText text{.path = settings.value("path").toString().toStdString(),
                         .file = {.text = settings.value("text").toString(),
                                  .marked = settings.value("marked").toBool(),
                                  .carriageEnds = settings.value("carriageEnds").toBool()},
                         .before = {}};
        if (settings.contains("before")) text.before = settings.value("before").toByteArray();
        if (!text.path.empty()) texts.keep(std::move(text));
    }
    settings.endArray();
    return texts;
}

void UnsavedTexts::writeTo(QSettings& settings) const {
    settings.remove(QStringLiteral("editor"));
    if (all_.empty()) return;
    settings.beginWriteArray(QStringLiteral("editor"), static_cast<int>(all_.size()));
    for (int i = 0; const UnsavedText& text : all_) {
        settings.setArrayIndex(i++);
        settings.setValue("path", toQt(text.path));
        settings.setValue("text", text.file.text);
        settings.setValue("marked", text.file.marked);
        settings.setValue("carriageEnds", text.file.carriageEnds);
        if (text.before) settings.setValue("before", *text.before);
    }
    settings.endArray();
}

}  // namespace app::gui

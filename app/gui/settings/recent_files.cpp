// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/settings/recent_files.hpp"

#include <QFileInfo>

namespace app::gui {
namespace {

constexpr int mostRecent = 8;

}  // namespace

QString pathToQt(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }

QString Files::ask(PathQuestion question, QWidget* asking) {
    question.folder = settings_->value("folder").toString();
    const QString path = askForPath(asking != nullptr ? asking : window_, question);
    if (!path.isEmpty()) settings_->setValue("folder", QFileInfo{path}.absolutePath());
    return path;
}

QString Files::askForTrace(const QString& title) {
    return ask({.title = title,
                .filters = tr("All files (*);;OTF2 archives (*.otf2);;PyTorch profiler traces (*.json *.json.gz)")});
}

QStringList Files::recent() const { return settings_->value("recent").toStringList(); }

void Files::addRecent(const QString& path) {
    QStringList all = recent();
    const QString whole = QFileInfo{path}.absoluteFilePath();
    all.removeAll(whole);
    all.prepend(whole);
    settings_->setValue("recent", all.mid(0, mostRecent));
}

QString Files::shown() const { return settings_->value("trace").toString(); }

void Files::setShown(const QString& path) {
    if (path.isEmpty()) settings_->remove("trace");
    else settings_->setValue("trace", QFileInfo{path}.absoluteFilePath());
}

}  // namespace app::gui

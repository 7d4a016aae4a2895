// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/settings/window_layout.hpp"

#include "engine/base/error.hpp"

#include <QCryptographicHash>
#include <QDataStream>
#include <QFile>

#include <algorithm>

namespace app::gui {
namespace {

constexpr int version = 3;
const char* const layoutGroup = "layout";
const char* const asideGroup = "layoutSetAside";
const char* const unversioned[] = {"geometry", "docks", "compact", "splitter"};  // what version 0 kept

QByteArray sumOf(const QByteArray& bytes) {
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
}

QDataStream& operator<<(QDataStream& stream, const DockAreas::Arrangement& docks) {
    return stream << docks.docks << docks.window << static_cast<quint8>(docks.packing) << name(docks.layout);
}

QDataStream& operator>>(QDataStream& stream, DockAreas::Arrangement& docks) {
    QString layout;
    quint8 packing = 0;
    stream >> docks.docks >> docks.window >> packing >> layout;
    docks.packing = static_cast<Packing>(std::min<quint8>(packing, static_cast<quint8>(Packing::together)));
    docks.layout = layoutNamed(layout);
    return stream;
}

bool hasVersion0(const QSettings& settings) {
    return std::ranges::any_of(unversioned, [&](const char* key) { return settings.contains(key); });
}

}  // namespace

void save(QSettings& settings, const WindowLayout& layout) {
    QByteArray bytes;
    QDataStream stream{&bytes, QIODevice::WriteOnly};
    stream.setVersion(QDataStream::Qt_6_4);
    stream << layout.geometry << layout.pictures << layout.docks;
    for (const std::optional<DockAreas::Arrangement>& left : layout.left) {
        stream << left.has_value();
        if (left) stream << *left;
    }
    settings.beginGroup(layoutGroup);
    settings.setValue("version", version);
    settings.setValue("bytes", bytes);
    settings.setValue("sum", sumOf(bytes));
    settings.endGroup();
}

std::optional<WindowLayout> savedLayout(QSettings& settings) {
    if (hasVersion0(settings)) throw engine::Error{"the layout of the window was kept by an older version"};
    settings.beginGroup(layoutGroup);
    const bool none = settings.childKeys().isEmpty();
    const QVariant by = settings.value("version");
    const QByteArray bytes = settings.value("bytes").toByteArray();
    const QByteArray sum = settings.value("sum").toByteArray();
    settings.endGroup();
    if (none) return std::nullopt;
    if (by.toInt() != version) throw engine::Error{"the layout of the window was kept by another version"};
    if (sum != sumOf(bytes)) throw engine::Error{"the layout of the window is damaged"};
    WindowLayout layout;
    QDataStream stream{bytes};
    stream.setVersion(QDataStream::Qt_6_4);
    stream >> layout.geometry >> layout.pictures >> layout.docks;
    for (std::optional<DockAreas::Arrangement>& left : layout.left) {
        bool there = false;
        stream >> there;
        if (there) stream >> left.emplace();
    }
    return layout;
}

void setLayoutAside(QSettings& settings) {
    settings.remove(asideGroup);
    QMap<QString, QVariant> values;
    for (const char* key : unversioned)
        if (settings.contains(key)) values[key] = settings.value(key);
    settings.beginGroup(layoutGroup);
    for (const QString& key : settings.childKeys()) values[key] = settings.value(key);
    settings.endGroup();
    for (const char* key : unversioned) settings.remove(key);
    settings.remove(layoutGroup);
    settings.beginGroup(asideGroup);
    for (auto value = values.begin(); value != values.end(); ++value) settings.setValue(value.key(), value.value());
    settings.endGroup();
}

bool setAsideUnreadable(QSettings& settings) {
    if (settings.status() != QSettings::FormatError) return true;
    const QString aside = settings.fileName() + ".unreadable";
    QFile::remove(aside);
    QFile::copy(settings.fileName(), aside);
    settings.clear();
    return false;
}

}  // namespace app::gui

// SPDX-License-Identifier: BSD-3-Clause
// Which files the window was used with lately, and the question for another.
#pragma once

#include "app/gui/widgets/path_dialog.hpp"

#include <QCoreApplication>
#include <QSettings>
#include <QStringList>

#include <filesystem>

namespace app::gui {

QString pathToQt(const std::filesystem::path& path);

class Files final {
    Q_DECLARE_TR_FUNCTIONS(app::gui::Files)

public:
    /// `window` waits while a file is asked for. Both must outlive this.
    Files(QSettings& settings, QWidget& window) : settings_{&settings}, window_{&window} {}

    /// Asks, from the last used folder on; empty when the user chose none. `asking` waits; null: the window.
    QString ask(PathQuestion question, QWidget* asking = nullptr);
    /// Asks for an archive to be read.
    QString askForTrace(const QString& title);

    /// The last eight archives and sessions, the last one first: whole paths.
    [[nodiscard]] QStringList recent() const;
    void addRecent(const QString& path);

    /// The archive that is to be shown again at the next start; empty: none.
    [[nodiscard]] QString shown() const;
    void setShown(const QString& path);

private:
    QSettings* settings_;
    QWidget* window_;
};

}  // namespace app::gui

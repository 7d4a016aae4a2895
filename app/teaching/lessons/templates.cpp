// SPDX-License-Identifier: BSD-3-Clause
#include "app/teaching/lessons/templates.hpp"

#include "app/gui/scenes/drawing/to_qt.hpp"
#include "engine/problem/problem.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

static void loadTemplates() { Q_INIT_RESOURCE(templates); }

namespace app::gui {

const std::vector<Template>& templates() {
    static const std::vector<Template> all = [] {
        loadTemplates();
        std::vector<Template> found;
        for (const QFileInfo& file : QDir{":/templates"}.entryInfoList({"*.lua"})) {
            QFile content{file.filePath()};
            content.open(QIODevice::ReadOnly);
            const QString name = file.completeBaseName();
            const QString collective = name.section('.', 0, 0);
            const QString title = toQt(engine::title(engine::collectiveNamed(collective.toStdString())));
            // The licence is that of this program's file, not of what somebody makes of it.
            const QString text = QString::fromUtf8(content.readAll());
            static const QRegularExpression titled{"title = \"([^\"]*)\""};
            const QString idea = titled.match(text).captured(1);
            found.push_back({name, collective, title, idea, text.mid(text.indexOf('\n') + 1)});
        }
        std::ranges::sort(found, {}, [](const Template& each) { return std::pair{each.title, each.name}; });
        return found;
    }();
    return all;
}

QString emptyScript(const QString& collective) {
    return QStringLiteral(
               "algorithm {\n  collective = \"%1\",\n}\n\nfunction rounds()\n  return 0\nend\n\n"
               "function turn(rank, round)\nend\n")
        .arg(collective);
}

}  // namespace app::gui

// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/window/help.hpp"

#include "app/gui/tables/table_look.hpp"
#include "app/teaching/teaching.hpp"
#include "engine/catalogue/catalogue.hpp"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QStandardPaths>
#include <QTableWidget>
#include <QVBoxLayout>

namespace app::gui {
namespace {

QString tr(const char* words) { return QCoreApplication::translate("Help", words); }

void addLine(QTableWidget& table, const QString& keys, const QString& meaning) {
    const int row = table.rowCount();
    table.insertRow(row);
    table.setItem(row, 0, new QTableWidgetItem{keys});
    table.setItem(row, 1, new QTableWidgetItem{meaning});
}

constexpr int reportColumns = 108;  // 100 of the text, and the margins

QDialog* dialog(QWidget* parent, const QString& title, QWidget* content) {
    auto* made = new QDialog{parent};
    made->setAttribute(Qt::WA_DeleteOnClose);
    made->setWindowTitle(title);
    auto* column = new QVBoxLayout{made};
    column->addWidget(content);
    auto* buttons = new QDialogButtonBox{QDialogButtonBox::Close};
    QObject::connect(buttons, &QDialogButtonBox::rejected, made, &QDialog::reject);
    column->addWidget(buttons);
    return made;
}

}  // namespace

void showKeys(QWidget* parent, const QList<QAction*>& actions) {
    auto* table = new QTableWidget{0, 2};
    keepCellsWhole(*table);
    table->setAccessibleName(tr("Keys"));
    table->setHorizontalHeaderLabels({tr("Key"), tr("What it does")});
    table->verticalHeader()->hide();
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionMode(QAbstractItemView::NoSelection);
    table->setShowGrid(false);
    QStringList known;
    for (const QAction* action : actions) {
        QStringList keys;
        for (const QKeySequence& key : action->shortcuts()) keys += key.toString(QKeySequence::NativeText);
        const QString words = QString{action->text()}.remove('&');
        // What a key does alike in several pictures is said once.
        if (keys.isEmpty() || known.contains(keys.join(' ') + words)) continue;
        known << keys.join(' ') + words;
        addLine(*table, keys.join(tr(" or ")), words);
    }
    addLine(*table, tr("Up, Down"), tr("In a picture: select the previous or next rank"));
    addLine(*table, tr(", and ."), tr("In a picture: select the previous or next message"));
    addLine(*table, tr("Escape"), tr("Select nothing; then leave the projector or full screen"));
    addLine(*table, tr("Right button, Menu"), tr("In a picture: actions for the selected object"));
    addLine(*table, tr("Hovering"), tr("Over a message or bar: highlight its dependency chain"));
    addLine(*table, tr("Wheel"), tr("In the timeline: zoom; with Shift: move"));
    addLine(*table, tr("Wheel with Ctrl, Alt"), tr("In timelines: rows higher or lower; other rows"));
    addLine(*table, tr("Drag, double click"), tr("On a note: move it, edit its text"));
    addLine(*table, tr("Enter, Delete"), tr("In a picture: edit or remove the selected note"));
    addLine(*table, tr("Drag on the ruler"), tr("In the timeline: zoom to the dragged span"));
    addLine(*table, tr("Shift and drag"), tr("In the timeline: measure"));
    addLine(*table, tr("Tab"), tr("To the next field or picture"));
    table->resizeColumnsToContents();
    table->horizontalHeader()->setStretchLastSection(true);
    QDialog* made = dialog(parent, tr("Keys"), table);
    made->resize(520, 560);
    made->show();
}

void showReport(QWidget* parent, const QString& title, const QString& text) {
    auto* lines = new QPlainTextEdit{text};
    lines->setAccessibleName(title);
    lines->setReadOnly(true);
    lines->setLineWrapMode(QPlainTextEdit::NoWrap);
    lines->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    QDialog* made = dialog(parent, title, lines);
    made->setObjectName("report");
    made->resize(lines->fontMetrics().averageCharWidth() * reportColumns, parent->height() * 3 / 4);
    made->show();
}

void showAbout(QWidget* parent) {
    const QString ffmpeg = QStandardPaths::findExecutable(QStringLiteral("ffmpeg"));
    auto* label = new QLabel{tr("<h3>%1 %2</h3><p>Shows how collective communication works.</p>"
                                "<p>%3 algorithms, %4 kinds of networks, %5 lessons.</p>"
                                "<p>Qt %6 (built with %7); compiler %8.<br>Films: %9.</p><p>BSD 3-Clause licence.</p>")
                                 .arg(QCoreApplication::applicationName(), QCoreApplication::applicationVersion())
                                 .arg(engine::catalogue().size())
                                 .arg(emulation::topologies().size())
                                 .arg(lessons().size())
                                 .arg(qVersion(), QT_VERSION_STR, QString::fromLatin1(__VERSION__),
                                      ffmpeg.isEmpty() ? tr("the program ffmpeg is missing") : ffmpeg)};
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setAccessibleName(tr("About"));
    dialog(parent, tr("About %1").arg(QCoreApplication::applicationName()), label)->show();
}

}  // namespace app::gui

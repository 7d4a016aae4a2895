// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/tables/table_chooser.hpp"

#include "app/analysis/overview/analysis_queue.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/widgets/field.hpp"

namespace app::gui {
namespace {

/// "idle-waves" as people see it: "Idle waves".
QString titleOf(const analysis::TableDefinition& definition) {
    QString words = toQt(definition.name).replace('-', ' ');
    words[0] = words[0].toUpper();
    return words;
}

}  // namespace

QuestionChoice::QuestionChoice(QObject* parent) : QObject{parent}, list_{new QListWidget}, box_{slimBox()} {
    const auto add = [this](const QString& title, const QString& meaning, const QString& name) {
        auto* item = new QListWidgetItem{title, list_};
        item->setToolTip(meaning);
        item->setData(Qt::UserRole, name);
    };
    add(tr("Summary"), tr("what happened, in a few sentences"), {});
    for (const analysis::TableDefinition& definition : analysis::tableDefinitions())
        add(titleOf(definition), toQt(definition.meaning), toQt(definition.name));
    list_->setCurrentRow(0);
    list_->setMinimumWidth(60);
    list_->setAccessibleName(tr("Tables"));
    list_->setAccessibleDescription(tr("Select a table to show it on the right."));
    box_->setModel(list_->model());
    box_->setAccessibleName(tr("Table"));
    box_->setAccessibleDescription(tr("Select a table to show it below."));
    connect(list_, &QListWidget::currentRowChanged, this, [this](int row) {
        box_->setCurrentIndex(row);
        Q_EMIT changed();
    });
    connect(box_, &QComboBox::currentIndexChanged, list_, [this](int row) { list_->setCurrentRow(row); });
}

void QuestionChoice::setSlim(bool slim) {
    QWidget* used = slim ? static_cast<QWidget*>(box_) : list_;
    const bool moved = list_->hasFocus() || box_->hasFocus();
    list_->setVisible(!slim);
    box_->setVisible(slim);
    if (moved) used->setFocus();
}

void QuestionChoice::choose(const QString& definition) {
    for (int row = 0; row < list_->count(); ++row)
        if (list_->item(row)->data(Qt::UserRole).toString() == definition) return list_->setCurrentRow(row);
}

QString QuestionChoice::chosen() const { return list_->currentItem()->data(Qt::UserRole).toString(); }

}  // namespace app::gui

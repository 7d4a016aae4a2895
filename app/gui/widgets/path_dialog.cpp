// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/widgets/path_dialog.hpp"

#include <QAbstractItemView>
#include <QDir>
#include <QFileDialog>

namespace app::gui {

QString askForPath(QWidget* parent, const PathQuestion& question) {
    const bool there = !question.folder.isEmpty() && QFileInfo{question.folder}.isDir();
    QFileDialog dialog{parent, question.title, there ? question.folder : QDir::currentPath(), question.filters};
    // A desktop's own dialog may delete and rename; Qt's does not with this option.
    QFileDialog::Options options = QFileDialog::DontUseNativeDialog | QFileDialog::ReadOnly;
    if (question.purpose == PathQuestion::Purpose::newFolder) options |= QFileDialog::DontConfirmOverwrite;
    dialog.setOptions(options);
    const bool folder = question.purpose == PathQuestion::Purpose::folder;
    const bool open = folder || question.purpose == PathQuestion::Purpose::open;
    dialog.setAcceptMode(open ? QFileDialog::AcceptOpen : QFileDialog::AcceptSave);
    dialog.setFileMode(folder ? QFileDialog::Directory : open ? QFileDialog::ExistingFile : QFileDialog::AnyFile);
    if (!question.name.isEmpty()) dialog.selectFile(question.name);
    // What is dragged out of it may be moved by what it is dropped on.
    for (auto* list : dialog.findChildren<QAbstractItemView*>()) list->setDragDropMode(QAbstractItemView::NoDragDrop);
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString{};
}

}  // namespace app::gui

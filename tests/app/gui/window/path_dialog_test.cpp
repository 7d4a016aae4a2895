// SPDX-License-Identifier: BSD-3-Clause
// The dialog for files harms none, whatever is pressed in it: on a tree of decoys, compared before and after.
#include "app/gui/widgets/path_dialog.hpp"

#include "app/gui/export/export_dialog.hpp"
#include "tests/app/gui/window_fixture.hpp"

#include <QAbstractButton>
#include <QContextMenuEvent>
#include <QDir>
#include <QDirIterator>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QMimeData>
#include <QTimer>

#include <deque>

namespace app::gui {
namespace {

using Purpose = PathQuestion::Purpose;

void write(const QString& path, const QByteArray& words) {
    QFile file{path};
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(words);
}

/// Every entry below `folder`, with what is in it.
std::map<std::string, std::string> treeOf(const QString& folder) {
    std::map<std::string, std::string> tree;
    QDirIterator entries{folder, QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
                         QDirIterator::Subdirectories};
    while (entries.hasNext()) {
        QFile file{entries.next()};
        const bool readable = !entries.fileInfo().isDir() && file.open(QIODevice::ReadOnly);
        tree[entries.filePath().toStdString()] = readable ? file.readAll().toStdString() : "folder";
    }
    return tree;
}

/// Does one thing after the other, also while a dialog, a menu or a question is waited for; then sends all of them
/// away.
class Presser : public QObject {
public:
    using Step = std::function<void()>;

    void add(Step step) { steps_.push_back(std::move(step)); }
    /// To the menu or the dialog in front, once it takes keys.
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier, int patience = 100) {
        add([=, this] {
            if (QWidget* menu = QApplication::activePopupWidget()) return QTest::keyClick(menu, key, modifiers);
            QWidget* asking = QApplication::activeModalWidget();
            if (asking == nullptr) return;
            if (!asking->isActiveWindow() && patience > 0) {
                press(key, modifiers, patience - 1);
                std::ranges::rotate(steps_, std::prev(steps_.end()));
                return;
            }
            if (auto* question = qobject_cast<QMessageBox*>(asking); question && modifiers == Qt::AltModifier)
                if (QAbstractButton* answer = question->button(answerOf(key))) return answer->click();
            QWidget* focused = asking->focusWidget();
            QTest::keyClick(focused != nullptr ? focused : asking, key, modifiers);
        });
    }
    /// Once there is a dialog.
    void inDialog(Step step, int patience = 500) {
        add([=, this] {
            if (QApplication::activeModalWidget() != nullptr || patience == 0) return step();
            inDialog(step, patience - 1);
            std::ranges::rotate(steps_, std::prev(steps_.end()));
        });
    }
    void begin() { QTimer::singleShot(stepMilliseconds, this, &Presser::next); }
    [[nodiscard]] bool done() const { return steps_.empty(); }

private:
    static constexpr int stepMilliseconds = 2;

    static QMessageBox::StandardButton answerOf(Qt::Key key) {
        return key == Qt::Key_Y ? QMessageBox::Yes : key == Qt::Key_N ? QMessageBox::No : QMessageBox::NoButton;
    }

    void next() {
        begin();  // this step may wait for what the next one does
        if (!steps_.empty()) {
            const Step step = std::move(steps_.front());
            steps_.pop_front();
            return step();
        }
        if (QWidget* menu = QApplication::activePopupWidget()) menu->close();
        else if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) dialog->reject();
    }

    std::deque<Step> steps_;
};

class PathDialogTest : public testing::Test {
protected:
    PathDialogTest() {
        QDir scratch{folder_.path()};
        for (const char* below : {"tree/a/deep/deeper", "tree/empty", "tree/z", "elsewhere"}) scratch.mkpath(below);
        for (const char* file : {"tree/0.otf2", "tree/b.otf2", "tree/keep.png", "tree/a/first.csv", "tree/.hidden",
                                 "tree/a/deep/deeper/last.model", "elsewhere/mine"})
            write(scratch.filePath(file), file);
        tree_ = scratch.filePath("tree");
        QDir::setCurrent(tree_);
    }
    ~PathDialogTest() override { QDir::setCurrent(before_); }

    [[nodiscard]] QString path(const char* below) const { return QDir{folder_.path()}.filePath(below); }
    [[nodiscard]] std::map<std::string, std::string> tree() const { return treeOf(folder_.path()); }

    /// The dialog that is open; it must stand in the scratch folder, or no key is pressed.
    [[nodiscard]] QFileDialog* dialog() const {
        auto* found = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (found == nullptr) return nullptr;
        const QString where = QFileInfo{found->directory().path()}.canonicalFilePath();
        if (!where.startsWith(QFileInfo{folder_.path()}.canonicalFilePath())) {
            ADD_FAILURE() << "the dialog stands in " << where.toStdString();
            found->reject();
            return nullptr;
        }
        return found;
    }
    [[nodiscard]] QListView* list() const {
        QFileDialog* open = dialog();
        return open != nullptr ? open->findChild<QListView*>("listView") : nullptr;
    }
    /// Takes the row of the list, as a click does.
    void take(Presser& presser, int row) const {
        presser.add([this, row] {
            while (QWidget* menu = QApplication::activePopupWidget()) menu->close();
            QListView* rows = list();
            if (rows == nullptr) return;
            const QModelIndex index = rows->model()->index(row, 0, rows->rootIndex());
            QTest::mouseClick(rows->viewport(), Qt::LeftButton, Qt::NoModifier, rows->visualRect(index).center());
            rows->setFocus();
            rows->setCurrentIndex(index);
        });
    }
    /// What destroys in Qt's dialog as it comes, on each of the first rows.
    void destroy(Presser& presser) const {
        for (int row = 0; row < 4; ++row) {
            for (const Qt::KeyboardModifier modifier : {Qt::NoModifier, Qt::ShiftModifier, Qt::ControlModifier}) {
                take(presser, row);
                presser.press(Qt::Key_Delete, modifier);
                presser.press(Qt::Key_Y, Qt::AltModifier);
            }
            take(presser, row);
            presser.press(Qt::Key_F2);
            presser.press(Qt::Key_X);
            presser.press(Qt::Key_Tab);
            for (int entry = 1; entry <= 4; ++entry) {
                take(presser, row);
                presser.add([this] {
                    QListView* rows = list();
                    if (rows == nullptr) return;
                    const QPoint at = rows->visualRect(rows->currentIndex()).center();
                    QContextMenuEvent asked{QContextMenuEvent::Mouse, at, rows->viewport()->mapToGlobal(at)};
                    QCoreApplication::sendEvent(rows->viewport(), &asked);
                });
                for (int down = 0; down < entry; ++down) presser.press(Qt::Key_Down);
                presser.press(Qt::Key_Return);
                presser.press(Qt::Key_Y, Qt::AltModifier);
                presser.press(Qt::Key_Y);
            }
            presser.add([this] { drop(); });
        }
        presser.add([this] {
            if (auto* open = dialog()) QTest::mouseClick(open->findChild<QWidget*>("newFolderButton"), Qt::LeftButton);
        });
        presser.press(Qt::Key_N, Qt::ControlModifier);
    }
    /// Drops another folder's file on the list, to be moved there.
    void drop() const {
        QListView* rows = list();
        if (rows == nullptr) return;
        EXPECT_EQ(rows->dragDropMode(), QAbstractItemView::NoDragDrop);
        QMimeData files;
        files.setUrls({QUrl::fromLocalFile(path("elsewhere/mine"))});
        const QPoint at = rows->visualRect(rows->model()->index(0, 0, rows->rootIndex())).center();
        QDragEnterEvent entered{at, Qt::MoveAction, &files, Qt::LeftButton, Qt::NoModifier};
        QCoreApplication::sendEvent(rows->viewport(), &entered);
        QDropEvent dropped{at, Qt::MoveAction, &files, Qt::LeftButton, Qt::NoModifier};
        QCoreApplication::sendEvent(rows->viewport(), &dropped);
    }

    const QString before_ = QDir::currentPath();
    QTemporaryDir folder_;
    QString tree_;
};

TEST_F(PathDialogTest, harmsNothingWhateverIsPressed) {
    const auto before = tree();
    ASSERT_EQ(before.size(), 14U);
    for (const Purpose purpose : {Purpose::open, Purpose::saveFile, Purpose::newFolder}) {
        Presser presser;
        destroy(presser);
        presser.begin();
        (void)askForPath(nullptr, {.purpose = purpose, .title = "Which?"});
        EXPECT_TRUE(presser.done()) << "the dialog was closed before everything was pressed";
        EXPECT_EQ(tree(), before);
    }
}

TEST_F(PathDialogTest, beginsInTheWorkingFolderWhenItsOwnIsGone) {
    for (const QString& folder : {QString{}, path("gone"), path("elsewhere/mine")}) {
        Presser presser;
        QString found;
        presser.inDialog([&] { found = dialog() != nullptr ? dialog()->directory().canonicalPath() : QString{}; });
        presser.begin();
        (void)askForPath(nullptr, {.title = "Which?", .folder = folder});
        EXPECT_EQ(found.toStdString(), QFileInfo{tree_}.canonicalFilePath().toStdString());
    }
}

TEST_F(PathDialogTest, namesANewFileAndAsksBeforeAnOldOne) {
    const auto name = [&](const QString& words, bool agreed) {
        Presser presser;
        presser.inDialog([this, words] {
            if (auto* open = dialog()) open->findChild<QLineEdit*>("fileNameEdit")->setText(words);
        });
        presser.press(Qt::Key_Return);
        presser.press(agreed ? Qt::Key_Y : Qt::Key_N, Qt::AltModifier);
        presser.begin();
        return askForPath(nullptr, {.purpose = Purpose::saveFile, .title = "Where?", .name = "proposed.png"});
    };
    EXPECT_EQ(name("new.png", false), tree_ + "/new.png");
    EXPECT_EQ(name("keep.png", true), tree_ + "/keep.png");
    EXPECT_EQ(name("keep.png", false), "");
}

class FilesTest : public PathDialogTest {
protected:
    FilesTest() { stage_.begin(); }

    /// Presses `key` with Ctrl in the window, and then what `presser` knows.
    void ask(Qt::Key key, Presser& presser) {
        stage_.window.activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&stage_.window));
        presser.begin();
        QTest::keyClick(&stage_.window, key, Qt::ControlModifier);
        if (key == Qt::Key_E) exportNow();
        EXPECT_TRUE(QTest::qWaitFor([] { return QApplication::activeModalWidget() == nullptr; }));
        stage_.settle();
    }
    /// As the dialog of what to write proposes it.
    void exportNow() {
        auto* asked = stage_.window.findChild<ExportDialog*>();
        ASSERT_NE(asked, nullptr);
        for (auto* button : asked->findChildren<QPushButton*>())
            if (button->isDefault()) QTest::mouseClick(button, Qt::LeftButton);
        EXPECT_TRUE(QTest::qWaitFor([asked] { return !asked->busy(); }, 20'000));
        delete asked;
    }
    void name(Presser& presser, const QString& words) const {
        presser.inDialog([this, words] {
            if (auto* open = dialog()) open->findChild<QLineEdit*>("fileNameEdit")->setText(words);
        });
        presser.press(Qt::Key_Return);
    }

    Stage stage_;
};

TEST_F(FilesTest, areHarmedByNoDialogOfTheWindow) {
    const auto before = tree();
    for (const Qt::Key key : {Qt::Key_O, Qt::Key_S, Qt::Key_E}) {
        Presser presser;
        destroy(presser);
        ask(key, presser);
        EXPECT_TRUE(presser.done());
        EXPECT_EQ(tree(), before);
    }
}

TEST_F(FilesTest, areSavedInTheWorkingFolderAndThenWhereTheLastOneWas) {
    const auto begins = [&](Qt::Key key) {
        Presser presser;
        QString found;
        presser.inDialog([&] { found = dialog() != nullptr ? dialog()->directory().canonicalPath() : QString{}; });
        ask(key, presser);
        return found;
    };
    for (const Qt::Key key : {Qt::Key_O, Qt::Key_S, Qt::Key_E})
        EXPECT_EQ(begins(key), QFileInfo{tree_}.canonicalFilePath());
    {
        Presser presser;  // sends dialogs away as long as it lives
        name(presser, path("elsewhere/new"));
        ask(Qt::Key_S, presser);
    }
    EXPECT_TRUE(QFileInfo::exists(path("elsewhere/new/traces.otf2")));
    for (const Qt::Key key : {Qt::Key_O, Qt::Key_S, Qt::Key_E})
        EXPECT_EQ(begins(key), QFileInfo{path("elsewhere")}.canonicalFilePath());
}

TEST_F(FilesTest, areReplacedOnlyByAPictureAndOnlyWhenTheUserAgrees) {
    const auto before = tree();
    {
        Presser presser;
        name(presser, "a");
        ask(Qt::Key_S, presser);
        EXPECT_EQ(tree(), before);
    }
    for (const bool agreed : {false, true}) {
        Presser presser;
        name(presser, "keep.png");
        presser.press(agreed ? Qt::Key_Y : Qt::Key_N, Qt::AltModifier);
        ask(Qt::Key_E, presser);
        EXPECT_EQ(tree() != before, agreed);
    }
    EXPECT_EQ(tree().size(), before.size());
}

}  // namespace
}  // namespace app::gui

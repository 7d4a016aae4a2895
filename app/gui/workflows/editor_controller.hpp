// SPDX-License-Identifier: BSD-3-Clause
// Writing an algorithm or a lesson in the window: its text is read and proved beside the window while somebody types;
// what is right so far of an algorithm is run and shown as any other, and of a lesson the stop at the cursor is given.
// A file that somebody else changes is taken up.
#pragma once

#include "app/gui/workflows/run_loader.hpp"
#include "app/teaching/teaching.hpp"

#include <QFileSystemWatcher>
#include <QTimer>

#include <filesystem>
#include <string>

namespace app::gui {

class EditorPanel;

class EditorController final : public QObject {
    Q_OBJECT

public:
    EditorController(Contents& contents, RunLoader& presenter, Files& files, QSettings& settings, QStatusBar& status);
    ~EditorController() override;

    /// Shows the editor: with what was not saved the last time, else with a template.
    void begin();
    /// Shows what was not saved the last time; false: there is nothing.
    bool resume();
    /// The template of that name, which has no file yet.
    void beginWith(const QString& name);
    /// An algorithm that does nothing yet, for that collective, which has no file.
    void beginEmpty(const QString& collective);
    /// A schedule that has no file yet, as the text of a json file.
    void beginSchedule(const QString& text);
    /// A lesson without a file: like the one that comes with the program under that name; of no name: a short one.
    void beginLesson(const QString& name);
    /// Shows the editor with the lesson that stands in it, else with one that has no file yet, else with a short one.
    void resumeLesson();
    /// Reads the file of an algorithm or a lesson into the editor and shows what it does. What is wrong with it stands
    /// in the editor.
    void open(const std::filesystem::path& path);
    void askForFile();
    /// Writes the text to its file; one that has none is asked for.
    void save();
    /// The id of the algorithm in the editor; empty: there is none.
    [[nodiscard]] std::string path() const { return isLesson(path_) ? std::string{} : path_; }
    /// Reads, runs and proves the text once more.
    void checkAgain() { check(); }
    /// The text is being read, proved or run.
    [[nodiscard]] bool busy() const { return settling_.isActive() || reader_.busy() || prover_.busy(); }
    /// Keeps what was not saved for the next start.
    void remember();

Q_SIGNALS:
    /// The text is another one, which is not read yet.
    void edited();
    /// The text was read: from here on it is the algorithm of its path.
    void read();
    /// It could not be.
    void unread(const QString& why);
    /// The text is that of a lesson, which wants to be seen.
    void lessonShown();

private:
    /// The algorithm in the text, and what is to be run of it.
    struct Read {
        RunWish wish;
        bool small = true;
    };

    /// Shows another text in the place of what stands there, which is kept where it is not saved.
    void show(const UnsavedText& text);
    /// What stands there, of which the file need know nothing.
    [[nodiscard]] UnsavedText standing() const;
    void keepAside();
    /// Whether the file is no longer as it was read.
    [[nodiscard]] bool changedMeanwhile() const;
    [[nodiscard]] std::string askWhereToSave() const;
    /// Shows the text behind a run that is about to be shown, if that is a file's.
    void adopt(const QString& name);
    void watch();
    void changedOutside();
    void check();
    void checkLesson();
    void giveLesson();
    void followCursor();
    void prove();
    [[nodiscard]] std::size_t stopAtCursor() const;
    void refused(const QString& sentence);
    [[nodiscard]] EditorPanel& editor() const { return *contents_->editor; }

    Contents* contents_;
    RunLoader* runLoader_;
    Files* files_;
    QSettings* settings_;
    QStatusBar* status_;
    QFileSystemWatcher watcher_;
    QTimer settling_;
    std::string path_;                     // of the algorithm; without a folder: it has no file yet
    EditableText form_;                    // how its bytes are written; its text is the editor's
    std::optional<QByteArray> inTheFile_;  // the bytes there as far as is known; none: there is no file
    std::optional<LessonDraft> draft_;     // the lesson in the text as it could be read last
    UnsavedTexts unsaved_;                 // of other files
    Worker reader_;
    Worker prover_;
};

}  // namespace app::gui

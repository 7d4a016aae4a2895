// SPDX-License-Identifier: BSD-3-Clause
// Gets what the window shows: runs what was wished, or reads an archive, and shows it when it is there. One at a time:
// what is asked for last is what is shown.
#pragma once

#include "app/gui/settings/recent_files.hpp"
#include "app/gui/widgets/worker.hpp"
#include "app/gui/workflows/beginning.hpp"
#include "app/gui/workflows/window_contents.hpp"

#include <QTimer>

#include <filesystem>

class QSettings;
class QStatusBar;

namespace app::gui {

class RunLoader final : public QObject {
    Q_OBJECT

public:
    /// The moment at which a run is shown first.
    enum class Moment : std::uint8_t { mostInformative, keepFraction, begin };

    RunLoader(Playback& playback, Contents& contents, Files& files, QSettings& settings, QStatusBar& status);

    /// Shows what the window is opened on; without anything opens the last trace or runs the last problem, and the
    /// first example at the very first start.
    void begin(Beginning beginning);
    /// How openTrace reads files without a timeline; empty: it reads none.
    void setReadReport(ReadReport read) { readReport_ = std::move(read); }
    void run(const RunWish& wish, Moment moment);
    /// Reads an archive beside the window and shows it, or emits reported(). What is wrong with it stands above the
    /// pictures.
    void openTrace(const std::filesystem::path& path, const traces::Opening& opening = {},
                   analysis::Clocks clocks = analysis::Clocks::fittedWhereNeeded);
    /// Shows a trace that is there already; `source`: the archive that it comes from, empty: none.
    void show(DrawableRunPtr subject, const QString& name, const std::filesystem::path& source);
    /// The same for a part of the trace that is shown, and for all of it again: nothing else of the window changes.
    void showPart(DrawableRunPtr subject, const QString& name, const std::filesystem::path& source);
    void askForTrace();
    void askForFolder();
    void cancel() { runner_.cancel(); }
    [[nodiscard]] bool busy() const { return runner_.busy() || preferring_.isActive(); }

    /// The archive that is shown; empty: a run that was made here.
    [[nodiscard]] const std::filesystem::path& source() const { return source_; }
    /// What the run that is shown is called.
    [[nodiscard]] const QString& name() const { return name_; }

Q_SIGNALS:
    /// Something is asked for: what was asked for before and is not shown yet never will be.
    void began();
    /// Something is about to be shown under that name.
    void presented(const QString& name);
    /// It is shown, at its first moment.
    void shown();
    /// What was wished is shown.
    void ran();
    /// Files without a timeline were read: their name, and what there is to read of them.
    void reported(const QString& name, const QString& text);
    /// What was wished cannot be run, as a sentence.
    void refused(const QString& sentence);

private:
    void showTrace(Trace trace);
    /// `source`: the archive it comes from; empty: none.
    void present(DrawableRunPtr subject, const QString& name, const std::filesystem::path& source, Moment moment);
    /// What a trace is read for: answers; of a program also where and when.
    void showTables();
    void preferTables();
    void keepIndex(const std::function<void(const engine::Progress&)>& keep);

    Playback* playback_;
    Contents* contents_;
    Files* files_;
    QSettings* settings_;
    QStatusBar* status_;
    QString name_;
    std::filesystem::path source_;
    ReadReport readReport_;
    QTimer preferring_;
    Worker runner_;
    Worker keeper_;  // keeps the index of a trace, for which nobody waits
};

}  // namespace app::gui

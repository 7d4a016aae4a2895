// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/workflows/editor_controller.hpp"

#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/settings/run_settings.hpp"
#include "app/gui/setup/setup_panel.hpp"
#include "app/gui/widgets/field.hpp"
#include "app/gui/widgets/notice_bar.hpp"
#include "app/gui/workflows/game_controller.hpp"
#include "app/teaching/teaching.hpp"
#include "engine/base/new_file.hpp"
#include "engine/base/small_file.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/catalogue/catalogue.hpp"

#include <QFileInfo>
#include <QRegularExpression>
#include <QStatusBar>

#include <algorithm>
#include <chrono>

namespace app::gui {
namespace {

using namespace std::chrono_literals;

constexpr auto settle = 40ms;               // of typing
constexpr std::int64_t mostText = 1 << 20;  // bytes that are edited
const std::string nameless = "untitled.lua";
const std::string namelessSchedule = "untitled.json";
const std::string namelessLesson = "untitled.lesson";

bool isNameless(const std::string& path) {
    return path == nameless || path == namelessSchedule || path == namelessLesson;
}

/// Whether it is what somebody began with.
bool isTemplate(const QString& text) {
    return text == lessonTemplate() ||
           std::ranges::any_of(templates(), [&](const Template& each) { return each.text == text; }) ||
           std::ranges::any_of(lessons(), [&](const Lesson& each) { return text == textOfLesson(each.name); });
}

/// What a new algorithm is run with first.
RunWish firstWishFor(engine::Collective collective) {
    RunWish wish;
    if (engine::isIntergroup(collective)) {
        wish.problem.groupA = 4;
        wish.problem.groupB = 6;
    } else {
        wish.problem.ranks = 8;
    }
    return wish;
}

/// The content of a file that nobody has changed yet. Throws Error{complaint + ": " + reason}.
UnsavedText asInTheFile(const std::string& path, const std::string& bytes, const std::string& complaint) {
    return {.path = path, .file = editableFrom(bytes, complaint), .before = QByteArray::fromStdString(bytes)};
}

}  // namespace

EditorController::EditorController(Contents& contents, RunLoader& presenter, Files& files, QSettings& settings,
                                   QStatusBar& status)
    : contents_{&contents},
      runLoader_{&presenter},
      files_{&files},
      settings_{&settings},
      status_{&status},
      unsaved_{UnsavedTexts::readFrom(settings)} {
    settling_.setSingleShot(true);
    settling_.setInterval(settle);
    connect(&settling_, &QTimer::timeout, this, &EditorController::check);
    EditorPanel* panel = contents.editor;
    connect(panel, &EditorPanel::edited, this, [this] {
        // What is being read, proved or run is no longer what stands there.
        reader_.cancel();
        prover_.cancel();
        settling_.start();
        Q_EMIT edited();
    });
    connect(panel, &EditorPanel::opened, this, &EditorController::askForFile);
    connect(panel, &EditorPanel::saved, this, &EditorController::save);
    connect(panel, &EditorPanel::begun, this, &EditorController::beginWith);
    connect(panel, &EditorPanel::lessonBegun, this, &EditorController::beginLesson);
    connect(&panel->edit(), &QPlainTextEdit::cursorPositionChanged, this, &EditorController::followCursor);
    connect(&presenter, &RunLoader::refused, this, [this](const QString& sentence) {
        if (!path_.empty() && sentence.startsWith(toQt(path_) + ':')) refused(sentence);
    });
    connect(&presenter, &RunLoader::presented, this, &EditorController::adopt);
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this, &EditorController::changedOutside);
}

EditorController::~EditorController() {
    if (!path_.empty()) engine::schedules::dropDraft(path_);
}

void EditorController::begin() {
    contents_->docks.bringUp(Dock::editor);
    editor().setFocus();
    if (path_.empty() && !resume()) beginWith(QStringLiteral("allgatherv"));
}

bool EditorController::resume() {
    const auto last = unsaved_.last();
    if (!last) return false;
    contents_->docks.bringUp(Dock::editor);
    show(*unsaved_.take(*last));
    return true;
}

void EditorController::beginWith(const QString& name) {
    for (const Template& each : templates())
        if (each.name == name) {
            contents_->docks.bringUp(Dock::editor);
            // The template replaces another text without a file as a change that can be undone.
            if (const auto kept = unsaved_.take(nameless)) show(*kept);
            show({.path = nameless, .file = {.text = each.text}, .before = {}});
        }
}

void EditorController::beginEmpty(const QString& collective) {
    contents_->docks.bringUp(Dock::editor);
    if (const auto kept = unsaved_.take(nameless)) show(*kept);
    show({.path = nameless, .file = {.text = emptyScript(collective)}, .before = {}});
}

void EditorController::beginSchedule(const QString& text) {
    if (text.size() > mostText)
        return contents_->notice->say(
            tr("The schedule is larger than 1 MiB, the limit of the editor; "
               "'collscope synthesize' writes it to a file."));
    contents_->docks.bringUp(Dock::editor);
    show({.path = namelessSchedule, .file = {.text = text}, .before = {}});
}

void EditorController::beginLesson(const QString& name) {
    contents_->docks.bringUp(Dock::editor);
    if (const auto kept = unsaved_.take(namelessLesson)) show(*kept);
    const QString text = name.isEmpty() ? lessonTemplate() : textOfLesson(name.toStdString());
    show({.path = namelessLesson, .file = {.text = text}, .before = {}});
}

void EditorController::resumeLesson() {
    if (isLesson(path_)) {
        Q_EMIT lessonShown();
        return giveLesson();
    }
    contents_->docks.bringUp(Dock::editor);
    if (const auto kept = unsaved_.take(namelessLesson)) show(*kept);
    else beginLesson({});
}

void EditorController::open(const std::filesystem::path& path) {
    try {
        const std::string complaint = "cannot edit the file '" + path.string() + "'";
        UnsavedText found = asInTheFile(path.string(), engine::bytesOf(path, mostText, complaint), complaint);
        contents_->docks.bringUp(Dock::editor);
        if (const auto kept = unsaved_.take(found.path)) show(*kept);
        else show(found);
    } catch (const engine::Error& error) {
        contents_->notice->say(toQt(error.words()));
    }
}

void EditorController::adopt(const QString& name) {
    const std::string path = name.toStdString();
    // The runs of a lesson do not take its place, and what is played by hand is no file.
    if (path == path_ || path == GameController::path() || isLesson(path_) || !engine::schedules::isPath(path)) return;
    const engine::Algorithm* shown = engine::schedules::openedAs(path);
    if (shown == nullptr || !QFileInfo::exists(name)) return;
    const std::string bytes = engine::schedules::contentOf(*shown);
    if (static_cast<std::int64_t>(bytes.size()) > mostText) return;
    try {
        const UnsavedText found = asInTheFile(path, bytes, "cannot edit the file '" + path + "'");
        contents_->docks.bringUp(Dock::editor);
        if (const auto kept = unsaved_.take(path)) return show(*kept);
        const QSignalBlocker itRanAlready{contents_->editor};
        show(found);
    } catch (const engine::Error& error) {
        return contents_->notice->say(toQt(error.words()));
    }
    prove();
    Q_EMIT read();
}

void EditorController::askForFile() {
    const QString path =
        files_->ask({.title = tr("Open an algorithm or a lesson"),
                     .filters = tr("Algorithms and lessons (*.lua *.json *.xml *.goal *.lesson);;All files (*)")});
    if (!path.isEmpty()) open(path.toStdString());
}

std::string EditorController::askWhereToSave() const {
    const bool named = !path_.empty() && !isNameless(path_);
    const bool lesson = isLesson(path_);
    const bool schedule = path_ == namelessSchedule;
    return files_
        ->ask({.purpose = PathQuestion::Purpose::saveFile,
               .title = lesson ? tr("Save the lesson") : tr("Save the algorithm"),
               .filters = lesson     ? tr("Lessons (*.lesson);;All files (*)")
                          : schedule ? tr("Schedules (*.json);;All files (*)")
                                     : tr("Scripts (*.lua);;All files (*)"),
               .name = named      ? QFileInfo{toQt(path_)}.fileName()
                       : lesson   ? QStringLiteral("mine.lesson")
                       : schedule ? QStringLiteral("mine.json")
                                  : QStringLiteral("mine.lua")})
        .toStdString();
}

bool EditorController::changedMeanwhile() const {
    try {
        const std::string bytes = engine::bytesOf(path_, mostText, "cannot read '" + path_ + "'");
        return !inTheFile_ || *inTheFile_ != QByteArray::fromStdString(bytes);
    } catch (const engine::Error&) {
        return QFileInfo::exists(toQt(path_));  // what is gone can be written again
    }
}

void EditorController::save() {
    std::string path = path_;
    if (isNameless(path) || path.empty()) {
        path = askWhereToSave();
    } else if (changedMeanwhile()) {
        contents_->notice->say(
            tr("%1 was changed by another program since it was read, and is not replaced: save under "
               "another name, or open it again.")
                .arg(toQt(path)));
        path = askWhereToSave();
    }
    if (path.empty()) return;
    engine::Existing existing = engine::Existing::replace;
    if (isLesson(path_) && !isLesson(path)) {
        path += lessonEnding;
        existing = engine::Existing::refuse;  // nobody was asked about the longer name
    } else if (!isLesson(path_) && isLesson(path)) {
        return contents_->notice->say(
            tr("%1 would be taken for a lesson: save an algorithm under another ending.").arg(toQt(path)));
    }
    const std::string bytes = bytesOf(standing().file);
    try {
        engine::writeFile(path, bytes, existing);
    } catch (const engine::Error& error) {
        return contents_->notice->say(toQt(error.words()));
    }
    inTheFile_ = QByteArray::fromStdString(bytes);
    unsaved_.take(path);
    const bool renamed = path != path_;
    if (renamed) engine::schedules::dropDraft(path_);
    path_ = path;
    watch();
    editor().setSaved(toQt(path));
    status_->showMessage(tr("Saved %1").arg(toQt(path)));
    if (renamed) check();
}

UnsavedText EditorController::standing() const {
    UnsavedText text{.path = path_, .file = form_, .before = inTheFile_};
    text.file.text = editor().text();
    return text;
}

void EditorController::keepAside() {
    if (path_.empty() || !editor().modified()) return;
    const QString text = editor().text();
    if (isNameless(path_) && isTemplate(text)) return;
    unsaved_.keep(standing());
    status_->showMessage(tr("What is not saved of %1 is kept").arg(toQt(path_)));
}

void EditorController::show(const UnsavedText& text) {
    if (text.path != path_) keepAside();
    if (!path_.empty()) engine::schedules::dropDraft(path_);
    path_ = text.path;
    form_ = text.file;
    inTheFile_ = text.before;
    watch();
    draft_.reset();
    if (isLesson(path_)) Q_EMIT lessonShown();
    const bool saved = inTheFile_ && inTheFile_->toStdString() == bytesOf(text.file);
    editor().show(toQt(path_), text.file.text, saved);
}

void EditorController::watch() {
    if (!watcher_.files().isEmpty()) watcher_.removePaths(watcher_.files());
    if (QFileInfo::exists(toQt(path_))) watcher_.addPath(toQt(path_));
}

// Editors write a new file in the place of the old one: it has to be watched again.
void EditorController::changedOutside() {
    watch();
    try {
        const std::string complaint = "cannot read '" + path_ + "'";
        const std::string bytes = engine::bytesOf(path_, mostText, complaint);
        if (inTheFile_ == QByteArray::fromStdString(bytes)) return;
        if (editor().modified())
            return contents_->notice->say(
                tr("%1 was changed by another program, too. Open it again to take that, or save under another name.")
                    .arg(toQt(path_)));
        show(asInTheFile(path_, bytes, complaint));
    } catch (const engine::Error& error) {
        // It may be gone, or not there again yet.
        if (QFileInfo::exists(toQt(path_))) contents_->notice->say(toQt(error.words()));
    }
}

void EditorController::check() {
    settling_.stop();
    if (path_.empty()) return;
    if (isLesson(path_)) return checkLesson();
    engine::schedules::giveBack();
    const RunWish now = contents_->setup->wish().value_or(RunWish{});
    const std::string text = editor().text().toStdString();
    reader_.start(
        [now, text, path = path_](const engine::Progress& progress) {
            const engine::Algorithm& algorithm = engine::schedules::algorithmFrom(path, text);
            // What cannot be read does not become the draft: the picture stays, and what the set-up asks for can
            // run.
            engine::schedules::setDraft(path, text);
            Read read;
            const bool again = now.algorithm == path;
            const engine::Algorithm* before = again ? &algorithm
                                              : engine::schedules::isPath(now.algorithm)
                                                  ? engine::schedules::openedAs(now.algorithm)
                                                  : &engine::algorithmNamed(now.algorithm);
            const bool groups = now.problem.groupB.has_value();
            const bool fits = before != nullptr && before->collective == algorithm.collective &&
                              groups == engine::isIntergroup(algorithm.collective);
            read.wish = fits ? now : firstWishFor(algorithm.collective);
            read.wish.algorithm = path;
            if (!again) read.wish.options.clear();
            if (const engine::Problem* own = engine::schedules::problemOf(algorithm)) {
                read.wish.problem = {};
                if (own->layout.isRegular() && own->layout.count() > 0) read.wish.problem.size = own->layout.largest();
            }
            read.wish.on = "virtual";
            read.small = isSmall(read.wish, makePlan(read.wish, {.stop = progress.stop}));
            return read;
        },
        [this](const Read& found) {
            if (contents_->setup->wish().value_or(RunWish{}).algorithm != found.wish.algorithm)
                contents_->setup->setWish(found.wish);
            if (found.small) runLoader_->run(found.wish, RunLoader::Moment::keepFraction);
            else contents_->setup->say(tr("A large run: press Run"));
            prove();
            Q_EMIT read();
        },
        [this](const QString& sentence) {
            refused(tr("%1. The picture shows the previous text.").arg(sentence));
            Q_EMIT unread(sentence);
        });
}

void EditorController::checkLesson() {
    reader_.start([path = path_, text = editor().text().toStdString()](
                      const engine::Progress& progress) { return draftFrom(path, text, progress); },
                  [this](LessonDraft draft) {
                      draft_ = std::move(draft);
                      giveLesson();
                      prove();
                  },
                  [this](const QString& sentence) { refused(tr("%1. The lesson is unchanged.").arg(sentence)); });
}

std::size_t EditorController::stopAtCursor() const {
    return stopAtLine(draft_->lesson, editor().edit().textCursor().blockNumber() + 1);
}

void EditorController::giveLesson() {
    if (draft_) contents_->teach->showDraft(draft_->lesson, draft_->held, stopAtCursor());
}

/// While somebody types, the text is read first.
void EditorController::followCursor() {
    if (isLesson(path_) && draft_ && contents_->teach->showsDraft() && !settling_.isActive())
        contents_->teach->goTo(stopAtCursor());
}

void EditorController::prove() {
    if (isLesson(path_))
        return prover_.start([draft = *draft_, path = path_](
                                 const engine::Progress& progress) { return borneOut(draft, path, progress); },
                             [this](const QString& sentence) { editor().sayRight(sentence); },
                             [this](const QString& sentence) { refused(sentence); });
    prover_.start(
        [path = path_](const engine::Progress& progress) { return proveSmall(engine::algorithmNamed(path), progress); },
        [this](const Proved& proved) {
            if (proved.right) editor().sayRight(proved.sentence);
            else refused(proved.sentence);
        },
        [this](const QString& sentence) { refused(sentence); });
}

/// A complaint about the text names its file, and mostly the line.
void EditorController::refused(const QString& sentence) {
    const QString file = toQt(path_) + ':';
    std::optional<int> line;
    if (!path_.empty() && sentence.startsWith(file)) {
        static const QRegularExpression number{QStringLiteral("^([0-9]+):")};
        if (const auto found = number.match(sentence.mid(file.size())); found.hasMatch())
            line = found.captured(1).toInt();
    }
    editor().sayWrong(
        inWords(line ? tr("Line %1:%2").arg(*line).arg(sentence.mid(file.size() + QString::number(*line).size() + 1))
                     : sentence),
        line);
}

void EditorController::remember() {
    UnsavedTexts all = unsaved_;
    if (!path_.empty() && editor().modified()) all.keep(standing());
    all.writeTo(*settings_);
}

}  // namespace app::gui

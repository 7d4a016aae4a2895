// SPDX-License-Identifier: BSD-3-Clause
#include "app/teaching/lessons/lesson.hpp"

#include "app/session/options/specification.hpp"
#include "app/teaching/lessons/lesson_names.hpp"
#include "engine/base/error.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <filesystem>

static void loadLessons() { Q_INIT_RESOURCE(lessons); }

namespace app::gui {
namespace {

using engine::Error;

constexpr std::int64_t mostBytes = 1 << 20;  // of a file

std::int64_t readRank(const std::string& word) { return engine::readInteger(word, "rank", 0, 1 << 20); }

/// A round as people count it, from 1.
engine::Round readRound(const std::string& word) {
    return engine::Round{engine::readInteger(word, "round", 1, 1 << 20) - 1};
}

std::vector<std::string> wordsIn(const std::string& line) {
    std::vector<std::string> words;
    for (const std::string& word : engine::split(line, ' '))
        if (!word.empty()) words.push_back(word);
    return words;
}

/// "block of rank 3 in round 2", "sender to rank 3 in round 2", "receiver from rank 3 in round 2", "busiest link in
/// round 2".
Question readQuestion(const std::string& line) {
    const std::vector<std::string> words = wordsIn(line);
    const auto isFor = [&](std::initializer_list<const char*> begin) {
        return words.size() > begin.size() && std::equal(begin.begin(), begin.end(), words.begin());
    };
    if (isFor({"busiest", "link", "in", "round"})) return {Question::Kind::link, {}, readRound(words[4])};
    const std::pair<const char*, Question::Kind> kinds[]{
        {"block", Question::Kind::block}, {"sender", Question::Kind::sender}, {"receiver", Question::Kind::receiver}};
    for (const auto& [word, kind] : kinds)
        if (words.size() == 7 && words[0] == word && words[2] == "rank" && words[4] == "in" && words[5] == "round")
            return {kind, engine::Rank{static_cast<std::int32_t>(readRank(words[3]))}, readRound(words[6])};
    throw Error{engine::text("'", line,
                             "' is not a question; write 'block of rank R in round N', 'sender to rank R in round "
                             "N', 'receiver from rank R in round N' or 'busiest link in round N'")};
}

void readMoment(const std::string& line, Stop& stop) {
    const std::vector<std::string> words = wordsIn(line);
    if (line == "begin") stop.where = Stop::Where::begin;
    else if (line == "end") stop.where = Stop::Where::end;
    else if (words.size() == 2 && words[0] == "round") {
        stop.where = Stop::Where::round;
        stop.round = readRound(words[1]);
    } else if (words.size() == 4 && line.starts_with("middle of round ")) {
        stop.where = Stop::Where::middle;
        stop.round = readRound(words[3]);
    } else {
        throw Error{engine::text("'", line, "' is not a time; write begin, end, 'round N' or 'middle of round N'")};
    }
}

std::string trimmed(const std::string& words) { return QString::fromStdString(words).trimmed().toStdString(); }

/// "words | claim = value", or "words | general".
Fact readFact(const std::string& line) {
    const auto simplified = [](const std::string& words) {
        return QString::fromStdString(words).simplified().toStdString();
    };
    const auto bar = line.find('|');
    const auto equals = line.rfind('=');
    const std::string claim = bar == std::string::npos ? "" : simplified(line.substr(bar + 1));
    if (claim == Fact::general) return {QString::fromStdString(simplified(line.substr(0, bar))), claim, {}};
    if (bar == std::string::npos || equals == std::string::npos || equals < bar)
        throw Error{
            engine::text("'", line, "' is not a fact; write 'words of the text | claim = value' or 'words | general'")};
    return {QString::fromStdString(simplified(line.substr(0, bar))), simplified(line.substr(bar + 1, equals - bar - 1)),
            simplified(line.substr(equals + 1))};
}

const std::vector<std::string> keys{"title", "paper", "minutes", "run", "at", "rank", "notes", "ask", "play", "fact"};

/// "key: value" of a known key; else nothing.
std::optional<std::pair<std::string, std::string>> entryIn(const std::string& line) {
    // A text may begin with another word and a colon; but what is nearly a key is hardly meant to be read.
    const std::size_t colon = line.find(':');
    const std::string word = line.substr(0, colon);
    if (colon == std::string::npos || !std::ranges::all_of(word, [](char each) { return each >= 'a' && each <= 'z'; }))
        return std::nullopt;
    const std::string value = trimmed(line.substr(colon + 1));
    if (std::ranges::find(keys, word) == keys.end()) {
        if (const std::string hint = engine::didYouMean(word, keys); !hint.empty())
            throw Error{engine::text("unknown line '", word, ": ...'", hint)};
        return std::nullopt;
    }
    if (value.empty()) throw Error{engine::text("'", word, ":' has no text")};
    return std::pair{word, value};
}

void take(Lesson& lesson, Stop& stop, const std::string& key, const std::string& value) {
    if (key == "title") lesson.title = QString::fromStdString(value);
    if (key == "paper") lesson.paper = QString::fromStdString(value);
    if (key == "minutes") lesson.minutes = static_cast<int>(engine::readInteger(value, "minutes", 1, 60));
    if (key == "run") stop.run = specified(value).run;
    if (key == "at") readMoment(value, stop);
    if (key == "rank") stop.rank = engine::Rank{static_cast<std::int32_t>(readRank(value))};
    if (key == "notes")
        stop.notes += (stop.notes.isEmpty() ? QString{} : QStringLiteral("\n\n")) + QString::fromStdString(value);
    if (key == "fact") stop.facts.push_back(readFact(value));
    if (key == "play") stop.play = QString::fromStdString(value);
    if (key == "ask") stop.question = readQuestion(value);
}

/// "what-a-round-is" of "01-what-a-round-is.lesson".
std::string nameOf(const std::filesystem::path& file) {
    const std::string stem = file.stem().string();
    return stem.substr(std::min(stem.find_first_not_of("0123456789-"), stem.size()));
}

}  // namespace

Lesson readLesson(std::string_view words, const std::string& name) {
    Lesson lesson;
    Stop stop;
    int number = 0;
    const auto close = [&] {
        stop.text = stop.text.trimmed();
        if (stop.text.isEmpty()) throw Error{engine::text(name, ':', number, ": this stop has no text")};
        lesson.stops.push_back(std::exchange(stop, {}));
        stop.line = number + 1;
    };
    for (const std::string& line : engine::split(std::string{words}, '\n')) {
        ++number;
        if (line.starts_with("# ")) continue;
        if (line == "---") {
            close();
            continue;
        }
        try {
            const auto entry = entryIn(line);
            if (!entry) {
                stop.text += (line.empty() ? QStringLiteral("\n\n") : QString::fromStdString(line) + ' ');
                continue;
            }
            take(lesson, stop, entry->first, entry->second);
            if (entry->first == "fact") stop.facts.back().line = number;
            stop.lines[entry->first] = number;
        } catch (const Error& error) {
            throw Error{engine::text(name, ':', number, ": ", error.words())};
        }
    }
    close();
    if (lesson.title.isEmpty()) throw Error{engine::text(name, ":1: a lesson needs a line 'title: ...'")};
    if (!lesson.stops.front().run) throw Error{engine::text(name, ":1: the first stop needs a line 'run: ...'")};
    return lesson;
}

const std::vector<Lesson>& lessons() {
    static const std::vector<Lesson> all = [] {
        loadLessons();
        std::vector<Lesson> found;
        const QDir folder{":/lessons"};
        for (const QString& name : folder.entryList({"*.lesson"}, QDir::Files, QDir::Name)) {
            QFile file{folder.filePath(name)};
            ENSURE(file.open(QIODevice::ReadOnly), "lessons are part of the program");
            found.push_back(readLesson(file.readAll().toStdString(), name.toStdString()));
            found.back().name = nameOf(name.toStdString());
        }
        return found;
    }();
    return all;
}

std::vector<LessonName> lessonNames() {
    std::vector<LessonName> names;
    for (const Lesson& lesson : lessons()) names.push_back({lesson.name, lesson.title.toStdString()});
    return names;
}

QString textOfLesson(const std::string& name) {
    loadLessons();
    for (const QFileInfo& info : QDir{":/lessons"}.entryInfoList())
        if (nameOf(info.fileName().toStdString()) == name) {
            QFile file{info.filePath()};
            ENSURE(file.open(QIODevice::ReadOnly), "lessons are part of the program");
            return QString::fromUtf8(file.readAll());
        }
    return {};
}

Lesson lessonCalled(const std::string& word) {
    for (const Lesson& lesson : lessons())
        if (lesson.name == word) return lesson;
    if (!word.ends_with(lessonEnding)) {
        std::vector<std::string> names;
        for (const Lesson& lesson : lessons()) names.push_back(lesson.name);
        throw Error{engine::text("unknown lesson '", word, "'", engine::didYouMean(word, names))};
    }
    Lesson lesson = readLesson(engine::contentOf(word, mostBytes, engine::text("cannot read '", word, "'")), word);
    lesson.name = nameOf(word);
    return lesson;
}

QString paragraphsOf(const QString& text) {
    QString html;
    for (const QString& paragraph : text.split("\n\n", Qt::SkipEmptyParts))
        html += "<p>" + paragraph.trimmed().toHtmlEscaped() + "</p>";
    return html;
}

const Lesson* lessonAfter(const Lesson& lesson) {
    const std::vector<Lesson>& all = lessons();
    for (std::size_t i = 0; i + 1 < all.size(); ++i)
        if (&all[i] == &lesson) return &all[i + 1];
    return nullptr;
}

engine::Picoseconds momentOf(const Stop& stop, const DrawableRun& subject) {
    const auto& rounds = subject.run().perRound;
    if (stop.where == Stop::Where::begin) return {};
    if (stop.where == Stop::Where::end || rounds.empty()) return subject.run().duration;
    const auto index = std::min(stop.round.index(), rounds.size() - 1);
    // A round begins for a lesson when all before it are over, whoever has begun it ahead of the others.
    engine::Picoseconds begin = rounds[index].begin;
    for (std::size_t earlier = 0; earlier < index; ++earlier)
        if (rounds[earlier].messages > 0) begin = std::max(begin, rounds[earlier].end);
    const engine::Picoseconds end = std::max(begin, rounds[index].end);
    return stop.where == Stop::Where::round ? begin : begin + (end - begin) / 2;
}

engine::Picoseconds veilOf(const Question& question, const DrawableRun& subject) {
    return subject.run().perRound[question.round.index()].begin;
}

engine::Picoseconds askedAt(const Question& question, const Stop& stop, const DrawableRun& subject) {
    return std::min(momentOf(stop, subject), veilOf(question, subject));
}

}  // namespace app::gui

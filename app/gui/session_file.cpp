// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/session_file.hpp"

#include "app/gui/files.hpp"
#include "app/session/saved_window.hpp"
#include "engine/error.hpp"
#include "engine/schedules/algorithm_file.hpp"
#include "engine/small_file.hpp"
#include "engine/text.hpp"

#include <QJsonArray>
#include <QJsonDocument>

namespace app::gui {
namespace {

using engine::Picoseconds;

constexpr const char* versionKey = savedWindowKey;

/// A file as it is read: every error names it.
class SessionReader {
public:
    explicit SessionReader(const std::filesystem::path& file) : file_{file} {}

    [[noreturn]] void refuse(const std::string& why) const {
        throw engine::Error{engine::text(file_.string(), ": ", why)};
    }

    [[nodiscard]] QJsonObject object(const QJsonObject& in, const char* key) const {
        const QJsonValue value = in[QLatin1String{key}];
        if (value.isUndefined()) return {};
        if (!value.isObject()) refuse(engine::text("'", key, "' is no object"));
        return value.toObject();
    }
    /// Nothing where the key is not there.
    [[nodiscard]] std::optional<std::int64_t> number(const QJsonValue& value, const char* what) const {
        if (value.isUndefined()) return std::nullopt;
        const std::int64_t number = value.toInteger(-1);
        if (number < 0) refuse(engine::text("'", what, "' is no whole number from 0 on"));
        return number;
    }
    [[nodiscard]] std::optional<std::int64_t> number(const QJsonObject& in, const char* key) const {
        return number(in[QLatin1String{key}], key);
    }

private:
    std::filesystem::path file_;
};

template <class T>
std::optional<T> as(std::optional<std::int64_t> number) {
    return number ? std::optional{T(static_cast<std::int32_t>(*number))} : std::nullopt;
}

std::filesystem::path folderOf(const std::filesystem::path& file) {
    return std::filesystem::absolute(file).parent_path();
}

/// Where `path` is, seen from the folder of `file`.
std::filesystem::path relativeTo(const std::filesystem::path& file, const std::filesystem::path& path) {
    return std::filesystem::absolute(path).lexically_normal().lexically_relative(folderOf(file).lexically_normal());
}

/// An id of the catalogue, or the path of an algorithm's file.
QString algorithmOf(const RunWish& wish, const std::filesystem::path& file) {
    if (!engine::schedules::isPath(wish.algorithm)) return QString::fromStdString(wish.algorithm);
    const QString path = pathToQt(relativeTo(file, wish.algorithm));
    // Without an ending it is told from an id by how it begins.
    return engine::schedules::isPath(path.toStdString()) ? path : QStringLiteral("./") + path;
}

QJsonObject runOf(const RunWish& wish, const std::filesystem::path& file) {
    QJsonObject asked;
    for (const auto& [key, words] : wordsOf(wish)) asked[key] = QJsonArray::fromStringList(words);
    return {{"algorithm", algorithmOf(wish, file)}, {"asked", asked}};
}

RunWish wishIn(const SessionReader& reader, const QJsonObject& run, const std::filesystem::path& file) {
    QString algorithm = run["algorithm"].toString();
    if (engine::schedules::isPath(algorithm.toStdString()))
        algorithm = pathToQt((folderOf(file) / algorithm.toStdString()).lexically_normal());
    std::vector<std::pair<QString, QStringList>> words;
    const QJsonObject asked = reader.object(run, "asked");
    for (auto each = asked.begin(); each != asked.end(); ++each)
        words.emplace_back(each.key(), each.value().toVariant().toStringList());
    try {
        return wishFrom(algorithm, words);
    } catch (const engine::Error& error) {
        reader.refuse(error.words());
    }
}

QJsonObject viewOf(const ViewState& view) {
    QJsonObject json{{"time_ps", static_cast<qint64>(view.time.count())}};
    if (view.spanEnd > view.spanBegin)
        json["span_ps"] =
            QJsonArray{static_cast<qint64>(view.spanBegin.count()), static_cast<qint64>(view.spanEnd.count())};
    return json;
}

QJsonObject selectionOf(const ViewState& view) {
    QJsonObject json;
    if (view.rank) json["rank"] = view.rank->value;
    if (view.message) json["message"] = static_cast<qint64>(*view.message);
    if (view.link) json["link"] = view.link->value;
    if (view.block) json["block"] = *view.block;
    return json;
}

QJsonArray marksOf(const ViewState& view) {
    QJsonArray json;
    for (const Mark& mark : view.marks)
        json.append(QJsonObject{{"time_ps", static_cast<qint64>(mark.time.count())}, {"note", mark.note}});
    return json;
}

QJsonArray notesOf(const ViewState& view) {
    QJsonArray json;
    for (const PinnedNote& note : view.notes) {
        QJsonObject one{{"text", QString::fromStdString(note.text)}};
        if (note.time) one["time_ps"] = static_cast<qint64>(note.time->count());
        if (note.rank) one["rank"] = note.rank->value;
        if (note.link) one["link"] = note.link->value;
        json.append(one);
    }
    return json;
}

/// `known` over what else stands in `others`.
QJsonObject laidOver(QJsonObject others, const QJsonObject& known) {
    for (auto each = known.begin(); each != known.end(); ++each) others[each.key()] = each.value();
    return others;
}

}  // namespace

QByteArray jsonOf(const SavedSession& session, const std::filesystem::path& file) {
    QJsonObject json = session.others;
    json[versionKey] = SavedSession::version;
    json.remove("run");
    json.remove("trace");
    if (session.wish) {
        json["run"] = laidOver(session.others["run"].toObject(), runOf(*session.wish, file));
    } else {
        json["trace"] = laidOver(session.others["trace"].toObject(),
                                 {{"path", pathToQt(relativeTo(file, session.trace))},
                                  {"messages", static_cast<qint64>(session.messages)},
                                  {"duration_ps", static_cast<qint64>(session.duration.count())}});
    }
    QJsonObject view = session.others["view"].toObject();
    view.remove("span_ps");
    json["view"] = laidOver(view, viewOf(session.view));
    QJsonObject selection = session.others["selection"].toObject();
    for (const char* key : {"rank", "message", "link", "block"}) selection.remove(QLatin1String{key});
    json["selection"] = laidOver(selection, selectionOf(session.view));
    json["bookmarks"] = marksOf(session.view);
    json["notes"] = notesOf(session.view);
    return QJsonDocument{json}.toJson();
}

SavedSession sessionFrom(const QByteArray& content, const std::filesystem::path& file) {
    const SessionReader reader{file};
    QJsonParseError fault;
    const QJsonDocument document = QJsonDocument::fromJson(content, &fault);
    if (!document.isObject())
        reader.refuse(engine::text("it is no session: ", fault.error == QJsonParseError::NoError
                                                             ? std::string{"no json object"}
                                                             : fault.errorString().toStdString()));
    SavedSession session;
    session.others = document.object();
    const QJsonObject& json = session.others;
    const auto version = reader.number(json, versionKey);
    if (!version) reader.refuse(engine::text("it is no session: '", versionKey, "' is missing"));
    if (*version > SavedSession::version)
        reader.refuse(engine::text("it is a session of version ", *version,
                                   ", of a later program; this one reads up to ", SavedSession::version));
    const QJsonObject trace = reader.object(json, "trace");
    const QJsonObject run = reader.object(json, "run");
    if (trace.isEmpty() == run.isEmpty()) reader.refuse("a session has either a 'run' or a 'trace'");
    if (trace.isEmpty()) {
        session.wish = wishIn(reader, run, file);
    } else {
        if (trace["path"].toString().isEmpty()) reader.refuse("the 'trace' has no 'path'");
        session.trace = (folderOf(file) / trace["path"].toString().toStdString()).lexically_normal();
        session.messages = reader.number(trace, "messages").value_or(0);
        session.duration = Picoseconds{reader.number(trace, "duration_ps").value_or(0)};
    }
    const QJsonObject view = reader.object(json, "view");
    session.view.time = Picoseconds{reader.number(view, "time_ps").value_or(0)};
    if (const QJsonArray span = view["span_ps"].toArray(); span.size() == 2) {
        session.view.spanBegin = Picoseconds{reader.number(span[0], "span_ps").value_or(0)};
        session.view.spanEnd = Picoseconds{reader.number(span[1], "span_ps").value_or(0)};
    }
    const QJsonObject selection = reader.object(json, "selection");
    session.view.rank = as<engine::Rank>(reader.number(selection, "rank"));
    session.view.link = as<engine::LinkId>(reader.number(selection, "link"));
    session.view.block = as<std::int32_t>(reader.number(selection, "block"));
    if (const auto message = reader.number(selection, "message"))
        session.view.message = static_cast<std::size_t>(*message);
    for (const QJsonValue& each : json["bookmarks"].toArray())
        session.view.marks.push_back(
            {Picoseconds{reader.number(each.toObject(), "time_ps").value_or(0)}, each["note"].toString()});
    for (const QJsonValue& each : json["notes"].toArray()) {
        const QJsonObject note = each.toObject();
        PinnedNote& pinned = session.view.notes.emplace_back();
        pinned.text = note["text"].toString().toStdString();
        if (const auto time = reader.number(note, "time_ps")) pinned.time = Picoseconds{*time};
        pinned.rank = as<engine::Rank>(reader.number(note, "rank"));
        pinned.link = as<engine::LinkId>(reader.number(note, "link"));
    }
    return session;
}

SavedSession readSession(const std::filesystem::path& file) {
    constexpr std::int64_t most = 16 << 20;
    const std::string content =
        engine::contentOf(file, most, engine::text("cannot read the session '", file.string(), "'"));
    return sessionFrom(QByteArray::fromStdString(content), file);
}

}  // namespace app::gui

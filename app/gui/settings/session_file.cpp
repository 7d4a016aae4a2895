// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/settings/session_file.hpp"

#include "app/gui/settings/recent_files.hpp"
#include "app/session/saved_window.hpp"
#include "engine/base/error.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <array>
#include <limits>

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
        if (number < 0) refuse(engine::text("'", what, "' is not a whole number from 0 on"));
        return number;
    }
    [[nodiscard]] std::optional<std::int64_t> number(const QJsonObject& in, const char* key) const {
        return number(in[QLatin1String{key}], key);
    }

    /// The place of the word among `words`; 0 where the key is not there.
    template <std::size_t Size>
    [[nodiscard]] std::size_t word(const QJsonObject& in, const char* key,
                                   const std::array<const char*, Size>& words) const {
        const QJsonValue value = in[QLatin1String{key}];
        if (value.isUndefined()) return 0;
        std::string all;
        for (std::size_t i = 0; i < Size; ++i) {
            if (value.toString() == QLatin1String{words[i]}) return i;
            all += engine::text(all.empty() ? "" : ", ", words[i]);
        }
        refuse(engine::text("'", key, "' is none of ", all));
    }
    /// From `least` to `most`; `least` where the key is not there.
    [[nodiscard]] double real(const QJsonObject& in, const char* key, double least, double most) const {
        const QJsonValue value = in[QLatin1String{key}];
        if (value.isUndefined()) return least;
        const double number = value.toDouble(least - 1);
        if (!(number >= least && number <= most))
            refuse(engine::text("'", key, "' is not a number from ", least, " to ", most));
        return number;
    }
    /// Whole numbers that rise; nothing where the key is not there.
    [[nodiscard]] std::optional<std::vector<std::int32_t>> rising(const QJsonObject& in, const char* key) const {
        const QJsonValue value = in[QLatin1String{key}];
        if (value.isUndefined()) return std::nullopt;
        std::vector<std::int32_t> numbers;
        for (const QJsonValue& each : value.toArray())
            numbers.push_back(static_cast<std::int32_t>(
                std::min<std::int64_t>(number(each, key).value_or(0), std::numeric_limits<std::int32_t>::max())));
        std::sort(numbers.begin(), numbers.end());
        numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
        return numbers;
    }

private:
    std::filesystem::path file_;
};

// In the order of their values.
constexpr std::array orders{"rank", "waited", "computed"};
constexpr std::array marked{"moment", "network", "ranks"};
constexpr std::array groupings{"none", "node", "communicator"};
/// What of a program can be chosen, and what a session calls it.
constexpr std::array askedKinds{Meaning::Kind::none, Meaning::Kind::call,       Meaning::Kind::wait,
                                Meaning::Kind::own,  Meaning::Kind::collective, Meaning::Kind::iteration,
                                Meaning::Kind::path, Meaning::Kind::metric};
constexpr std::array askedWords{"nothing", "call", "wait", "own time", "collective", "iteration", "path", "metric"};
static_assert(askedKinds.size() == askedWords.size());

template <class T>
std::optional<T> as(std::optional<std::int64_t> number) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    return number ? std::optional{T(static_cast<std::int32_t>(std::min(*number, most)))} : std::nullopt;
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
    // Without an ending it is distinguished from an id by its first characters.
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
    const auto kind = view.asked ? std::find(askedKinds.begin(), askedKinds.end(), view.asked->kind) : askedKinds.end();
    if (kind != askedKinds.end())
        json["asked"] = QJsonObject{{"what", askedWords[static_cast<std::size_t>(kind - askedKinds.begin())]},
                                    {"index", static_cast<qint64>(view.asked->index)},
                                    {"second", static_cast<qint64>(view.asked->second)}};
    return json;
}

QJsonArray arrayOf(const std::vector<std::int32_t>& numbers) {
    QJsonArray json;
    for (const std::int32_t number : numbers) json.append(number);
    return json;
}

QJsonObject tracksOf(const ProgramTimelineView& tracks) {
    QJsonObject json{{"order", orders[static_cast<std::size_t>(tracks.order)]},
                     {"groups", groupings[static_cast<std::size_t>(tracks.groups)]},
                     {"folded", arrayOf(tracks.folded)},
                     {"zoom", tracks.zoom},
                     {"top", tracks.top}};
    if (tracks.metrics) json["metrics"] = arrayOf(*tracks.metrics);
    return json;
}

ProgramTimelineView tracksIn(const SessionReader& reader, const QJsonObject& json) {
    ProgramTimelineView tracks;
    tracks.order = static_cast<ProgramTimelineView::Order>(reader.word(json, "order", orders));
    tracks.groups = static_cast<ProgramTimelineView::Groups>(reader.word(json, "groups", groupings));
    tracks.folded = reader.rising(json, "folded").value_or(std::vector<std::int32_t>{});
    tracks.metrics = reader.rising(json, "metrics");
    tracks.zoom = reader.real(json, "zoom", 1, mostRowZoom);
    tracks.top = reader.real(json, "top", 0, 1e9);
    return tracks;
}

std::optional<Meaning> askedIn(const SessionReader& reader, const QJsonObject& json) {
    const Meaning::Kind kind = askedKinds[reader.word(json, "what", askedWords)];
    if (kind == Meaning::Kind::none) return std::nullopt;
    return Meaning{kind, reader.number(json, "index").value_or(0), json["second"].toInteger(-1)};
}

QJsonObject markOf(const Mark& mark) {
    QJsonObject json{{"time_ps", static_cast<qint64>(mark.time.count())}, {"note", QString::fromStdString(mark.note)}};
    if (mark.on != Mark::On::moment) json["on"] = marked[static_cast<std::size_t>(mark.on)];
    if (mark.rank) json["rank"] = mark.rank->value;
    if (mark.link) json["link"] = mark.link->value;
    return json;
}

Mark markIn(const SessionReader& reader, const QJsonObject& json) {
    return {.time = Picoseconds{reader.number(json, "time_ps").value_or(0)},
            .note = json["note"].toString().toStdString(),
            .on = static_cast<Mark::On>(reader.word(json, "on", marked)),
            .rank = as<engine::Rank>(reader.number(json, "rank")),
            .link = as<engine::LinkId>(reader.number(json, "link"))};
}

/// `known` over what else stands in `others`.
QJsonObject laidOver(QJsonObject others, const QJsonObject& known) {
    for (auto each = known.begin(); each != known.end(); ++each) others[each.key()] = each.value();
    return others;
}

/// What else was said of a mark in `others` stays with it as long as it is the same.
QJsonArray marksOf(const ViewState& view, const QJsonArray& others) {
    QJsonArray json;
    for (const Mark& mark : view.marks) {
        const QJsonObject known = markOf(mark);
        const auto same = std::find_if(others.begin(), others.end(), [&](const QJsonValue& other) {
            return laidOver(other.toObject(), known) == other.toObject();
        });
        json.append(same == others.end() ? known : laidOver(same->toObject(), known));
    }
    return json;
}

/// The keys of all that a replay can do another way.
std::vector<std::string_view> replayKeys() {
    std::vector<std::string_view> keys{replayConditions.begin(), replayConditions.end()};
    for (const ReplayChange& change : replayChanges()) keys.push_back(change.key);
    return keys;
}

QLatin1String latin(std::string_view key) { return QLatin1String{key.data(), static_cast<int>(key.size())}; }

QJsonObject replayOf(const ReplayWords& words) {
    QJsonObject json;
    for (const auto& [key, values] : words) {
        QJsonArray all;
        for (const std::string& value : values) all.append(QString::fromStdString(value));
        json[latin(key)] = all;
    }
    return json;
}

ReplayWords replayIn(const SessionReader& reader, const QJsonObject& json) {
    ReplayWords words;
    for (const std::string_view key : replayKeys()) {
        if (!json.contains(latin(key))) continue;
        std::vector<std::string> values;
        for (const QJsonValue& value : json[latin(key)].toArray()) values.push_back(value.toString().toStdString());
        if (values.empty()) reader.refuse(engine::text("'replay' has no list of words for '", key, "'"));
        words.emplace_back(key, std::move(values));
    }
    return words;
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
    for (const char* key : {"rank", "message", "link", "block", "asked"}) selection.remove(QLatin1String{key});
    json["selection"] = laidOver(selection, selectionOf(session.view));
    json["bookmarks"] = marksOf(session.view, session.others["bookmarks"].toArray());
    QJsonObject tracks = session.others["tracks"].toObject();
    tracks.remove("metrics");
    if (session.view.tracks != ProgramTimelineView{}) json["tracks"] = laidOver(tracks, tracksOf(session.view.tracks));
    else json.remove("tracks");
    QJsonObject replay = session.others["replay"].toObject();
    for (const std::string_view key : replayKeys()) replay.remove(latin(key));
    replay = laidOver(replay, replayOf(session.replay));
    if (replay.isEmpty()) json.remove("replay");
    else json["replay"] = replay;
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
    session.view.asked = askedIn(reader, reader.object(selection, "asked"));
    session.view.tracks = tracksIn(reader, reader.object(json, "tracks"));
    session.replay = replayIn(reader, reader.object(json, "replay"));
    for (const QJsonValue& each : json["bookmarks"].toArray())
        session.view.marks.push_back(markIn(reader, each.toObject()));
    return session;
}

SavedSession readSession(const std::filesystem::path& file) {
    constexpr std::int64_t most = 16 << 20;
    const std::string content = engine::contentOf(file, most, engine::text("cannot read '", file.string(), "'"));
    return sessionFrom(QByteArray::fromStdString(content), file);
}

}  // namespace app::gui

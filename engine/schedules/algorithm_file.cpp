// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedules/algorithm_file.hpp"

#include "engine/error.hpp"
#include "engine/schedules/goal/schedule.hpp"
#include "engine/schedules/msccl/schedule.hpp"
#include "engine/schedules/show_json.hpp"
#include "engine/script/script.hpp"
#include "engine/small_file.hpp"
#include "engine/text.hpp"
#include "engine/verify.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>

namespace engine::schedules {
namespace {

constexpr std::array endings{std::string_view{".lua"}, std::string_view{".json"}, std::string_view{".xml"},
                             std::string_view{".goal"}};

struct Opened {
    std::string content{};
    Algorithm algorithm{};
    std::optional<Problem> problem{};
    bool anySize = false;
};

/// Everything opened so far. Plans point at their algorithms, so that none is ever given back.
struct Shelf {
    std::mutex mutex;
    std::deque<Opened> opened;
    std::map<std::string, const Opened*> latest;  // by path
    std::map<std::string, std::string> drafts;    // by path
};

Shelf& shelf() {
    static Shelf one;
    return one;
}

/// Why the schedule in a file does not solve `asked`.
Objection objectsTo(const Stored& stored, const Problem& asked) {
    Problem own = stored.problem;
    if (stored.chunks > 0 && asked.layout.isRegular() && asked.layout.count() == own.layout.count()) {
        const Bytes each = asked.layout.largest();
        if (each % stored.chunks != 0)
            return text("cuts each contribution into ", stored.chunks, " chunks of one size, and ", each,
                        " bytes are not so many");
        if (stored.facts.pieces && each / stored.chunks % unitOf(asked) != 0)
            return text("cuts the vector into ", stored.chunks, " chunks of ", each / stored.chunks,
                        " bytes, within an element of ", unitOf(asked), " bytes");
        own.layout = asked.layout;
    }
    Problem same = asked;  // how it combines, and on what it runs, no schedule says
    same.operation = own.operation;
    same.element = own.element;
    same.grain = own.grain;
    same.ports = own.ports;
    same.torus = own.torus;
    if (stored.facts.pieces && stored.chunks == 0)
        for (const Range range : stored.ranges)
            if (range.begin % unitOf(asked) != 0 || range.end % unitOf(asked) != 0)
                return text("cuts the vector at byte ", range.begin % unitOf(asked) != 0 ? range.begin : range.end,
                            ", within an element of ", unitOf(asked), " bytes");
    if (same == own) return std::nullopt;
    return text("holds the schedule for ", toText(own), ", not for ", toText(same));
}

std::string toldFrom(std::string_view path) { return std::string{path.substr(path.find_last_of('/') + 1)}; }

Opened fromData(const std::string& path, Stored stored) {
    auto shared = std::make_shared<const Stored>(std::move(stored));
    const auto schedule = [shared, once = shared->chunks > 0 ? nullptr : scheduleOf(*shared)](const Problem& asked) {
        return once ? once : scheduleOf(inBytes(*shared, asked.layout.largest()));
    };
    const Problem problem = shared->problem;
    Opened opened;
    opened.problem = problem;
    opened.anySize = shared->chunks > 0;
    opened.algorithm = {
        .id = path,
        .collective = problem.collective,
        .title = text("Schedule in ", toldFrom(path)),
        .idea = shared->facts.unstated.empty()
                    ? text("A schedule written down message by message, for ", toText(problem), '.')
                    : text("Messages among ", shared->facts.ranks, " ranks, of which it is not known what they carry."),
        .source = path,
        .formula = {},
        .letters = {},
        .objects = [shared](const Problem& asked, const Options&) { return objectsTo(*shared, asked); },
        .plan = [schedule](const Problem& asked, const Options&) { return schedule(asked); },
        .keepsOrder =
            [schedule](const Problem& asked, const Options&) {
                Problem ordered = asked;
                ordered.operation = Operation::ordered;
                return verify(*schedule(ordered), ordered).proved;
            },
    };
    return opened;
}

/// By its ending, or by how it begins.
std::string_view kindOf(const std::string& path, std::string_view content) {
    for (const std::string_view ending : endings)
        if (path.ends_with(ending)) return ending;
    const auto first = content.find_first_not_of(" \t\r\n");
    const std::string_view rest = first == std::string_view::npos ? std::string_view{} : content.substr(first);
    if (rest.starts_with('{')) return ".json";
    if (rest.starts_with('<')) return ".xml";
    return rest.starts_with("num_ranks") || rest.starts_with("//") ? ".goal" : ".lua";
}

Opened opened(const std::string& path, const std::string& content) {
    const std::string_view kind = kindOf(path, content);
    if (kind == ".json") return fromData(path, storedFromJson(content, path));
    if (kind == ".xml") return fromData(path, msccl::storedFrom(content, path));
    if (kind == ".goal") return fromData(path, goal::storedFrom(content, path));
    return {.algorithm = script::algorithmFrom(path, content)};
}

std::optional<std::string> draftOf(const std::string& path) {
    Shelf& all = shelf();
    const std::lock_guard hold{all.mutex};
    const auto found = all.drafts.find(path);
    return found == all.drafts.end() ? std::nullopt : std::optional{found->second};
}

}  // namespace

bool isPath(std::string_view id) {
    if (id.starts_with("./") || id.starts_with("../") || id.starts_with('/')) return true;
    return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return id.ends_with(ending); });
}

bool isAlgorithmFile(const std::string& word) {
    if (std::any_of(endings.begin(), endings.end(), [&](std::string_view end) { return word.ends_with(end); }))
        return true;
    std::error_code unknown;
    return isPath(word) && !word.ends_with(".otf2") && std::filesystem::is_regular_file(word, unknown);
}

const Algorithm& algorithmFrom(const std::string& path, const std::string& content) {
    Shelf& all = shelf();
    const std::lock_guard hold{all.mutex};
    for (const Opened& one : all.opened)
        if (one.algorithm.id == path && one.content == content) {
            all.latest[path] = &one;
            return one.algorithm;
        }
    Opened fresh = opened(path, content);
    fresh.content = content;
    all.opened.push_back(std::move(fresh));
    all.latest[path] = &all.opened.back();
    return all.opened.back().algorithm;
}

void setDraft(const std::string& path, const std::string& content) {
    Shelf& all = shelf();
    const std::lock_guard hold{all.mutex};
    all.drafts[path] = content;
}

void dropDraft(const std::string& path) {
    Shelf& all = shelf();
    const std::lock_guard hold{all.mutex};
    all.drafts.erase(path);
}

const Algorithm& algorithmIn(const std::string& path) {
    if (const std::optional<std::string> draft = draftOf(path)) return algorithmFrom(path, *draft);
    return algorithmFrom(path, engine::contentOf(path, mostFileBytes, text("cannot read the file '", path, "'")));
}

const Algorithm* openedAs(const std::string& path) {
    Shelf& all = shelf();
    const std::lock_guard hold{all.mutex};
    const auto last = all.latest.find(path);
    return last == all.latest.end() ? nullptr : &last->second->algorithm;
}

std::string contentOf(const Algorithm& algorithm) {
    Shelf& all = shelf();
    const std::lock_guard hold{all.mutex};
    for (const Opened& one : all.opened)
        if (&one.algorithm == &algorithm) return one.content;
    return {};
}

const Problem* problemOf(const Algorithm& algorithm) {
    Shelf& all = shelf();
    const std::lock_guard hold{all.mutex};
    for (const Opened& one : all.opened)
        if (&one.algorithm == &algorithm) return one.problem ? &*one.problem : nullptr;
    return nullptr;
}

bool takesAnySize(const Algorithm& algorithm) {
    Shelf& all = shelf();
    const std::lock_guard hold{all.mutex};
    for (const Opened& one : all.opened)
        if (&one.algorithm == &algorithm) return one.anySize;
    return false;
}

}  // namespace engine::schedules

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/algorithm_file.hpp"

#include "engine/base/error.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"
#include "engine/proof/verify.hpp"
#include "engine/schedule_files/forestcoll.hpp"
#include "engine/schedule_files/goal/chakra_schedule.hpp"
#include "engine/schedule_files/goal/goal_schedule.hpp"
#include "engine/schedule_files/msccl/execution_plan.hpp"
#include "engine/schedule_files/msccl/msccl_schedule.hpp"
#include "engine/schedule_files/show_json.hpp"
#include "engine/schedule_files/teccl.hpp"
#include "engine/script/script.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

namespace engine::schedules {
namespace {

constexpr std::array endings{std::string_view{".lua"}, std::string_view{".json"}, std::string_view{".xml"},
                             std::string_view{".goal"}, std::string_view{".et"}};

const char* const pieces = "pieces";  // an option of all schedules as data

struct Opened {
    std::string content{};
    Algorithm algorithm{};
    std::optional<Problem> problem{};
    bool anySize = false;
};

/// What was opened, by path; the last one is what stands there now.
struct Shelf {
    std::mutex mutex;
    std::map<std::string, std::vector<std::shared_ptr<const Opened>>> opened;
    std::map<std::string, std::string> drafts;  // by path
    int keepings = 0;

    /// Of this text, if it is there: it is the last one then. The caller holds the mutex.
    const Algorithm* find(const std::string& path, const std::string& content) {
        auto& all = opened[path];
        const auto same =
            std::find_if(all.begin(), all.end(), [&](const auto& one) { return one->content == content; });
        if (same == all.end()) return nullptr;
        std::rotate(same, same + 1, all.end());
        return &all.back()->algorithm;
    }
};

Shelf& shelf() {
    static Shelf one;
    return one;
}

/// What was opened as `algorithm`; null for one of the catalogue.
std::shared_ptr<const Opened> openedFor(const Algorithm& algorithm) {
    Shelf& all = shelf();
    const std::lock_guard hold{all.mutex};
    const auto path = all.opened.find(algorithm.id);
    if (path == all.opened.end()) return nullptr;
    for (const auto& one : path->second)
        if (&one->algorithm == &algorithm) return one;
    return nullptr;
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
    return text("contains the schedule for ", toText(own), ", not for ", toText(same));
}

std::string toldFrom(std::string_view path) { return std::string{path.substr(path.find_last_of('/') + 1)}; }

/// The schedule that was made last, of a number of pieces, a size and an element: provers ask for one again and again.
struct Last {
    std::mutex mutex;
    std::tuple<std::int64_t, Bytes, Element> key{};
    SchedulePtr schedule;
};

Opened fromData(const std::string& path, Stored stored) {
    auto shared = std::make_shared<const Stored>(std::move(stored));
    const auto schedule = [shared, last = std::make_shared<Last>(),
                           once = shared->chunks > 0 ? nullptr : scheduleOf(*shared)](const Problem& asked,
                                                                                      const Options& options) {
        const std::int64_t times = options.number(pieces);
        if (once && times == 1) return once;
        const std::tuple key{times, asked.layout.largest(), asked.element};
        const std::lock_guard hold{last->mutex};
        if (last->schedule && last->key == key) return last->schedule;
        Stored sized = shared->chunks > 0 ? inBytes(*shared, asked.layout.largest()) : *shared;
        sized.problem.element = asked.element;
        last->schedule = inPieces(sized, times);
        last->key = key;
        return last->schedule;
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
        .options = {{.name = pieces,
                     .fallback = "1",
                     .meaning = "times that the schedule is repeated, each time over another piece of each chunk",
                     .high = 1 << 16}},
        .objects = [shared](const Problem& asked, const Options& options) -> Objection {
            if (options.number(pieces) > 1 && std::all_of(shared->messages.begin(), shared->messages.end(),
                                                          [](const StoredMessage& one) { return one.bytes == 0; }))
                return "has only empty messages, which cannot be cut: set pieces=1";
            return objectsTo(*shared, asked);
        },
        .plan = schedule,
        .keepsOrder =
            [schedule](const Problem& asked, const Options& options) {
                Problem ordered = asked;
                ordered.operation = Operation::ordered;
                return verify(*schedule(ordered, options), ordered).proved;
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
    if (const auto first = content.find_first_not_of(" \t\r\n");
        kind == ".json" && (first == std::string::npos || content[first] != '{'))
        throw Error{text(path, ": not a schedule in json: it must begin with {")};
    if (kind == ".json" && msccl::isPlan(content)) return fromData(path, msccl::storedFromPlan(content, path));
    if (kind == ".json")
        return fromData(path,
                        teccl::isResult(content) ? teccl::storedFrom(content, path) : storedFromJson(content, path));
    if (kind == ".xml")
        return fromData(path, forestcoll::isForest(content) ? forestcoll::storedFrom(content, path)
                                                            : msccl::storedFrom(content, path));
    if (kind == ".goal") return fromData(path, goal::storedFrom(content, path));
    if (kind == ".et") return fromData(path, chakra::storedFrom(content, path));
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

/// Traces of the PyTorch profiler end in .json as well, compressed ones in .json.gz; the head has fields of their
/// format.
static bool isOfProfiler(const std::string& path) {
    if (path.ends_with(".json.gz")) return true;
    if (!path.ends_with(".json")) return false;
    std::ifstream file{path, std::ios::binary};
    std::string head(4096, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    return head.find("\"traceEvents\"") != std::string::npos || head.find("\"schemaVersion\"") != std::string::npos;
}

bool isAlgorithmFile(const std::string& word) {
    if (isOfProfiler(word) || chakra::isOfJob(word)) return false;
    if (std::any_of(endings.begin(), endings.end(), [&](std::string_view end) { return word.ends_with(end); }))
        return true;
    std::error_code unknown;
    return isPath(word) && !word.ends_with(".otf2") && std::filesystem::is_regular_file(word, unknown);
}

const Algorithm& algorithmFrom(const std::string& path, const std::string& content) {
    Shelf& all = shelf();
    {
        const std::lock_guard hold{all.mutex};
        if (const Algorithm* known = all.find(path, content)) return *known;
    }
    // Others go on while this is read.
    auto fresh = std::make_shared<Opened>(opened(path, content));
    fresh->content = content;
    const std::lock_guard hold{all.mutex};
    if (const Algorithm* known = all.find(path, content)) return *known;
    all.opened[path].push_back(std::move(fresh));
    return all.opened[path].back()->algorithm;
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
    if (path.ends_with(".et")) return algorithmFrom(path, chakra::contentOf(path));
    const std::string content = engine::contentOf(path, mostFileBytes, text("cannot read '", path, "'"));
    if (content.find_first_not_of(" \t\r\n") == std::string::npos)
        throw Error{text(path, ": the file is empty; a schedule is expected")};
    return algorithmFrom(path, content);
}

const Algorithm* openedAs(const std::string& path) {
    Shelf& all = shelf();
    const std::lock_guard hold{all.mutex};
    const auto found = all.opened.find(path);
    return found == all.opened.end() || found->second.empty() ? nullptr : &found->second.back()->algorithm;
}

std::shared_ptr<const void> sourceOf(const Algorithm& algorithm) { return openedFor(algorithm); }

Keeping::Keeping() {
    const std::lock_guard hold{shelf().mutex};
    ++shelf().keepings;
}

Keeping::~Keeping() {
    const std::lock_guard hold{shelf().mutex};
    --shelf().keepings;
}

void giveBack() {
    Shelf& all = shelf();
    std::vector<std::shared_ptr<const Opened>> gone;  // without the mutex
    const std::lock_guard hold{all.mutex};
    if (all.keepings > 0) return;
    for (auto& [path, states] : all.opened) {
        if (states.empty()) continue;
        const auto free = std::stable_partition(states.begin(), states.end() - 1,
                                                [](const auto& one) { return one.use_count() > 1; });
        std::move(free, states.end() - 1, std::back_inserter(gone));
        states.erase(free, states.end() - 1);
    }
}

std::size_t shelved(const std::string& path) {
    Shelf& all = shelf();
    const std::lock_guard hold{all.mutex};
    const auto found = all.opened.find(path);
    return found == all.opened.end() ? 0 : found->second.size();
}

std::string contentOf(const Algorithm& algorithm) {
    const auto opened = openedFor(algorithm);
    return opened ? opened->content : std::string{};
}

const Problem* problemOf(const Algorithm& algorithm) {
    const auto opened = openedFor(algorithm);
    return opened && opened->problem ? &*opened->problem : nullptr;
}

bool takesAnySize(const Algorithm& algorithm) {
    const auto opened = openedFor(algorithm);
    return opened && opened->anySize;
}

}  // namespace engine::schedules

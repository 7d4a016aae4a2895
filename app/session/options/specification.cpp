// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/options/specification.hpp"

#include "app/session/options/costs.hpp"
#include "app/session/options/ranges.hpp"
#include "app/session/options/run_options.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/catalogue/native_collectives.hpp"

#include <algorithm>

namespace app {
namespace {

using engine::Error;
using engine::Field;
using engine::text;
using fields::Entry;
using fields::Part;
using fields::Scope;

/// Why a field that was asked for means nothing where the run runs; empty where it means something.
std::string misplaced(const Entry& entry, const Specification& specification) {
    const std::string& on = specification.run.on;
    switch (entry.scope) {
        case Scope::anywhere: return {};
        case Scope::virtualTime:
        case Scope::noThreads:
            if (on == "virtual" || (entry.scope == Scope::noThreads && on != "threads")) return {};
            return text(entry.field(), " is about virtual time; remove it, or remove ", engine::field::on, ' ', on);
        case Scope::measured:
            if (specification.split && on != "virtual") return {};
            [[fallthrough]];
        case Scope::mpi:
            if (on == "mpi") return {};
            return text(entry.field(), " is about runs over MPI; add ", engine::field::on, " mpi");
    }
    return {};
}

void requireHalves(const Specification& specification) {
    const engine::Field halves = engine::field::splitPhase;
    const RunWish& run = specification.run;
    if (!specification.split) return;
    if (run.network.neighboursOnly)
        throw Error{text(halves, " runs schedules as they are; leave ", engine::field::neighboursOnly, " out")};
    if (specification.grants == Grants::always)
        throw Error{text(halves, " has no rounds to enter; leave ", engine::field::granted, " out")};
    if (specification.split->background && specification.split->looks() != engine::splitphase::Settings{}.tests)
        throw Error{text(
            halves, ": messages with progress in the background need no progress calls; leave one of the two out")};
    if (run.on != "mpi" && specification.split->by == engine::splitphase::By::twoSided)
        throw Error{text(engine::field::transport,
                         " two-sided is about runs over MPI; here ranks write into each other's memory")};
}

/// The field that "-n" or "--size" asks for. Throws Error with the nearest one.
const Entry& entryOf(const std::string& flag) {
    std::vector<std::string> known;
    for (const Entry& entry : fields::all()) {
        known.push_back(text("--", entry.key));
        if (flag == known.back() || (entry.letter != '\0' && flag == text('-', entry.letter))) return entry;
    }
    throw Error{text("'", flag, "' is not known here", engine::didYouMean(flag, known))};
}

Asked askedIn(const std::vector<std::string>& words) {
    Asked asked;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const auto equals = words[i].starts_with("--") ? words[i].find('=') : std::string::npos;
        const Entry& entry = entryOf(words[i].substr(0, equals));
        if (entry.kind != fields::Kind::list && asked.has(entry.key))
            throw Error{text(entry.field(), " is given more than once")};
        if (entry.kind == fields::Kind::toggle) {
            if (equals != std::string::npos) throw Error{text(entry.field(), " takes no value")};
            asked.add(entry.key, "");
        } else if (equals != std::string::npos) {
            asked.add(entry.key, words[i].substr(equals + 1));
        } else {
            if (i + 1 == words.size()) throw Error{text(entry.field(), " needs a value")};
            asked.add(entry.key, words[++i]);
        }
    }
    return asked;
}

/// Replaces every wish by one copy for each number in `words`.
void multiply(std::vector<ProblemWish>& wishes, const Entry& entry, const std::string& words) {
    constexpr std::size_t most = 1'000'000;
    const std::vector<std::int64_t> numbers = readRange(words, text(entry.field()), entry.number);
    if (wishes.size() * numbers.size() > most)
        throw Error{text("the ranges make more than ", most, " problems; choose smaller ones")};
    std::vector<ProblemWish> all;
    for (const ProblemWish& wish : wishes)
        for (const std::int64_t number : numbers) entry.put(all.emplace_back(wish), number);
    wishes = std::move(all);
}

/// Removes the wishes whose root is none of their ranks. A sentence on them; empty: none.
std::string dropForeignRoots(std::vector<ProblemWish>& wishes) {
    const auto ranksOf = [](const ProblemWish& wish) {
        return wish.ranks.value_or(0) + wish.groupA.value_or(0) + wish.groupB.value_or(0);
    };
    const auto isForeign = [&](const ProblemWish& wish) {
        return (wish.ranks || (wish.groupA && wish.groupB)) && wish.root >= ranksOf(wish);
    };
    const auto first = std::find_if(wishes.begin(), wishes.end(), isForeign);
    if (first == wishes.end()) return {};
    const std::string example =
        text("root ", first->root, " with ", ranksOf(*first), ranksOf(*first) == 1 ? " rank" : " ranks");
    const std::size_t count = std::erase_if(wishes, isForeign);
    return count == 1
               ? text("1 combination of the flags is no problem and is left out: ", example, '.')
               : text(count, " combinations of the flags are no problems and are left out, such as ", example, '.');
}

}  // namespace

std::vector<std::string> wordsIn(const std::string& line) {
    std::vector<std::string> words;
    std::string word;
    bool begun = false;
    bool inQuotes = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '\'') {
            inQuotes = !inQuotes;
            begun = true;
        } else if (c == '\\' && !inQuotes && i + 1 < line.size()) {
            word += line[++i];
            begun = true;
        } else if (c == ' ' && !inQuotes) {
            if (begun) words.push_back(std::exchange(word, {}));
            begun = false;
        } else {
            word += c;
            begun = true;
        }
    }
    if (begun) words.push_back(word);
    return words;
}

std::int32_t Specification::executions() const {
    constexpr std::int32_t ofHalves = 10;  // one pair of times says little
    return repeats.value_or(split && split->compute.count() > 0 ? ofHalves : 1);
}

std::int32_t Specification::executionsBefore() const { return warmUps.value_or(executions() > 1 ? 2 : 1); }

void Asked::add(std::string_view key, std::string words) { words_[std::string{key}].push_back(std::move(words)); }

void Asked::drop(std::string_view key) {
    if (const auto found = words_.find(key); found != words_.end()) words_.erase(found);
}

std::optional<std::string> Asked::word(std::string_view key) const {
    const auto found = words_.find(key);
    return found == words_.end() ? std::nullopt : std::optional{found->second.back()};
}

std::vector<std::string> Asked::all(std::string_view key) const {
    const auto found = words_.find(key);
    return found == words_.end() ? std::vector<std::string>{} : found->second;
}

void take(Specification& specification, const Asked& asked) {
    for (const Entry& entry : fields::all())
        for (const std::string& words : asked.all(entry.key)) entry.set(specification, words);
    settleCosts(specification, asked);
}

Asked askedFor(const Specification& specification) {
    Asked asked;
    for (const Entry& entry : fields::all())
        for (std::string& words : entry.print(specification)) asked.add(entry.key, std::move(words));
    return asked;
}

Asked fitting(Asked asked, engine::Collective collective) {
    for (const Entry& entry : fields::all())
        if (entry.key != "size" && !entry.isOf(collective)) asked.drop(entry.key);
    return asked;
}

void requireFitting(const Asked& asked, engine::Collective collective) {
    for (const Entry& entry : fields::all())
        if (entry.otherwise != nullptr && entry.key != "size" && !entry.isOf(collective) && asked.has(entry.key))
            throw Error{text(name(collective), " takes no ", entry.field(), ": ", entry.otherwise())};
}

Asked completed(Asked asked, const engine::Algorithm& algorithm) {
    const engine::Problem* own = engine::schedules::problemOf(algorithm);
    if (own == nullptr) return asked;
    const auto settle = [&](Field field, std::int64_t value, bool isOf) {
        if (!isOf) return;
        const auto words = asked.word(field.key);
        if (!words) return asked.add(field.key, std::to_string(value));
        const Entry& entry = fields::named(field.key);
        for (const std::int64_t number : readRange(*words, text(field), entry.number))
            if (number != value)
                throw Error{
                    text(field, ": ", algorithm.id, " contains the schedule for ", value, ", not for ", number)};
    };
    const bool two = isIntergroup(own->collective);
    settle(engine::field::ranks, own->groupA, !two);
    settle(engine::field::groupA, own->groupA, two);
    settle(engine::field::groupB, own->groupB, two);
    settle(engine::field::root, own->root.value, hasRoot(own->collective));
    const engine::Layout& layout = own->layout;
    for (const Field field : {engine::field::sizes, engine::field::sizeB})
        if (asked.has(field.key))
            throw Error{text(field, ": ", algorithm.id, " determines the bytes of each contribution")};
    if (engine::schedules::takesAnySize(algorithm) && asked.has("size")) return asked;
    if (!asked.has("size")) {
        if (layout.isRegular() && layout.count() > 0) asked.add("size", std::to_string(layout.largest()));
    } else if (const engine::Bytes size = engine::readBytes(*asked.word("size"), text(engine::field::size));
               !layout.isRegular() || size != layout.largest()) {
        throw Error{text(engine::field::size, ": ", algorithm.id, " contains the schedule for contributions of ",
                         layout.isRegular() ? text(layout.largest(), " bytes") : "several sizes")};
    }
    return asked;
}

RunWish problemOf(const Asked& asked) {
    Specification specification;
    for (const Entry& entry : fields::all())
        if (entry.part == Part::problem)
            for (const std::string& words : asked.all(entry.key)) entry.set(specification, words);
    return specification.run;
}

std::vector<ProblemWish> problemsOf(const Asked& asked, engine::Collective collective, std::string* leftOut) {
    Asked fixed;
    for (const Entry& entry : fields::all())
        if (entry.part == Part::problem && entry.several != fields::Several::range)
            for (std::string& words : asked.all(entry.key)) fixed.add(entry.key, std::move(words));
    std::vector<ProblemWish> wishes{problemOf(fixed).problem};
    for (const Entry& entry : fields::all()) {
        const auto words = entry.part == Part::problem && entry.put != nullptr ? asked.word(entry.key) : std::nullopt;
        const bool counts = entry.key == "ranks" || entry.key == "group-a" || entry.key == "group-b";
        if (!words || (counts && !entry.isOf(collective))) continue;
        multiply(wishes, entry, *words);
    }
    const std::string impossible = hasRoot(collective) && wishes.size() > 1 ? dropForeignRoots(wishes) : "";
    if (leftOut != nullptr) *leftOut = impossible;
    return wishes;
}

Specification specify(const std::string& id, const Asked& given) {
    const Asked asked = engine::schedules::isPath(id) ? completed(given, engine::algorithmNamed(id)) : given;
    Specification specification;
    RunWish& run = specification.run;
    if (const auto on = asked.word("on")) fields::named("on").set(specification, *on);
    const engine::Algorithm& method = run.on == "mpi" ? engine::live::methodNamed(id) : engine::algorithmNamed(id);
    run.algorithm = method.id;
    specification.split = asked.has("split-phase") ? std::optional{engine::splitphase::Settings{}} : std::nullopt;
    for (const Entry& entry : fields::all())
        if (asked.has(entry.key))
            if (const std::string why = misplaced(entry, specification); !why.empty()) throw Error{why};
    if (given.has("size") && method.collective == engine::Collective::barrier)
        throw Error{text(engine::field::size, ": a barrier moves no bytes; leave it out")};
    take(specification, asked);
    requireFitting(given, method.collective);
    requireHalves(specification);
    return specification;
}

std::string shellWord(const std::string& word) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string all = "'";
    for (const char c : word) {
        if (c == '\'') all += "'\\''";
        else all += c;
    }
    return all + "'";
}

std::string lineOf(const Specification& specification, std::initializer_list<std::string_view> without) {
    std::string line = shellWord(specification.run.algorithm);
    for (const Entry& entry : fields::all()) {
        if (!misplaced(entry, specification).empty() || std::ranges::find(without, entry.key) != without.end())
            continue;
        for (const std::string& words : entry.print(specification)) {
            line += entry.letter != '\0' ? text(" -", entry.letter) : text(" --", entry.key);
            if (entry.kind != fields::Kind::toggle) line += ' ' + shellWord(words);
        }
    }
    return line;
}

Specification specified(const std::string& line) {
    const std::vector<std::string> words = wordsIn(line);
    if (words.empty()) throw Error{"a run needs the id of an algorithm"};
    return specify(words.front(), askedIn(words));
}

std::string commandOf(const Specification& specification) { return "collscope run " + lineOf(specification); }

}  // namespace app

// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/options/run_options.hpp"

#include "app/session/options/run_options_parts.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app::fields {
namespace {

using engine::Error;
using engine::text;

/// `brief` where it reads back as `value`, else the number with fifteen figures and its unit.
template <class Value, class Read>
std::string exact(std::string brief, Value value, Read read, double number, const char* unit, const std::string& last) {
    std::erase(brief, ' ');
    if (read(brief, "") == value) return brief;
    std::string longer = engine::showNumber(number, 15) + unit;
    return read(longer, "") == value ? longer : last;
}

}  // namespace

void Entry::set(Specification& specification, const std::string& words) const {
    const std::string what = text(field());
    if (words.empty() && kind != Kind::toggle)
        throw engine::Error{text(what, " is empty; give it a value, or leave it out")};
    if (put != nullptr) put(specification.run.problem, number(words, what));
    else take(specification, words, what);
}

std::span<const Entry> all() {
    static const std::vector<Entry> table = [] {
        std::vector<Entry> entries = problemFields();
        for (Entry& entry : executionFields())
            entries.push_back(std::move(entry)), entries.back().part = Part::execution;
        std::ranges::move(liveFields(), std::back_inserter(entries));
        return entries;
    }();
    return table;
}

const Entry* find(std::string_view key) {
    for (const Entry& entry : all())
        if (entry.key == key) return &entry;
    return nullptr;
}

const Entry& named(std::string_view key) {
    const Entry* entry = find(key);
    ENSURE(entry != nullptr, text("no field is called ", key));
    return *entry;
}

std::string alternatives(const Words& words) {
    std::string list;
    for (std::size_t i = 0; i < words.size(); ++i)
        list += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    return list;
}

const std::string& chosen(const std::string& words, const std::string& what, const Words& choices) {
    if (std::find(choices.begin(), choices.end(), words) != choices.end()) return words;
    const std::string hint = choices.size() > 1 ? engine::didYouMean(words, choices) : "";
    throw Error{text(what, ": unknown value '", words, "'", hint.empty() ? "; choose " + alternatives(choices) : hint)};
}

std::string exactly(engine::Bytes bytes) {
    constexpr std::pair<const char*, int> units[]{{"GiB", 30}, {"MiB", 20}, {"KiB", 10}};
    for (const auto& [unit, shift] : units)
        if (bytes > 0 && bytes % (engine::Bytes{1} << shift) == 0) return text(bytes >> shift, unit);
    return text(bytes);
}

std::string exactly(engine::Picoseconds time) {
    return exact(engine::showTime(time, engine::ofPoints), time, engine::readTime,
                 static_cast<double>(time.count()) / 1e6, "us", text(time.count(), "ps"));
}

std::string exactly(engine::Rate rate) {
    return exact(engine::showRate(rate, engine::ofPoints), rate, engine::readRate,
                 static_cast<double>(rate.femtosecondsPerByte) / 1e6, "ns/B", text(rate.femtosecondsPerByte, "fs/B"));
}

std::string exactly(const engine::LogGP& logGP) {
    return text("L=", exactly(logGP.latency), ",o=", exactly(logGP.overhead), ",g=", exactly(logGP.gap),
                ",G=", exactly(logGP.gapPerByte), ",O=", exactly(logGP.overheadPerByte));
}

}  // namespace app::fields

// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/run/live_order.hpp"

#include "emulation/relay/relay.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/catalogue/catalogue.hpp"

namespace app {
namespace {

using engine::Error;
using engine::text;

std::map<std::string, std::string> pairs(const std::string& words) {
    std::map<std::string, std::string> values;
    for (const std::string& word : engine::split(words, ' '))
        if (const auto equals = word.find('='); equals != std::string::npos)
            values[word.substr(0, equals)] = word.substr(equals + 1);
    return values;
}

/// "one-sided 2000000 16 1 0 500,900": transport, nanoseconds of computation, tests, whether it communicates,
/// nanoseconds that a look waits, and after how many looks stand.
std::string toText(const engine::splitphase::Settings& settings) {
    std::string at;
    for (const auto time : settings.at) at += (at.empty() ? "" : ",") + std::to_string(time.count());
    return text(name(settings.by), ' ', settings.compute.count(), ' ', settings.tests, ' ',
                settings.communicate ? 1 : 0, ' ', settings.timeout.count(), ' ', at);
}

std::optional<engine::splitphase::Settings> settingsFromText(const std::string& words) {
    if (words.empty()) return std::nullopt;
    const std::vector<std::string> parts = engine::split(words, ' ');
    if (parts.size() != 6) throw Error{text("an order has a split-phase run that means nothing: '", words, "'")};
    constexpr std::int64_t most = std::int64_t{1} << 60;
    std::vector<engine::splitphase::Nanoseconds> at;
    for (const std::string& time : engine::split(parts[5], ','))
        if (!time.empty()) at.emplace_back(engine::readInteger(time, "looks", 0, most));
    return engine::splitphase::Settings{
        .by = engine::splitphase::byNamed(parts[0]),
        .compute = engine::splitphase::Nanoseconds{engine::readInteger(parts[1], "compute", 0, most)},
        .tests = static_cast<std::int32_t>(engine::readInteger(parts[2], "tests", 0, 1'000'000)),
        .at = std::move(at),
        .timeout = engine::splitphase::Nanoseconds{engine::readInteger(parts[4], "timeout", 0, most)},
        .communicate = parts[3] == "1"};
}

/// What a file holds, without the characters that end a word or a line of an order.
std::string inOneLine(const std::string& content) {
    std::string line;
    for (const char c : content) {
        if (c == '\n') line += "\\n";
        else if (c == '\t') line += "\\t";
        else if (c == '\\') line += "\\\\";
        else line += c;
    }
    return line;
}

std::string inItsLines(const std::string& line) {
    std::string content;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '\\' || ++i == line.size()) content += line[std::min(i, line.size() - 1)];
        else content += line[i] == 'n' ? '\n' : line[i] == 't' ? '\t' : line[i];
    }
    return content;
}

}  // namespace

std::string communicatorOfCalls(std::int32_t ranks) { return text("calls on ", ranks, " ranks"); }

std::string toText(const LiveOrder& order) {
    std::string words =
        text("repeats\t", order.repeats, "\nwarm-ups\t", order.warmUps, "\ncheck\t", order.check ? 1 : 0, "\ngranted\t",
             order.granted ? 1 : 0, "\nneighbours\t", order.neighbours, '\n');
    for (const LiveOrder::Entry& entry : order.entries)
        words += text("entry\t", entry.id, '\t', entry.options, '\t', entry.problem, '\t', entry.network, '\t',
                      entry.split ? toText(*entry.split) : "", '\t', inOneLine(entry.file), '\n');
    for (const std::string& cell : order.cells) words += text("cell\t", inOneLine(cell), '\n');
    for (const std::string& sample : order.samples) words += text("sample\t", inOneLine(sample), '\n');
    if (order.once) words += "once\t1\n";
    if (!order.cells.empty())
        words += text("seconds\t", order.seconds, "\ncommutes\t", order.commutes ? 1 : 0, "\ntests-sizes\t",
                      order.testsSizes ? 1 : 0, '\n');
    for (const engine::Bytes size : order.exchanges) words += text("exchange\t", size, '\n');
    return words;
}

LiveOrder orderFromText(const std::string& words) {
    LiveOrder order;
    for (const std::string& line : engine::split(words, '\n')) {
        if (line.empty()) continue;
        const std::vector<std::string> parts = engine::split(line, '\t');
        const auto number = [&](std::int64_t low) {
            return static_cast<std::int32_t>(engine::readInteger(parts.at(1), parts[0], low, 1'000'000));
        };
        if (parts.size() == 7 && parts[0] == "entry")
            order.entries.push_back({.id = parts[1],
                                     .options = parts[2],
                                     .problem = parts[3],
                                     .network = parts[4],
                                     .split = settingsFromText(parts[5]),
                                     .file = inItsLines(parts[6])});
        else if (parts.size() != 2) throw Error{text("an order has a line that means nothing: '", line, "'")};
        else if (parts[0] == "repeats") order.repeats = number(1);
        else if (parts[0] == "warm-ups") order.warmUps = number(0);
        else if (parts[0] == "check") order.check = number(0) == 1;
        else if (parts[0] == "granted") order.granted = number(0) == 1;
        else if (parts[0] == "exchange") order.exchanges.push_back(engine::readBytes(parts[1], parts[0]));
        else if (parts[0] == "cell") order.cells.push_back(inItsLines(parts[1]));
        else if (parts[0] == "sample") order.samples.push_back(inItsLines(parts[1]));
        else if (parts[0] == "once") order.once = number(0) == 1;
        else if (parts[0] == "commutes") order.commutes = number(0) == 1;
        else if (parts[0] == "tests-sizes") order.testsSizes = number(0) == 1;
        else if (parts[0] == "seconds") order.seconds = std::stod(parts[1]);
        else if (parts[0] == "neighbours") order.neighbours = parts[1];
        else throw Error{text("the instructions contain '", parts[0], "', which is unknown")};
    }
    return order;
}

engine::Options optionsOf(const LiveOrder::Entry& entry, const engine::live::Native& native) {
    return engine::live::optionsFor(native, engine::problemFromText(entry.problem), pairs(entry.options));
}

engine::Plan planOf(const LiveOrder::Entry& entry) {
    const engine::Algorithm& algorithm =
        entry.file.empty() ? engine::algorithmNamed(entry.id) : engine::schedules::algorithmFrom(entry.id, entry.file);
    engine::Plan plan = engine::makePlan(algorithm, engine::problemFromText(entry.problem), pairs(entry.options));
    if (!entry.network.empty())
        plan.schedule = emulation::neighboursOnly(plan.schedule, plan.problem,
                                                  emulation::makeNetwork(entry.network, plan.schedule->facts().ranks));
    return plan;
}

}  // namespace app

// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/replay/replay_points.hpp"

#include "app/cli/output/text_layout.hpp"
#include "app/session/options/run_options.hpp"
#include "app/session/replay/algorithm_choices.hpp"
#include "app/session/replay/replay_conditions.hpp"
#include "emulation/networks/network.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>

namespace app::cli {
namespace {

using engine::Error;
using engine::text;

constexpr std::size_t mostReplays = 100'000;

/// Fields of a run that are conditions of a replay, and how lists of them are written.
enum class Listed : std::uint8_t { no, byCommas, range, networks };
struct Condition {
    std::string_view key;
    Listed listed = Listed::byCommas;
};
constexpr std::array<Condition, 15> conditions{{{"topology", Listed::networks},
                                                {"placement"},
                                                {"model"},
                                                {"alpha"},
                                                {"beta"},
                                                {"bandwidth"},
                                                {"gamma"},
                                                {"loggp", Listed::no},
                                                {"eager"},
                                                {"ports", Listed::range},
                                                {"sharing"},
                                                {"header"},
                                                {"detached"},
                                                {"slow-ranks", Listed::no},
                                                {"slow-links", Listed::no}}};

using Words = std::vector<std::string>;

/// The algorithm, or the number, that leaves everything as it was.
constexpr std::string_view asRecorded = "recorded";

/// The values in a list; the name of a file may hold commas.
Words listedWords(const std::string& words) {
    return words.starts_with('@') ? Words{words} : engine::split(words, ',');
}

/// Networks have commas of their own: "full,fat-tree:4x4,taper=2" are two.
Words listedNetworks(const std::string& words) {
    Words networks;
    for (const std::string& part : engine::split(words, ',')) {
        const std::string name = part.substr(0, part.find(':'));
        const bool begins =
            networks.empty() || std::ranges::any_of(emulation::topologies(), [&](const emulation::Topology& topology) {
                return topology.name == name;
            });
        if (begins) networks.push_back(part);
        else networks.back() += ',' + part;
    }
    return networks;
}

/// "allreduce=best,allreduce/ring": "allreduce=best" and "allreduce=allreduce/ring". Of what has several `=` the
/// values stand behind the `last`, or behind the first.
Words alternatives(const std::string& words, bool last) {
    const auto equals = last ? words.rfind('=') : words.find('=');
    const std::string about = equals == std::string::npos ? "" : words.substr(0, equals + 1);
    Words all;
    for (const std::string& value : listedWords(equals == std::string::npos ? words : words.substr(equals + 1)))
        all.push_back(value == asRecorded ? "" : about + value);
    return all;
}

void addTo(Words& words, const std::string& word) {
    if (!word.empty()) words.push_back(word);
}

std::string inOneLine(const Words& words) { return engine::joined(words, " "); }

Words valuesIn(const Condition& condition, const std::string& words) {
    const fields::Entry& entry = fields::named(condition.key);
    switch (condition.listed) {
        case Listed::no: return {words};
        case Listed::byCommas: return listedWords(words);
        case Listed::networks: return listedNetworks(words);
        case Listed::range: break;
    }
    Words values;
    for (const std::int64_t number : readRange(words, text(entry.field()), entry.number))
        values.push_back(std::to_string(number));
    return values;
}

/// `points` once for each of `values`, which `put` puts in.
template <class Put>
void multiply(std::vector<ReplayWish>& points, const Words& values, Put put) {
    if (points.size() * values.size() > mostReplays)
        throw Error{text("the lists make more than ", mostReplays, " replays; choose shorter ones")};
    std::vector<ReplayWish> more;
    for (const ReplayWish& point : points)
        for (const std::string& value : values) {
            more.push_back(point);
            put(more.back(), value);
        }
    points = std::move(more);
}

void refuseFlagsOfRuns(const Arguments& arguments, const std::string& trace) {
    for (const fields::Entry& entry : fields::all())
        if (arguments.asked.has(entry.key) && entry.key != "compute" &&
            std::ranges::find(conditions, entry.key, &Condition::key) == conditions.end())
            throw Error{text(entry.field(), " has no effect on replays of ", trace, ", whose recording determines it")};
    for (const auto& [given, flag] : {std::pair{!arguments.together.empty(), "--together"},
                                      {arguments.repeats.has_value(), "--repeat"},
                                      {arguments.series.has_value(), "--series"},
                                      {arguments.baseline.has_value(), "--baseline"},
                                      {arguments.formula, "--formula"},
                                      {!arguments.lines.empty(), "--line"}})
        if (given) throw Error{text(flag, " is for sweeps of algorithms, not for one of a trace")};
}

/// Coordinates of what stands in `wish`.
Words coordinatesIn(const ReplayWish& wish) {
    Words words{inOneLine(wish.with),
                inOneLine(wish.ownTime.compute),
                inOneLine(wish.ownTime.without),
                inOneLine(wish.ownTime.even),
                wish.overlap ? "yes" : "",
                wish.inPorts ? std::string{nameOf(*wish.inPorts)} : ""};
    for (const Condition& condition : conditions) words.push_back(wish.asked.word(condition.key).value_or(""));
    return words;
}

}  // namespace

const std::vector<std::string>& replayCoordinates() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all{"with", "compute", "without", "even", "overlap", "in_ports"};
        for (const Condition& condition : conditions) {
            all.emplace_back(condition.key);
            std::ranges::replace(all.back(), '-', '_');
        }
        return all;
    }();
    return names;
}

std::optional<double> numberOf(const std::string& name, const std::string& word) try {
    if (name == "alpha") return engine::seconds(engine::readTime(word, name));
    if (name == "eager") return static_cast<double>(engine::readBytes(word, name));
    if (name == "bandwidth") return 1e15 / static_cast<double>(engine::readBandwidth(word, name).femtosecondsPerByte);
    if (name == "beta" || name == "gamma")
        return static_cast<double>(engine::readRate(word, name).femtosecondsPerByte) / 1e15;
    if (name != "ports" && name != "compute") return std::nullopt;
    const std::string digits = word.substr(word.rfind('=') + 1);
    return numberFrom<double>(digits);
} catch (const Error&) {
    return std::nullopt;
}

std::vector<ReplayPoint> replayPoints(const Arguments& arguments) {
    refuseFlagsOfRuns(arguments, arguments.words.front());
    std::vector<ReplayWish> wishes(1);
    wishes.front().ownTime = {.without = arguments.without, .even = arguments.even};
    wishes.front().overlap = arguments.overlap;
    for (const std::string& words : arguments.with) {
        const Words values = alternatives(words, false);
        for (const std::string& value : values)
            if (!value.empty()) (void)SaidAlgorithms{{value}};  // a mistake, where other points would do
        multiply(wishes, values, [](ReplayWish& wish, const std::string& value) { addTo(wish.with, value); });
    }
    for (const std::string& words : arguments.asked.all("compute"))
        multiply(wishes, alternatives(words, true),
                 [](ReplayWish& wish, const std::string& value) { addTo(wish.ownTime.compute, value); });
    if (arguments.inPorts)
        multiply(wishes, listedWords(*arguments.inPorts),
                 [](ReplayWish& wish, const std::string& value) { wish.inPorts = inPortsNamed(value); });
    for (const Condition& condition : conditions)
        if (const auto words = arguments.asked.word(condition.key))
            multiply(wishes, valuesIn(condition, *words),
                     [&](ReplayWish& wish, const std::string& value) { wish.asked.add(condition.key, value); });
    std::vector<ReplayPoint> points;
    for (ReplayWish& wish : wishes) {
        Words coordinates = coordinatesIn(wish);
        points.push_back({std::move(wish), std::move(coordinates)});
    }
    return points;
}

}  // namespace app::cli

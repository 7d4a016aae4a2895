// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/output/measurement.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

#include <sys/utsname.h>

namespace app::cli {
namespace {

using engine::Picoseconds;
using engine::seconds;
using engine::showNumber;
using engine::showTime;
using engine::text;

std::string ratio(Picoseconds time, Picoseconds to) {
    return to.count() > 0 ? showNumber(analysis::ratio(time, to), 3) : "-";
}

std::int64_t hostCount(const std::vector<std::string>& hosts) {
    std::vector<std::string> different = hosts;
    std::sort(different.begin(), different.end());
    return std::unique(different.begin(), different.end()) - different.begin();
}

std::string kernelName() {
    utsname names{};
    return uname(&names) == 0 ? text(names.sysname, ' ', names.release, ' ', names.machine) : "";
}

/// Those that came to their end, of those that were asked for.
std::string executions(const Measurement& measurement) {
    const auto done = static_cast<std::int64_t>(measurement.methods.front().samples.size());
    const std::string all = analysis::counted(measurement.repeats, "execution");
    return done == measurement.repeats ? all : text(analysis::counted(done), " of ", all);
}

Json loadJson(const Load& load) {
    return {{"busy_share", load.busy < 0 ? Json{} : Json(load.busy)},
            {"load_average", load.average},
            {"processors", load.processors}};
}

}  // namespace

void writeMeasurement(const Measurement& measurement, const Console& console) {
    const Paint& paint = console.paint;
    std::ostream& out = console.out;
    const auto workers = static_cast<std::int64_t>(measurement.hosts.size());
    out << '\n' << analysis::counted(workers);
    if (measurement.library.empty()) out << (workers == 1 ? " thread" : " threads") << " of one process\n";
    else
        out << (workers == 1 ? " process on " : " processes on ")
            << analysis::counted(hostCount(measurement.hosts), "host") << ", " << measurement.library << '\n';
    if (measurement.methods.empty() || (measurement.repeats == 1 && measurement.methods.size() == 1)) return;
    out << paint(Tone::strong,
                 text(executions(measurement), " of each method in turn; the times are those of the slowest rank"))
        << '\n';
    const Measured& first = measurement.methods.front();
    const bool bounds = first.bound.has_value();
    std::vector<Align> align(bounds ? 6 : 5, Align::right);
    align.front() = Align::left;
    Table table{align, 2};
    std::vector<std::string> heading{"", "median", "minimum", "median span", "time / first"};
    if (bounds) heading.emplace_back("time / its bound");
    table.row(std::move(heading));
    for (const Measured& method : measurement.methods) {
        std::vector<std::string> cells{method.id, showTime(method.median), showTime(method.minimum),
                                       showTime(method.medianSpan), ratio(method.median, first.median)};
        if (bounds) cells.push_back(method.bound ? ratio(method.median, *method.bound) : "-");
        table.row(std::move(cells));
    }
    table.write(out);
    console.write(
        "median span: median of the times from the first rank's start to the last rank's end; the run shown above is the "
        "execution whose slowest rank took the median time");
    if (measurement.methods.size() > 1)
        console.write(text("time / first: median / median of ", first.id, "; below 1 is faster than ", first.id));
    for (const Measured& method : measurement.methods)
        if (method.setUp.count() > 0)
            out << method.id << ": its communicators were made once, in " << showTime(method.setUp)
                << ", which no time above contains\n";
    if (measurement.contended())
        out << paint(Tone::bad,
                     text("contended: other programs kept ", analysis::percent(measurement.before.busy),
                          " of the processors busy before and ", analysis::percent(measurement.after.busy), " after"))
            << '\n';
}

void writeOverlap(const Overlap& overlap, const Console& console) {
    std::string words =
        text("split-phase, ", name(overlap.settings.by), ": ", showTime(overlap.alone), " of communication alone");
    if (overlap.together)
        words +=
            text(", ", showTime(overlap.computation), " of computation alone, ", showTime(*overlap.together),
                 " together: ", analysis::percent(overlap.hidden().value_or(0)), " of the communication was hidden");
    if (overlap.calls)
        words += text("; a rank made at most ", analysis::counted(overlap.calls->most, "call"),
                      " until it had the result, start and wait included, and ", showNumber(overlap.calls->mean, 3),
                      " on average");
    console.write(words, Tone::strong);
}

Json overlapJson(const Overlap& overlap) {
    const auto hidden = overlap.hidden();
    const auto secondsOf = [](engine::splitphase::Nanoseconds time) { return static_cast<double>(time.count()) / 1e9; };
    Json looks = Json::array();
    for (const auto time : overlap.settings.at) looks.push_back(secondsOf(time));
    Json json{{"transport", name(overlap.settings.by)},
              {"compute_s", secondsOf(overlap.settings.compute)},
              {"tests", overlap.settings.looks()},
              {"tests_at_s", overlap.settings.at.empty() ? Json{} : looks},
              {"timeout_s", secondsOf(overlap.settings.timeout)},
              {"communication_alone_s", seconds(overlap.alone)},
              {"computation_alone_s", overlap.together ? Json(seconds(overlap.computation)) : Json{}},
              {"with_overlap_s", overlap.together ? Json(seconds(*overlap.together)) : Json{}},
              {"hidden_share", hidden ? Json(*hidden) : Json{}}};
    if (overlap.calls) {
        json["background"] = overlap.settings.background;
        json["look_cost_s"] = secondsOf(overlap.settings.looking);
        json["calls"] = {{"most", overlap.calls->most}, {"mean", overlap.calls->mean}};
    }
    return json;
}

Json measurementJson(const Measurement& measurement) {
    Json methods = Json::array();
    for (const Measured& method : measurement.methods) {
        Json slowest = Json::array();
        Json span = Json::array();
        for (const engine::live::Sample& sample : method.samples) {
            slowest.push_back(seconds(sample.slowest));
            span.push_back(seconds(sample.span));
        }
        const double first = seconds(measurement.methods.front().median);
        methods.push_back({{"id", method.id},
                           {"slowest_rank_s", slowest},
                           {"span_s", span},
                           {"median_s", seconds(method.median)},
                           {"minimum_s", seconds(method.minimum)},
                           {"median_span_s", seconds(method.medianSpan)},
                           {"ratio_to_first", first > 0 ? Json(seconds(method.median) / first) : Json{}},
                           {"set_up_s", seconds(method.setUp)},
                           {"bound_s", method.bound ? Json(seconds(*method.bound)) : Json{}}});
    }
    Json offsets = Json::array();
    for (const Picoseconds offset : measurement.clockOffsets) offsets.push_back(seconds(offset));
    return {{"methods", methods},
            {"repeats", measurement.repeats},
            {"warm_ups", measurement.warmUps},
            {"hosts", measurement.hosts},
            {"clock_offsets_s", offsets},
            {"library", measurement.library},
            {"kernel", kernelName()},
            {"program", "collscope " COLLSCOPE_VERSION},
            {"launched_by", measurement.command.empty() ? Json{} : Json(measurement.command)},
            {"load_before", loadJson(measurement.before)},
            {"load_after", loadJson(measurement.after)},
            {"contended", measurement.contended()}};
}

}  // namespace app::cli

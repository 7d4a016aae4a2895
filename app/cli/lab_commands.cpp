// SPDX-License-Identifier: BSD-3-Clause
// lab and calibrate: the machine that live runs find.
#include "app/cli/commands.hpp"
#include "app/cli/output/files.hpp"
#include "app/cli/output/json.hpp"
#include "app/cli/sweep/sweep_results.hpp"
#include "app/session/run/calibration.hpp"
#include "engine/base/text.hpp"
#include "engine/live/network_namespaces/lab_hosts.hpp"

#include <limits>

namespace app::cli {
namespace {

using engine::Error;
using engine::text;

std::string speedWords(engine::Rate rate) {
    const double bits = 8e15 / static_cast<double>(std::max<std::int64_t>(1, rate.femtosecondsPerByte));
    return bits >= 1e9 ? engine::showNumber(bits / 1e9) + " Gbit/s" : engine::showNumber(bits / 1e6) + " Mbit/s";
}

/// "100Mbit/s", "12.5MB/s" as --bandwidth takes it, or "100mbit" as tc writes it.
engine::Rate readRate(const std::string& words) {
    for (const auto& [ending, unit] : {std::pair{"kbit", "kbit/s"}, {"mbit", "Mbit/s"}, {"gbit", "Gbit/s"}})
        if (words.ends_with(ending)) return engine::readBandwidth(words.substr(0, words.size() - 4) + unit, "--rate");
    return engine::readBandwidth(words, "--rate");
}

void tell(const std::optional<engine::live::Lab>& lab, const std::string& format, const Console& console) {
    if (format == "json") {
        Json json{{"standing", lab.has_value()}};
        if (lab) {
            json["hosts"] = lab->existing;
            json["whole"] = lab->whole();
            json["ports_are_queues"] = lab->queues;
            json["seconds_per_byte"] = static_cast<double>(lab->rate.femtosecondsPerByte) / 1e15;
        }
        console.out << json.dump(2, ' ', false, lenient) << '\n';
    } else if (!lab) {
        console.out << "no lab is set up\n";
    } else if (!lab->whole()) {
        console.out << "a broken lab: " << lab->existing << " of " << lab->hosts
                    << " hosts are set up; collscope lab down removes the lab\n";
    } else {
        console.out << "a lab of " << analysis::counted(lab->hosts, "host") << ", " << speedWords(lab->rate)
                    << " each way; collscope run ... --on mpi --lab uses it\n";
        if (!lab->queues)
            console.out
                << "TCP cannot be set up in it here: messages share a port instead of following each other, and "
                   "gains may be smaller\n";
    }
}

/// Of messages that are measured, or of results that are taken.
analysis::NumberRange measuredSizes(const Arguments& arguments) {
    if (!arguments.messageSizes) return {1 << 10, 1 << 20};
    constexpr engine::Bytes largest = 256 << 20;
    const std::vector<analysis::NumberRange> ranges = readPart(arguments).bytes;
    if (ranges.size() != 1 || ranges[0].low < 1 || ranges[0].high > largest || ranges[0].high / 4 < ranges[0].low)
        throw Error{text("--message-sizes: '", *arguments.messageSizes,
                         "': write FIRST..LAST from 1B to 256MiB, LAST at least four times FIRST, such as "
                         "64KiB..1MiB")};
    return ranges[0];
}

void writeModel(const std::string& file, const std::string& model, bool force, const Console& console) {
    writeFile(file, existing(force), console.around.stop, [&](std::ostream& out) { out << model; });
}

int calibrateFromResults(const std::string& path, const std::string& format, const Arguments& arguments,
                         const Console& console) {
    if (arguments.pairs || arguments.asked.has("repeat"))
        throw Error{"--pairs and --repeat are about a measurement; leave them out with a file of results"};
    if (arguments.output) requireFree(*arguments.output, arguments.force);
    analysis::NumberRange sizes{1, std::numeric_limits<std::int64_t>::max()};
    if (arguments.messageSizes) {
        const std::vector<analysis::NumberRange> ranges = readPart(arguments).bytes;
        if (ranges.size() != 1)
            throw Error{
                text("--message-sizes: '", *arguments.messageSizes, "' is no range; write for example 1MiB..1GiB")};
        sizes = ranges[0];
    }
    const RingFit fit = ringFit(traces::nccl::readResults(path), sizes.low, sizes.high);
    if (arguments.output) writeModel(*arguments.output, modelFile(fit, path), arguments.force, console);
    if (format == "json") {
        const auto beta = [](engine::Rate rate) { return static_cast<double>(rate.femtosecondsPerByte) / 1e15; };
        Json points = Json::array();
        for (const RingFit::Point& point : fit.points)
            points.push_back({{"series", point.series},
                              {"bytes", point.size},
                              {"measured_s", engine::seconds(point.measured)},
                              {"fitted_s", engine::seconds(point.fitted)}});
        console.out << Json{{"alpha_s", engine::seconds(fit.model.alpha)},
                            {"alpha_low_s", engine::seconds(fit.low.alpha)},
                            {"alpha_high_s", engine::seconds(fit.high.alpha)},
                            {"beta_s_per_byte", beta(fit.model.beta)},
                            {"beta_low_s_per_byte", beta(fit.low.beta)},
                            {"beta_high_s_per_byte", beta(fit.high.beta)},
                            {"largest_error", fit.error},
                            {"wrong_results", fit.wrong},
                            {"left_out", fit.others},
                            {"points", points}}
                           .dump(2, ' ', false, lenient)
                    << '\n';
        return done;
    }
    console.out << "alpha " << engine::showTime(fit.model.alpha) << " (95% interval " << engine::showTime(fit.low.alpha)
                << " .. " << engine::showTime(fit.high.alpha) << ")\nbeta  " << engine::showRate(fit.model.beta)
                << " (95% interval " << engine::showRate(fit.low.beta) << " .. " << engine::showRate(fit.high.beta)
                << "), " << engine::showNumber(1e6 / static_cast<double>(fit.model.beta.femtosecondsPerByte), 3)
                << " GB/s\nAs if each result ran as a ring; largest relative error of the fit: "
                << analysis::percent(fit.error) << ".\n\n";
    Table table{{Align::left, Align::right, Align::right, Align::right}, 2};
    table.row({"results", "size", "measured", "fitted"});
    for (const RingFit::Point& point : fit.points)
        table.row({point.series, engine::showBytes(point.size), engine::showTime(point.measured),
                   engine::showTime(point.fitted)});
    table.write(console.out);
    if (fit.wrong > 0) console.out << '\n' << wrongResults(fit.wrong) << '\n';
    if (!fit.others.empty())
        console.out << "\nLeft out, because it has no cost as a ring: "
                    << analysis::listed({fit.others.begin(), fit.others.end()}) << ".\n";
    constexpr double large = 0.3;
    if (fit.error > large)
        console.out << "\nNCCL changes algorithm and protocol with the size: --message-sizes chooses the range that "
                       "matters.\n";
    if (arguments.output)
        console.out << "\nwrote " << *arguments.output << "; --model @" << *arguments.output << " takes it\n";
    return done;
}

}  // namespace

int lab(const Arguments& arguments, const Console& console) {
    const std::string what =
        choice(wordsOf(arguments, 1, 1, "lab up|status|down")[0], "lab", {"up", "status", "down"}, "status");
    const std::string format = chosenFormat(arguments, {"text", "json"});
    if (what != "up" && (arguments.hosts || arguments.rate)) throw Error{"--hosts and --rate are flags of 'lab up'"};
    if (what == "up") {
        const auto hosts = static_cast<std::int32_t>(
            engine::readInteger(arguments.hosts.value_or("16"), "--hosts", 2, engine::live::mostLabHosts));
        const engine::Rate rate = readRate(arguments.rate.value_or("100Mbit/s"));
        ProgressLine line{console, "setting up"};
        engine::live::setUpLab(hosts, rate, line.progress());
    } else if (what == "down") {
        const std::int32_t hosts = engine::live::takeDownLab();
        if (format == "text") {
            console.out << (hosts > 0 ? "took down " + analysis::counted(hosts, "host") : "no lab was set up") << '\n';
            return done;
        }
    }
    tell(engine::live::existingLab(), format, console);
    return done;
}

int calibrate(const Arguments& arguments, const Console& console) {
    const std::vector<std::string>& words = wordsOf(arguments, 0, 1, "calibrate [FILE]");
    const std::string format = chosenFormat(arguments, {"text", "json"});
    if (!words.empty()) return calibrateFromResults(words[0], format, arguments, console);
    Specification asked;
    take(asked, arguments.asked);
    if (arguments.output) requireFree(*arguments.output, arguments.force);
    const analysis::NumberRange sizes = measuredSizes(arguments);
    Exchanges exchanges{.least = sizes.low, .most = sizes.high};
    if (asked.repeats) exchanges.repeats = *asked.repeats;
    if (arguments.pairs)
        exchanges.pairs = static_cast<std::int32_t>(engine::readInteger(*arguments.pairs, "--pairs", 1, 512));
    const Calibration result = [&] {
        ProgressLine line{console, "measuring"};
        return app::calibrate(exchanges, launchFor(asked.launcher, console), line.progress());
    }();
    if (arguments.output) writeModel(*arguments.output, modelFile(result), arguments.force, console);
    if (format == "json") {
        Json points = Json::array();
        for (const Calibration::Point& point : result.points)
            points.push_back({{"bytes", point.size},
                              {"measured_s", engine::seconds(point.measured)},
                              {"fitted_s", engine::seconds(point.fitted)}});
        console.out << Json{{"alpha_s", engine::seconds(result.model.alpha)},
                            {"beta_s_per_byte", static_cast<double>(result.model.beta.femtosecondsPerByte) / 1e15},
                            {"pairs", result.pairs},
                            {"largest_error", result.error},
                            {"launched_by", result.command},
                            {"points", points}}
                           .dump(2, ' ', false, lenient)
                    << '\n';
        return done;
    }
    console.out << "alpha " << engine::showTime(result.model.alpha) << ", beta " << engine::showRate(result.model.beta)
                << " (" << speedWords(result.model.beta)
                << "); largest relative error of the fit: " << analysis::percent(result.error) << "\n\n";
    Table table{{Align::right, Align::right, Align::right}, 2};
    table.row({"message", "measured", "alpha + beta m"});
    for (const Calibration::Point& point : result.points)
        table.row({engine::showBytes(point.size), engine::showTime(point.measured), engine::showTime(point.fitted)});
    table.write(console.out);
    if (result.before.busy > contendedShare)
        console.out << "contended: other programs kept " << analysis::percent(result.before.busy)
                    << " of the processors busy; measure again on an idle machine\n";
    if (arguments.output)
        console.out << "\nwrote " << *arguments.output << "; --model @" << *arguments.output << " takes it\n";
    return done;
}

}  // namespace app::cli

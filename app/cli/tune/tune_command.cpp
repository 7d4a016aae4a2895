// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/tune/tune_command.hpp"

#include "app/cli/commands.hpp"
#include "app/cli/output/files.hpp"
#include "app/cli/output/json.hpp"
#include "app/cli/output/printable.hpp"
#include "app/cli/tune/measured_cases.hpp"
#include "app/session/options/run_options.hpp"
#include "app/session/replay/rule_words.hpp"
#include "app/session/tune/rule_table.hpp"
#include "app/session/tune/rules_check.hpp"
#include "app/session/tune/rules_explain.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace app::cli {
namespace {

using engine::Error;
using engine::text;

/// The library that the file is for, in the version that is installed.
std::string libraryOf(const tune::RulesFile& file) {
    const tune::Installed& installed = tune::installedFor(file);
    const std::string library = tune::formatOf(file).library;
    if (library == "Collscope") return library;
    return installed.present ? installed.version : library + ", which is not installed";
}

Json findingJson(const tune::Finding& one) {
    return {{"line", one.line > 0 ? Json(one.line) : Json{}},
            {"kind", name(one.kind)},
            {"fault", one.fault},
            {"words", spoken(one.words)}};
}

int checkRules(const Arguments& arguments, const Console& console) {
    const std::string& path = wordsOf(arguments, 2, 2, "tune check FILE")[1];
    const std::string format = chosenFormat(arguments, {"text", "json"});
    const tune::RulesFile file = tune::rulesFileIn(path);
    const tune::Findings findings = tune::check(file, tune::installedFor(file));
    const auto faults = std::ranges::count_if(findings, &tune::Finding::fault);
    const tune::Format kind = tune::formatOf(file);
    if (format == "json") {
        Json rows = Json::array();
        for (const tune::Finding& one : findings) rows.push_back(findingJson(one));
        console.out << Json{{"file", path},
                            {"format", kind.title},
                            {"library", libraryOf(file)},
                            {"faults", faults},
                            {"findings", rows}}
                           .dump(2, ' ', false, lenient)
                    << '\n';
        return faults > 0 ? checkFailed : done;
    }
    if (const auto* own = std::get_if<tune::CollscopeRules>(&file);
        own != nullptr && own->rules.empty() && faults == 0) {
        console.out << console.paint(Tone::strong, visibleName(path)) << " contains no rules\n";
        return done;
    }
    console.out << console.paint(Tone::strong, visibleName(path)) << ": " << kind.title << " (" << libraryOf(file)
                << "), " << (faults == 0 ? std::string{"no faults"} : analysis::counted(faults, "fault")) << '\n';
    Table table{{Align::right, Align::left, Align::left}, 2};
    for (const tune::Finding& one : findings)
        table.row({one.line > 0 ? text("line ", one.line) : std::string{"file"},
                   one.fault ? std::string{name(one.kind)} : text("note: ", name(one.kind)), spoken(one.words)});
    if (!table.empty()) console.out << '\n';
    table.write(console.out);
    return faults > 0 ? checkFailed : done;
}

Json explanationJson(const tune::CallQuestion& call, const tune::Explanation& why) {
    Json reasons = Json::array();
    for (const std::string& one : why.reasons) reasons.push_back(spoken(one));
    return {{"collective", name(call.called)},
            {"ranks", call.ranks},
            {"bytes", call.bytes},
            {"line", why.line > 0 ? Json(why.line) : Json{}},
            {"algorithm", orNull(why.algorithm)},
            {"id", orNull(why.id)},
            {"outcome", orNull(why.outcome)},
            {"reasons", reasons}};
}

void writeExplanation(const tune::CallQuestion& call, const tune::Explanation& why, const Console& console) {
    console.out << name(call.called) << " on " << analysis::counted(call.ranks, "rank");
    if (call.called != engine::live::Called::barrier) console.out << " with " << tune::exactBytes(call.bytes);
    console.out << ": ";
    if (!why.algorithm.empty())
        console.out << console.paint(Tone::strong, text("line ", why.line, ", ", why.algorithm));
    else if (why.line > 0) console.out << "line " << why.line << " leaves it to the library";
    else console.out << "no rule decides; " << (why.outcome.empty() ? "the library chooses" : why.outcome);
    if (!why.outcome.empty() && !why.algorithm.empty()) console.out << "; " << why.outcome;
    if (!why.id.empty() && why.id != why.algorithm) console.out << ", in Collscope " << why.id;
    console.out << "\n\n";
    for (const std::string& reason : why.reasons)
        for (const std::string& line : wrapped(spoken(reason), lineWidth - 2)) console.out << "  " << line << '\n';
}

/// One call, or without a collective all calls that a rule decides.
int explainRules(const Arguments& arguments, const Console& console) {
    constexpr const char* usage = "tune explain FILE [COLLECTIVE] -n RANKS --bytes SIZE";
    const auto& words = wordsOf(arguments, 2, 3, usage);
    const std::string format = chosenFormat(arguments, {"text", "json"});
    const bool isOne = words.size() > 2;
    std::vector<engine::live::Called> asked;
    if (isOne) asked.push_back(calledOf(words[2]));
    else std::ranges::copy_if(engine::live::everyCalled, std::back_inserter(asked), engine::live::isBlocking);
    if (!arguments.processes) throw Error{text("--ranks is missing; write collscope ", usage)};
    if (!arguments.bytes && asked != std::vector{engine::live::Called::barrier})
        throw Error{text("--bytes is missing; write collscope ", usage)};
    const std::int64_t ranks = engine::readInteger(*arguments.processes, "--ranks", 1, 100'000'000);
    const engine::Bytes bytes = arguments.bytes ? engine::readBytes(*arguments.bytes, "--bytes") : 0;
    const tune::RulesFile file = tune::rulesFileIn(words[1]);
    std::vector<std::pair<tune::CallQuestion, tune::Explanation>> all;
    for (const engine::live::Called called : asked) {
        const tune::CallQuestion call{.called = called, .ranks = ranks, .bytes = bytes};
        try {
            all.emplace_back(call, tune::explain(file, call, tune::installedFor(file)));
        } catch (const Error& error) {
            throw Error{text(words[1], ", ", error.words())};
        }
    }
    if (!isOne) std::erase_if(all, [](const auto& one) { return one.second.line == 0; });
    if (format == "json") {
        Json json{{"file", words[1]}, {"library", libraryOf(file)}};
        if (isOne) json.update(explanationJson(all[0].first, all[0].second));
        else json["calls"] = Json::array();
        for (const auto& [call, why] : all)
            if (!isOne) json["calls"].push_back(explanationJson(call, why));
        console.out << json.dump(2, ' ', false, lenient) << '\n';
        return done;
    }
    for (const auto& [call, why] : all) {
        if (&call != &all.front().first) console.out << '\n';
        writeExplanation(call, why, console);
    }
    if (all.empty())
        console.out << "no rule decides a call on " << analysis::counted(ranks, "rank") << " with "
                    << tune::exactBytes(bytes) << '\n';
    return done;
}

int convertRules(const Arguments& arguments, const Console& console) {
    constexpr const char* usage = "tune convert FILE --to openmpi|mpich|collscope";
    const std::string& path = wordsOf(arguments, 2, 2, usage)[1];
    if (!arguments.to) throw Error{text("--to is missing; write collscope ", usage)};
    const std::string library = fields::chosen(*arguments.to, "--to", {"openmpi", "mpich", "collscope"});
    const std::string format = chosenFormat(arguments, {"text", "json"});
    if (arguments.output) requireFree(*arguments.output, arguments.force);
    const tune::RulesFile file = tune::rulesFileIn(path);
    const tune::Converted made = [&] {
        try {
            return tune::convert(file, library);
        } catch (const Error& error) {
            throw Error{text(path, ": ", error.words())};
        }
    }();
    if (arguments.output)
        writeFile(*arguments.output, existing(arguments.force), console.around.stop,
                  [&](std::ostream& out) { out << made.words; });
    if (format == "json") {
        Json losses = Json::array();
        for (const std::string& one : made.losses) losses.push_back(spoken(one));
        console.out << Json{{"file", path}, {"to", library}, {"rules", made.words}, {"losses", losses}}.dump(
                           2, ' ', false, lenient)
                    << '\n';
        return done;
    }
    std::ostream& said = arguments.output ? console.out : console.err;
    if (arguments.output) said << "wrote " << *arguments.output << '\n';
    else console.out << made.words;
    for (const std::string& loss : made.losses)
        for (const std::string& line : wrapped(spoken(loss), lineWidth)) said << line << '\n';
    return done;
}

/// Throws Error for a flag that `form` of tune does not use.
void refuseOtherFlags(const Arguments& given, std::string_view form) {
    const bool places = form == "placement";
    const bool measures = !places && form != "check" && form != "explain" && form != "convert" && form != "map";
    const auto refuse = [](bool isGiven, std::string_view flag, std::string_view use) {
        if (isGiven) throw Error{text(flag, " is for ", use, "; leave it out")};
    };
    refuse(given.bytes && form != "explain", "--bytes", "tune explain (sizes to measure are --sizes)");
    for (const auto& [isGiven, flag] : {std::pair{given.sizes.has_value(), "--sizes"},
                                        {given.budget.has_value(), "--budget"},
                                        {given.program.has_value(), "--for"},
                                        {given.candidates.has_value(), "--candidates"},
                                        {given.resume, "--resume"}})
        refuse(isGiven && !measures, flag, "measuring");
    for (const auto& [isGiven, flag] : {std::pair{given.hosts.has_value(), "--hosts"},
                                        {given.asked.has("topology"), "--topology"},
                                        {given.asked.has("model"), "--model"}})
        refuse(isGiven && !places, flag, "tune placement");
    for (const auto& [isGiven, flag] : {std::pair{given.check.has_value(), "--check"},
                                        {given.repeats.has_value(), "--repeat"},
                                        {given.seconds.has_value(), "--seconds"}})
        refuse(isGiven && !places && !measures, flag, "measuring and tune placement");
    for (const auto& [isGiven, flag] :
         {std::pair{given.repeats.has_value(), "--repeat"}, {given.seconds.has_value(), "--seconds"}})
        refuse(isGiven && !given.check, flag, "the runs of --check");
}

}  // namespace

int tune(const Arguments& arguments, const Console& console) {
    const std::string what = arguments.words.empty() ? "" : arguments.words[0];
    refuseOtherFlags(arguments, what);
    if (what == "check") return checkRules(arguments, console);
    if (what == "explain") return explainRules(arguments, console);
    if (what == "convert") return convertRules(arguments, console);
    if (what == "placement") return placeRanks(arguments, console);
    if (what == "map") return drawTuningMap(arguments, console);
    if (const std::string form = engine::nearest(what, {"check", "explain", "convert", "placement", "map"});
        !form.empty() && what.find(',') == std::string::npos && !calledNamed(what))
        throw Error{text("tune: '", what, "' is not a collective; did you mean tune ", form, "?")};
    return measureRules(arguments, console);
}

}  // namespace app::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/commands.hpp"
#include "app/cli/nccl_log.hpp"
#include "app/cli/output/files.hpp"
#include "app/cli/output/json.hpp"
#include "app/cli/output/tables.hpp"
#include "app/session/options/ranges.hpp"
#include "app/session/options/run_options.hpp"
#include "app/session/proofs/audit.hpp"
#include "app/session/proofs/proofs.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/proof/bracketing.hpp"
#include "engine/proof/sent_too_early.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

namespace app::cli {
namespace {

using engine::Algorithm;
using engine::text;

constexpr int mostTold = 3;  // counterexamples of an algorithm

/// The algorithms asked for: one, or those of the kind of problem that was stated.
std::vector<const Algorithm*> chosenAlgorithms(const std::string& id, const Arguments& arguments) {
    if (id != "all") return {&engine::algorithmNamed(id)};
    const Asked& asked = arguments.asked;
    const bool two = asked.has("group-a") || asked.has("group-b");
    std::vector<const Algorithm*> chosen;
    for (const Algorithm* algorithm : engine::catalogue())
        if (isIntergroup(algorithm->collective) ? two : asked.has("ranks")) chosen.push_back(algorithm);
    return chosen;
}

/// `leftOut`: a sentence on combinations of the flags that are no problems; empty: none.
std::vector<Conjecture> conjectures(const std::string& id, const Arguments& arguments, std::string& leftOut) {
    const Asked& asked = arguments.asked;
    if (id == "all" && !asked.has("ranks") && !asked.has("group-a") && !asked.has("group-b")) return wholeCatalogue();
    Asked fixed;
    for (const char* key : {"topology", "placement", "neighbours-only", "set"})
        for (const std::string& words : asked.all(key)) fixed.add(key, words);
    const RunWish common = problemOf(fixed);
    std::vector<Conjecture> all;
    for (const Algorithm* algorithm : chosenAlgorithms(id, arguments)) {
        const bool every = id == "all";
        if (!every) requireFitting(asked, algorithm->collective);
        const Asked own = every ? fitting(asked, algorithm->collective) : completed(asked, *algorithm);
        std::string impossible;
        const std::vector<ProblemWish> wishes = problemsOf(own, algorithm->collective, &impossible);
        if (leftOut.empty()) leftOut = impossible;
        for (const ProblemWish& wish : wishes) {
            for (const auto& options : combinations(*algorithm, common.options))
                all.push_back({algorithm, wish, options, common.network});
        }
    }
    return all;
}

std::string summary(const Proofs& proofs) {
    std::string words = text("proved ", analysis::counted(proofs.proved), " of ",
                             analysis::counted(proofs.problems - proofs.refused, "schedule"), " correct (",
                             analysis::counted(proofs.messages, "message"), ")");
    for (const engine::SameBits bits :
         {engine::SameBits::always, engine::SameBits::ifCommutative, engine::SameBits::notAlways})
        if (const std::int64_t times = proofs.sameBits[static_cast<std::size_t>(bits)]; times > 0)
            words += text("\n  ", analysis::counted(times, "schedule"), ": ", inWords(bits));
    if (proofs.refuted > 0) words += text("\n  ", analysis::counted(proofs.refuted), " refuted");
    if (proofs.refused > 0)
        words += text("\n  ", analysis::counted(proofs.refused, "problem"), proofs.refused == 1 ? " was" : " were",
                      " left out: the algorithm does not support ", proofs.refused == 1 ? "it" : "them",
                      ". The first: ", spoken(proofs.refusal));
    return words;
}

Json proofsJson(const std::string& id, const Proofs& proofs, Json failures) {
    return {{"algorithm", id},
            {"problems", proofs.problems},
            {"proved", proofs.proved},
            {"refuted", proofs.refuted},
            {"refused", proofs.refused},
            {"first_refusal", proofs.refusal.empty() ? Json{} : Json(spoken(proofs.refusal))},
            {"messages", proofs.messages},
            {"remarks", proofs.remarks},
            {"same_bits",
             {{"from_any_operation", proofs.sameBits[0]},
              {"from_operations_that_commute", proofs.sameBits[1]},
              {"not_always", proofs.sameBits[2]}}},
            {"counter_examples", std::move(failures)}};
}

Json auditJson(const std::string& folder, const Audit& audit) {
    Json files = Json::array();
    for (const AuditedFile& one : audit.files)
        files.push_back({{"file", one.file},
                         {"verdict", name(one.verdict)},
                         {"problem", one.problem.empty() ? Json{} : Json(one.problem)},
                         {"ranks", one.ranks},
                         {"rounds", one.rounds},
                         {"messages", one.messages},
                         {"why", one.why.empty() ? Json{} : Json(one.why)},
                         {"remarks", one.remarks}});
    return {{"folder", folder},
            {"proved", audit.count(AuditVerdict::proved)},
            {"refuted", audit.count(AuditVerdict::refuted)},
            {"not_proved", audit.count(AuditVerdict::leftOut)},
            {"not_readable", audit.count(AuditVerdict::unreadable)},
            {"other_files", audit.others},
            {"files", std::move(files)}};
}

std::string summary(const Audit& audit) {
    std::string words = text("proved ", analysis::counted(audit.count(AuditVerdict::proved)), " of ",
                             analysis::counted(static_cast<std::int64_t>(audit.files.size()), "file"), "; ",
                             analysis::counted(audit.count(AuditVerdict::refuted)), " refuted, ",
                             analysis::counted(audit.count(AuditVerdict::leftOut)), " left out, ",
                             analysis::counted(audit.count(AuditVerdict::unreadable)), " not readable");
    if (audit.others > 0) words += text("; ", analysis::counted(audit.others, "other file"), " skipped");
    return words;
}

void writeAuditPage(const std::string& folder, const Audit& audit, std::ostream& out) {
    out << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Audit of schedules</title>\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
           "<style>body{font:15px sans-serif;margin:2em}table{border-collapse:collapse}td,th{border:1px solid #ccc;"
           "padding:.3em .6em;text-align:left;vertical-align:top}.refuted{background:#fdd}.proved{background:#dfd}"
           "</style></head><body>\n<h1>Audit of schedules</h1>\n<p>"
        << escaped(text(folder, ": ", summary(audit)))
        << ".</p>\n<table><tr><th>file</th><th>verdict</th><th>problem</th><th>rounds</th><th>messages</th>"
           "<th>why</th></tr>\n";
    for (const AuditedFile& one : audit.files) {
        out << "<tr><td>" << escaped(one.file) << "</td><td class=\"" << name(one.verdict) << "\">" << name(one.verdict)
            << "</td><td>" << escaped(one.problem) << "</td><td>" << one.rounds << "</td><td>" << one.messages
            << "</td><td>" << escaped(one.why);
        for (const std::string& remark : one.remarks) out << "<br><small>" << escaped(remark) << "</small>";
        out << "</td></tr>\n";
    }
    out << "</table></body></html>\n";
}

/// Throws Error with the reasons where no file could be checked.
void requireChecked(const std::string& folder, const Audit& audit) {
    constexpr std::size_t mostReasons = 3;
    const std::size_t files = audit.files.size();
    if (audit.count(AuditVerdict::unreadable) + audit.count(AuditVerdict::leftOut) < static_cast<std::int64_t>(files))
        return;
    std::string words = text(folder, ": none of its ", analysis::counted(static_cast<std::int64_t>(files), "file"),
                             " could be checked");
    for (std::size_t i = 0; i < std::min(files, mostReasons); ++i)
        words += text(i == 0 ? ": " : "; ", audit.files[i].file, ": ", audit.files[i].why);
    if (files > mostReasons) words += text("; and ", files - mostReasons, " more");
    throw engine::Error{words};
}

bool holdsSchedule(const std::string& folder) {
    std::error_code unknown;
    return std::any_of(std::filesystem::directory_iterator{folder, unknown}, {}, [](const auto& entry) {
        return engine::schedules::isAlgorithmFile(entry.path().filename().string());
    });
}

int verifyFolder(const std::string& folder, const Arguments& arguments, const Console& console) {
    constexpr std::size_t mostRows = 20;
    const std::string format = chosenFormat(arguments, {"text", "json", "csv"});
    for (const fields::Entry& field : fields::all())
        if (field.part == fields::Part::problem && arguments.asked.has(field.key))
            throw engine::Error{text(folder, " is a folder: each of its files specifies its own problem; leave out --",
                                     field.key, ", or name one file")};
    const std::string file = arguments.output.value_or("");
    if (!file.empty() && !file.ends_with(".html") && !file.ends_with(".csv"))
        throw engine::Error{text("--output: ", file, " must end in .html or .csv")};
    if (!file.empty()) requireFree(file, arguments.force);
    Audit audit;
    {
        ProgressLine line{console, "proving"};
        audit = app::audit(folder, line.progress());
    }
    requireChecked(folder, audit);
    const engine::Table table = tableOf(audit);
    if (!file.empty())
        writeFile(file, existing(arguments.force), console.around.stop, [&](std::ostream& out) {
            if (file.ends_with(".csv")) analysis::writeCsv(table, out);
            else writeAuditPage(folder, audit, out);
        });
    if (format == "json") {
        console.out << auditJson(folder, audit).dump(2, ' ', false, lenient) << '\n';
    } else if (format == "csv") {
        analysis::writeCsv(table, console.out);
    } else {
        std::size_t shown = 0;
        std::int64_t more = 0;
        for (const AuditedFile& one : audit.files) {
            if (one.verdict == AuditVerdict::proved) continue;
            if (shown == mostRows) {
                ++more;
                continue;
            }
            ++shown;
            const Tone tone = one.verdict == AuditVerdict::refuted ? Tone::bad : Tone::faint;
            console.out << console.paint(tone, name(one.verdict)) << ' ' << one.file << '\n';
            console.write(one.why, Tone::plain, 8);
        }
        if (more > 0)
            console.out << "and " << analysis::counted(more) << " more; --format csv or --output FILE.html has all\n";
        console.out << console.paint(audit.count(AuditVerdict::refuted) == 0 ? Tone::good : Tone::bad, summary(audit))
                    << '\n';
        if (!file.empty()) sayWritten(file, console);
    }
    return audit.count(AuditVerdict::refuted) > 0 ? checkFailed : done;
}

}  // namespace

int verify(const Arguments& arguments, const Console& console) {
    const std::string& id = wordsOf(arguments, 1, 1, "verify ID|FOLDER|LOG|all PROBLEM")[0];
    std::error_code unknown;
    const bool folder = std::filesystem::is_directory(id, unknown);
    if (id != "all" && !(folder && holdsSchedule(id)) && nccl::isLog(id))
        return nccl::verifyLog(id, chosenFormat(arguments, {"text", "json"}), console);
    if (folder) return verifyFolder(id, arguments, console);
    if (arguments.output)
        throw engine::Error{"--output writes a report on a folder only; write collscope verify FOLDER -o FILE.html"};
    if (arguments.format && *arguments.format == "csv")
        throw engine::Error{"--format csv is for folders; choose text or json"};
    const bool json = chosenFormat(arguments, {"text", "json"}) == "json";
    Json failures = Json::array();
    std::map<const Algorithm*, int> told;
    std::int64_t untold = 0;
    const auto refuted = [&](const Conjecture& conjecture, const engine::Plan& plan, const engine::Verdict& verdict) {
        // Whoever varies ranks learns as much from the first ones as from hundreds; programs get all.
        if (!json && ++told[plan.algorithm] > mostTold) {
            ++untold;
            return;
        }
        const std::string again = commandOf(conjecture);
        const std::optional<engine::TooEarly> early =
            engine::tooEarly(*plan.schedule, plan.problem, verdict, {.stop = console.around.stop});
        const std::string cause = early ? inWords(*early) : std::string{};
        if (json) {
            failures.push_back({{"algorithm", plan.algorithm->id},
                                {"problem", toText(plan.problem)},
                                {"options", conjecture.options},
                                {"counter_example", verdict.counterExample},
                                {"cause", cause.empty() ? Json{} : Json(cause)},
                                {"command", again}});
            return;
        }
        console.out << console.paint(Tone::bad, "refuted ") << plan.algorithm->id << " " << toText(plan.problem) << ": "
                    << verdict.counterExample << '\n';
        if (!cause.empty()) console.out << "        " << cause << '\n';
        console.out << "        to repeat this case: " << again << '\n';
        console.requireOutput();
    };
    Proofs proofs;
    std::string leftOut;
    {
        ProgressLine line{console, "proving"};
        proofs = prove(conjectures(id, arguments, leftOut), refuted, line.progress());
    }
    if (!leftOut.empty()) proofs.remarks.push_back(leftOut);
    if (proofs.problems == 0) throw engine::Error{"--root: every root lies outside the ranks"};
    if (proofs.refused == proofs.problems)
        throw engine::Error{proofs.problems <= 1 ? proofs.refusal
                                                 : text("the algorithm supports none of ", proofs.problems,
                                                        " problems: ", proofs.refusal)};
    if (json) {
        console.out << proofsJson(id, proofs, std::move(failures)).dump(2, ' ', false, lenient) << '\n';
    } else {
        std::string words = summary(proofs);
        if (untold > 0) words += text("; ", untold, " of them not shown; --format json shows all");
        std::istringstream lines{words};
        for (std::string part; std::getline(lines, part);) {
            console.write(part, proofs.refuted == 0 ? Tone::good : Tone::bad, part.starts_with("  ") ? 2 : 0);
        }
        for (const std::string& remark : proofs.remarks) console.write(remark);
    }
    return proofs.refuted == 0 ? done : checkFailed;
}

}  // namespace app::cli

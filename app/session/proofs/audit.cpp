// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/proofs/audit.hpp"

#include "app/session/proofs/proofs.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/proof/verify.hpp"
#include "engine/schedule_files/goal/chakra_schedule.hpp"

#include <algorithm>
#include <new>
#include <system_error>

namespace app {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t mostFiles = 100'000;

void prove(const std::string& path, AuditedFile& file, const engine::Progress& progress) {
    const engine::Algorithm& algorithm = engine::schedules::algorithmIn(path);
    const engine::Problem* problem = engine::schedules::problemOf(algorithm);
    if (problem == nullptr) {
        file.verdict = AuditVerdict::leftOut;
        file.why = engine::text("an algorithm, not one schedule; check it alone: collscope verify ", path,
                                engine::isIntergroup(algorithm.collective) ? " -p RANKS -q RANKS" : " -n RANKS");
        return;
    }
    const engine::Plan plan = engine::makePlan(algorithm, *problem, {});
    const engine::Facts& facts = plan.schedule->facts();
    file.remarks = facts.remarks;
    if (!facts.unstated.empty() && facts.wrong.sentence.empty()) {
        file.verdict = AuditVerdict::leftOut;
        file.why = engine::text("it does not specify ", facts.unstated);
        return;
    }
    const engine::Verdict verdict = engine::verify(*plan.schedule, plan.problem, progress);
    file.problem = toText(plan.problem);
    file.ranks = facts.ranks;
    file.rounds = facts.rounds;
    file.messages = verdict.messages;
    file.verdict = verdict.proved ? AuditVerdict::proved : AuditVerdict::refuted;
    file.why = verdict.counterExample;
}

/// Whether another file of the same trace stands for this one.
bool isLaterPart(const fs::path& path) {
    const auto part = engine::schedules::chakra::partOf(path.string());
    std::error_code unknown;
    return part && part->rank > 0 && fs::exists(part->name + ".0.et", unknown);
}

/// What a reader complains of, without the name of the file, which the row has.
std::string withoutName(std::string_view words, std::string_view path) {
    if (words.starts_with(path)) {
        words.remove_prefix(path.size());
        if (words.starts_with(": ")) words.remove_prefix(2);
        else if (words.starts_with(':')) return engine::text("line ", words.substr(1));
        else if (words.starts_with(' ')) return engine::text("the file", words);
    }
    return std::string{words};
}

}  // namespace

std::string_view name(AuditVerdict verdict) {
    switch (verdict) {
        case AuditVerdict::proved: return "proved";
        case AuditVerdict::refuted: return "refuted";
        case AuditVerdict::leftOut: return "not proved";
        case AuditVerdict::unreadable: return "not readable";
    }
    return "";
}

std::int64_t Audit::count(AuditVerdict verdict) const {
    return std::count_if(files.begin(), files.end(), [&](const AuditedFile& one) { return one.verdict == verdict; });
}

Audit audit(const fs::path& folder, const engine::Progress& progress) {
    Audit result;
    std::vector<fs::path> paths;
    try {
        for (const fs::directory_entry& entry :
             fs::recursive_directory_iterator{folder, fs::directory_options::skip_permission_denied}) {
            progress.at(0);
            std::error_code unknown;  // of a link to itself
            if (!entry.is_regular_file(unknown)) continue;
            if (isLaterPart(entry.path())) continue;
            if (engine::schedules::isAlgorithmFile(entry.path().filename().string())) paths.push_back(entry.path());
            else ++result.others;
            if (paths.size() > mostFiles)
                throw engine::Error{
                    engine::text(folder.string(), ": has more than ", mostFiles, " schedules; name a folder in it")};
        }
    } catch (const fs::filesystem_error& error) {
        throw engine::Error{engine::text(folder.string(), ": cannot be read: ", error.code().message())};
    }
    if (paths.empty())
        throw engine::Error{
            engine::text(folder.string(), ": no file ends in .json, .xml, .goal, .lua or .et, as schedules do")};
    std::sort(paths.begin(), paths.end());
    for (const fs::path& path : paths) {
        progress.at(static_cast<double>(result.files.size()) / static_cast<double>(paths.size()));
        AuditedFile file{.file = path.lexically_relative(folder).string()};
        try {
            prove(path.string(), file, {.stop = progress.stop});
        } catch (const engine::Cancelled&) {
            throw;
        } catch (const engine::Error& error) {
            file.why = withoutName(error.what(), path.string());
        } catch (const std::bad_alloc&) {
            file.why = "not enough memory";
        }
        engine::schedules::giveBack();
        result.files.push_back(std::move(file));
    }
    return result;
}

engine::Table tableOf(const Audit& audit) {
    using engine::Content;
    engine::Table table{.name = "audit",
                        .title = "schedules in the folder",
                        .columns = {{"file", Content::words},
                                    {"verdict", Content::words},
                                    {"problem", Content::words},
                                    {"rounds", Content::count},
                                    {"messages", Content::count},
                                    {"why", Content::words},
                                    {"remarks", Content::words}},
                        .rows = {}};
    for (const AuditedFile& one : audit.files) {
        const bool known = !one.problem.empty();
        std::string remarks;
        for (const std::string& remark : one.remarks) remarks += (remarks.empty() ? "" : ". ") + remark;
        table.rows.push_back({engine::cell(one.file), engine::cell(std::string{name(one.verdict)}),
                              engine::cell(one.problem), known ? engine::Cell{one.rounds} : engine::Cell{},
                              known ? engine::Cell{one.messages} : engine::Cell{}, engine::cell(one.why),
                              engine::cell(remarks)});
    }
    return table;
}

}  // namespace app

// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/figures/figure_runs.hpp"

#include "app/cli/output/files.hpp"
#include "engine/small_file.hpp"
#include "engine/text.hpp"

#include <sstream>

namespace app::cli {
namespace {

using engine::Error;
using engine::text;

constexpr std::int64_t mostOfRows = std::int64_t{1} << 30;

std::string keyOf(const Specification& wish, int repeats) {
    return lineOf(wish) + (repeats > 1 ? text(" x ", repeats) : "");
}

/// Another build may give other numbers: a build is identified by the size and time of its file.
std::string header() {
    const std::filesystem::path program = "/proc/self/exe";
    std::error_code unknown;
    const auto size = std::filesystem::file_size(std::filesystem::canonical(program, unknown), unknown);
    const auto time = std::filesystem::last_write_time(program, unknown).time_since_epoch().count();
    return text("run of collscope " COLLSCOPE_VERSION " ", size, ' ', time, ',', resultHeader());
}

}  // namespace

void KnownRuns::take(const std::filesystem::path& file) {
    std::error_code unknown;
    if (!std::filesystem::exists(file, unknown)) return;
    std::istringstream in{
        engine::contentOf(file, mostOfRows, text("--rows: cannot read the file '", file.string(), "'"))};
    std::string line;
    if (!std::getline(in, line) || line != header())
        throw Error{
            text("--rows: ", file.string(), " was not written by this build of collscope; choose another name")};
    for (std::int64_t number = 2; std::getline(in, line); ++number) {
        auto row = resultFromCsv(line);
        if (!row) throw Error{text("--rows: ", file.string(), " line ", number, " is no result of a run")};
        known_.insert_or_assign(std::move(row->first), std::move(row->second));
    }
}

void KnownRuns::keep(const std::filesystem::path& file, const std::stop_token& stop) const {
    writeFile(file, engine::Existing::replace, stop, [&](std::ostream& out) {
        out << header() << '\n';
        for (const auto& [line, result] : known_) out << toCsv(line, result) << '\n';
    });
}

std::vector<SweepResult> KnownRuns::of(const std::vector<Specification>& wishes, int repeats,
                                       const engine::Progress& progress) {
    std::vector<std::string> keys;
    std::vector<Specification> missing;
    std::map<std::string, std::size_t> places;  // of the missing ones
    for (const Specification& wish : wishes) {
        keys.push_back(keyOf(wish, repeats));
        if (!known_.contains(keys.back()) && places.emplace(keys.back(), missing.size()).second)
            missing.push_back(wish);
    }
    ran_ += missing.size();
    taken_ += wishes.size() - missing.size();
    std::vector<SweepResult> made(missing.size());
    sweep(
        missing, threads_, [&](std::size_t i, const SweepResult& result) { made[i] = result; }, progress, repeats);
    for (const auto& [key, place] : places) known_[key] = made[place];
    std::vector<SweepResult> results;
    for (const std::string& key : keys) results.push_back(known_.at(key));
    return results;
}

SweepResult KnownRuns::of(const Specification& wish, const engine::Progress& progress) {
    SweepResult result = of(std::vector{wish}, 1, progress).front();
    if (!result.refusal.empty()) throw Error{result.refusal};
    return result;
}

}  // namespace app::cli

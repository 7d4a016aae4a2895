// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/sweep/sweep_results.hpp"

#include "engine/base/median.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/native_collectives.hpp"

#include <algorithm>
#include <set>

namespace app::cli {

using engine::Collective;
using engine::Error;
using engine::text;
using traces::nccl::programs;

std::string wrongResults(std::int64_t count) {
    return text(analysis::counted(count, "result"), " with wrong data ", count == 1 ? "is" : "are", " left out.");
}

SweepResults::SweepResults(const std::string& path, const std::vector<std::string>& ids) : path_{path} {
    std::set<Collective> asked;
    for (const std::string& id : ids) asked.insert(engine::algorithmNamed(id.substr(0, id.find(':'))).collective);
    if (asked.size() != 1) throw Error{"--measured: results are of one collective; name algorithms of one collective"};
    const auto program = std::find_if(programs.begin(), programs.end(), [&](const traces::nccl::Program& one) {
        return one.collective == *asked.begin();
    });
    if (program == programs.end())
        throw Error{text("--measured: nccl-tests has no program for ", engine::name(*asked.begin()))};
    std::set<std::string> others;
    std::int64_t undivided = 0;
    for (const traces::nccl::Series& series : traces::nccl::readResults(path)) {
        if (!series.program.empty() && series.program != program->name) {
            others.insert(series.program);
            continue;
        }
        if (series.ranks < 2)
            throw Error{
                text(path, ": ", series.title(), " communicates with no other; was nccl-tests built with MPI=1?")};
        wrong_ += series.wrong;
        for (const traces::nccl::Result& result : series.results) {
            if (program->blocks && result.size % series.ranks != 0) {
                ++undivided;
                continue;
            }
            times_[{series.ranks, program->blocks ? result.size / series.ranks : result.size}].push_back(
                *result.time());
        }
    }
    if (times_.empty() && undivided > 0)
        throw Error{text("--measured: no size in ", path, " is a multiple of its number of ranks")};
    if (times_.empty())
        throw Error{text("--measured: ", path, " has results of ", analysis::listed({others.begin(), others.end()}),
                         ", not of ", program->name)};
    for (auto& [key, times] : times_) std::sort(times.begin(), times.end());
}

void SweepResults::complete(Asked& asked) const {
    std::set<std::int64_t> ranks;
    std::set<engine::Bytes> sizes;
    for (const auto& [key, times] : times_) ranks.insert(key.first), sizes.insert(key.second);
    const auto list = [](const auto& numbers) {
        std::vector<std::string> words;
        for (const auto number : numbers) words.push_back(text(number));
        return engine::joined(words, ",");
    };
    if (!asked.has("ranks")) asked.add("ranks", list(ranks));
    if (!asked.has("size")) asked.add("size", list(sizes));
}

void SweepResults::attach(SweepRow& row) const {
    const auto at = [&](std::string_view name) -> const std::string& {
        const auto& names = coordinateNames();
        return row.coordinates[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())];
    };
    if (at("ranks").empty() || at("sizes") != "regular") return;
    const auto found = times_.find({std::stoll(at("ranks")), std::stoll(at("size"))});
    if (found == times_.end()) return;
    const std::vector<engine::Picoseconds>& times = found->second;
    row.result.measured = {.median = engine::median(times), .lowest = times.front(), .highest = times.back()};
}

void SweepResults::requireUsed(const std::vector<SweepRow>& rows) const {
    if (std::any_of(rows.begin(), rows.end(), [](const SweepRow& row) { return row.result.measured.has_value(); }))
        return;
    const auto& [ranks, size] = times_.begin()->first;
    throw Error{text("--measured: ", path_, " has no result with these ranks and sizes; its first is of ", ranks,
                     " ranks and ", engine::showBytes(size),
                     " per contribution; leave out --ranks and --size to take those of the file")};
}

}  // namespace app::cli

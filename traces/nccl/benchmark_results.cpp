// SPDX-License-Identifier: BSD-3-Clause
#include "traces/nccl/benchmark_results.hpp"

#include "engine/base/error.hpp"
#include "engine/base/median.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

namespace traces::nccl {
namespace {

using engine::Error;
using engine::text;

constexpr std::int64_t mostBytes = std::int64_t{64} << 20;
constexpr std::size_t mostResults = 100'000;

std::vector<std::string> wordsOf(const std::string& line) {
    std::istringstream in{line};
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(std::move(word));
    return words;
}

std::optional<std::int64_t> wholeIn(const std::string& word) {
    std::int64_t value = 0;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
    return fault == std::errc{} && end == word.data() + word.size() && value >= 0 ? std::optional{value} : std::nullopt;
}

std::optional<double> numberIn(const std::string& word) {
    double value = 0;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
    return fault == std::errc{} && end == word.data() + word.size() && std::isfinite(value) ? std::optional{value}
                                                                                            : std::nullopt;
}

/// A run in the making.
struct Run {
    Series its;
    std::set<std::int64_t> listed{};  ///< ranks
    std::int64_t firstGroup = 0;      ///< how many of them are of group 0
    bool grouped = false;             ///< the header lists groups
    bool listedTwice = false;         ///< a rank was
    std::vector<double> factors{};    ///< bus bandwidth over algorithm bandwidth
};

/// Whether these belong to one pass: rows that end early, or that other lines interrupt, have other words here. Times
/// may have two digits and bandwidths two behind the point; hypercube_perf counts n - 1 of n blocks.
bool isPass(engine::Bytes size, double time, double bandwidth) {
    const double expected = static_cast<double>(size) / time / 1e3;
    return bandwidth > 0.45 * expected - 0.01 && bandwidth < 1.1 * expected + 0.01;
}

class TableReader {
public:
    void line(const std::string& line) {
        const std::size_t hash = line.find('#');
        const std::vector<std::string> words = wordsOf(hash == std::string::npos ? line : line.substr(hash + 1));
        if (words.empty()) return;
        const bool header = std::find(words.begin(), words.end(), "algbw") != words.end();
        if (hash == std::string::npos) {
            for (const std::string& word : words)
                if (word.ends_with("_perf") || word.ends_with("_perf_mpi")) {
                    const std::string name = word.substr(word.rfind('/') + 1);
                    program_ = name.substr(0, name.rfind("_perf") + 5);
                }
            row(words);
        } else if (words[0] == "Collective" && words.size() > 3 && words[2] == "starting:") {
            program_ = words[3].substr(0, words[3].rfind("_perf") + 5);
        } else if (words[0] == "nThread") {
            runs_.push_back({.its = {.program = std::exchange(program_, {})}});
        } else if (words[0] == "Rank" && words.size() > 2 && !runs_.empty()) {
            rank(words);
        } else if (header) {
            if (runs_.empty()) runs_.push_back({.its = {.program = std::exchange(program_, {})}});
            columns_ = words;
            if (std::find(words.begin(), words.end(), "cputime") != words.end()) cpuTime_ = true;
        }
    }

    std::vector<Series> finish(const std::string& name) {
        std::vector<Series> all;
        for (Run& run : runs_) {
            if (run.its.results.empty() && run.its.wrong == 0) continue;
            if (run.listedTwice)
                throw Error{text(name,
                                 ": rank 0 is listed twice in one run: processes ran side by side without "
                                 "each other; build nccl-tests with MPI=1")};
            run.its.ranks =
                static_cast<std::int32_t>(run.grouped ? run.firstGroup : static_cast<std::int64_t>(run.listed.size()));
            if (run.its.program.empty()) run.its.program = guessed(run);
            all.push_back(std::move(run.its));
        }
        if (cpuTime_) throw Error{text(name, ": the times are processor time (-C); measure without that option")};
        if (all.empty())
            throw Error{
                text(name, ": no results of nccl-tests in it; give the output of a program such as all_reduce_perf")};
        if (std::all_of(all.begin(), all.end(), [](const Series& one) { return one.results.empty(); }))
            throw Error{text(name, ": all results have wrong data (column #wrong), so that their times mean nothing")};
        return all;
    }

private:
    void rank(const std::vector<std::string>& words) {
        Run& run = runs_.back();
        const auto number = wholeIn(words[1]);
        if (!number || *number >= 1 << 16) return;
        if (!run.listed.insert(*number).second) run.listedTwice = true;
        if (words[2] != "Group" || words.size() < 4) return;
        run.grouped = true;
        if (words[3] == "0") ++run.firstGroup;
    }

    /// size, count, type, and the columns of the header behind them. Prefixes of launchers may stand before.
    void row(const std::vector<std::string>& words) {
        if (runs_.empty() || columns_.empty()) return;
        for (std::size_t at = 0; at + 2 < words.size() && at < 8; ++at) {
            const auto size = wholeIn(words[at]);
            if (!size || !wholeIn(words[at + 1]) || words[at + 2].empty() || wholeIn(words[at + 2])) continue;
            const std::vector<std::string> cells{words.begin() + static_cast<std::ptrdiff_t>(at), words.end()};
            Run& run = runs_.back();
            if (*size == 0 || run.its.results.size() == mostResults) return;
            Result result{.size = *size};
            std::size_t pass = 0;
            bool wrong = false;
            for (std::size_t i = 3; i < columns_.size() && i < cells.size(); ++i) {
                if (columns_[i] != "time") continue;
                auto& place = pass++ == 0 ? result.outOfPlace : result.inPlace;
                if (i + 2 >= cells.size()) break;
                const auto time = numberIn(cells[i]), algorithm = numberIn(cells[i + 1]), bus = numberIn(cells[i + 2]);
                if (!time || *time <= 0 || *time > 1e12 || !algorithm || !bus) continue;
                const bool judged = i + 3 < std::min(cells.size(), columns_.size()) && columns_[i + 3] == "#wrong";
                if (judged && numberIn(cells[i + 3]).value_or(0) > 0) {
                    wrong = true;
                    continue;
                }
                if (!isPass(*size, *time, *algorithm)) continue;
                place = engine::Picoseconds{std::llround(*time * 1e6)};
                // Both are printed with two digits behind the point.
                if (*algorithm >= 1) run.factors.push_back(*bus / *algorithm);
            }
            if (wrong) ++run.its.wrong;
            else if (result.time()) run.its.results.push_back(result);
            return;
        }
    }

    /// Only the factor of all_reduce exceeds 1.
    [[nodiscard]] static std::string guessed(const Run& run) {
        if (run.its.ranks < 3 || run.factors.empty()) return {};
        const double n = run.its.ranks;
        return std::abs(engine::median(run.factors) - 2 * (n - 1) / n) < 0.02 ? "all_reduce_perf" : "";
    }

    std::string program_;  ///< named since the last run began
    std::vector<std::string> columns_;
    std::vector<Run> runs_;
    bool cpuTime_ = false;
};

}  // namespace

std::string Series::title() const {
    return text(program.empty() ? "a collective" : program, " on ", ranks, ranks == 1 ? " rank" : " ranks");
}

std::vector<Series> readResults(const std::filesystem::path& path) {
    std::istringstream in{engine::contentOf(path, mostBytes, text("cannot read '", path.string(), "'"))};
    TableReader reader;
    for (std::string line; std::getline(in, line);) reader.line(line);
    return reader.finish(path.string());
}

}  // namespace traces::nccl

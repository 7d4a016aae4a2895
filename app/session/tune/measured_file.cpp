// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/tune/measured_file.hpp"

#include "app/analysis/format/csv.hpp"
#include "engine/base/error.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace app::tune {
namespace {

using engine::Error;
using engine::text;

constexpr std::string_view firstLine = "# measurements of collscope tune";
constexpr std::int64_t mostOfFile = std::int64_t{1} << 30;
constexpr std::size_t partsOfCheck = 9;
constexpr std::string_view checkWord = "check";
constexpr std::string_view dropInWord = "drop-in";

std::string checkLine(std::string_view word, std::size_t index, std::size_t candidate,
                      const std::optional<Gain>& checked, bool kept) {
    const Gain gain = checked.value_or(Gain{});
    return text(word, '\t', index, '\t', candidate, '\t', analysis::csvNumber(gain.median), '\t',
                analysis::csvNumber(gain.low), '\t', analysis::csvNumber(gain.high), '\t', gain.rounds, '\t',
                kept ? 1 : 0, "\t.");
}

}  // namespace

Library MeasuredFile::library() const {
    return conditions.starts_with(nameOf(Library::mpich)) ? Library::mpich : Library::openMpi;
}

std::string MeasuredFile::head() const {
    std::string words = text(firstLine, "\nconditions\t", conditions, '\n');
    if (model) words += text("model\t", engine::toText(*model), '\n');
    for (const Cell& cell : cells) words += text("cell\t", toText(cell), '\n');
    return words;
}

std::vector<Tuned> MeasuredFile::decisions() const {
    Measurements measurements{cells};
    for (const std::string& line : samples)
        if (const auto sample = sampleFrom(line)) measurements.add(*sample);
    std::vector<Tuned> all = decided(measurements);
    for (Tuned& one : all) one.kept = false;
    for (const std::string& line : checks) {
        std::istringstream words{line};
        std::string kind;
        std::size_t index = 0;
        std::size_t candidate = 0;
        Gain gain;
        bool kept = false;
        words >> kind >> index >> candidate >> gain.median >> gain.low >> gain.high >> gain.rounds >> kept;
        if (!words || index >= all.size()) continue;
        Tuned& one = all[index];
        const std::optional<Gain> checked = gain.rounds > 0 ? std::optional{gain} : std::nullopt;
        // Times that came later may have led to another algorithm.
        if (kind == dropInWord) {
            if (candidate != one.verdict.best && candidate != one.verdict.catalogue) continue;
            one.dropIn = candidate;
            one.dropInChecked = checked;
            one.dropInKept = kept && checked && candidate != 0;
        } else if (candidate == one.verdict.best) {
            one.checked = checked;
            one.kept = kept && checked && candidate != 0;
        }
    }
    return all;
}

MeasuredFile measuredIn(const std::string& path) {
    const std::string words = engine::contentOf(path, mostOfFile, text("cannot read '", path, "'"));
    if (!words.starts_with(firstLine)) throw Error{text(path, ": no measurements of collscope tune")};
    MeasuredFile file;
    int number = 0;
    for (const std::string& line : engine::split(words, '\n')) {
        ++number;
        const std::size_t tab = line.find('\t');
        const std::string kind = line.substr(0, tab);
        const std::string rest = tab == std::string::npos ? "" : line.substr(tab + 1);
        try {
            if (kind == "conditions") file.conditions = rest;
            else if (kind == "model") file.model = engine::modelFromText(rest);
            else if (kind == "cell") file.cells.push_back(cellFrom(rest));
            else if ((kind == checkWord || kind == dropInWord) && engine::split(line, '\t').size() == partsOfCheck)
                file.checks.push_back(line);
            else if (sampleFrom(line)) file.samples.push_back(line);
        } catch (const Error& error) {
            throw Error{text(path, ", line ", number, ": ", error.words())};
        }
    }
    if (file.cells.empty()) throw Error{text(path, ": no case to measure")};
    return file;
}

std::optional<std::string> measurementsOf(const std::string& path) {
    for (const std::string& file : {path, path + ".measured"}) {
        std::error_code none;
        if (!std::filesystem::is_regular_file(file, none)) continue;  // who reads a pipe empties it
        std::string line(firstLine.size() + 1, '\0');  // no more: a file of another kind may have no lines
        std::ifstream{file}.read(line.data(), static_cast<std::streamsize>(line.size()));
        if (line == text(firstLine, '\n')) return file;
    }
    return std::nullopt;
}

std::string checkLines(std::size_t index, const Tuned& one) {
    const std::string line = checkLine(checkWord, index, one.verdict.best, one.checked, one.kept);
    if (std::ranges::none_of(one.cell.candidates, &Candidate::isOfCatalogue)) return line;
    return text(line, '\n', checkLine(dropInWord, index, one.dropIn, one.dropInChecked, one.dropInKept));
}

}  // namespace app::tune

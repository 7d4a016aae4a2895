// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/tune/library_picture.hpp"

#include "app/analysis/trace/library_use.hpp"
#include "app/cli/output/text_layout.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace app::cli {
namespace {

using engine::text;
using tune::LibraryCase;
using tune::LibraryMap;

// Pixels.
constexpr int cellWidth = 52, cellHeight = 20, labelWidth = 60, titleHeight = 46, legendLine = 17, apart = 28;
constexpr int panelWidth = 640;

/// The colours of Okabe and Ito, pale enough for black text. Each algorithm also has a letter, for readers without
/// colours.
constexpr std::array<const char*, 8> colours{"#f2cf8c", "#a9d8f2", "#8fd3bd", "#f5efa0",
                                             "#8db9d9", "#eab48c", "#e3bcd3", "#d0d0d0"};

template <class Number>
std::vector<Number> sorted(std::set<Number> numbers) {
    return {numbers.begin(), numbers.end()};
}

std::string textAt(double x, double y, const std::string& words, const char* more = "") {
    return text("<text x=\"", x, "\" y=\"", y, "\" ", more, ">", escaped(words), "</text>\n");
}

/// The algorithms of all maps, those of the first map first: an algorithm has the same letter in all maps.
std::vector<std::string> namesIn(std::span<const LibraryGrid* const> grids) {
    std::vector<std::string> names;
    for (const LibraryGrid* const grid : grids)
        if (grid != nullptr)
            for (const LibraryGrid::Algorithm& one : grid->algorithms)
                if (std::ranges::find(names, one.name) == names.end()) names.push_back(one.name);
    return names;
}

std::size_t placeOf(const std::vector<std::string>& names, const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
}

/// The algorithm of a case; empty where there is none.
std::string nameAt(const LibraryGrid& grid, std::int64_t ranks, engine::Bytes bytes) {
    const auto row = std::ranges::find(grid.ranks, ranks);
    const auto column = std::ranges::find(grid.sizes, bytes);
    if (row == grid.ranks.end() || column == grid.sizes.end()) return {};
    const auto algorithm = grid.at[static_cast<std::size_t>(row - grid.ranks.begin())]
                                  [static_cast<std::size_t>(column - grid.sizes.begin())];
    return algorithm ? grid.algorithms[*algorithm].name : std::string{};
}

/// The grid with its legend, from `top` down; returns its lower end.
double drawGrid(std::string& out, const LibraryGrid& grid, const LibraryGrid* other,
                const std::vector<std::string>& names, const std::string& library, double left, double top) {
    out += textAt(left, top + 14, text(grid.collective, ", ", library), "font-weight=\"bold\" font-size=\"14\"");
    for (std::size_t c = 0; c < grid.sizes.size(); ++c)
        out += textAt(left + labelWidth + (static_cast<double>(c) + 0.5) * cellWidth, top + titleHeight - 6,
                      sizeHeading(grid, c), "text-anchor=\"middle\" fill=\"#555\"");
    double y = top + titleHeight;
    for (std::size_t r = 0; r < grid.ranks.size(); ++r, y += cellHeight) {
        out += textAt(left + labelWidth - 8, y + 14, text(grid.ranks[r], r == 0 ? " ranks" : ""),
                      "text-anchor=\"end\" fill=\"#555\"");
        for (std::size_t c = 0; c < grid.sizes.size(); ++c) {
            if (!grid.at[r][c]) continue;
            const LibraryGrid::Algorithm& algorithm = grid.algorithms[*grid.at[r][c]];
            const std::size_t place = placeOf(names, algorithm.name);
            const std::string before = other == nullptr ? "" : nameAt(*other, grid.ranks[r], grid.sizes[c]);
            const bool isChanged = !before.empty() && before != algorithm.name;
            const double x = left + labelWidth + static_cast<double>(c) * cellWidth;
            const std::string what =
                text(grid.collective, ", ", grid.ranks[r], " ranks, ", engine::showBytes(grid.sizes[c]), ": ",
                     algorithm.name, isChanged ? text("; the other map: ", before) : "");
            out += text("<g><title>", escaped(what), "</title><rect x=\"", x + 0.5, "\" y=\"", y + 0.5, "\" width=\"",
                        cellWidth - 2, "\" height=\"", cellHeight - 2, "\" fill=\"", colours[place % colours.size()],
                        "\"", isChanged ? " stroke=\"#b00020\" stroke-width=\"2\"" : "", "/>",
                        textAt(x + cellWidth / 2.0, y + 14, letterOf(place), "text-anchor=\"middle\""), "</g>\n");
        }
    }
    y += 8;
    for (const LibraryGrid::Algorithm& one : grid.algorithms) {
        const std::size_t place = placeOf(names, one.name);
        out += text("<rect x=\"", left, "\" y=\"", y, "\" width=\"22\" height=\"14\" fill=\"",
                    colours[place % colours.size()], "\"/>\n",
                    textAt(left + 11, y + 11, letterOf(place), "text-anchor=\"middle\""));
        std::string words = one.name;
        if (!one.catalogue.empty() && one.catalogue != one.name && "like " + one.catalogue != one.name)
            words += text(one.differing > 0 ? "; closest: " : " = ", one.catalogue);
        out += textAt(left + 30, y + 11, fitted(words, 92));
        y += legendLine;
    }
    return y;
}

/// What the cases of an algorithm have in common in the catalogue: "reduce/chain, options vary".
std::string sharedBy(const std::string& a, const std::string& b) {
    if (a.empty() || b.empty() || a == b) return a.empty() ? b : a;
    const auto idOf = [](const std::string& words) {
        if (words.find(", then ") != std::string::npos) return words;  // two algorithms in sequence
        return words.substr(0, std::min(words.find(" with "), words.find(',')));
    };
    return idOf(a) == idOf(b) ? text(idOf(a), optionsVary) : std::string{"several algorithms of the catalogue"};
}

}  // namespace

std::string sizeHeading(const LibraryGrid& grid, std::size_t column) {
    return grid.sizes.size() == 1 && grid.sizes[0] == 0 ? "" : engine::showBytes(grid.sizes[column]);
}

std::string letterOf(std::size_t algorithm) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    return algorithm < letters.size() ? std::string{letters[algorithm]} : std::to_string(algorithm + 1);
}

std::vector<LibraryGrid> gridsOf(const LibraryMap& map, tune::Naming naming) {
    std::vector<LibraryGrid> grids;
    std::vector<std::string> collectives;
    for (const LibraryCase& one : map.cases)
        if (std::ranges::find(collectives, one.collective) == collectives.end()) collectives.push_back(one.collective);
    for (const std::string& collective : collectives) {
        LibraryGrid grid{.collective = collective};
        std::set<std::int64_t> ranks;
        std::set<engine::Bytes> sizes;
        for (const LibraryCase& one : map.cases)
            if (one.collective == collective) ranks.insert(one.ranks), sizes.insert(one.bytes);
        grid.ranks = sorted(ranks), grid.sizes = sorted(sizes);
        grid.at.assign(grid.ranks.size(), std::vector<std::optional<std::size_t>>(grid.sizes.size()));
        for (const LibraryCase& one : map.cases) {
            if (one.collective != collective) continue;
            const std::string name = algorithmIn(one, naming);
            auto algorithm = std::ranges::find(grid.algorithms, name, &LibraryGrid::Algorithm::name);
            if (algorithm == grid.algorithms.end())
                algorithm = grid.algorithms.insert(algorithm, {.name = name, .catalogue = one.catalogue});
            else algorithm->catalogue = sharedBy(algorithm->catalogue, one.catalogue);
            ++algorithm->cases;
            algorithm->uncompared += one.differs.starts_with(analysis::notCompared) ? 1 : 0;
            algorithm->differing += one.differs.empty() ? 0 : 1;
            const auto row = std::ranges::lower_bound(grid.ranks, one.ranks) - grid.ranks.begin();
            const auto column = std::ranges::lower_bound(grid.sizes, one.bytes) - grid.sizes.begin();
            grid.at[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] =
                static_cast<std::size_t>(algorithm - grid.algorithms.begin());
        }
        grids.push_back(std::move(grid));
    }
    return grids;
}

std::string librarySvg(std::span<const LibraryMap> maps, tune::Naming naming) {
    std::vector<std::vector<LibraryGrid>> grids;
    std::vector<std::string> collectives;
    for (const LibraryMap& map : maps) {
        grids.push_back(gridsOf(map, naming));
        for (const LibraryGrid& grid : grids.back())
            if (std::ranges::find(collectives, grid.collective) == collectives.end())
                collectives.push_back(grid.collective);
    }
    const auto gridNamed = [&](std::size_t map, const std::string& collective) -> const LibraryGrid* {
        const auto its = std::ranges::find(grids[map], collective, &LibraryGrid::collective);
        return its == grids[map].end() ? nullptr : &*its;
    };
    std::size_t columns = 0;
    for (const std::vector<LibraryGrid>& all : grids)
        for (const LibraryGrid& grid : all) columns = std::max(columns, grid.sizes.size());
    const double width =
        std::max(static_cast<double>(panelWidth), labelWidth + static_cast<double>(columns) * cellWidth);
    std::string body;
    double top = apart;
    for (const std::string& collective : collectives) {
        std::vector<const LibraryGrid*> own;
        for (std::size_t i = 0; i < maps.size(); ++i) own.push_back(gridNamed(i, collective));
        const std::vector<std::string> names = namesIn(own);
        double bottom = top;
        for (std::size_t i = 0; i < maps.size(); ++i)
            if (own[i] != nullptr)
                bottom =
                    std::max(bottom, drawGrid(body, *own[i], maps.size() == 2 ? own[1 - i] : nullptr, names,
                                              maps[i].library, apart + static_cast<double>(i) * (width + apart), top));
        top = bottom + apart;
    }
    const double whole = apart + static_cast<double>(maps.size()) * (width + apart);
    return text(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", whole, "\" height=\"", top, "\" viewBox=\"0 0 ", whole,
        ' ', top,
        "\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n", body,
        "</svg>\n");
}

}  // namespace app::cli

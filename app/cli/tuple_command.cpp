// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/commands.hpp"
#include "app/cli/output/json.hpp"
#include "app/session/options/ranges.hpp"
#include "engine/base/text.hpp"
#include "engine/shapes/adaptation.hpp"

#include <algorithm>

namespace app::cli {
namespace {

using engine::shapes::Adaptation;

constexpr std::size_t mostRows = 20;

/// One cell of the table.
struct TupleCell {
    std::int32_t n = 0;
    std::int32_t ranks = 0;
    std::vector<Adaptation> all;
    std::optional<Adaptation> best;

    /// Solutions of the equation that can be used.
    [[nodiscard]] std::int64_t usable() const {
        return std::count_if(all.begin(), all.end(), [](const Adaptation& one) { return one.usable; });
    }
};

std::vector<std::int32_t> numbers(const Arguments::Word& word, std::string_view flag, std::int64_t low,
                                  std::int64_t high, const char* fallback) {
    std::vector<std::int32_t> read;
    for (const std::int64_t number : readRange(word.value_or(fallback), flag, [&](auto words, auto what) {
             return engine::readInteger(words, what, low, high);
         }))
        read.push_back(static_cast<std::int32_t>(number));
    return read;
}

TupleCell cellOf(std::int32_t n, std::int32_t ranks) {
    return {n, ranks, engine::shapes::adaptations(n, ranks), engine::shapes::bestAdaptation(n, ranks)};
}

Json numbersOf(const Adaptation& a) {
    return Json::array({a.senders, a.senderRound, a.receiverRound, a.senderPart, a.receiverPart});
}

Json cellJson(const TupleCell& cell) {
    Json row{{"n", cell.n},
             {"P", cell.ranks},
             {"adaptable", cell.best.has_value()},
             {"tuples", cell.usable()},
             {"smallest_n", engine::shapes::smallestAdaptable(cell.ranks)}};
    row["tuple"] = cell.best ? numbersOf(*cell.best) : Json{};
    row["rule"] = cell.best ? Json(ruleText(*cell.best)) : Json{};
    row["full_senders"] = cell.best ? Json(cell.best->fullSenders) : Json{};
    row["prefix_sent"] = cell.best ? Json(cell.best->prefix) : Json{};
    row["prefix_dropped"] = cell.best ? Json(cell.best->dropped) : Json{};
    return row;
}

void writeCsv(const TupleCell& cell, std::ostream& out) {
    out << cell.n << ',' << cell.ranks << ',' << (cell.best ? "yes" : "no") << ',' << cell.usable() << ','
        << engine::shapes::smallestAdaptable(cell.ranks);
    if (cell.best)
        out << ',' << cell.best->senders << ',' << cell.best->senderRound << ',' << cell.best->receiverRound << ','
            << cell.best->senderPart << ',' << cell.best->receiverPart << ',' << ruleText(*cell.best);
    else out << ",,,,,,";
    out << '\n';
}

/// All adaptations for one n and P, and what they make a rank do in the last round.
void writeCell(const TupleCell& cell, const Console& console) {
    if (!cell.best) {
        console.out << "no adaptation exists for n = " << cell.n << ", P = " << cell.ranks
                    << "; n = " << engine::shapes::smallestAdaptable(cell.ranks) << " works\n";
        return;
    }
    const std::int64_t useless = static_cast<std::int64_t>(cell.all.size()) - cell.usable();
    console.out << analysis::counted(cell.usable(), "adaptation") << " for n = " << cell.n << ", P = " << cell.ranks
                << "; the best is " << tupleText(*cell.best);
    if (useless > 0) console.out << "; " << analysis::counted(useless) << " more cannot be used";
    console.out << "\n\n";
    Table table{{Align::left, Align::left, Align::right, Align::right, Align::right, Align::left}, 2};
    table.row({"(s, l_snd, l_rcv, j_snd, j_rcv)", "rule", "full senders", "by last sender", "left out", ""});
    for (const Adaptation& a : cell.all)
        table.row({tupleText(a), ruleText(a), analysis::counted(a.fullSenders), analysis::counted(a.prefix),
                   analysis::counted(a.dropped),
                   a == *cell.best ? "best"
                   : a.usable      ? ""
                                   : "sender would be receiver"});
    table.write(console.out);
    console.write(
        "full senders: ranks that send all they have in the last round; by last sender: contributions that one more "
        "sender sends; left out: contributions that each rank keeps out of its partial result. The rules are the cases of "
        "theorem 1 of End et al. 2016.");
}

/// P down, n across: the best tuple, or "-" where there is none.
void writeTable(const std::vector<std::int32_t>& ways, const std::vector<std::int32_t>& ranks, const Console& console) {
    const bool wide = ways.size() <= 4;
    console.out << "Adaptations of n-way dissemination to P ranks"
                << (wide ? ", as (s, l_snd, l_rcv, j_snd, j_rcv)" : "") << "; - where there is none\n";
    std::vector<std::string> head{"P"};
    for (const std::int32_t n : ways) head.push_back("n = " + std::to_string(n));
    Table table{std::vector<Align>(head.size(), Align::left), 0};
    table.row(std::move(head));
    for (const std::int32_t P : ranks) {
        std::vector<std::string> row{std::to_string(P)};
        for (const std::int32_t n : ways) {
            const auto best = engine::shapes::bestAdaptation(n, P);
            row.push_back(!best ? "-" : wide ? tupleText(*best) : "yes");
        }
        table.row(std::move(row));
    }
    table.write(console.out);
}

/// Of many P: for how many each n has no adaptation, and the first of them.
void writeSummary(const std::vector<std::int32_t>& ways, const std::vector<std::int32_t>& ranks,
                  const Console& console) {
    constexpr std::size_t shown = 8;
    console.out << "Adaptations of n-way dissemination to P ranks, for " << analysis::counted(ranks.size())
                << " values of P from " << ranks.front() << " to " << ranks.back() << '\n';
    Table table{{Align::right, Align::right, Align::left}, 0};
    table.row({"n", "values of P without", "smallest P without"});
    for (const std::int32_t n : ways) {
        std::vector<std::string> first;
        std::int64_t missing = 0;
        for (const std::int32_t P : ranks) {
            if (engine::shapes::bestAdaptation(n, P)) continue;
            if (++missing <= static_cast<std::int64_t>(shown)) first.push_back(std::to_string(P));
        }
        if (missing > static_cast<std::int64_t>(shown)) first.emplace_back("...");
        table.row({std::to_string(n), analysis::counted(missing), first.empty() ? "-" : engine::joined(first, ", ")});
        console.requireOutput();
    }
    table.write(console.out);
    console.out << "--format csv lists all P with their parameters; -n " << ways.front() << " -P " << ranks.back()
                << " explains one of them\n";
}

}  // namespace

int tuple(const Arguments& arguments, const Console& console) {
    wordsOf(arguments, 0, 0, "tuple [-n N] [-P RANKS]");
    const std::string format = chosenFormat(arguments, {"text", "csv", "json"});
    const auto ways = numbers(arguments.ways, "--ways", 1, 64, "1..8");
    const auto ranks = numbers(arguments.processes, "--ranks", 2, 1'000'000, "2..1024");
    if (format == "text") {
        if (ways.size() == 1 && ranks.size() == 1) writeCell(cellOf(ways.front(), ranks.front()), console);
        else if (ranks.size() <= mostRows) writeTable(ways, ranks, console);
        else writeSummary(ways, ranks, console);
        return done;
    }
    if (format == "csv") console.out << "n,P,adaptable,tuples,smallest_n,s,l_snd,l_rcv,j_snd,j_rcv,rule\n";
    Json rows = Json::array();
    for (const std::int32_t n : ways)
        for (const std::int32_t P : ranks) {
            if (format == "csv") writeCsv(cellOf(n, P), console.out);
            else rows.push_back(cellJson(cellOf(n, P)));
            console.requireOutput();
        }
    if (format == "json") console.out << rows.dump(2, ' ', false, lenient) << '\n';
    return done;
}

}  // namespace app::cli

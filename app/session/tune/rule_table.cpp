// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/tune/rule_table.hpp"

#include "app/session/tune/mpich_conditions.hpp"
#include "app/session/tune/rules_check.hpp"
#include "app/session/tune/rules_explain.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/catalogue/library_names.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <set>

namespace app::tune {
namespace {

using engine::Bytes;
using engine::Error;
using engine::text;
using engine::live::Called;
using engine::live::Extent;

constexpr std::int64_t leastRanks = 2;

RuleTable ofOpenMpi(const OpenMpiRules& file, const Installed& installed, std::vector<std::string>& losses) {
    RuleTable table;
    for (std::size_t s = 0; s < file.sections.size(); ++s) {
        const OpenMpiRules::Section& section = file.sections[s];
        const std::string call = callOf(section.collective);
        const bool replaced =
            std::any_of(file.sections.begin() + static_cast<std::ptrdiff_t>(s) + 1, file.sections.end(),
                        [&](const auto& later) { return later.collective == section.collective; });
        if (replaced || !installed.algorithms.contains(call) || section.sizes.empty()) {
            losses.push_back(text("line ", section.line, ": the rules of collective ", section.collective,
                                  " decide no call and are left out"));
            continue;
        }
        RuleTable::Call made{.called = static_cast<Called>(section.collective)};
        made.unit = unitOfOpenMpi(made.called);
        std::vector<std::int64_t> starts;
        for (const OpenMpiRules::Size& size : section.sizes) starts.push_back(size.ranks);
        const std::vector<Extent> ranks = rangesOf(starts);
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            const Extent range{std::max(ranks[i].low, leastRanks), ranks[i].high};
            if (range.low > range.high) continue;
            RuleTable::Column column{.ranks = range};
            std::vector<std::int64_t> sizes;
            for (const OpenMpiRules::Message& message : section.sizes[i].messages) sizes.push_back(message.bytes);
            const std::vector<Extent> bytes = rangesOf(sizes);
            for (std::size_t k = 0; k < bytes.size(); ++k) {
                if (bytes[k].low > bytes[k].high) continue;
                const OpenMpiRules::Message& rule = section.sizes[i].messages[k];
                Choice choice{.library = "Open MPI", .line = rule.line};
                if (rule.algorithm != 0) {
                    choice.named = installed.nameOf(call, rule.algorithm);
                    if (choice.named.empty())
                        losses.push_back(text("line ", rule.line, ": ", call, " has no algorithm ", rule.algorithm,
                                              "; its calls are left to the library"));
                    else choice.id = idKnownAs("Open MPI", call, choice.named);
                    if (hasSegments(call, choice.named)) choice.segment = rule.segment;
                    if (hasFanOut(call, choice.named)) choice.fanOut = std::min(rule.fanOut, mostChains);
                }
                column.parts.push_back({bytes[k], choice});
            }
            if (made.unit == Unit::none && column.parts.size() > 1) {
                losses.push_back(text("line ", column.parts[1].choice.line, ": ", call,
                                      ": Open MPI chooses its algorithm without the bytes of the call; only the first "
                                      "rule of ",
                                      section.sizes[i].ranks, " ranks is converted"));
                column.parts = {{Extent{}, column.parts[0].choice}};
            }
            if (column.parts.empty())
                column.parts.push_back({Extent{}, Choice{.library = "Open MPI", .line = section.sizes[i].line}});
            made.columns.push_back(std::move(column));
        }
        table.calls.push_back(std::move(made));
    }
    return table;
}

Choice choiceOf(const engine::live::Rule& rule, int line, std::vector<std::string>& losses) {
    Choice choice{.library = "Collscope", .line = line};
    if (rule.algorithm == nullptr) return choice;
    choice.id = rule.algorithm->id;
    choice.named = rule.words;
    for (const auto& [option, value] : rule.options) {
        const bool number =
            !value.empty() && value.find_first_not_of("0123456789") == std::string::npos && value.size() < 10;
        if (option == "segments" && number) choice.segments = std::stoll(value);
        else if (option == "fanout" && number) choice.fanOut = std::stoll(value);
        else
            losses.push_back(text("line ", line, ": ", option, '=', value,
                                  " is an option of Collscope's algorithm only and is left out"));
    }
    return choice;
}

RuleTable ofCollscope(const CollscopeRules& file, std::vector<std::string>& losses) {
    RuleTable table;
    std::vector<Choice> choices;
    std::vector<Called> called;
    for (const CollscopeRules::Line& one : file.rules) {
        const std::string call{name(one.rule.called)};
        if (!one.rule.intra)
            losses.push_back(text("line ", one.line, ": rules of intercommunicators exist in Collscope only"));
        else if (!isBlocking(one.rule.called))
            losses.push_back(text("line ", one.line, ": rules of nonblocking calls are not converted"));
        else if (std::ranges::find(called, one.rule.called) == called.end()) called.push_back(one.rule.called);
        choices.push_back(choiceOf(one.rule, one.line, losses));
    }
    for (const Called which : called) {
        RuleTable::Call made{.called = which, .unit = unitOfCollscope(which)};
        std::set<std::int64_t> ranks{leastRanks};
        std::set<std::int64_t> bytes{0};
        for (const CollscopeRules::Line& one : file.rules) {
            if (one.rule.called != which || !one.rule.intra) continue;
            addEnds(ranks, one.rule.ranks, leastRanks);
            addEnds(bytes, one.rule.bytes);
        }
        for (const Extent& p : rangesFrom(ranks)) {
            RuleTable::Column column{.ranks = p};
            for (const Extent& m : rangesFrom(bytes)) {
                Choice choice{.library = "Collscope"};
                for (std::size_t i = 0; i < file.rules.size(); ++i) {
                    const engine::live::Rule& rule = file.rules[i].rule;
                    if (rule.called != which || !rule.intra || !rule.ranks.has(p.low) || !rule.bytes.has(m.low))
                        continue;
                    choice = choices[i];
                    break;
                }
                column.parts.push_back({m, choice});
            }
            made.columns.push_back(std::move(column));
        }
        table.calls.push_back(std::move(made));
    }
    return table;
}

/// Every number of a selection file at which something changes.
void thresholdsIn(const std::vector<MpichNode>& nodes, std::set<std::int64_t>& ranks,
                  std::map<std::string, std::set<std::int64_t>>& sizes, std::set<std::string>& others) {
    for (const MpichNode& node : nodes) {
        if (const auto threshold = thresholdOf(node.key)) {
            if (threshold->of == "comm_size") addEnds(ranks, threshold->range, leastRanks);
            else addEnds(sizes[threshold->of], threshold->range);
        } else if (!isAny(node.key) && !node.key.starts_with("algorithm=") && !node.key.starts_with("comm_type=")) {
            others.insert(node.key);
        }
        thresholdsIn(node.children, ranks, sizes, others);
    }
}

RuleTable ofMpich(const MpichSelection& file, const Installed& installed, std::vector<std::string>& losses) {
    RuleTable table;
    for (const MpichNode& collective : file.collectives) {
        const std::string call = collective.key.substr(collective.key.find('=') + 1);
        const auto found = std::ranges::find_if(engine::live::everyCalled,
                                                [&](Called one) { return isBlocking(one) && name(one) == call; });
        if (found == engine::live::everyCalled.end()) {
            losses.push_back(text("line ", collective.line, ": ", call,
                                  " is not converted; only calls that block on one group are"));
            continue;
        }
        RuleTable::Call made{.called = *found, .unit = Unit::block};
        std::set<std::int64_t> ranks{leastRanks};
        std::map<std::string, std::set<std::int64_t>> sizes;
        std::set<std::string> others;
        thresholdsIn(collective.children, ranks, sizes, others);
        for (const std::string& condition : others)
            losses.push_back(text(call, ": the condition '", condition,
                                  "' cannot be expressed by ranks and bytes; it is decided for the smallest "
                                  "size of each range, a commutative operation of MPI and one rank on each host"));
        for (const Extent& p : rangesFrom(ranks)) {
            std::set<std::int64_t> bytes{0};
            for (const auto& [quantity, starts] : sizes)
                for (const std::int64_t start : starts) {
                    const CallQuestion one{.called = *found, .ranks = p.low, .bytes = 1};
                    const Bytes each = std::max<Bytes>(1, countedByMpich(one, quantity).bytes);
                    bytes.insert(quantity == "count" ? start * one.element : (start + each - 1) / each);
                }
            RuleTable::Column column{.ranks = p};
            for (const Extent& m : rangesFrom(bytes)) {
                // Calls without elements return at once, so that the smallest size is 1 byte.
                const Explanation why =
                    explain(file, {.called = *found, .ranks = p.low, .bytes = std::max<Bytes>(1, m.low)}, installed);
                Choice choice{.id = why.id, .named = why.algorithm, .library = "MPICH", .line = why.line};
                column.parts.push_back({m, choice});
            }
            made.columns.push_back(std::move(column));
        }
        table.calls.push_back(std::move(made));
    }
    return table;
}

RuleTable ofVariables(const MpichVariables& file, const Installed& installed, std::vector<std::string>& losses) {
    RuleTable table;
    for (const Finding& one : file.findings) losses.push_back(text("line ", one.line, ": ", one.words));
    std::set<int> used;
    for (const Called called : engine::live::everyCalled) {
        if (!isBlocking(called)) continue;
        const Explanation why = explain(file, {.called = called}, installed);
        if (why.line == 0) continue;
        used.insert(why.line);
        const Choice choice{.id = why.id, .named = why.algorithm, .library = "MPICH", .line = why.line};
        table.calls.push_back({called, Unit::block, {{{leastRanks, unlimited}, {{Extent{}, choice}}}}});
    }
    for (const MpichVariables::Variable& one : file.variables)
        if (!used.contains(one.line))
            losses.push_back(text("line ", one.line, ": ", one.name,
                                  " selects no algorithm of a call that blocks on one group and is left out"));
    return table;
}

/// The part of `word` behind the first `_intra_`: "binomial" of "MPIR_Bcast_intra_binomial".
std::string shortName(const std::string& word) {
    const std::size_t group = word.find("_intra_");
    return group == std::string::npos ? word : word.substr(group + 7);
}

/// Whether an algorithm cuts each of p blocks of the vector, not the whole of it.
bool cutsBlocks(const Choice& choice) { return choice.id == "allreduce/ring"; }

std::int64_t blocksOf(const Choice& choice, const Extent& ranks) { return cutsBlocks(choice) ? ranks.low : 1; }

std::int64_t segmentSize(Bytes bytes, std::int64_t blocks, std::int64_t segments) {
    const Bytes each = inUnit(Unit::total, blocks, segments);
    return bytes / each + (bytes % each != 0 ? 1 : 0);
}

/// Open MPI rounds the number of segments of a message up, and that of the segments of blocks to the nearest one.
std::int64_t segmentsOf(Bytes bytes, std::int64_t blocks, std::int64_t segment) {
    const Bytes each = inUnit(Unit::total, blocks, segment);
    return std::max<std::int64_t>(1, bytes / each + (bytes % each > (blocks > 1 ? each / 2 : 0) ? 1 : 0));
}

std::string exactFor(const Choice& choice, const Extent& ranks) {
    if (!cutsBlocks(choice)) return "which is exact for the smallest message only";
    return text("which is exact for the smallest message on ", ranks.low,
                " ranks only, and only in the half that reduces: Open MPI does not cut the blocks that it gathers");
}

void once(std::vector<std::string>& losses) {
    std::vector<std::string> kept;
    for (std::string& one : losses)
        if (std::ranges::find(kept, one) == kept.end()) kept.push_back(std::move(one));
    losses = std::move(kept);
}

}  // namespace

std::string nameIn(const std::string& library, const std::string& call, const Choice& choice) {
    if (choice.library == library) return shortName(choice.named);
    if (choice.id.empty()) return {};
    std::string found;
    for (const engine::LibraryAlgorithm& one : engine::libraryAlgorithms()) {
        if (one.known.library != library || one.known.call != call || one.id != choice.id) continue;
        // Of two names for one algorithm, one cuts messages into segments.
        const bool cuts = choice.segment > 0 || choice.segments > 1;
        if (found.empty() || hasSegments(call, one.known.name) == cuts) found = one.known.name;
    }
    return found;
}

std::string lineWords(const Choice& choice) {
    return choice.line > 0 ? text("line ", choice.line, ": ") : std::string{};
}

std::string withoutCounterpart(const std::string& call, const Choice& choice, const std::string& library) {
    return text(lineWords(choice), choice.library, "'s ", call, " ", choice.named, " has no counterpart in ", library,
                "; these calls are left to the library");
}

std::int64_t LimitConverter::operator()(std::int64_t start, const Extent& ranks) {
    if (from_ == to_ || start == 0 || from_ == Unit::none || to_ == Unit::none) return start;
    if (ranks.low != ranks.high && !reported_) {
        reported_ = true;
        losses_.push_back(
            text(call_, ": ", library_,
                 " counts bytes of this call in another way, which depends on the ranks; limits are exact "
                 "on the fewest ranks of each range only"));
    }
    const Bytes each = inUnit(from_, ranks.low, 1);
    return inUnit(to_, ranks.low, start / each + (start % each != 0 ? 1 : 0));
}

Unit unitOfOpenMpi(Called called) {
    switch (called) {
        case Called::allgather:
        case Called::alltoall:
        case Called::gather:
        case Called::scatter: return Unit::total;
        case Called::barrier:
        case Called::alltoallv:
        case Called::scan:
        case Called::exscan: return Unit::none;  // of scans the size of an element counts, not of the vector
        default: return Unit::block;
    }
}

Unit unitOfCollscope(Called called) {
    switch (called) {
        case Called::allgather:
        case Called::allgatherv:
        case Called::gather:
        case Called::gatherv:
        case Called::scatter:
        case Called::scatterv: return Unit::total;
        case Called::alltoall:
        case Called::alltoallv:
        case Called::alltoallw: return Unit::pairs;
        case Called::barrier: return Unit::none;
        default: return Unit::block;
    }
}

Unit unitOfMpich(Called called) {
    switch (called) {
        case Called::bcast:
        case Called::reduce:
        case Called::allreduce:
        case Called::reduceScatter:
        case Called::reduceScatterBlock: return Unit::block;
        case Called::allgather:
        case Called::allgatherv:
        case Called::alltoall: return Unit::total;
        default: return Unit::none;
    }
}

Bytes inUnit(Unit unit, std::int64_t ranks, Bytes block) {
    const auto product = [](std::int64_t a, std::int64_t b) {
        std::int64_t result = 0;
        return __builtin_mul_overflow(a, b, &result) ? unlimited - 1 : result;
    };
    switch (unit) {
        case Unit::block: return block;
        case Unit::total: return product(ranks, block);
        case Unit::pairs: return product(ranks, product(ranks, block));
        case Unit::none: return 0;
    }
    return 0;
}

bool Choice::same(const Choice& other) const {
    return id == other.id && named == other.named && segment == other.segment && segments == other.segments &&
           fanOut == other.fanOut;
}

RuleTable merged(RuleTable table) {
    for (RuleTable::Call& call : table.calls) {
        std::vector<RuleTable::Column> columns;
        for (RuleTable::Column& column : call.columns) {
            std::vector<RuleTable::Part> parts;
            for (RuleTable::Part& part : column.parts) {
                if (!parts.empty() && parts.back().choice.same(part.choice)) parts.back().bytes.high = part.bytes.high;
                else parts.push_back(part);
            }
            column.parts = std::move(parts);
            const bool alike = !columns.empty() &&
                               std::ranges::equal(columns.back().parts, column.parts, [](const auto& a, const auto& b) {
                                   return a.bytes == b.bytes && a.choice.same(b.choice);
                               });
            if (alike) columns.back().ranks.high = column.ranks.high;
            else columns.push_back(std::move(column));
        }
        call.columns = std::move(columns);
    }
    return table;
}

RuleTable tableOf(const RulesFile& file, const Installed& installed, std::vector<std::string>& losses) {
    requireUsable(file, installed);
    if (const auto* rules = std::get_if<OpenMpiRules>(&file)) return ofOpenMpi(*rules, installed, losses);
    if (const auto* selection = std::get_if<MpichSelection>(&file)) return ofMpich(*selection, installed, losses);
    if (const auto* variables = std::get_if<MpichVariables>(&file)) return ofVariables(*variables, installed, losses);
    return ofCollscope(std::get<CollscopeRules>(file), losses);
}

Converted asOpenMpiRules(const RuleTable& given, const Installed& installed) {
    Converted made;
    const RuleTable table = merged(given);
    std::string sections;
    int count = 0;
    for (const RuleTable::Call& call : table.calls) {
        const std::string title{name(call.called)};
        const auto known = installed.algorithms.find(title);
        if (known == installed.algorithms.end()) {
            made.losses.push_back(
                text("Open MPI's coll/tuned chooses no algorithms of ", title, "; its rules are left out"));
            continue;
        }
        const Unit unit = unitOfOpenMpi(call.called);
        LimitConverter converted{call.unit, unit, title, "Open MPI", made.losses};
        std::string sizes;
        for (const RuleTable::Column& column : call.columns) {
            std::vector<std::pair<std::int64_t, std::string>> rules;
            for (const RuleTable::Part& part : column.parts) {
                const std::int64_t start = converted(part.bytes.low, column.ranks);
                if (unit == Unit::none && !rules.empty()) {
                    made.losses.push_back(text(
                        title,
                        ": Open MPI chooses its algorithm without the bytes of the call; that of the smallest size "
                        "applies to all"));
                    break;
                }
                const std::string algorithm = nameIn("Open MPI", title, part.choice);
                const auto number = std::ranges::find(known->second, algorithm) - known->second.begin();
                const bool found = !algorithm.empty() && number < static_cast<std::ptrdiff_t>(known->second.size());
                if (!found && !part.choice.isDefault())
                    made.losses.push_back(withoutCounterpart(title, part.choice, "Open MPI"));
                std::int64_t segment = part.choice.segment;
                if (found && part.choice.segments > 1 && hasSegments(title, algorithm)) {
                    segment = segmentSize(part.bytes.low, blocksOf(part.choice, column.ranks), part.choice.segments);
                    made.losses.push_back(text(lineWords(part.choice),
                                               "Open MPI takes the size of a segment, not the number ",
                                               part.choice.segments, " of segments; ", segment, " bytes are written, ",
                                               exactFor(part.choice, column.ranks)));
                }
                if (found && part.choice.fanOut > mostChains)
                    made.losses.push_back(text(lineWords(part.choice), "Open MPI makes at most ", mostChains,
                                               " chains; the fan-out ", part.choice.fanOut, " is read as that"));
                std::string words = text(found ? number : 0, ' ', found ? std::min(part.choice.fanOut, mostChains) : 0,
                                         ' ', found ? segment : 0);
                if (!rules.empty() && (rules.back().second == words || rules.back().first == start)) continue;
                rules.emplace_back(start, std::move(words));
            }
            sizes += text("  ", column.ranks.low, ' ', rules.size(), "  # ", toText(column.ranks),
                          " ranks: the number of message sizes\n");
            for (const auto& [start, words] : rules)
                sizes += text("    ", start, ' ', words, "  # ", exactBytes(start), ": ",
                              words.starts_with("0 ") ? std::string{"the library chooses"}
                                                      : installed.nameOf(title, std::stoll(words)),
                              '\n');
        }
        sections += text(static_cast<int>(call.called), "  # ", title, "\n", call.columns.size(),
                         "  # communicator sizes\n", sizes);
        ++count;
    }
    once(made.losses);
    made.words =
        text(count, "  # collectives; each rule: bytes, algorithm (0: the library chooses), fan-out, segment size\n",
             sections);
    return made;
}

Converted asCollscopeRules(const RuleTable& given) {
    Converted made;
    const RuleTable table = merged(given);
    made.words = "# operation communicator ranks bytes algorithm\n";
    for (const RuleTable::Call& call : table.calls) {
        const std::string title{name(call.called)};
        const Unit unit = unitOfCollscope(call.called);
        LimitConverter converted{call.unit, unit, title, "Collscope", made.losses};
        for (const RuleTable::Column& column : call.columns)
            for (const RuleTable::Part& part : column.parts) {
                if (part.choice.isDefault()) continue;  // calls without a rule are left to the library
                if (part.choice.id.empty()) {
                    made.losses.push_back(withoutCounterpart(title, part.choice, "Collscope's catalogue"));
                    continue;
                }
                std::string way = part.choice.id;
                const engine::Algorithm& algorithm = engine::algorithmNamed(part.choice.id);
                const auto has = [&](const char* option) {
                    return std::ranges::find(algorithm.options, option, &engine::Option::name) !=
                           algorithm.options.end();
                };
                std::int64_t segments = part.choice.segments;
                if (part.choice.segment > 0 && has("segments")) {
                    segments = segmentsOf(part.bytes.low, blocksOf(part.choice, column.ranks), part.choice.segment);
                    made.losses.push_back(text(lineWords(part.choice),
                                               "Collscope takes the number of segments, not their size of ",
                                               part.choice.segment, " bytes; segments=", segments, " is written, ",
                                               exactFor(part.choice, column.ranks)));
                }
                if (segments > 0 && has("segments")) way += text(":segments=", segments);
                if (part.choice.fanOut > 0 && has("fanout")) way += text(":fanout=", part.choice.fanOut);
                const auto range = [](std::int64_t low, std::int64_t high) {
                    return high == unlimited ? text(low, "..") : text(low, "..", high);
                };
                const std::int64_t end =
                    part.bytes.high == unlimited ? unlimited : converted(part.bytes.high + 1, column.ranks) - 1;
                std::string rule = text(
                    title, " intra ", range(column.ranks.low, column.ranks.high), ' ',
                    call.unit == Unit::none ? std::string{"*"} : range(converted(part.bytes.low, column.ranks), end),
                    ' ', way);
                try {
                    (void)engine::live::rulesFromText(rule, "rules");
                } catch (const Error& refused) {
                    made.losses.push_back(
                        text(lineWords(part.choice), part.choice.named, " is left out: ", refused.words()));
                    continue;
                }
                made.words += rule + '\n';
            }
    }
    once(made.losses);
    return made;
}

Converted convert(const RulesFile& file, const std::string& library) {
    std::vector<std::string> losses;
    const RuleTable table = tableOf(file, installedFor(file), losses);
    Converted made = library == "openmpi" ? asOpenMpiRules(table, installedOpenMpi())
                     : library == "mpich" ? asMpichSelection(table, installedMpich())
                                          : asCollscopeRules(table);
    made.losses.insert(made.losses.begin(), losses.begin(), losses.end());
    once(made.losses);
    // In the order of the file; what is about no line comes first.
    const auto lineOf = [](const std::string& words) {
        int line = 0;
        constexpr std::string_view start = "line ";
        if (words.starts_with(start)) std::from_chars(words.data() + start.size(), words.data() + words.size(), line);
        return line;
    };
    std::ranges::stable_sort(made.losses, {}, lineOf);
    return made;
}

}  // namespace app::tune

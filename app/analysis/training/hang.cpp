// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/training/hang.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

namespace app::analysis {

using engine::text;
using traces::flight::Dump;
using traces::flight::Entry;
using traces::flight::Sizes;
using traces::flight::State;

namespace {

using WorldRanks = std::vector<std::int64_t>;

/// "rank 3", "ranks 0..2 and 7"
std::string namedRanks(const WorldRanks& ranks) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t j = i;
        while (j + 1 < ranks.size() && ranks[j + 1] == ranks[j] + 1) ++j;
        if (j == i + 1) parts.push_back(text(ranks[i])), j = i;
        else parts.push_back(j == i ? text(ranks[i]) : text(ranks[i], "..", ranks[j]));
        i = j + 1;
    }
    return text(ranks.size() == 1 ? "rank " : "ranks ", listed(parts));
}

std::string inWords(const Sizes& sizes) {
    std::vector<std::string> tensors;
    for (const auto& tensor : sizes) {
        std::vector<std::string> lengths;
        for (const std::int64_t length : tensor) lengths.push_back(text(length));
        tensors.push_back("[" + engine::joined(lengths, ", ") + "]");
    }
    constexpr std::size_t most = 4;
    if (tensors.size() > most) {
        const std::size_t more = tensors.size() - most;
        tensors.resize(most);
        tensors.push_back(text("and ", more, " more"));
    }
    return engine::joined(tensors, ", ");
}

std::string callWords(const Entry& entry) {
    std::string words = entry.operation;
    if (const std::string in = inWords(entry.in); !in.empty() && in != "[]") words += " of " + in;
    if (!entry.inTypes.empty()) words += " " + entry.inTypes;
    if (const std::string out = inWords(entry.out); entry.in != entry.out && !out.empty() && out != "[]")
        words +=
            " into " + out + (entry.outTypes != entry.inTypes && !entry.outTypes.empty() ? " " + entry.outTypes : "");
    return words;
}

/// Elements of a tensor; nothing where they are more than 2^62.
std::optional<std::int64_t> elements(const std::vector<std::int64_t>& tensor) {
    std::int64_t product = 1;
    for (const std::int64_t length : tensor)
        if (length < 0 || __builtin_mul_overflow(product, length, &product)) return std::nullopt;
    return product;
}
std::optional<std::int64_t> elements(const Sizes& sizes) {
    std::int64_t sum = 0;
    for (const auto& tensor : sizes) {
        const auto its = elements(tensor);
        if (!its || __builtin_add_overflow(sum, *its, &sum)) return std::nullopt;
    }
    return sum;
}

/// Without what names variants: "_all_gather_base" is an all_gather.
std::string plainOperation(const std::string& operation) {
    const auto has = [&](std::string_view word) { return operation.find(word) != std::string::npos; };
    if (has("coalesced") && !has("into_tensor") && !has("scatter_tensor") && !has("allreduce")) return "coalesced";
    if (has("all_to_all")) return "all_to_all";
    // Each rank may have a size of its own.
    if (operation == "all_gather_v" || operation == "reduce_scatter_v") return operation;
    if (has("all_gather") || has("allgather")) return "all_gather";
    if (has("reduce_scatter")) return "reduce_scatter";
    return operation;
}

/// What a rank did at one sequence number.
using EntriesOfRank = std::vector<const Entry*>;

/// Why sizes of one call cannot be; empty where they can. `members` is nothing where their number is not known.
std::string breaks(const Entry& entry, std::optional<std::size_t> members) {
    const std::string operation = plainOperation(entry.operation);
    if (operation == "all_reduce" || operation == "allreduce_coalesced")
        return entry.in == entry.out ? std::string{} : "input and output of an all_reduce differ";
    if (!members || entry.in.size() != 1 || entry.out.size() != 1) return {};
    const auto in = elements(entry.in), out = elements(entry.out);
    if (!in || !out) return {};
    const auto n = static_cast<std::int64_t>(*members);
    std::int64_t whole = 0;
    if (operation == "all_gather" && (__builtin_mul_overflow(*in, n, &whole) || *out != whole))
        return text("the output of an all_gather must have ", n, " times the elements of its input");
    if (operation == "reduce_scatter" && (__builtin_mul_overflow(*out, n, &whole) || *in != whole))
        return text("the input of a reduce_scatter must have ", n, " times the elements of its output");
    return {};
}

/// What ranks must agree in: it distinguishes the sides.
std::string keyOf(const EntriesOfRank& calls, HangKind kind) {
    std::string key;
    for (const Entry* entry : calls) {
        const std::string operation = plainOperation(entry->operation);
        switch (kind) {
            case HangKind::operations: key += entry->operation; break;
            case HangKind::sizes:
                if (operation != "scatter" && operation != "all_to_all" && operation != "all_gather_v")
                    key += inWords(entry->in);
                key += '>';
                if (operation != "gather" && operation != "all_to_all" && operation != "reduce_scatter_v")
                    key += inWords(entry->out);
                break;
            case HangKind::types:
                // Only the root of a gather or scatter has both sides.
                key += operation == "scatter" ? std::string{} : entry->inTypes;
                key += '>' + (operation == "gather" ? std::string{} : entry->outTypes);
                break;
            case HangKind::order: key = text(calls.size()); break;
            case HangKind::states: key += traces::flight::name(entry->state); break;
            default: break;
        }
        key += ';';
    }
    return key;
}

class RecordedGroup {
public:
    std::string name, description;
    WorldRanks members;
    bool membersKnown = false;  ///< else they are those that called it and have a dump
    std::map<std::int64_t, std::map<std::int64_t, EntriesOfRank>> calls;  ///< by rank and sequence number
    std::map<std::int64_t, std::vector<const Entry*>> transfers;          ///< by rank
};

HangSide::Did didOf(State state) {
    return state == State::scheduled ? HangSide::Did::scheduled
           : state == State::started ? HangSide::Did::started
                                     : HangSide::Did::completed;
}

/// The state of those that were launched together.
State stateOf(const EntriesOfRank& calls) {
    State least = State::completed;
    for (const Entry* entry : calls) least = std::min(least, entry->state);
    return least;
}

class HangJudge {
public:
    HangJudge(const RecordedGroup& group, const std::map<std::int64_t, bool>& hasAll) : group_{group} {
        for (const std::int64_t rank : group.members) (hasAll.count(rank) != 0 ? present_ : absent_).push_back(rank);
        for (const std::int64_t rank : present_) {
            const auto its = group.calls.find(rank);
            // From which number on a rank's calls are known: all, unless its ring is full.
            known_[rank] = hasAll.at(rank)                                   ? std::numeric_limits<std::int64_t>::min()
                           : its == group.calls.end() || its->second.empty() ? std::numeric_limits<std::int64_t>::max()
                                                                             : its->second.begin()->first;
        }
    }

    std::optional<Hang> judge() const {
        std::set<std::int64_t> numbers;
        for (const auto& [rank, calls] : group_.calls)
            for (const auto& [number, its] : calls) numbers.insert(number);
        for (const std::int64_t number : numbers)
            if (auto hang = judge(number)) return hang;
        return std::nullopt;
    }

private:
    std::optional<Hang> judge(std::int64_t number) const {
        std::map<std::int64_t, EntriesOfRank> called;
        WorldRanks missing;
        for (const std::int64_t rank : present_) {
            if (known_.at(rank) > number) {
                // Lost, unless it never was: a rank whose later calls are known has made this one.
                continue;
            }
            const auto its = group_.calls.find(rank);
            const auto found = its == group_.calls.end() ? std::map<std::int64_t, EntriesOfRank>::const_iterator{}
                                                         : its->second.find(number);
            if (its == group_.calls.end() || found == its->second.end()) missing.push_back(rank);
            else called[rank] = found->second;
        }
        if (called.empty()) return std::nullopt;
        Hang hang{.group = group_.name,
                  .description = group_.description,
                  .members = group_.members,
                  .withoutDump = absent_,
                  .sequence = number,
                  .kind = HangKind::missing,
                  .why = {},
                  .sides = {}};
        for (const auto& [rank, calls] : called)
            if (calls.front()->created > 0)
                hang.created =
                    hang.created == 0 ? calls.front()->created : std::min(hang.created, calls.front()->created);
        const auto split = [&](HangKind kind) {
            std::map<std::string, WorldRanks> keys;
            for (const auto& [rank, calls] : called) keys[keyOf(calls, kind)].push_back(rank);
            return keys;
        };
        const bool finished = std::all_of(called.begin(), called.end(),
                                          [](const auto& one) { return stateOf(one.second) == State::completed; });
        if (!missing.empty() && !finished) {
            addSides(hang, called, HangKind::states);
            addMissing(hang, missing, number);
            return ordered(std::move(hang));
        }
        for (const HangKind kind : {HangKind::order, HangKind::operations, HangKind::sizes, HangKind::types}) {
            if (kind == HangKind::sizes || kind == HangKind::types) {
                std::string why = kind == HangKind::sizes ? wrongSizes(called) : std::string{};
                if (!why.empty()) {
                    hang.kind = kind;
                    hang.why = std::move(why);
                    addSides(hang, called, kind);
                    return ordered(std::move(hang));
                }
            }
            if (split(kind).size() < 2) continue;
            hang.kind = kind;
            addSides(hang, called, kind);
            addMissing(hang, missing, number);
            return ordered(std::move(hang));
        }
        if (finished) return std::nullopt;
        const bool someFinished = std::any_of(called.begin(), called.end(),
                                              [](const auto& one) { return stateOf(one.second) == State::completed; });
        hang.kind = someFinished ? HangKind::states : HangKind::unfinished;
        addSides(hang, called, HangKind::states);
        return ordered(std::move(hang));
    }

    std::string wrongSizes(const std::map<std::int64_t, EntriesOfRank>& called) const {
        std::int64_t in = 0, out = 0;
        const std::optional<std::size_t> members =
            group_.membersKnown ? std::optional{group_.members.size()} : std::nullopt;
        bool allToAll = members && called.size() == group_.members.size();
        for (const auto& [rank, calls] : called)
            for (const Entry* entry : calls) {
                if (std::string why = breaks(*entry, members); !why.empty()) return why;
                const auto its = elements(entry->in), others = elements(entry->out);
                allToAll = allToAll && entry->operation.find("all_to_all") != std::string::npos && its && others &&
                           !__builtin_add_overflow(in, *its, &in) && !__builtin_add_overflow(out, *others, &out);
            }
        return allToAll && in != out ? text("all ranks of the all_to_all send ", in, " elements and receive ", out)
                                     : std::string{};
    }

    static void addSides(Hang& hang, const std::map<std::int64_t, EntriesOfRank>& called, HangKind kind) {
        std::map<std::pair<std::string, State>, HangSide> sides;
        for (const auto& [rank, calls] : called) {
            HangSide& side = sides[{keyOf(calls, kind), stateOf(calls)}];
            if (side.ranks.empty()) {
                std::vector<std::string> words;
                for (const Entry* entry : calls) words.push_back(callWords(*entry));
                constexpr std::size_t most = 4;
                if (words.size() > most) {
                    words[most - 1] = text("... (", words.size(), " in total)");
                    words.resize(most);
                }
                side.call = engine::joined(words, "; ");
                side.sequence = hang.sequence;
                side.did = didOf(stateOf(calls));
                side.frames = calls.back()->frames;
            }
            side.ranks.push_back(rank);
        }
        for (auto& [key, side] : sides) hang.sides.push_back(std::move(side));
    }

    /// Those that were in the same call of the group last are one side.
    void addMissing(Hang& hang, const WorldRanks& missing, std::int64_t number) const {
        std::map<std::pair<std::int64_t, std::string>, HangSide> sides;
        for (const std::int64_t rank : missing) {
            const Entry* last = nullptr;
            if (const auto its = group_.calls.find(rank); its != group_.calls.end())
                if (auto next = its->second.lower_bound(number); next != its->second.begin())
                    last = std::prev(next)->second.back();
            const std::string call =
                last == nullptr ? std::string{} : text(callWords(*last), ", ", traces::flight::name(last->state));
            HangSide& side = sides[{last == nullptr ? -1 : last->sequence, call}];
            side.ranks.push_back(rank);
            if (side.ranks.size() > 1) continue;
            side.did = HangSide::Did::nothing;
            side.call = call;
            side.sequence = last == nullptr ? -1 : last->sequence;
            if (last != nullptr) side.frames = last->frames;
        }
        for (auto& [key, side] : sides) hang.sides.push_back(std::move(side));
    }

    static Hang ordered(Hang hang) {
        std::stable_sort(hang.sides.begin(), hang.sides.end(), [](const HangSide& a, const HangSide& b) {
            return std::tuple{a.ranks.size(), a.did} < std::tuple{b.ranks.size(), b.did};
        });
        return hang;
    }

    const RecordedGroup& group_;
    WorldRanks present_;                          ///< members with a dump
    WorldRanks absent_;                           ///< members without one
    std::map<std::int64_t, std::int64_t> known_;  ///< by rank
};

/// Transfers that have not completed, and whether their peer has called the other half.
std::vector<std::string> openTransfers(const RecordedGroup& group) {
    std::vector<std::string> words;
    constexpr std::size_t most = 8;
    std::size_t more = 0;
    // The k-th send from a to b belongs to the k-th receive of b from a.
    std::map<std::tuple<std::int64_t, std::int64_t, bool>, std::size_t> counts;
    for (const auto& [rank, its] : group.transfers)
        for (const Entry* entry : its) ++counts[{entry->source, entry->target, entry->operation == "send"}];
    for (const auto& [rank, its] : group.transfers)
        for (const Entry* entry : its) {
            if (entry->state == State::completed || entry->source < 0 || entry->target < 0) continue;
            const bool sends = entry->operation == "send";
            const auto world = [&](std::int64_t place) {
                return place < static_cast<std::int64_t>(group.members.size())
                           ? group.members[static_cast<std::size_t>(place)]
                           : place;
            };
            const std::int64_t peer = world(sends ? entry->target : entry->source);
            const bool called =
                counts[{entry->source, entry->target, !sends}] >= counts[{entry->source, entry->target, sends}];
            if (words.size() == most) {
                ++more;
                continue;
            }
            words.push_back(text("rank ", rank, sends ? " sends to rank " : " receives from rank ", peer, " (",
                                 inWords(sends ? entry->in : entry->out), ", transfer ", entry->transfer, ", ",
                                 traces::flight::name(entry->state), ")",
                                 called  ? ""
                                 : sends ? ", which has not called the recv"
                                         : ", which has not called the send",
                                 entry->frames.empty() ? "" : text(" at ", entry->frames.front())));
        }
    if (more > 0) words.push_back(text(more, " more"));
    return words;
}

}  // namespace

std::string_view name(HangKind kind) {
    switch (kind) {
        case HangKind::missing: return "missing ranks";
        case HangKind::operations: return "different operations";
        case HangKind::sizes: return "different sizes";
        case HangKind::types: return "different element types";
        case HangKind::order: return "different order";
        case HangKind::states: return "not finished by all ranks";
        case HangKind::unfinished: return "not finished";
    }
    return {};
}

HangReport hangReport(const std::vector<Dump>& dumps) {
    HangReport report;
    std::map<std::int64_t, bool> hasAll;  // by rank with a dump: its ring has lost nothing
    // One name may be that of several groups with other members.
    std::map<std::pair<std::string, WorldRanks>, RecordedGroup> groups;
    std::set<std::int64_t> everyone;
    WorldRanks lost;
    for (const Dump& dump : dumps) {
        report.ranks.push_back(dump.rank);
        if (report.version.empty()) report.version = dump.version;
        report.entries += static_cast<std::int64_t>(dump.entries.size());
        const bool whole = dump.entries.empty() || dump.entries.front().record == 0;
        hasAll[dump.rank] = whole;
        if (!whole) lost.push_back(dump.rank);
        for (const auto& [name, ranks] : dump.groups) {
            everyone.insert(ranks.begin(), ranks.end());
            RecordedGroup& group = groups[{name, ranks}];
            group.name = name;
            group.members = ranks;
            group.membersKnown = true;
        }
    }
    if (!lost.empty())
        report.remarks.push_back(text("the ring", lost.size() == 1 ? " of " : "s of ", namedRanks(lost),
                                      lost.size() == 1 ? " has lost its" : " have lost their", " first entries"));
    // What the configuration lacks: members are those that call.
    std::map<std::string, std::set<std::int64_t>> callers;
    for (const Dump& dump : dumps)
        for (const Entry& entry : dump.entries)
            if (dump.groups.count(entry.group) == 0) callers[entry.group].insert(dump.rank);
    for (const Dump& dump : dumps)
        for (const Entry& entry : dump.entries) {
            const auto known = dump.groups.find(entry.group);
            const WorldRanks members = known != dump.groups.end()
                                           ? known->second
                                           : WorldRanks{callers[entry.group].begin(), callers[entry.group].end()};
            RecordedGroup& group = groups[{entry.group, members}];
            group.name = entry.group;
            group.members = members;
            if (group.description.empty()) group.description = entry.description;
            if (entry.isTransfer) group.transfers[dump.rank].push_back(&entry);
            else group.calls[dump.rank][entry.sequence].push_back(&entry);
        }
    everyone.insert(report.ranks.begin(), report.ranks.end());
    WorldRanks absent;
    for (const std::int64_t rank : everyone)
        if (hasAll.count(rank) == 0) absent.push_back(rank);
    if (!absent.empty())
        report.remarks.push_back(text(namedRanks(absent), absent.size() == 1 ? " has" : " have",
                                      " no dump: the process may have ended, or hangs before it writes one"));
    for (const auto& [key, group] : groups) {
        std::vector<std::string> transfers = openTransfers(group);
        if (auto hang = HangJudge{group, hasAll}.judge()) {
            hang->transfers = std::move(transfers);
            report.hangs.push_back(*std::move(hang));
        } else {
            report.transfers.insert(report.transfers.end(), transfers.begin(), transfers.end());
        }
    }
    // A collective that all called waits for what happens elsewhere.
    std::stable_sort(report.hangs.begin(), report.hangs.end(), [](const Hang& a, const Hang& b) {
        const auto rank = [](const Hang& hang) { return std::tuple{hang.kind == HangKind::unfinished, hang.created}; };
        return rank(a) < rank(b);
    });
    return report;
}

engine::Table lastCalls(const std::vector<Dump>& dumps, std::size_t most) {
    using engine::cell;
    using engine::Cell;
    using engine::Content;
    engine::Table table{.name = "last-calls",
                        .title = "the last collectives of each rank",
                        .columns = {{"rank", Content::rank},
                                    {"process_group", Content::words},
                                    {"sequence", Content::words},
                                    {"state", Content::words},
                                    {"created_s", Content::time, "called"},
                                    {"frame", Content::words, "", false},
                                    {"call", Content::words}},
                        .rows = {}};
    std::int64_t first = 0;
    const auto shown = [&](const Dump& dump) { return std::min(most, dump.entries.size()); };
    for (const Dump& dump : dumps)
        for (std::size_t i = dump.entries.size() - shown(dump); i < dump.entries.size(); ++i)
            if (const std::int64_t created = dump.entries[i].created; created > 0)
                first = first == 0 ? created : std::min(first, created);
    for (const Dump& dump : dumps)
        for (std::size_t i = dump.entries.size() - shown(dump); i < dump.entries.size(); ++i) {
            const Entry& entry = dump.entries[i];
            const bool unnamed = entry.description.empty() || entry.description == "undefined";
            std::int64_t sinceFirst = 0;
            const bool timed =
                entry.created > 0 && !__builtin_mul_overflow(entry.created - first, std::int64_t{1000}, &sinceFirst);
            table.rows.push_back({Cell{dump.rank}, cell(unnamed ? entry.group : entry.description),
                                  cell(entry.isTransfer ? text("transfer ", entry.transfer) : text(entry.sequence)),
                                  cell(std::string{traces::flight::name(entry.state)}),
                                  timed ? Cell{engine::Picoseconds{sinceFirst}} : Cell{},
                                  cell(entry.frames.empty() ? std::string{} : entry.frames.front()),
                                  cell(callWords(entry))});
        }
    return table;
}

std::vector<std::string> linesOf(const HangReport& report) {
    std::vector<std::string> lines{
        text("Flight Recorder dumps of ", namedRanks(report.ranks),
             report.version.empty() ? "" : text(" (version ", report.version, ")"), ": ",
             counted(report.entries, "entry").starts_with("1 ") ? "1 entry" : text(report.entries, " entries"))};
    if (report.hangs.empty() && report.transfers.empty())
        lines.emplace_back("All collectives that were called have completed, and ranks called the same.");
    for (const Hang& hang : report.hangs) {
        const std::string group =
            hang.description.empty() || hang.description == "undefined" || hang.description == hang.group
                ? text("process group ", hang.group)
                : text(hang.description, " (process group ", hang.group, ")");
        lines.push_back(text(group, " of ", counted(static_cast<std::int64_t>(hang.members.size()), "rank"),
                             ", sequence number ", hang.sequence, ": ", name(hang.kind),
                             hang.why.empty() ? "" : text("; ", hang.why)));
        for (const HangSide& side : hang.sides) {
            const bool one = side.ranks.size() == 1;
            std::string words = text("  ", namedRanks(side.ranks));
            switch (side.did) {
                case HangSide::Did::nothing:
                    words += one ? " has not called it" : " have not called it";
                    words += side.call.empty()
                                 ? text("; no earlier call in this group is recorded")
                                 : text("; the last call in this group is ", side.sequence, ", ", side.call);
                    break;
                case HangSide::Did::scheduled:
                    words += text(one ? " has called " : " have called ", side.call, "; the kernel has not started");
                    break;
                case HangSide::Did::started:
                    words += text(one ? " has started " : " have started ", side.call, " and not finished it");
                    break;
                case HangSide::Did::completed:
                    words += text(one ? " has finished " : " have finished ", side.call);
                    break;
            }
            lines.push_back(std::move(words));
            constexpr std::size_t mostFrames = 4;
            for (std::size_t i = 0; i < std::min(mostFrames, side.frames.size()); ++i)
                lines.push_back(text("      at ", side.frames[i]));
        }
        for (const std::string& transfer : hang.transfers) lines.push_back("  " + transfer);
        if (!hang.withoutDump.empty())
            lines.push_back(
                text("  ", namedRanks(hang.withoutDump), hang.withoutDump.size() == 1 ? " has" : " have", " no dump"));
    }
    if (!report.transfers.empty()) lines.emplace_back("Point-to-point transfers that have not completed");
    for (const std::string& transfer : report.transfers) lines.push_back("  " + transfer);
    for (const std::string& remark : report.remarks) lines.push_back("Note: " + remark + ".");
    return lines;
}

}  // namespace app::analysis

// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/tune/placement.hpp"

#include "app/session/run/scratch.hpp"
#include "engine/base/error.hpp"
#include "engine/base/lines.hpp"
#include "engine/base/new_file.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

namespace app::tune {
namespace {

using engine::Bytes;
using engine::Error;
using engine::text;

constexpr std::int64_t mostSlots = 65536;
constexpr std::int64_t withinHost = 4;  // times as fast as between hosts, where nothing else is asked for

/// The partners of each rank.
using Partners = std::vector<std::vector<std::pair<std::int32_t, Bytes>>>;

Partners partnersIn(const PairTraffic& traffic, std::size_t ranks) {
    Partners all(ranks);
    for (const auto& [pair, bytes] : traffic) {
        all[static_cast<std::size_t>(pair.first)].emplace_back(pair.second, bytes);
        all[static_cast<std::size_t>(pair.second)].emplace_back(pair.first, bytes);
    }
    return all;
}

/// Levels between all hosts.
class Levels {
public:
    explicit Levels(const std::vector<Host>& hosts) : count_{hosts.size()} {
        for (const Host& a : hosts)
            for (const Host& b : hosts) levels_.push_back(&a == &b ? 0 : std::max(1, levelBetween(a, b)));
    }
    [[nodiscard]] std::int64_t operator()(std::int32_t a, std::int32_t b) const {
        return levels_[static_cast<std::size_t>(a) * count_ + static_cast<std::size_t>(b)];
    }

private:
    std::size_t count_;
    std::vector<std::int32_t> levels_;
};

/// Bytes x levels of the traffic of one rank on `host`, but for that with `except`.
std::int64_t costOf(const Partners& partners, const RankOrder& order, const Levels& levels, std::size_t rank,
                    std::int32_t host, std::int32_t except) {
    std::int64_t cost = 0;
    for (const auto& [other, bytes] : partners[rank])
        if (other != except) cost += bytes * levels(host, order[static_cast<std::size_t>(other)]);
    return cost;
}

std::int64_t totalCost(const Partners& partners, const RankOrder& order, const Levels& levels) {
    std::int64_t cost = 0;
    for (std::size_t rank = 0; rank < order.size(); ++rank)
        cost += costOf(partners, order, levels, rank, order[rank], -1);
    return cost / 2;
}

/// Host by host: first the rank that has most traffic with those placed before, then those that have most with the
/// ranks on the host.
RankOrder gathered(const std::vector<Host>& hosts, const RankOrder& start, const Partners& partners,
                   const Levels& levels, const engine::Progress& progress) {
    RankOrder order(start.size(), -1);
    for (std::int32_t host = 0; host < static_cast<std::int32_t>(hosts.size()); ++host)
        for (auto room = std::ranges::count(start, host); room > 0; --room) {
            progress.at(0);
            std::size_t best = order.size();
            std::pair<std::int64_t, std::int64_t> most{-1, -1};
            for (std::size_t rank = 0; rank < order.size(); ++rank) {
                if (order[rank] >= 0) continue;
                std::int64_t near = 0;
                std::int64_t all = 0;
                for (const auto& [other, bytes] : partners[rank]) {
                    all += bytes;
                    const std::int32_t there = order[static_cast<std::size_t>(other)];
                    // The closer, the more it counts.
                    if (there >= 0) near += bytes >> std::min<std::int64_t>(2 * levels(host, there), 62);
                }
                if (std::pair{near, all} > most) {
                    most = {near, all};
                    best = rank;
                }
            }
            order[best] = host;
        }
    return order;
}

/// Swaps pairs of ranks as long as that makes the cost smaller.
void swapPairs(RankOrder& order, const Partners& partners, const Levels& levels, const engine::Progress& progress) {
    constexpr int mostPasses = 30;
    bool changed = true;
    for (int pass = 0; changed && pass < mostPasses; ++pass) {
        changed = false;
        for (std::size_t a = 0; a < order.size(); ++a) {
            progress.at(static_cast<double>(pass) / mostPasses);
            for (std::size_t b = a + 1; b < order.size(); ++b) {
                if (order[a] == order[b]) continue;
                const auto cost = [&](std::int32_t ofA, std::int32_t ofB) {
                    return costOf(partners, order, levels, a, ofA, static_cast<std::int32_t>(b)) +
                           costOf(partners, order, levels, b, ofB, static_cast<std::int32_t>(a));
                };
                if (cost(order[b], order[a]) >= cost(order[a], order[b])) continue;
                std::swap(order[a], order[b]);
                changed = true;
            }
        }
    }
}

std::int32_t slotsIn(const std::string& words) {
    return static_cast<std::int32_t>(engine::readInteger(words, "slots", 1, mostSlots));
}

/// One replay on a cluster of the hosts, or the network asked for. Messages within a host take a quarter of the time of
/// `model`.
Asked conditionsFor(const Asked& asked, const std::vector<Host>& hosts, const RankOrder& start,
                    const engine::Model& model, const std::string& placement) {
    Asked conditions = asked;
    if (!asked.has("topology")) {
        std::string sizes;
        for (std::int32_t host = 0; host < static_cast<std::int32_t>(hosts.size()); ++host)
            if (const auto count = std::ranges::count(start, host); count > 0)
                sizes += text(sizes.empty() ? "" : ",", count);
        if (sizes.find(',') == std::string::npos) sizes += "x1";
        conditions.add("topology", text("cluster:", sizes, ",inside=", model.alpha.count() / withinHost, "ps+",
                                        model.beta.femtosecondsPerByte / withinHost, "fs/B"));
    }
    if (!placement.empty()) conditions.add("placement", placement);
    return conditions;
}

/// The place of each rank on a network whose places are counted host by host.
std::string placesOf(const RankOrder& order, std::size_t hosts) {
    std::vector<std::int32_t> next(hosts);
    for (const std::int32_t host : order)
        for (std::size_t after = static_cast<std::size_t>(host) + 1; after < hosts; ++after) ++next[after];
    std::string words;
    for (const std::int32_t host : order) words += text(next[static_cast<std::size_t>(host)]++, '\n');
    return words;
}

}  // namespace

std::vector<Host> hostsFrom(std::string_view words, const std::string& path) {
    std::vector<Host> hosts;
    std::set<std::string> names;
    std::string withoutSwitch;  // where the first such host is
    engine::eachLine(words, path, engine::Comments::anywhere, [&](std::string_view line, std::int64_t number) {
        Host host;
        for (const std::string& word : engine::wordsOfLine(line)) {
            if (host.name.empty()) {
                const std::size_t colon = word.find(':');
                host.name = word.substr(0, colon);
                if (colon != std::string::npos) host.slots = slotsIn(word.substr(colon + 1));
            } else if (word.starts_with("slots=")) {
                host.slots = slotsIn(word.substr(6));
            } else if (word.starts_with("switch=")) {
                host.switches = engine::split(word.substr(7), '/');
            } else if (!word.starts_with("max_slots=") && !word.starts_with("max-slots=")) {
                throw Error{text('\'', word, "' is unknown; write for example 'node1 slots=4 switch=leaf2'")};
            }
        }
        if (!names.insert(host.name).second) throw Error{text("the host '", host.name, "' is listed twice")};
        if (host.switches.empty() && withoutSwitch.empty())
            withoutSwitch = text(path, ':', number, ": the host '", host.name, '\'');
        hosts.push_back(std::move(host));
    });
    // Its distance to the others would be unknown.
    if (!withoutSwitch.empty() && std::ranges::any_of(hosts, [](const Host& one) { return !one.switches.empty(); }))
        throw Error{text(withoutSwitch, " has no switch=, and others have; write it for all hosts or for none")};
    if (hosts.empty()) throw Error{text(path, ": no host; write one a line, such as 'node1 slots=4'")};
    return hosts;
}

PairTraffic trafficOf(const emulation::Program& program) {
    PairTraffic traffic;
    const auto add = [&](std::int32_t from, std::int32_t to, Bytes bytes) {
        if (from != to && bytes > 0) traffic[std::minmax(from, to)] += bytes;
    };
    for (std::size_t i = 0; i < program.messages.size(); ++i)
        add(program.messages.from[i].value, program.messages.to[i].value, program.messages.bytes[i]);
    std::unordered_map<const engine::Schedule*, PairTraffic> known;
    engine::Batch batch;
    for (const emulation::CollectiveDone& one : program.collectives) {
        if (!one.schedule) continue;
        const auto [found, isNew] = known.try_emplace(one.schedule.get());
        const std::int64_t rounds = isNew ? one.schedule->facts().rounds : 0;
        for (std::int64_t round = 0; round < rounds; ++round) {
            batch.reset(0);
            one.schedule->batch(engine::Round{round}, engine::Rank{0}, engine::Rank{one.schedule->facts().ranks},
                                batch);
            for (std::size_t i = 0; i < batch.size(); ++i)
                found->second[std::minmax(batch.from()[i], batch.to()[i])] += batch.bytes()[i];
        }
        const std::vector<engine::Rank>& members = *one.members;
        for (const auto& [pair, bytes] : found->second)
            if (static_cast<std::size_t>(pair.second) < members.size())
                add(members[static_cast<std::size_t>(pair.first)].value,
                    members[static_cast<std::size_t>(pair.second)].value, bytes);
    }
    return traffic;
}

std::int32_t levelBetween(const Host& a, const Host& b) {
    const std::size_t most = std::max(a.switches.size(), b.switches.size());
    std::size_t common = 0;
    while (common < std::min(a.switches.size(), b.switches.size()) && a.switches[common] == b.switches[common])
        ++common;
    return static_cast<std::int32_t>(most - common) + 1;
}

RankOrder filledInOrder(const std::vector<Host>& hosts, std::int32_t ranks) {
    RankOrder order;
    for (std::size_t host = 0; host < hosts.size(); ++host)
        for (std::int32_t slot = 0; slot < hosts[host].slots && static_cast<std::int32_t>(order.size()) < ranks; ++slot)
            order.push_back(static_cast<std::int32_t>(host));
    if (static_cast<std::int32_t>(order.size()) < ranks)
        throw Error{text("--hosts: ", order.size(), " slots, but the program has ", ranks, " ranks")};
    return order;
}

RankOrder betterOrder(const std::vector<Host>& hosts, const RankOrder& start, const PairTraffic& traffic,
                      const engine::Progress& progress) {
    const Partners partners = partnersIn(traffic, start.size());
    const Levels levels{hosts};
    RankOrder best = start;
    for (RankOrder order : {start, gathered(hosts, start, partners, levels, progress)}) {
        swapPairs(order, partners, levels, progress);
        if (totalCost(partners, order, levels) < totalCost(partners, best, levels)) best = std::move(order);
    }
    return best;
}

std::vector<Bytes> bytesByLevel(const std::vector<Host>& hosts, const RankOrder& order, const PairTraffic& traffic) {
    std::vector<Bytes> all(levelNames(hosts).size());
    const Levels levels{hosts};
    for (const auto& [pair, bytes] : traffic)
        all[static_cast<std::size_t>(levels(order[static_cast<std::size_t>(pair.first)],
                                            order[static_cast<std::size_t>(pair.second)]))] += bytes;
    return all;
}

std::vector<std::string> levelNames(const std::vector<Host>& hosts) {
    std::size_t switches = 0;
    for (const Host& host : hosts) switches = std::max(switches, host.switches.size());
    std::vector<std::string> names{"within a host"};
    for (std::size_t i = 0; i < switches; ++i)
        names.push_back(i == 0 ? std::string{"within a switch"} : text("within a switch of level ", i + 1));
    names.push_back(switches == 0 ? std::string{"between hosts"} : text("between switches"));
    return names;
}

std::string asRankfile(const std::vector<Host>& hosts, const RankOrder& order) {
    std::string words;
    for (std::size_t rank = 0; rank < order.size(); ++rank)
        words += text("rank ", rank, '=', hosts[static_cast<std::size_t>(order[rank])].name, " slot=*\n");
    return words;
}

std::string asHostList(const std::vector<Host>& hosts, const RankOrder& order) {
    std::string words;
    for (const std::int32_t host : order) words += hosts[static_cast<std::size_t>(host)].name + '\n';
    return words;
}

ProgramTimes measured(const Placement& placement, const std::string& command, bool lab, std::int32_t repeats,
                      std::chrono::seconds most, const engine::Progress& progress) {
    const auto ranks = static_cast<std::int32_t>(placement.before.size());
    const auto wishOf = [&](bool isAfter, const std::filesystem::path& folder) {
        const RankOrder& order = isAfter ? placement.after : placement.before;
        const std::filesystem::path rankfile = folder / "rankfile";
        const std::filesystem::path list = folder / "hostlist";
        engine::writeFile(rankfile, asRankfile(placement.hosts, order), engine::Existing::replace);
        engine::writeFile(list, asHostList(placement.hosts, order), engine::Existing::replace);
        return ProgramWish{.command = command,
                           .processes = ranks,
                           .lab = lab,
                           .rankfile = rankfile.string(),
                           .hostList = list.string(),
                           .most = most};
    };
    return timesInTurn(wishOf, ranks, repeats, progress);
}

Placement placementFor(const Trace& trace, std::vector<Host> hosts, const Asked& asked,
                       const engine::Progress& progress) {
    const std::int32_t ranks =
        trace.isCollscopeRun() || !trace.recording ? trace.report.run->ranks : trace.recording->ranks;
    Placement made{.hosts = std::move(hosts)};
    made.before = filledInOrder(made.hosts, ranks);
    const Replaying recorded = replayed(trace, {}, analysis::within(progress, 0, 0.3));
    Specification specification;
    take(specification, asked);
    const engine::Model model =
        asked.has("model") ? specification.run.model : engine::modelFromText(recorded.asRecorded.model);
    const Replaying first = replayed(
        trace, {.asked = conditionsFor(asked, made.hosts, made.before, model, {}), .known = &recorded.asRecorded},
        analysis::within(progress, 0.3, 0.5));
    const PairTraffic traffic = trafficOf(first.program);
    if (traffic.empty()) throw Error{"the program exchanges no bytes between ranks, so that every order is as good"};
    made.after = betterOrder(made.hosts, made.before, traffic, analysis::within(progress, 0.5, 0.6));
    made.bytesBefore = bytesByLevel(made.hosts, made.before, traffic);
    made.bytesAfter = bytesByLevel(made.hosts, made.after, traffic);
    made.network = first.last().network;
    made.emulatedBefore = first.last().programTime();
    made.emulatedAfter = made.emulatedBefore;
    made.remarks = first.remarks;
    if (!asked.has("topology") &&
        std::ranges::any_of(made.hosts, [](const Host& one) { return !one.switches.empty(); }))
        made.remarks.emplace_back(
            "The emulated network has no switches: all hosts are equally far from each other there. --topology names a network "
            "with switches.");
    if (!made.isBetter()) return made;
    const Scratch scratch;
    const std::filesystem::path file = scratch.folder() / "places";
    engine::writeFile(file, placesOf(made.after, made.hosts.size()), engine::Existing::replace);
    const Replaying second =
        replayed(trace,
                 {.asked = conditionsFor(asked, made.hosts, made.before, model, "@" + file.string()),
                  .known = &recorded.asRecorded},
                 analysis::within(progress, 0.6, 1));
    made.emulatedAfter = second.last().programTime();
    return made;
}

}  // namespace app::tune

// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/nccl_log.hpp"

#include "app/analysis/training/nccl_channels.hpp"
#include "app/cli/output/files.hpp"
#include "app/cli/output/json.hpp"
#include "engine/base/text.hpp"
#include "traces/flight_recorder/dump.hpp"
#include "traces/kineto/job.hpp"
#include "traces/recording/archive.hpp"

#include <algorithm>
#include <set>

namespace app::cli::nccl {
namespace {

using engine::text;
using traces::nccl::Communicator;
using traces::nccl::Log;
using traces::nccl::nobody;
using Result = analysis::nccl::Check::Result;

std::string numbersOf(const std::vector<std::int32_t>& numbers) {
    std::vector<std::string> words;
    for (const std::int32_t number : numbers) words.push_back(text(number));
    return engine::joined(words, " ");
}

/// "0 -> 1 2; 1 -> 3".
std::string edgesOf(const analysis::nccl::Tree& tree) {
    std::vector<std::string> words;
    for (const auto& [rank, node] : tree.nodes)
        if (!node.children.empty()) words.push_back(text(rank, " -> ", numbersOf(node.children)));
    return engine::joined(words, "; ");
}

std::size_t hostsOf(const Communicator& its) {
    std::set<std::string> hosts;
    for (const auto& [rank, host] : its.hosts) hosts.insert(host);
    return hosts.size();
}

std::string titleOf(const Communicator& its, std::size_t number) {
    return text(
        "communicator ", its.id.empty() ? text(number) : its.id,
        its.ranks == 0 ? "" : text(" of ", analysis::counted(its.ranks, "rank")),
        its.hosts.empty() ? "" : text(" on ", analysis::counted(static_cast<std::int64_t>(hostsOf(its)), "host")),
        its.channels.empty()
            ? ""
            : text(", ", analysis::counted(static_cast<std::int64_t>(its.channels.size()), "channel")));
}

void writeChecks(const std::vector<analysis::nccl::Check>& checks, const Console& console) {
    for (const analysis::nccl::Check& check : checks)
        for (bool first = true; const std::string& line : wrapped(check.words, lineWidth - 4)) {
            console.out << (first ? "  " : "    ")
                        << console.paint(check.result == Result::holds   ? Tone::good
                                         : check.result == Result::fails ? Tone::bad
                                                                         : Tone::faint,
                                         line)
                        << '\n';
            first = false;
        }
}

/// Of the most frequent kinds first: "P2P/CUMEM 56, NET/IB/0/GDRDMA 8".
std::vector<std::pair<std::string, std::int64_t>> connectionKinds(const Communicator& its) {
    std::map<std::string, std::int64_t> counts;
    for (const auto& [pair, via] : its.connections) ++counts[via];
    std::vector<std::pair<std::string, std::int64_t>> kinds{counts.begin(), counts.end()};
    std::stable_sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    return kinds;
}

void writeCommunicator(const Communicator& its, std::size_t number, const Console& console) {
    const analysis::nccl::Channels channels = analysis::nccl::channelsOf(its);
    console.out << '\n' << console.paint(Tone::strong, titleOf(its, number)) << '\n';
    Table table{{Align::left, Align::left, Align::left}, 2};
    if (!channels.rings.empty() || !channels.trees.empty())
        table.row({"kind", "channels", "ranks in order; of trees the children of each rank"});
    for (const analysis::nccl::Ring& ring : channels.rings)
        if (!ring.order.empty())
            table.row({"ring", numbersOf(ring.channels), numbersOf(ring.order) + (ring.whole ? "" : " ...")});
    for (const analysis::nccl::Tree& tree : channels.trees)
        table.row({"tree", numbersOf(tree.channels),
                   tree.root == nobody ? edgesOf(tree)
                                       : text("root ", tree.root, ", depth ", tree.depth, ": ", edgesOf(tree))});
    table.write(console.out);
    if (const auto kinds = connectionKinds(its); !kinds.empty()) {
        std::vector<std::string> words;
        for (const auto& [via, count] : kinds) words.push_back(text(via, " ", count));
        for (const std::string& line :
             wrapped("connections by transport (pairs of ranks): " + engine::joined(words, ", "), lineWidth - 2))
            console.out << "  " << line << '\n';
    }
    writeChecks(channels.checks, console);
    if (its.calls.empty()) return;
    Table calls{{Align::left, Align::right, Align::right, Align::right}, 2};
    calls.row({"operation", "size", "calls per rank", "ranks"});
    for (const auto& [key, call] : its.calls)
        calls.row({key.first, engine::showBytes(key.second), analysis::counted(call.calls), text(call.callers.size())});
    calls.write(console.out);
}

void writeChoices(const Log& log, const Console& console) {
    if (log.choices.empty()) return;
    console.out << '\n' << console.paint(Tone::strong, "Algorithms and protocols by size") << '\n';
    Table table{{Align::left, Align::right, Align::left, Align::left, Align::right, Align::right}, 2};
    table.row({"operation", "size", "algorithm", "protocol", "channels", "calls per rank"});
    for (const auto& [choice, calls] : log.choices)
        table.row({choice.operation.empty() ? "-" : choice.operation, engine::showBytes(choice.bytes), choice.algorithm,
                   choice.protocol,
                   choice.firstChannel == nobody ? "-" : text(choice.firstChannel, "..", choice.lastChannel),
                   analysis::counted(calls)});
    table.write(console.out);
}

std::string_view wordOf(Result result) {
    switch (result) {
        case Result::holds: return "holds";
        case Result::fails: return "fails";
        case Result::unknown: return "unknown";
    }
    return {};
}

Json checksJson(const std::vector<analysis::nccl::Check>& checks) {
    Json rows = Json::array();
    for (const analysis::nccl::Check& check : checks)
        rows.push_back({{"result", wordOf(check.result)}, {"says", check.words}});
    return rows;
}

Json communicatorJson(const Communicator& its) {
    const analysis::nccl::Channels channels = analysis::nccl::channelsOf(its);
    Json rings = Json::array(), trees = Json::array(), connections = Json::array(), calls = Json::array(),
         hosts = Json::array();
    for (const analysis::nccl::Ring& ring : channels.rings)
        rings.push_back({{"channels", ring.channels}, {"order", ring.order}, {"whole", ring.whole}});
    for (const analysis::nccl::Tree& tree : channels.trees) {
        Json parents = Json::object();
        for (const auto& [rank, node] : tree.nodes)
            parents[text(rank)] = node.parent == nobody ? Json{} : Json(node.parent);
        trees.push_back({{"channels", tree.channels},
                         {"root", tree.root == nobody ? Json{} : Json(tree.root)},
                         {"depth", tree.depth},
                         {"parents", parents}});
    }
    for (const auto& [pair, via] : its.connections)
        connections.push_back({{"from", pair.first}, {"to", pair.second}, {"via", via}});
    for (const auto& [key, call] : its.calls)
        calls.push_back(
            {{"operation", key.first}, {"bytes", key.second}, {"calls", call.calls}, {"ranks", call.callers.size()}});
    for (std::int32_t rank = 0; rank < its.ranks && !its.hosts.empty(); ++rank) {
        const auto host = its.hosts.find(rank);
        hosts.push_back(host == its.hosts.end() ? Json{} : Json(host->second));
    }
    return {{"id", orNull(its.id)}, {"ranks", its.ranks},
            {"hosts", hosts},       {"rings", rings},
            {"trees", trees},       {"connections", connections},
            {"calls", calls},       {"checks", checksJson(channels.checks)}};
}

constexpr std::size_t most = 8;  ///< communicators in text

/// The communicator that a file is about: the largest.
const Communicator& largestOf(const Log& log, const std::string& path) {
    if (log.communicators.empty())
        throw engine::Error{text(path, ": no rings or trees in it; record it with NCCL_DEBUG_SUBSYS=INIT,GRAPH")};
    return *std::max_element(log.communicators.begin(), log.communicators.end(),
                             [](const Communicator& a, const Communicator& b) {
                                 return std::pair{a.ranks, a.channels.size()} < std::pair{b.ranks, b.channels.size()};
                             });
}

}  // namespace

bool isLog(const std::string& path) {
    std::error_code unknown;
    // A folder of a job may also have the output of its launcher.
    if (std::filesystem::is_directory(path, unknown) &&
        (traces::isRecords(path) || traces::kineto::isJob(path) || traces::flight::isDumps(path)))
        return false;
    return traces::nccl::isLog(path);
}

int openLog(const std::string& path, const std::string& format, const Console& console) {
    if (format == "csv") throw engine::Error{"--format csv: a debug log of NCCL is shown as text or json"};
    const Log log = traces::nccl::readLog(path);
    if (format == "json") {
        Json communicators = Json::array(), choices = Json::array();
        for (const Communicator& its : log.communicators) communicators.push_back(communicatorJson(its));
        for (const auto& [choice, calls] : log.choices)
            choices.push_back({{"operation", orNull(choice.operation)},
                               {"bytes", choice.bytes},
                               {"algorithm", choice.algorithm},
                               {"protocol", choice.protocol},
                               {"first_channel", choice.firstChannel == nobody ? Json{} : Json(choice.firstChannel)},
                               {"last_channel", choice.firstChannel == nobody ? Json{} : Json(choice.lastChannel)},
                               {"calls", calls}});
        console.out << Json{{"version", orNull(log.version)},
                            {"communicators", communicators},
                            {"choices", choices},
                            {"unassigned_lines", log.unassigned}}
                           .dump(2, ' ', false, lenient)
                    << '\n';
        return done;
    }
    console.out << console.paint(
                       Tone::strong,
                       text("Debug log of NCCL", log.version.empty() ? "" : " " + log.version, ": ",
                            analysis::counted(static_cast<std::int64_t>(log.communicators.size()), "communicator")))
                << '\n';
    for (std::size_t i = 0; i < std::min(most, log.communicators.size()); ++i)
        writeCommunicator(log.communicators[i], i, console);
    if (log.communicators.size() > most)
        console.out << '\n' << log.communicators.size() - most << " more communicators; --format json has all\n";
    writeChoices(log, console);
    if (log.unassigned > 0)
        console.out << "\nNot shown: " << analysis::counted(log.unassigned, "line")
                    << " of connections or calls that could belong to several communicators.\n";
    return done;
}

int verifyLog(const std::string& path, const std::string& format, const Console& console) {
    const Log log = traces::nccl::readLog(path);
    std::size_t broken = 0, shown = 0, shownBroken = 0;
    Json communicators = Json::array();
    for (std::size_t i = 0; i < log.communicators.size(); ++i) {
        const Communicator& its = log.communicators[i];
        std::vector<analysis::nccl::Check> checks = analysis::nccl::channelsOf(its).checks;
        if (checks.empty())
            checks.push_back(
                {Result::unknown,
                 "not checked: the log has no complete rings or trees; record it with NCCL_DEBUG_SUBSYS=INIT,GRAPH"});
        const bool fails = std::any_of(checks.begin(), checks.end(), [](const analysis::nccl::Check& check) {
            return check.result == Result::fails;
        });
        if (fails) ++broken;
        if (format == "json") {
            communicators.push_back({{"id", orNull(its.id)}, {"ranks", its.ranks}, {"checks", checksJson(checks)}});
            continue;
        }
        if (i >= most && (!fails || shownBroken >= most)) continue;
        ++shown;
        if (fails) ++shownBroken;
        console.out << console.paint(Tone::strong, titleOf(its, i)) << '\n';
        writeChecks(checks, console);
    }
    if (format == "json") console.out << communicators.dump(2, ' ', false, lenient) << '\n';
    else if (shown < log.communicators.size())
        console.out << log.communicators.size() - shown << " more communicators, " << broken - shownBroken
                    << " of them broken; --format json has all\n";
    return broken > 0 ? checkFailed : done;
}

void exportLog(const std::string& path, const std::filesystem::path& file, bool force, const Console& console) {
    const std::string ending = file.extension().string();
    if (ending != ".dot" && ending != ".placement")
        throw engine::Error{
            text("--output: a debug log of NCCL is written as a network (.dot) or as a placement "
                 "(.placement), not as ",
                 file.string())};
    const Log log = traces::nccl::readLog(path);
    const Communicator& its = largestOf(log, path);
    const std::string words = ending == ".dot" ? analysis::nccl::networkOf(its) : analysis::nccl::placementOf(its);
    writeFile(file, existing(force), console.around.stop, [&](std::ostream& out) { out << words; });
    console.out << "wrote " << file.string() << "; "
                << (ending == ".dot" ? text("--topology graph:", file.string()) : text("--placement @", file.string()))
                << " takes it\n";
}

}  // namespace app::cli::nccl

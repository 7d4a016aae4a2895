// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/records/collective_records.hpp"

#include "engine/base/error.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <tuple>

namespace engine::live {
namespace {

constexpr std::int64_t mostMembers = std::numeric_limits<std::int32_t>::max() / 64;

/// Reads one process' file of teams and finds each of them among those of the others.
class Reader {
public:
    explicit Reader(Teams& teams) : teams_{teams} {}

    void read(const std::string& words) {
        teams_.ofProcess.emplace_back();
        teams_.sites.emplace_back();
        teams_.around.emplace_back();
        teams_.callers.emplace_back();
        teams_.processors.emplace_back();
        teams_.polls.emplace_back();
        teams_.endings.emplace_back();
        teams_.insides.codes.emplace_back();
        teams_.insides.unrecorded.emplace_back();
        times_.clear();
        std::istringstream lines{words};
        for (std::string line; std::getline(lines, line);) {
            // The last line of a process that died may be cut short: nothing has used it.
            if (lines.eof()) break;
            std::istringstream parts{line};
            std::string what;
            std::size_t number = 0;
            parts >> what >> number;
            if (what == "team") team(parts, number, line);
            else if (what == "way") way(parts, number);
            else if (what == "name") rename(parts, number, line);
            else if (what == "site") site(parts, number, line);
            else if (what == "line") lineOf(parts, number, line);
            else if (what == "caller") caller(parts, number, line);
            else if (what == "alone") teams_.alone += static_cast<std::int64_t>(number);
            else if (what == "file") file(parts, number, line);
            else if (what == "group") group(parts, number, line);
            else if (what == "processors") processors(parts, static_cast<std::int64_t>(number));
            else if (what == "polls") polls(parts, static_cast<std::int64_t>(number));
            else if (what == "ended") ended(parts, static_cast<std::int64_t>(number));
            else if (what == "note") note(parts, static_cast<std::int64_t>(number));
            else if (what == "code") code(parts, number, line);
            else if (!insides(parts, what, number)) throw damaged(line);
        }
    }

private:
    static Error damaged(const std::string& line) {
        return Error{text("a record of communicators is damaged at '", line, "'")};
    }

    void team(std::istringstream& parts, std::size_t number, const std::string& line) {
        auto& own = teams_.ofProcess.back();
        if (number != own.size()) throw damaged(line);
        std::string kind;
        std::string members;
        Team team;
        parts >> kind;
        if (kind == "self") {
            team.kind = TeamKind::self;
        } else {
            parts >> members;
            const auto bar = members.find('|');
            if ((kind == "inter") != (bar != std::string::npos) ||
                (kind != "inter" && kind != "intra" && kind != "library"))
                throw damaged(line);
            if (kind == "library") team.kind = TeamKind::library;
            team.members = membersFromText(members.substr(0, bar));
            if (kind == "inter") {
                team.kind = TeamKind::inter;
                team.others = membersFromText(members.substr(bar + 1));
            }
        }
        parts >> std::ws;
        std::getline(parts, team.name);
        own.push_back(placeOf(team));
    }

    void note(std::istringstream& parts, std::int64_t calls) {
        std::int64_t& known = teams_.notes[restOf(parts)];
        known = std::max(known, calls);
    }

    static std::string restOf(std::istringstream& parts) {
        std::string words;
        parts >> std::ws;
        std::getline(parts, words);
        return words;
    }

    void code(std::istringstream& parts, std::size_t number, const std::string& line) {
        Code read;
        std::string arguments;
        parts >> read.file >> read.name;
        if (parts.fail() || number > std::numeric_limits<std::uint16_t>::max()) throw damaged(line);
        if (read.name == "?") read.name.clear();
        if (parts >> arguments) read.arguments = split(arguments, ',');
        teams_.insides.codes.back()[static_cast<std::uint16_t>(number)] = read;
    }

    /// Whether the line is one of these.
    bool insides(std::istringstream& parts, const std::string& what, std::size_t number) {
        Insides& all = teams_.insides;
        if (what == "library") all.library.insert(restOf(parts));
        else if (what == "asked") all.asked.insert(restOf(parts));
        else if (what == "unrecorded") all.unrecorded.back() = static_cast<std::int64_t>(number);
        else if (what == "inside") {
            std::string words = restOf(parts);
            all.recorded = all.recorded || number == 1;
            if (!words.empty()) (number == 1 ? all.limits : all.refusals).insert(std::move(words));
        } else return false;
        return true;
    }

    /// The last line of several holds.
    void processors(std::istringstream& parts, std::int64_t switches) {
        std::string usable;
        parts >> usable;
        teams_.processors.back() = {.usable = membersFromText(usable), .switches = switches};
    }

    void polls(std::istringstream& parts, std::int64_t calls) {
        Polls its{.calls = calls};
        parts >> its.nanoseconds >> its.call >> its.within;
        teams_.polls.back().push_back(std::move(its));
    }

    /// The first of several: what followed was caused by it.
    void ended(std::istringstream& parts, std::int64_t code) {
        Ending its{.code = code};
        parts >> its.by >> its.error;
        if (!teams_.endings.back()) teams_.endings.back() = std::move(its);
    }

    std::int32_t placeOf(const Team& team) {
        const auto key = std::tuple{team.kind, team.members, team.others};
        auto& known = known_[key];
        const auto time = team.kind == TeamKind::self ? 0 : times_[key]++;
        if (time == known.size()) {
            known.push_back(static_cast<std::int32_t>(teams_.all.size()));
            teams_.all.push_back(team);
        }
        return known[time];
    }

    void way(std::istringstream& parts, std::size_t number) {
        std::string words;
        parts >> words;
        if (number >= 256) return;
        if (teams_.ways.size() <= number) teams_.ways.resize(number + 1);
        teams_.ways[number] = words;
    }

    void rename(std::istringstream& parts, std::size_t number, const std::string& line) {
        const auto& own = teams_.ofProcess.back();
        if (number >= own.size()) throw damaged(line);
        parts >> std::ws;
        std::getline(parts, teams_.all[asSize(own[number])].name);
    }

    void file(std::istringstream& parts, std::size_t team, const std::string& line) {
        const auto& own = teams_.ofProcess.back();
        std::uint32_t number = 0;
        if (team >= own.size() || !(parts >> number)) throw damaged(line);
        parts >> std::ws;
        std::getline(parts, teams_.files[{own[team], number}]);
    }

    void group(std::istringstream& parts, std::size_t mark, const std::string& line) {
        std::string members;
        parts >> members;
        if (mark > std::numeric_limits<std::uint32_t>::max()) throw damaged(line);
        teams_.groups[static_cast<std::uint32_t>(mark)] = membersFromText(members);
    }

    void site(std::istringstream& parts, std::size_t number, const std::string& line) {
        Site read;
        parts >> read.offset >> read.function >> std::ws;
        if (parts.fail() || number > std::numeric_limits<std::uint16_t>::max()) throw damaged(line);
        std::getline(parts, read.object);
        if (read.function == "?") read.function.clear();
        teams_.sites.back()[static_cast<std::uint16_t>(number)] = read;
    }

    void lineOf(std::istringstream& parts, std::size_t number, const std::string& words) {
        auto& sites = teams_.sites.back();
        const auto own = static_cast<std::uint16_t>(number);
        const auto site = own != number ? sites.end() : sites.find(own);
        Site read;
        if (site == sites.end() || !(parts >> read.line)) throw damaged(words);
        parts.ignore();
        std::getline(parts, read.file, '\t');
        std::getline(parts, read.function);
        if (site->second.line != 0) return teams_.around.back()[own].push_back(std::move(read));
        site->second.line = read.line;
        site->second.file = std::move(read.file);
        if (!read.function.empty()) site->second.function = std::move(read.function);
    }

    /// Whoever calls has the smaller number: there are no circles. Another thread may describe it later.
    void caller(std::istringstream& parts, std::size_t number, const std::string& words) {
        std::size_t from = 0;
        const auto own = static_cast<std::uint16_t>(number);
        const auto its = (parts >> from) ? static_cast<std::uint16_t>(from) : own;
        const auto& sites = teams_.sites.back();
        if (own != number || its != from || its >= own || !sites.contains(own)) throw damaged(words);
        teams_.callers.back()[own] = its;
    }

    using Key = std::tuple<TeamKind, std::vector<std::int32_t>, std::vector<std::int32_t>>;
    Teams& teams_;
    std::map<Key, std::vector<std::int32_t>> known_;
    std::map<Key, std::size_t> times_;  ///< how many of these the process has named
};

/// What is distinguished by the call alone.
struct CallGroup {
    std::string_view nonBlocking;
    Collective within;
    std::optional<Collective> between{};

    [[nodiscard]] std::string_view name(Called called) const { return nonBlocking.substr(isBlocking(called) ? 1 : 0); }
};

/// In the order of `Called`.
constexpr std::array<CallGroup, blockingCalls> kinds{{
    {"iallgather", Collective::allgatherv, Collective::intergroupAllgatherv},
    {"iallgatherv", Collective::allgatherv, Collective::intergroupAllgatherv},
    {"iallreduce", Collective::allreduce, Collective::intergroupAllreduce},
    {"ialltoall", Collective::alltoallv, Collective::intergroupAlltoallv},
    {"ialltoallv", Collective::alltoallv, Collective::intergroupAlltoallv},
    {"ialltoallw", Collective::alltoallv, Collective::intergroupAlltoallv},
    {"ibarrier", Collective::barrier},
    {"ibcast", Collective::bcast, Collective::intergroupBcast},
    {"iexscan", Collective::scan},
    {"igather", Collective::gatherv},
    {"igatherv", Collective::gatherv},
    {"ireduce", Collective::reduce, Collective::intergroupReduce},
    {"ireduce_scatter", Collective::reduceScatter},
    {"ireduce_scatter_block", Collective::reduceScatter},
    {"iscan", Collective::scan},
    {"iscatter", Collective::scatterv},
    {"iscatterv", Collective::scatterv},
}};

}  // namespace

bool isRooted(Called called) {
    switch (blockingOf(called)) {
        case Called::bcast:
        case Called::gather:
        case Called::gatherv:
        case Called::reduce:
        case Called::scatter:
        case Called::scatterv: return true;
        default: return false;
    }
}

std::string_view name(Called called) { return kinds[static_cast<std::size_t>(blockingOf(called))].name(called); }

std::string nameOfCall(Called called) {
    std::string word{name(called)};
    word.front() = static_cast<char>(word.front() - 'a' + 'A');
    return "MPI_" + word;
}

Collective collectiveOf(Called called) { return kinds[static_cast<std::size_t>(blockingOf(called))].within; }
std::optional<Collective> collectiveBetweenGroups(Called called) {
    return kinds[static_cast<std::size_t>(blockingOf(called))].between;
}

bool isSolvedBy(Called called, Collective collective, bool inter) {
    if (!inter) return collective == collectiveOf(called);
    const auto between = collectiveBetweenGroups(called);
    return collective == between ||
           (between == Collective::intergroupAllgatherv && collective == Collective::halfduplexAllgather);
}

std::string membersToText(std::span<const std::int32_t> members) {
    std::string words;
    for (std::size_t i = 0; i < members.size();) {
        std::size_t last = i;
        const std::int32_t step = i + 1 < members.size() ? members[i + 1] - members[i] : 0;
        if (step > 0)
            while (last + 1 < members.size() && members[last + 1] - members[last] == step) ++last;
        if (step > 1 && last == i + 1) last = i;  // two are no pattern
        words += text(words.empty() ? "" : ",", members[i]);
        if (last > i) words += text('-', members[last]);
        if (last > i && step > 1) words += text('/', step);
        i = last + 1;
    }
    return words;
}

std::vector<std::int32_t> membersFromText(std::string_view words) {
    std::vector<std::int32_t> members;
    for (const std::string& run : split(words, ',')) {
        const auto dash = run.find('-');
        const auto slash = run.find('/');
        const auto number = [&](std::string_view digits) {
            return readInteger(digits, "members of a communicator", 0, mostProcesses);
        };
        const std::int64_t first = number(run.substr(0, std::min(dash, slash)));
        const std::int64_t last = dash == std::string::npos ? first : number(run.substr(dash + 1, slash - dash - 1));
        const std::int64_t step =
            slash == std::string::npos ? 1 : std::max<std::int64_t>(1, number(run.substr(slash + 1)));
        if (last - first > mostMembers || static_cast<std::int64_t>(members.size()) > mostMembers)
            throw Error{text("members of a communicator: '", run, "' are too many")};
        for (std::int64_t member = first; member <= last; member += step)
            members.push_back(static_cast<std::int32_t>(member));
    }
    return members;
}

std::string teamLine(std::int32_t number, const Team& team) {
    std::string line = text("team ", number);
    switch (team.kind) {
        case TeamKind::self: line += " self"; break;
        case TeamKind::intra: line += " intra " + membersToText(team.members); break;
        case TeamKind::library: line += " library " + membersToText(team.members); break;
        case TeamKind::inter: line += " inter " + membersToText(team.members) + '|' + membersToText(team.others);
    }
    std::string name = team.name;
    for (char& c : name)
        if (c == '\n') c = ' ';
    return line + (name.empty() ? "" : " " + name) + '\n';
}

std::string demangled(const std::string& symbol) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name{
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free};
    return symbol.starts_with("_Z") && status == 0 && name ? name.get() : symbol;
}

std::string siteToText(const Site& site) {
    if (!site.file.empty())
        return text(site.function, site.function.empty() ? "" : ", ",
                    std::filesystem::path{site.file}.filename().string(), ':', site.line);
    const std::string file = std::filesystem::path{site.object}.filename().string();
    if (!site.function.empty()) return text(demangled(site.function), " in ", file);
    std::ostringstream words;
    words << file << "+0x" << std::hex << site.offset;
    return std::move(words).str();
}

std::string lineLine(std::uint16_t number, const Site& site) {
    return text("line ", number, ' ', site.line, '\t', site.file, '\t', site.function, '\n');
}

std::string callerLine(std::uint16_t number, std::uint16_t caller) {
    return text("caller ", number, ' ', caller, '\n');
}

std::string siteLine(std::uint16_t number, const Site& site) {
    const std::string function = site.function.empty() ? "?" : site.function;
    return text("site ", number, ' ', site.offset, ' ', function, ' ', site.object, '\n');
}

std::string nameLine(std::int32_t number, std::string_view name) {
    std::string line = text("name ", number, ' ', name);
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line + '\n';
}

std::string fileLine(std::int32_t team, std::uint32_t number, std::string_view name) {
    std::string line = text("file ", team, ' ', number, ' ', name);
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line + '\n';
}

std::string processorsLine(std::int64_t switches, std::span<const std::int32_t> usable) {
    return text("processors ", switches, ' ', membersToText(usable), '\n');
}

std::string pollsLine(const Polls& polls) {
    return text("polls ", polls.calls, ' ', polls.nanoseconds, ' ', polls.call, ' ', polls.within, '\n');
}

std::string wordsLine(std::string_view what, std::int64_t number, std::string_view words) {
    std::string line = text(what, ' ', number, words.empty() ? "" : " ", words);
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line + '\n';
}

std::string noteLine(std::int64_t calls, std::string_view words) { return wordsLine("note", calls, words); }

std::string codeLine(std::uint16_t number, const Code& code) {
    return text("code ", number, ' ', code.file, ' ', code.name.empty() ? "?" : code.name,
                code.arguments.empty() ? "" : " ", joined(code.arguments, ","), '\n');
}

std::string groupLine(std::uint32_t mark, std::span<const std::int32_t> members) {
    return text("group ", mark, ' ', membersToText(members), '\n');
}

Teams teamsOf(std::span<const std::string> files) {
    Teams teams{.ways = {""}};
    Reader reader{teams};
    for (const std::string& file : files) reader.read(file);
    return teams;
}

std::string teamsFileIn(const std::filesystem::path& folder, std::int32_t process) {
    const std::filesystem::path file = teamsFileOf(folder, process);
    std::error_code absent;
    if (!std::filesystem::exists(file, absent)) return {};
    constexpr std::int64_t most = std::int64_t{1} << 30;
    return bytesOf(file, most, text("cannot read '", file.string(), "'"));
}

std::filesystem::path teamsFileOf(const std::filesystem::path& folder, std::int32_t process) {
    return folder / text("process-", process, ".teams");
}

std::filesystem::path recordsOf(const std::filesystem::path& folder) {
    std::filesystem::path path = folder.has_filename() ? folder : folder.parent_path();
    path += ".records";
    return path;
}

Calls callsIn(const std::filesystem::path& folder) {
    std::error_code absent;
    if (!std::filesystem::exists(fileOf(folder, 0), absent))
        throw Error{text("'", folder.string(), "' contains no records of a program under libcollscope-pmpi.so")};
    Calls calls{.processes = readRecord(fileOf(folder, 0)).processes};
    if (calls.processes < 1) throw Error{text("'", folder.string(), "' does not contain the number of processes")};
    for (std::int32_t process = 0; process < calls.processes; ++process) {
        if (!std::filesystem::exists(fileOf(folder, process), absent))
            throw Error{text("'", folder.string(), "' lacks the record of process ", process, " of ", calls.processes)};
        calls.teamFiles.push_back(teamsFileIn(folder, process));
    }
    calls.recordOf = [folder](std::int32_t process) {
        Record record = readRecord(fileOf(folder, process));
        if (record.process != process)
            throw Error{text("'", fileOf(folder, process).string(), "' is the record of process ", record.process)};
        return record;
    };
    return calls;
}

}  // namespace engine::live

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/rollcall.hpp"

#include "engine/error.hpp"
#include "engine/live/lines.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <tuple>

namespace engine::live {
namespace {

/// What was left of one process.
struct Left {
    std::vector<Stand> within{};        ///< calls that its threads are in
    std::optional<Stand> last{};        ///< the latest that it left; none: not a word
    std::vector<std::int64_t> begun{};  ///< Standing::begun
};

bool isSound(const Stand& stand) {
    const bool collective = stand.kind == Kind::call;
    return (collective || stand.kind == Kind::step) && stand.operation < operationNames.size() &&
           stand.deed <= lastDeed && static_cast<std::size_t>(stand.called) < everyCalled.size() &&
           stand.what < (collective ? everyCalled.size() : static_cast<std::size_t>(Other::none));
}

bool isTogether(const Stand& stand) { return stand.sequence > 0 && stand.team >= 0; }

/// The processes of the program; 0 where the file is none of these.
std::int32_t readStanding(const std::filesystem::path& file, Left& left) {
    std::ifstream in{file, std::ios::binary};
    Standing read;
    in.read(reinterpret_cast<char*>(&read), sizeof read);
    if (!in || read.magic != Standing::expectedMagic) return 0;
    for (const auto& its : read.begun) left.begun.push_back(its);
    for (const StandSlot& slot : read.threads) {
        const Stand& stand = slot.stand;
        if (stand.begin == 0 || slot.stamp % 2 == 1 || !isSound(stand)) continue;
        if (stand.end == 0) left.within.push_back(stand);
        else if (!left.last || left.last->end < stand.end) left.last = stand;
    }
    return read.processes;
}

/// Those that are missing, then those that are behind others, then the fewest first.
void sort(std::vector<Gathered>& groups) {
    std::stable_sort(groups.begin(), groups.end(), [](const Gathered& a, const Gathered& b) {
        return std::tuple{!a.missing, a.missing ? 0 : a.sequence.value_or(0), a.processes.size()} <
               std::tuple{!b.missing, b.missing ? 0 : b.sequence.value_or(0), b.processes.size()};
    });
}

void put(std::vector<Gathered>& groups, Gathered one, std::int32_t process) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Gathered& known) {
        Gathered alone = known;
        alone.processes.clear();
        return alone == one;
    });
    Gathered& group = same != groups.end() ? *same : groups.emplace_back(std::move(one));
    group.processes.push_back(process);
}

class Roll {
public:
    explicit Roll(const std::filesystem::path& folder) {
        std::error_code absent;
        std::int32_t processes = 0;
        Left first;
        if (std::filesystem::exists(standingFileOf(folder, 0), absent))
            processes = readStanding(standingFileOf(folder, 0), first);
        if (processes < 1 || processes > mostProcesses)
            throw Error{text("'", folder.string(),
                             "' is no folder FOLDER.records of a program that stands or died under "
                             "libcollscope-pmpi.so")};
        std::vector<std::string> files;
        for (std::int32_t process = 0; process < processes; ++process) {
            files.push_back(teamsFileIn(folder, process));
            (void)readStanding(standingFileOf(folder, process), left_.emplace_back());
        }
        addLines(files);
        teams_ = teamsOf(files);
    }

    RollCall call() {
        std::map<std::int32_t, bool> met;  // by communicator
        for (std::int32_t process = 0; process < count(); ++process)
            for (const Stand& stand : left_[asSize(process)].within)
                if (isTogether(stand))
                    if (const auto team = teamOf(process, stand)) met[*team] = true;
        RollCall roll{.processes = count()};
        std::vector<bool> told(left_.size());
        for (const auto& [team, some] : met) roll.meetings.push_back(meeting(team, told));
        std::stable_sort(roll.meetings.begin(), roll.meetings.end(),
                         [](const Meeting& a, const Meeting& b) { return missingOf(a) > missingOf(b); });
        for (std::int32_t process = 0; process < count(); ++process)
            if (!told[asSize(process)]) put(roll.elsewhere, doing(process, std::nullopt), process);
        // All of the program call that one together, too.
        const auto ends = [](const Gathered& group) { return group.within && group.call == "MPI_Finalize"; };
        if (std::any_of(roll.elsewhere.begin(), roll.elsewhere.end(), ends))
            for (Gathered& group : roll.elsewhere) group.missing = !ends(group);
        sort(roll.elsewhere);
        return roll;
    }

private:
    [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(left_.size()); }

    [[nodiscard]] std::optional<std::int32_t> teamOf(std::int32_t process, const Stand& stand) const {
        const auto& all = teams_.ofProcess[asSize(process)];
        if (stand.team < 0 || asSize(stand.team) >= all.size()) return std::nullopt;
        return all[asSize(stand.team)];
    }

    static std::size_t missingOf(const Meeting& meeting) {
        std::size_t sum = 0;
        for (const Gathered& some : meeting.processes) sum += some.missing ? some.processes.size() : 0;
        return sum;
    }

    [[nodiscard]] std::vector<std::int32_t> membersOf(const Team& team) const {
        std::vector<std::int32_t> members = team.members;
        members.insert(members.end(), team.others.begin(), team.others.end());
        return members;
    }

    [[nodiscard]] std::string nameOfTeam(std::int32_t team) const {
        const Team& who = teams_.all[asSize(team)];
        if (!who.name.empty()) return who.name;
        if (who.kind == TeamKind::self) return "MPI_COMM_SELF";
        const std::string others = who.others.empty() ? "" : " and of " + membersToText(who.others);
        return text("communicator of ", membersToText(who.members), others);
    }

    Meeting meeting(std::int32_t team, std::vector<bool>& told) {
        const std::vector<std::int32_t> members = membersOf(teams_.all[asSize(team)]);
        Meeting met{.communicator = nameOfTeam(team), .members = static_cast<std::int32_t>(members.size())};
        std::int64_t latest = 0;  // of the calls that somebody is in
        for (const std::int32_t process : members) {
            if (process < 0 || process >= count()) continue;
            for (const Stand& stand : left_[asSize(process)].within)
                if (isTogether(stand) && teamOf(process, stand) == team) latest = std::max(latest, stand.sequence);
        }
        for (const std::int32_t process : members) {
            if (process < 0 || process >= count()) continue;
            Gathered one = doing(process, team);
            // Who has begun it, and does not wait for it, is with them all the same.
            one.missing = one.missing && !hasBegun(process, team, latest);
            put(met.processes, std::move(one), process);
            told[asSize(process)] = true;
        }
        for (Gathered& group : met.processes) std::sort(group.processes.begin(), group.processes.end());
        sort(met.processes);
        return met;
    }

    [[nodiscard]] bool hasBegun(std::int32_t process, std::int32_t team, std::int64_t sequence) const {
        const auto& numbers = teams_.ofProcess[asSize(process)];
        const std::vector<std::int64_t>& begun = left_[asSize(process)].begun;
        for (std::size_t own = 0; own < std::min(numbers.size(), begun.size()); ++own)
            if (numbers[own] == team && begun[own] >= sequence) return true;
        return false;
    }

    /// What a process does in a call of `team`, or else.
    [[nodiscard]] Gathered doing(std::int32_t process, std::optional<std::int32_t> team) const {
        const Left& left = left_[asSize(process)];
        Gathered one{.missing = team.has_value(), .within = !left.within.empty()};
        if (!left.last && !one.within) return one;
        // Of several threads the one that came last most likely does the work.
        Stand stand = one.within ? *std::max_element(left.within.begin(), left.within.end(),
                                                     [](const Stand& a, const Stand& b) { return a.begin < b.begin; })
                                 : *left.last;
        for (const Stand& each : left.within)
            if (team && isTogether(each) && teamOf(process, each) == team) stand = each, one.missing = false;
        describe(stand, process, one);
        return one;
    }

    void describe(const Stand& stand, std::int32_t process, Gathered& one) const {
        const bool collective = stand.kind == Kind::call;
        const auto called = static_cast<Called>(stand.what);
        const auto known = [](auto number) { return number >= 0 ? std::optional{number} : std::nullopt; };
        one.call = collective ? nameOfCall(called) : std::string{nameOf(static_cast<Other>(stand.what))};
        if (const auto team = teamOf(process, stand)) one.communicator = nameOfTeam(*team);
        if (stand.sequence > 0) one.sequence = stand.sequence;
        if (collective && isRooted(called)) one.root = known(stand.peer);
        if (!collective && stand.sequence == 0) one.peer = known(stand.peer), one.tag = known(stand.tag);
        one.count = known(stand.count);
        one.request = known(stand.request);
        // One that is not known leaves nothing to say of it.
        if (one.request && stand.team >= 0)
            one.awaits = stand.deed == Deed::none       ? nameOfCall(stand.called)
                         : stand.deed == Deed::postSend ? "send"
                                                        : "receive";
        one.operation = operationNames[stand.operation];
        const auto& sites = teams_.sites[asSize(process)];
        if (const auto site = sites.find(stand.site); site != sites.end()) one.place = siteToText(site->second);
    }

    std::vector<Left> left_;
    Teams teams_;
};

}  // namespace

RollCall rollCall(const std::filesystem::path& folder) { return Roll{folder}.call(); }

}  // namespace engine::live

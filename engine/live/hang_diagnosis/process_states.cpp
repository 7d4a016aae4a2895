// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/hang_diagnosis/process_states.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/live/source_lines.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <map>

namespace engine::live {
namespace {

bool isSound(const CallStatus& stand) {
    const bool collective = stand.kind == Kind::call;
    return (collective || stand.kind == Kind::step) && stand.operation < operationNames.size() &&
           stand.deed <= lastDeed && static_cast<std::size_t>(stand.called) < everyCalled.size() &&
           stand.channel.kind <= lastChannelKind && stand.awaited <= Other::none &&
           (collective || stand.what < Other::none);
}

/// Whether the process lives, on this machine; another machine's times mean nothing here.
bool isAlive(const RankStatus& status) {
    return isOfThisMachine(status) && status.pid > 0 && kill(static_cast<pid_t>(status.pid), 0) == 0;
}

/// A thread that has looked for something in vain and comes back to look again waits for it. One that looked last
/// long ago does something else.
bool looksAgain(const CallStatus& stand, bool alive) {
    constexpr std::int64_t longest = 10'000'000'000;
    if (stand.polls < 2) return false;
    const std::int64_t now =
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
            .count();
    return !alive || now - stand.end < longest;
}

bool isAny(Other what, std::initializer_list<Other> some) {
    return std::find(some.begin(), some.end(), what) != some.end();
}

}  // namespace

bool isOfThisMachine(const RankStatus& status) {
    std::array<char, 64> host{};
    gethostname(host.data(), host.size() - 1);
    return host == status.host;
}

std::unique_ptr<RankStatus> readRankStatus(const std::filesystem::path& file) {
    std::ifstream in{file, std::ios::binary};
    auto read = std::make_unique<RankStatus>();
    in.read(reinterpret_cast<char*>(read.get()), sizeof(RankStatus));
    if (!in || read->magic != RankStatus::expectedMagic) return nullptr;
    return read;
}

ProcessStates::ProcessStates(const std::filesystem::path& folder) {
    std::error_code absent;
    std::int32_t processes = 0;
    if (std::filesystem::exists(rankStatusFileOf(folder, 0), absent))
        if (const auto first = readRankStatus(rankStatusFileOf(folder, 0))) processes = first->processes;
    if (processes < 1 || processes > mostProcesses) {
        const std::string what = text("'", folder.string(), "' ");
        const std::string wanted =
            "the folder NAME.records of a program that hangs or was killed, or the folder of Flight Recorder dumps";
        const std::filesystem::path records{folder.string() + ".records"};
        if (std::filesystem::is_directory(folder, absent))
            throw Error{text(
                what, "contains neither records of a program nor dumps of PyTorch's Flight Recorder; name ", wanted)};
        if (std::filesystem::exists(folder, absent))
            throw Error{text(what, "is a file, but no dump of PyTorch's Flight Recorder; name ", wanted)};
        throw Error{text(what, "does not exist; ",
                         std::filesystem::is_directory(records, absent) ? text("did you mean ", records.string(), "?")
                                                                        : "name " + wanted)};
    }
    std::vector<std::string> files;
    for (std::int32_t process = 0; process < processes; ++process) {
        files.push_back(teamsFileIn(folder, process));
        Left& left = all_.emplace_back();
        left.status = readRankStatus(rankStatusFileOf(folder, process));
        if (!left.status) continue;
        const bool alive = isAlive(*left.status);
        for (const CallStatusSlot& slot : left.status->threads) {
            const CallStatus& stand = slot.last();
            if (stand.begin == 0 || !isSound(stand)) continue;
            if (stand.end == 0 || looksAgain(stand, alive)) left.within.push_back(stand);
            else if (!left.last || left.last->end < stand.end) left.last = stand;
        }
    }
    addLines(files);
    teams_ = teamsOf(files);
}

std::optional<std::int32_t> ProcessStates::teamOf(std::int32_t process, std::int32_t own) const {
    const auto& all = teams_.ofProcess[asSize(process)];
    if (own < 0 || asSize(own) >= all.size()) return std::nullopt;
    return all[asSize(own)];
}

std::optional<std::int32_t> ProcessStates::ownNumber(std::int32_t process, std::int32_t team) const {
    const auto& all = teams_.ofProcess[asSize(process)];
    const auto own = std::find(all.begin(), all.end(), team);
    if (own == all.end()) return std::nullopt;
    return static_cast<std::int32_t>(own - all.begin());
}

std::optional<SharedChannel> ProcessStates::channelOf(std::int32_t process, const Channel& own) const {
    switch (own.kind) {
        case Channel::Kind::none: return std::nullopt;
        case Channel::Kind::program: return SharedChannel{own.kind, -1, 0};
        case Channel::Kind::group:
            if (!teams_.groups.contains(own.number)) return std::nullopt;
            return SharedChannel{own.kind, -1, own.number};
        default: {
            const auto team = teamOf(process, own.team);
            // Of MPI_COMM_SELF everybody has one.
            if (!team || teams_.all[asSize(*team)].kind == TeamKind::self) return std::nullopt;
            return SharedChannel{own.kind, *team, own.number};
        }
    }
}

std::vector<std::int32_t> ProcessStates::membersOf(const SharedChannel& channel) const {
    std::vector<std::int32_t> members;
    if (channel.kind == Channel::Kind::program) {
        for (std::int32_t process = 0; process < count(); ++process) members.push_back(process);
        return members;
    }
    if (channel.kind == Channel::Kind::group) members = teams_.groups.at(channel.number);
    else {
        const Team& team = teams_.all[asSize(channel.team)];
        members = team.members;
        members.insert(members.end(), team.others.begin(), team.others.end());
    }
    std::erase_if(members, [&](std::int32_t member) { return member < 0 || member >= count(); });
    return members;
}

const EnteredSlot* ProcessStates::slotOf(std::int32_t process, const SharedChannel& channel) const {
    const auto& status = all_[asSize(process)].status;
    if (!status) return nullptr;
    Channel own{.team = 0, .number = channel.number, .kind = channel.kind};
    if (channel.team >= 0) {
        const auto number = ownNumber(process, channel.team);
        if (!number) return nullptr;
        own.team = *number;
    }
    return status->of(own);
}

std::optional<std::int64_t> ProcessStates::entered(std::int32_t process, const SharedChannel& channel) const {
    if (!hasStatus(process)) return std::nullopt;
    if (const EnteredSlot* const slot = slotOf(process, channel)) return slot->last;
    if (all_[asSize(process)].status->forgotten > 0) return std::nullopt;
    return 0;
}

const Entered* ProcessStates::at(std::int32_t process, const SharedChannel& channel, std::int64_t sequence) const {
    const EnteredSlot* const slot = slotOf(process, channel);
    if (slot == nullptr || sequence <= 0) return nullptr;
    const Entered& entered = slot->latest[asSize(sequence) % EnteredSlot::kept];
    const bool sound = entered.kind == Kind::call ? static_cast<std::size_t>(entered.called) < everyCalled.size()
                                                  : entered.what < Other::none;
    return entered.sequence == sequence && sound ? &entered : nullptr;
}

/// World ranks of a rank of a communicator, as a process names it; of all others where it is any.
std::vector<std::int32_t> ProcessStates::peersOf(std::int32_t process, std::int32_t team, std::int32_t peer) const {
    const Team& its = teams_.all[asSize(team)];
    const bool isA =
        its.kind == TeamKind::inter && std::find(its.members.begin(), its.members.end(), process) != its.members.end();
    const std::vector<std::int32_t>& others = isA ? its.others : its.members;
    std::vector<std::int32_t> peers;
    if (peer >= 0 && asSize(peer) < others.size()) peers = {others[asSize(peer)]};
    else if (peer < 0) peers = others;
    std::erase_if(peers, [&](std::int32_t one) { return one == process || one < 0 || one >= count(); });
    return peers;
}

/// Those that hold a lock which keeps a process out.
std::vector<std::int32_t> ProcessStates::holdersOf(std::int32_t process, const CallStatus& stand) const {
    std::vector<std::int32_t> holders;
    const auto window = channelOf(process, stand.channel);
    if (!window) return holders;
    const bool shared = stand.what == Other::Win_lock_all || (stand.what == Other::Win_lock && stand.tag != 1);
    for (const std::int32_t other : membersOf(*window)) {
        if (other == process || !hasStatus(other)) continue;
        for (const HeldLock& held : all_[asSize(other)].status->locks) {
            const bool excludes = held.state == 2 || (held.state == 1 && !shared);
            const bool sameTarget = held.target == stand.peer || held.target == everyone || stand.peer == everyone;
            if (excludes && sameTarget && channelOf(other, held.window) == window) {
                holders.push_back(other);
                break;
            }
        }
    }
    return holders;
}

/// Those that have not begun, or ended, as many epochs with a process as it with them.
std::vector<std::int32_t> ProcessStates::laggards(std::int32_t process, const CallStatus& stand,
                                                  std::int32_t Epochs::*own, std::int32_t Epochs::*theirs) const {
    std::vector<std::int32_t> late;
    const auto window = channelOf(process, stand.channel);
    if (!window) return late;
    const std::vector<std::int32_t> members = membersOf(*window);
    const auto place = static_cast<std::int32_t>(std::find(members.begin(), members.end(), process) - members.begin());
    for (const Epochs& mine : all_[asSize(process)].status->epochs) {
        if (mine.peer < 0 || asSize(mine.peer) >= members.size() || channelOf(process, mine.window) != window) continue;
        const std::int32_t other = members[asSize(mine.peer)];
        if (other == process || !hasStatus(other)) continue;
        std::int32_t done = 0;
        for (const Epochs& its : all_[asSize(other)].status->epochs)
            if (its.peer == place && channelOf(other, its.window) == window) done = its.*theirs;
        if (done < mine.*own) late.push_back(other);
    }
    return late;
}

Wait ProcessStates::waitOf(std::int32_t process, const CallStatus& stand) const {
    Wait wait{.stand = stand};
    if (stand.sequence > 0) {
        wait.channel = channelOf(process, stand.channel);
        return wait;
    }
    using enum Other;
    const bool message =
        stand.kind == Kind::step && (stand.deed == CallEffect::postSend || stand.deed == CallEffect::postReceive ||
                                     isAny(stand.what, {Send, Bsend, Ssend, Rsend, Recv, Sendrecv, Sendrecv_replace,
                                                        Probe, Iprobe, Mprobe, Improbe}));
    if (message) {
        if (const auto team = teamOf(process, stand.team)) wait.peers = peersOf(process, *team, stand.peer);
    } else if (stand.channel.kind == Channel::Kind::window) {
        if (stand.what == Win_wait || stand.what == Win_test)
            wait.peers = laggards(process, stand, &Epochs::posts, &Epochs::completes);
        else if (stand.what == Win_start) wait.peers = laggards(process, stand, &Epochs::starts, &Epochs::posts);
        else if (stand.what == Win_complete) wait.peers = laggards(process, stand, &Epochs::completes, &Epochs::posts);
        else if (stand.what != Win_post) wait.peers = holdersOf(process, stand);
    }
    return wait;
}

}  // namespace engine::live

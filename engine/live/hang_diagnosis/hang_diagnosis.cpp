// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/hang_diagnosis/hang_diagnosis.hpp"

#include "engine/base/text.hpp"
#include "engine/live/hang_diagnosis/argument_agreement.hpp"
#include "engine/live/hang_diagnosis/process_states.hpp"
#include "engine/live/hang_diagnosis/wait_graph.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <tuple>

namespace engine::live {
namespace {

std::string nameOf(const Entered& entered) {
    return entered.kind == Kind::call ? nameOfCall(entered.called) : std::string{nameOf(entered.what)};
}

bool isSameCall(const Entered& a, const Entered& b) {
    return a.kind == b.kind && (a.kind == Kind::call ? a.called == b.called : a.what == b.what);
}

/// Those that are missing, then those that are behind others, then the fewest first.
void sort(std::vector<ProcessesInCall>& groups) {
    for (ProcessesInCall& group : groups) std::sort(group.processes.begin(), group.processes.end());
    std::stable_sort(groups.begin(), groups.end(), [](const ProcessesInCall& a, const ProcessesInCall& b) {
        return std::tuple{!a.missing, a.missing ? 0 : a.sequence.value_or(0), a.processes.size()} <
               std::tuple{!b.missing, b.missing ? 0 : b.sequence.value_or(0), b.processes.size()};
    });
}

void put(std::vector<ProcessesInCall>& groups, ProcessesInCall one, std::int32_t process) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const ProcessesInCall& known) {
        ProcessesInCall alone = known;
        alone.processes.clear();
        return alone == one;
    });
    ProcessesInCall& group = same != groups.end() ? *same : groups.emplace_back(std::move(one));
    group.processes.push_back(process);
}

/// A call that some are in.
struct Instance {
    std::vector<std::int32_t> waiters{};
    std::set<std::int32_t> awaited{};
    bool knowsAll = true;  ///< whether every member has entered it, or has not, is known
};
using Instances = std::map<std::pair<SharedChannel, std::int64_t>, Instance>;

std::filesystem::path launcherFileIn(const std::filesystem::path& folder) { return folder / "launcher"; }

/// "signal 11 (SIGSEGV)"; empty where that is none.
std::string signalWords(int signal) {
    const char* const name = signal > 0 ? sigabbrev_np(signal) : nullptr;
    return name != nullptr ? text("signal ", signal, " (SIG", name, ')') : std::string{};
}

/// Launchers, like shells, add the number of a signal that ended a process to 128.
int signalOf(int code) { return code > 128 ? code - 128 : 0; }

class HangAnalysis {
public:
    explicit HangAnalysis(const std::filesystem::path& folder) : folder_{folder}, left_{folder} {}

    HangDiagnosis call() {
        findWaits();
        HangDiagnosis roll{.processes = left_.count()};
        const WaitGraph::Verdict verdict = graph_.judge();
        atFault_ = verdict.atFault;
        roll.circles = verdict.circles;
        std::map<SharedChannel, std::int64_t> met;  // the latest of the calls that somebody is in
        for (const auto& [key, instance] : instances_)
            if (!instance.waiters.empty()) met[key.first] = key.second;
        std::vector<CommunicatorInCall> all;
        for (const auto& [channel, sequence] : met) all.push_back(communicatorInCall(channel, sequence));
        std::stable_sort(all.begin(), all.end(), [](const CommunicatorInCall& a, const CommunicatorInCall& b) {
            return rankOf(a) > rankOf(b);
        });
        std::vector<bool> told(asSize(left_.count()));
        for (CommunicatorInCall& one : all) {
            // Whoever waits there was told of where it is not the fault of others.
            const bool isNew =
                std::any_of(one.processes.begin(), one.processes.end(), [&](const ProcessesInCall& group) {
                    return group.missing || std::any_of(group.processes.begin(), group.processes.end(),
                                                        [&](std::int32_t process) { return !told[asSize(process)]; });
                });
            if (!isNew && one.mistakes.empty()) continue;
            for (const ProcessesInCall& group : one.processes)
                for (const std::int32_t process : group.processes) told[asSize(process)] = true;
            roll.communicators.push_back(std::move(one));
        }
        for (std::int32_t process = 0; process < left_.count(); ++process)
            if (!told[asSize(process)]) put(roll.elsewhere, doing(process, std::nullopt), process);
        sort(roll.elsewhere);
        roll.endings = endings();
        return roll;
    }

private:
    static std::tuple<std::size_t, std::size_t> rankOf(const CommunicatorInCall& entry) {
        std::size_t missing = 0, within = 0;
        for (const ProcessesInCall& some : entry.processes)
            (some.missing ? missing : within) += some.missing || some.within ? some.processes.size() : 0;
        return {missing, within};
    }

    void findWaits() {
        for (std::int32_t process = 0; process < left_.count(); ++process)
            for (const CallStatus& stand : left_.within(process)) {
                const Wait wait = left_.waitOf(process, stand);
                if (wait.channel) instances_[{*wait.channel, stand.sequence}].waiters.push_back(process);
                else if (!wait.peers.empty()) graph_.add({process}, wait.peers, false);
            }
        for (auto& [key, instance] : instances_) {
            const auto& [channel, sequence] = key;
            std::map<std::string, std::vector<std::int32_t>> byCall;  // whoever calls something else never comes to it
            for (const std::int32_t waiter : instance.waiters) {
                const Entered* const own = left_.at(waiter, channel, sequence);
                byCall[own != nullptr ? nameOf(*own) : ""].push_back(waiter);
            }
            for (const auto& [call, waiters] : byCall) {
                std::set<std::int32_t> awaited, entered;
                const Entered* const own = left_.at(waiters.front(), channel, sequence);
                for (const std::int32_t member : left_.membersOf(channel)) {
                    const auto last = left_.entered(member, channel);
                    const Entered* const its = left_.at(member, channel, sequence);
                    if (!last) instance.knowsAll = false;
                    else if (*last < sequence || (own != nullptr && its != nullptr && !isSameCall(*own, *its)))
                        awaited.insert(member);
                    else entered.insert(member);
                }
                for (const std::int32_t waiter : waiters) awaited.erase(waiter);
                instance.awaited.insert(awaited.begin(), awaited.end());
                graph_.add(waiters, {awaited.begin(), awaited.end()}, true, {entered.begin(), entered.end()});
            }
        }
    }

    /// What caused the end comes first: an error of a call.
    [[nodiscard]] std::vector<std::string> endings() const {
        std::map<Ending, std::vector<std::int32_t>> all;
        const auto& known = left_.teams().endings;
        for (std::size_t process = 0; process < known.size(); ++process)
            if (known[process]) all[*known[process]].push_back(static_cast<std::int32_t>(process));
        std::vector<std::string> errors, others;
        for (const auto& [ending, processes] : all) {
            const std::string who = rankWords(processes);
            const std::string call = ending.by == "MPI" ? "a call of MPI that is not recorded" : ending.by;
            if (!ending.error.empty())
                errors.push_back(
                    text(call, " of ", who, " returned the error ", ending.error, ", which ended the program"));
            else others.push_back(text(who, " ended with ", ending.by, '(', ending.code, ") without MPI_Finalize"));
        }
        errors.insert(errors.end(), others.begin(), others.end());
        std::ifstream in{launcherFileIn(folder_)};
        std::string launcher;
        int code = 0;
        if (!(in >> code) || !std::getline(in >> std::ws, launcher) || launcher.empty()) return errors;
        const bool isOfAbort = isCodeOfAbort(code);
        std::string signal = isOfAbort ? std::string{} : signalWords(signalOf(code));
        if (std::int32_t first = 0; !isOfAbort && in >> first && first >= 0 && first < left_.count()) {
            if (const std::string killed = killedBy(first, code); !killed.empty()) {
                errors.push_back(text("rank ", first, " was killed by ", killed));
                signal.clear();
            }
        }
        errors.push_back(text("the command ", launcher, " ended with exit code ", code,
                              signal.empty() ? "" : ", as after " + signal));
        return errors;
    }

    /// With which the process called MPI_Abort; empty where it did not.
    [[nodiscard]] std::optional<std::int32_t> codeOfAbort(std::int32_t process) const {
        for (const CallStatus& stand : left_.within(process))
            if (stand.kind == Kind::step && stand.what == Other::Abort) return stand.tag;
        return {};
    }

    /// Whether the launcher's exit code is one of MPI_Abort, and no signal.
    [[nodiscard]] bool isCodeOfAbort(int code) const {
        for (std::int32_t process = 0; process < left_.count(); ++process)
            if (const auto own = codeOfAbort(process); own && (*own & 0xff) == code) return true;
        return false;
    }

    /// The signal that ended the process which was the first to end; empty where it ended by itself, or where it may be
    /// one of all those that the launcher was asked to end.
    [[nodiscard]] std::string killedBy(std::int32_t process, int code) const {
        const auto& endings = left_.teams().endings;
        const bool byItself = asSize(process) < endings.size() && endings[asSize(process)];
        if (byItself || codeOfAbort(process)) return {};
        const std::set<std::string>& library = left_.teams().insides.library;
        // Hydra's exit code is the signal itself.
        const bool isHydra =
            std::ranges::any_of(library, [](const std::string& words) { return words.starts_with("MPICH"); });
        const int signal = isHydra && code <= 128 ? code : signalOf(code);
        return signal == SIGTERM || signal == SIGINT || signal == SIGHUP ? std::string{} : signalWords(signal);
    }

    [[nodiscard]] std::string nameOfTeam(std::int32_t team) const {
        const Team& who = left_.teams().all[asSize(team)];
        if (!who.name.empty()) return who.name;
        if (who.kind == TeamKind::self) return "MPI_COMM_SELF";
        const std::string others = who.others.empty() ? "" : " and of " + membersToText(who.others);
        return text("communicator of ", membersToText(who.members), others);
    }

    [[nodiscard]] std::string nameOfChannel(const SharedChannel& channel) const {
        if (channel.kind == Channel::Kind::program) return "all ranks";
        if (channel.kind == Channel::Kind::group) return "group of " + membersToText(left_.membersOf(channel));
        return nameOfTeam(channel.team);
    }

    [[nodiscard]] std::string fileOf(const SharedChannel& channel) const {
        const auto name = left_.teams().files.find({channel.team, channel.number});
        if (channel.kind != Channel::Kind::file || name == left_.teams().files.end()) return {};
        return name->second;
    }

    [[nodiscard]] std::string partOf(const SharedChannel& channel) const {
        switch (channel.kind) {
            case Channel::Kind::file: return text("file ", fileOf(channel));
            case Channel::Kind::window: return text("window ", channel.number);
            case Channel::Kind::persistent: return text("persistent collective ", channel.number);
            default: return {};
        }
    }

    CommunicatorInCall communicatorInCall(const SharedChannel& channel, std::int64_t latest) {
        const std::vector<std::int32_t> members = left_.membersOf(channel);
        CommunicatorInCall met{.communicator = nameOfChannel(channel),
                               .of = partOf(channel),
                               .members = static_cast<std::int32_t>(members.size())};
        const Instance& instance = instances_.at({channel, latest});
        for (const std::int32_t process : members) {
            ProcessesInCall one = doing(process, channel);
            one.missing = atFault_[asSize(process)] && instance.awaited.contains(process);
            put(met.processes, std::move(one), process);
        }
        sort(met.processes);
        met.mistakes = mistakesOf(channel, members);
        met.everyoneEntered =
            instance.awaited.empty() && instance.knowsAll && met.mistakes.empty() && !waitsForOthers(channel, latest);
        return met;
    }

    /// A call whose processes also wait for some that are not of its communicator.
    [[nodiscard]] bool waitsForOthers(const SharedChannel& channel, std::int64_t sequence) const {
        using enum Other;
        for (const std::int32_t process : instances_.at({channel, sequence}).waiters)
            if (const Entered* const own = left_.at(process, channel, sequence);
                own != nullptr && own->kind == Kind::step &&
                (own->what == Intercomm_create || own->what == Comm_accept || own->what == Comm_connect ||
                 own->what == Comm_spawn || own->what == Comm_spawn_multiple))
                return true;
        return false;
    }

    /// What processes disagree about in the calls that are still known, each disagreement once, where it came first.
    /// Ranks that make different calls make all later ones apart.
    [[nodiscard]] std::vector<std::string> mistakesOf(const SharedChannel& channel,
                                                      const std::vector<std::int32_t>& members) const {
        std::int64_t first = 1, last = 0;
        for (const std::int32_t process : members) last = std::max(last, left_.entered(process, channel).value_or(0));
        first = std::max<std::int64_t>(first, last - 2 * static_cast<std::int64_t>(EnteredSlot::kept));
        std::vector<std::string> mistakes;
        std::set<std::string> known;
        for (std::int64_t sequence = first; sequence <= last; ++sequence) {
            std::vector<std::int32_t> ranks;
            std::vector<const Entered*> calls;
            for (const std::int32_t process : members)
                if (const Entered* const its = left_.at(process, channel, sequence)) {
                    ranks.push_back(process);
                    calls.push_back(its);
                }
            for (const Disagreement& one : disagreementsOf(channel, members, ranks, calls)) {
                const bool ofCalls = one.about == Disagreement::About::call;
                const std::string call = ofCalls ? "" : nameOf(*calls.front()) + ", ";
                const std::string sentence = sentenceOf(one, ranks);
                if (known.insert(call + sentence).second)
                    mistakes.push_back(text(sentence, " (", call, "call ", sequence, ")"));
                if (ofCalls) return mistakes;
            }
        }
        return mistakes;
    }

    [[nodiscard]] std::vector<Disagreement> disagreementsOf(const SharedChannel& channel,
                                                            const std::vector<std::int32_t>& members,
                                                            const std::vector<std::int32_t>& ranks,
                                                            const std::vector<const Entered*>& calls) const {
        if (calls.size() < 2) return {};
        Disagreement about{.about = Disagreement::About::call};
        for (std::size_t i = 0; i < calls.size(); ++i) {
            const std::string name = nameOf(*calls[i]);
            const auto side = std::find_if(about.sides.begin(), about.sides.end(),
                                           [&](const PassAlike& one) { return one.what == name; });
            if (side != about.sides.end()) side->who.push_back(i);
            else about.sides.push_back({{i}, Verb::calls, name, 0});
        }
        if (about.sides.size() > 1) {
            sortSides(about);
            return {about};
        }
        if (calls.front()->kind != Kind::call) return {};
        const Team* const team = channel.team >= 0 ? &left_.teams().all[asSize(channel.team)] : nullptr;
        const auto sizeA = static_cast<std::int32_t>(team != nullptr ? team->members.size() : members.size());
        std::vector<Passed> passed;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            const auto place =
                static_cast<std::int32_t>(std::find(members.begin(), members.end(), ranks[i]) - members.begin());
            passed.push_back({.rank = place < sizeA ? place : place - sizeA,
                              .inGroupB = place >= sizeA,
                              .root = isRooted(calls[i]->called) ? calls[i]->root : root::none,
                              .operation = calls[i]->operation,
                              .sent = calls[i]->sent,
                              .received = calls[i]->received});
        }
        return disagreements({.collective = calls.front()->called,
                              .passed = passed,
                              .sizeA = sizeA,
                              .sizeB = static_cast<std::int32_t>(members.size()) - sizeA});
    }

    /// What a process does in a call of `channel`, or else.
    [[nodiscard]] ProcessesInCall doing(std::int32_t process, const std::optional<SharedChannel>& channel) const {
        const std::vector<CallStatus>& within = left_.within(process);
        const auto& last = left_.last(process);
        ProcessesInCall one{.within = !within.empty()};
        if (!last && !one.within) return one;
        // Of several threads the one that came last most likely does the work.
        CallStatus stand =
            one.within ? *std::max_element(within.begin(), within.end(),
                                           [](const CallStatus& a, const CallStatus& b) { return a.begin < b.begin; })
                       : *last;
        for (const CallStatus& each : within)
            if (channel && each.sequence > 0 && left_.channelOf(process, each.channel) == channel) stand = each;
        describe(stand, process, one);
        return one;
    }

    void describe(const CallStatus& stand, std::int32_t process, ProcessesInCall& one) const {
        const bool collective = stand.kind == Kind::call;
        const auto known = [](auto number) { return number >= 0 ? std::optional{number} : std::nullopt; };
        one.call = collective ? nameOfCall(stand.called) : std::string{nameOf(stand.what)};
        one.polls = one.within && stand.end != 0;
        one.within = one.within && !one.polls;
        if (const auto team = left_.teamOf(process, stand.team)) one.communicator = nameOfTeam(*team);
        if (const auto channel = left_.channelOf(process, stand.channel)) one.file = fileOf(*channel);
        if (stand.sequence > 0 && stand.channel.kind != Channel::Kind::program) one.sequence = stand.sequence;
        if (collective && isRooted(stand.called)) one.root = known(stand.peer);
        const bool atWindow = stand.channel.kind == Channel::Kind::window;
        if (!collective && stand.what == Other::Abort) one.code = stand.tag;
        else if (!collective && stand.sequence == 0)
            one.peer = known(stand.peer), one.tag = atWindow ? std::nullopt : known(stand.tag);
        one.count = known(stand.count);
        one.sent = known(stand.sent);
        one.received = known(stand.received);
        one.request = known(stand.request);
        // One that is not known leaves nothing to say of it.
        if (one.request && (stand.team >= 0 || stand.awaited != Other::none))
            one.awaits = stand.awaited != Other::none         ? std::string{nameOf(stand.awaited)}
                         : stand.deed == CallEffect::none     ? nameOfCall(stand.called)
                         : stand.deed == CallEffect::postSend ? "send"
                                                              : "receive";
        one.operation = operationNames[stand.operation];
        const auto& sites = left_.teams().sites[asSize(process)];
        if (const auto site = sites.find(stand.site); site != sites.end()) one.place = siteToText(site->second);
    }

    std::filesystem::path folder_;
    ProcessStates left_;
    Instances instances_;
    WaitGraph graph_{left_.count()};
    std::vector<bool> atFault_;
};

}  // namespace

void noteEndOf(const std::filesystem::path& folder, std::string_view launcher, int code,
               std::optional<std::int32_t> first) {
    std::ofstream file{launcherFileIn(folder)};
    file << code << ' ' << launcher << '\n';
    if (first) file << *first << '\n';
}

bool allAreDone(const std::filesystem::path& folder) {
    std::int32_t processes = 1;
    for (std::int32_t process = 0; process < processes; ++process) {
        std::ifstream in{fileOf(folder, process), std::ios::binary};
        Header header;
        if (!in.read(reinterpret_cast<char*>(&header), sizeof header) || header.magic != Header::expectedMagic ||
            header.state != State::done)
            return false;
        processes = header.processes;
    }
    return true;
}

HangDiagnosis diagnoseHang(const std::filesystem::path& folder) { return HangAnalysis{folder}.call(); }

std::vector<std::string> hangReport(const std::filesystem::path& folder) {
    std::error_code absent;
    if (!std::filesystem::exists(rankStatusFileOf(folder, 0), absent)) return {};
    const HangDiagnosis roll = diagnoseHang(folder);
    // Whoever makes an archive, or fails to, has come to MPI_Finalize with all others.
    const bool ended = roll.elsewhere.empty() && roll.communicators.size() == 1 &&
                       roll.communicators.front().everyoneEntered &&
                       roll.communicators.front().processes.front().call == "MPI_Finalize";
    return ended ? std::vector<std::string>{} : linesOf(roll);
}

}  // namespace engine::live

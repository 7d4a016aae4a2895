// SPDX-License-Identifier: BSD-3-Clause
// What a session writes down while the program runs, and how process 0 makes an archive of it.
#include "engine/live/boot_id.hpp"
#include "engine/live/file_limit.hpp"
#include "engine/live/mpi/clock_offsets.hpp"
#include "engine/live/mpi/lost_mapping.hpp"
#include "engine/live/pmpi/recording/recorder_session.hpp"
#include "engine/live/pmpi/recording/returned_error.hpp"
#include "engine/live/pmpi/replacement/environment.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace engine::mpi::pmpi {
namespace {

std::atomic<std::uint16_t> threads{0};

/// Threads are numbered by their first calls.
std::uint16_t threadNumber() noexcept {
    static thread_local const std::uint16_t own = threads.fetch_add(1, std::memory_order_relaxed);
    return own;
}

live::Event ofThisThread(const live::Event& event) noexcept {
    auto own = std::bit_cast<live::Step>(event);
    own.thread = threadNumber();
    return std::bit_cast<live::Event>(own);
}

constexpr int tag = 1;

/// Those that the process may run on.
std::vector<std::int32_t> usableProcessors() {
    std::vector<std::int32_t> usable;
    cpu_set_t all;
    if (sched_getaffinity(0, sizeof all, &all) != 0) return usable;
    for (std::int32_t i = 0; i < CPU_SETSIZE; ++i)
        if (CPU_ISSET(i, &all)) usable.push_back(i);
    return usable;
}

/// How often the process has had to leave a processor to others.
std::int64_t involuntarySwitches() {
    rusage used{};
    return getrusage(RUSAGE_SELF, &used) == 0 ? used.ru_nivcsw : 0;
}

}  // namespace

/// A program whose record cannot be made runs without one: its own work counts for more.
void RecorderSession::openRecord() {
    const live::FileLimit isAnError;
    const std::filesystem::path folder = live::recordsOf(options_.folder);
    std::string why;
    try {
        recorder_ = std::make_unique<Recorder>(live::fileOf(folder, process_), options_.room + options_.inside,
                                               Recorder::Program::anyones);
        teamsFile_ = open(live::teamsFileOf(folder, process_).c_str(),
                          O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (teamsFile_ < 0) throw Error{text("the record in '", folder.string(), "' cannot be made")};
        openStatus(folder);
    } catch (const Error& error) {
        why = error.what();
    }
    if (!trueOnAll(why.empty(), comm_)) {
        if (!why.empty()) complain(text("process ", process_, ": ", why, "; the program runs without a record"));
        recorder_.reset();
        removeRecords();
        return;
    }
    live::Header& header = recorder_->header();
    header.process = process_;
    header.processes = processes_;
    header.pid = getpid();
    gethostname(header.host.data(), header.host.size() - 1);
    for (std::size_t i = 0; i < rules_.size(); ++i)
        if (rules_[i].algorithm != nullptr) writeTeams(text("way ", i + 1, ' ', rules_[i].words, '\n'));
    switchesBefore_ = involuntarySwitches();
    writeProcessors();
    apart_ = !shareClock(comm_);
    if (apart_) header.clock[0] = header.clock[1] = compareClocks(comm_);
}

void RecorderSession::openStatus(const std::filesystem::path& folder) {
    const std::filesystem::path path = live::rankStatusFileOf(folder, process_);
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    void* memory = MAP_FAILED;
    if (file >= 0 && posix_fallocate(file, 0, sizeof(live::RankStatus)) == 0)
        memory = mmap(nullptr, sizeof(live::RankStatus), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0) close(file);
    if (memory == MAP_FAILED) throw Error{text("the record '", path.string(), "' cannot be made")};
    keepMapping(memory, sizeof(live::RankStatus));
    status_ = new (memory) live::RankStatus{};
    status_->process = process_;
    status_->processes = processes_;
    status_->pid = getpid();
    gethostname(status_->host.data(), status_->host.size() - 1);
}

void RecorderSession::writeProcessors() {
    if (const std::vector<std::int32_t> usable = usableProcessors(); !usable.empty())
        writeTeams(live::processorsLine(involuntarySwitches() - switchesBefore_, usable));
}

/// Written at once: a process that dies later has said who its communicators are.
void RecorderSession::writeTeams(const std::string& line) {
    const live::FileLimit isAnError;
    teams_ += line;
    if (teamsFile_ >= 0 && write(teamsFile_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
        complain(text("process ", process_, ": the record of communicators cannot be written"));
}

namespace {

/// Calls of this thread that found nothing and are not recorded yet: of each function and place together, since a
/// program may look for several things in turn.
struct PollsOfThread {
    struct Same {
        std::int64_t within = 0, calls = 0;
        live::Other what = live::Other::none;
        std::uint16_t site = 0;
    };
    static constexpr std::size_t most = 4;
    std::array<Same, most> each{};
    std::size_t count = 0;
    std::int64_t end = 0;

    /// Null where there is no room for it.
    Same* of(live::Other what, std::uint16_t site) {
        for (std::size_t i = 0; i < count; ++i)
            if (each[i].what == what && each[i].site == site) return &each[i];
        if (count == most) return nullptr;
        each[count] = {.what = what, .site = site};
        return &each[count++];
    }
};
thread_local PollsOfThread polls [[gnu::tls_model("initial-exec")]];

}  // namespace

void RecorderSession::polled(live::Other call, std::uint16_t site, std::int64_t begin, std::int64_t end,
                             std::int64_t since) noexcept {
    // A loop that does nothing else takes this long from one call to the next.
    constexpr std::int64_t loop = 1'000;
    // What lies further apart is recorded apart: 10,000 times a second at most.
    constexpr std::int64_t apart = 100'000;
    if (polls.count > 0 && begin - polls.end > apart) recordPolls();
    const bool isLoop = polls.count > 0 && begin - polls.end <= loop;
    const std::int64_t within = end - (isLoop ? polls.end : begin);
    PollsOfThread::Same* same = polls.of(call, site);
    if (same == nullptr) {
        recordPolls();
        same = polls.of(call, site);
    }
    polls.end = end;
    same->within += within;
    ++same->calls;
    Polled& its = polled_[static_cast<std::size_t>(call)];
    its.calls.fetch_add(1, std::memory_order_relaxed);
    its.nanoseconds.fetch_add(since, std::memory_order_relaxed);
    its.within.fetch_add(within, std::memory_order_relaxed);
}

void RecorderSession::recordPolls() noexcept {
    const PollsOfThread all = std::exchange(polls, {});
    // One after the other, as if they had not taken turns.
    std::int64_t begin = all.end;
    for (std::size_t i = 0; i < all.count; ++i) begin -= all.each[i].within;
    for (std::size_t i = 0; i < all.count; ++i) {
        const PollsOfThread::Same& one = all.each[i];
        record(std::bit_cast<live::Event>(live::Step{.begin = begin,
                                                     .end = begin + one.within,
                                                     .bytes = one.calls,
                                                     .deed = live::CallEffect::foundNothing,
                                                     .site = one.site,
                                                     .what = one.what}));
        begin += one.within;
    }
}

void RecorderSession::record(const live::Event& event) noexcept {
    if (!recorder_) return;
    if (polls.count > 0) recordPolls();
    if (calls_.fetch_add(1, std::memory_order_relaxed) >= options_.room) return recorder_->dropShared();
    (void)recorder_->addShared(ofThisThread(event));
}

live::Event* RecorderSession::recordInside(const live::Event& event) noexcept {
    if (!recorder_) return nullptr;
    const std::int64_t place = insides_.fetch_add(1, std::memory_order_relaxed);
    if (place < options_.inside) return recorder_->addShared(ofThisThread(event));
    // How many there were is written down at the end, which a program may not reach.
    if (place == options_.inside) describe(live::wordsLine("unrecorded", 1, ""));
    return nullptr;
}

std::uint16_t RecorderSession::site(const Caller& caller) {
    return sites_.of(caller, [this](const std::string& lines) { describe(lines); });
}

void RecorderSession::enters(const live::CallStatus& stand) noexcept {
    const std::uint16_t thread = threadNumber();
    if (status_ == nullptr) return;
    if (stand.sequence > 0 && stand.request < 0) {
        const std::lock_guard lock{statusMutex_};
        status_->enters(stand);
    }
    if (thread < live::RankStatus::mostThreads) status_->threads[thread].write(stand);
}

void RecorderSession::left(std::int64_t when) noexcept {
    const std::uint16_t thread = threadNumber();
    if (status_ != nullptr && thread < live::RankStatus::mostThreads) status_->threads[thread].left(when);
}

void RecorderSession::describe(const std::string& line) {
    const std::lock_guard lock{seldom_};
    writeTeams(line);
}

void RecorderSession::opened(std::int32_t team, std::uint32_t number, const char* name) {
    describe(live::fileLine(team, number, name));
}

CollectivePosition RecorderSession::nextOfGroup(const std::vector<std::int32_t>& members, std::string_view tag) {
    if (std::find(members.begin(), members.end(), MPI_UNDEFINED) != members.end()) return {};
    const std::string who = live::membersToText(members);
    std::uint32_t mark = 2166136261U;  // FNV-1a: all members come to the same one
    for (const std::string_view words : {std::string_view{who}, std::string_view{"|"}, tag})
        for (const char c : words) mark = (mark ^ static_cast<unsigned char>(c)) * 16777619U;
    const std::lock_guard lock{seldom_};
    const std::int64_t sequence = ++groups_[mark];
    if (sequence == 1) writeTeams(live::groupLine(mark, members));
    return {{.team = 0, .number = mark, .kind = live::Channel::Kind::group}, sequence};
}

void RecorderSession::locks(const live::Channel& window, std::int32_t target, std::int32_t state) noexcept {
    if (status_ == nullptr || window.kind == live::Channel::Kind::none) return;
    const std::lock_guard lock{statusMutex_};
    live::HeldLock* place = nullptr;
    for (live::HeldLock& held : status_->locks) {
        if (held.state != 0 && held.window == window && held.target == target) place = &held;
        else if (held.state == 0 && place == nullptr) place = &held;
    }
    if (place != nullptr) *place = {window, target, state};
}

void RecorderSession::epoch(const live::Channel& window, const std::vector<std::int32_t>& peers,
                            std::int32_t live::Epochs::*count) noexcept {
    if (status_ == nullptr || window.kind == live::Channel::Kind::none) return;
    const std::lock_guard lock{statusMutex_};
    for (const std::int32_t peer : peers)
        for (live::Epochs& own : status_->epochs) {
            if (own.window.kind == live::Channel::Kind::none) own = {.window = window, .peer = peer};
            if (own.window != window || own.peer != peer) continue;
            ++(own.*count);
            break;
        }
}

void RecorderSession::freed(const live::Channel& window) noexcept {
    if (status_ == nullptr) return;
    const std::lock_guard lock{statusMutex_};
    for (live::HeldLock& held : status_->locks)
        if (held.window == window) held = {};
    const auto rest = std::remove_if(status_->epochs.begin(), status_->epochs.end(),
                                     [&](const live::Epochs& own) { return own.window == window; });
    std::fill(rest, status_->epochs.end(), live::Epochs{});
}

void RecorderSession::posted(MPI_Request request, const Pending& pending) {
    const auto before = requests_.add(request, pending);
    if (!before) return;
    if (before->collective) {
        live::Call done = *before->collective;
        done.kind = live::Kind::complete;
        done.begin = before->number;
        done.end = 0;
        return record(std::bit_cast<live::Event>(done));
    }
    if (before->other != live::Other::none) return;
    live::Step sent = before->message;
    sent.kind = live::Kind::part;
    sent.what = live::Other::Wait;
    sent.deed = live::CallEffect::sent;
    sent.request = before->number;
    record(std::bit_cast<live::Event>(sent));
}

void RecorderSession::closeRecord(const Caller& caller) {
    // MPI_Finalize is recorded until all have entered it: what follows is the recorder's own work.
    live::Step last{.begin = now(), .site = site(caller), .what = live::Other::Finalize};
    enters({.begin = last.begin,
            .sequence = 1,
            .channel = {.team = 0, .kind = live::Channel::Kind::program},
            .what = last.what,
            .site = last.site});
    PMPI_Barrier(comm_);
    last.end = now();
    record(std::bit_cast<live::Event>(last));
    live::Header& header = recorder_->header();
    writeProcessors();
    for (std::size_t call = 0; call < polled_.size(); ++call)
        if (polled_[call].calls > 0)
            writeTeams(live::pollsLine({.calls = polled_[call].calls,
                                        .nanoseconds = polled_[call].nanoseconds,
                                        .call = std::string{nameOf(static_cast<live::Other>(call))},
                                        .within = polled_[call].within}));
    for (const auto& [why, calls] : refusals_) writeTeams(live::noteLine(calls, why));
    if (sites_.alone() > 0) writeTeams(live::wordsLine("alone", sites_.alone(), ""));
    if (insides_ > options_.inside) writeTeams(live::wordsLine("unrecorded", insides_ - options_.inside, ""));
    if (apart_) header.clock[1] = compareClocks(comm_);
    recorder_->at(now(), 0);
    header.state = live::State::done;
    if (isCollectedLater()) return;
    int good = 1;
    if (process_ == 0) {
        try {
            collect();
        } catch (const std::exception& failure) {
            good = 0;
            complain(text("no archive: ", failure.what(), "; the records stay in ",
                          live::recordsOf(options_.folder).string(), ", 'collscope-mpi collect' reads them"));
        }
        // Processes that were not asked wait for a word.
        for (int other = 1; other < processes_; ++other) PMPI_Send(nullptr, 0, MPI_BYTE, other, tag + 1, comm_);
    } else {
        hand();
    }
    PMPI_Bcast(&good, 1, MPI_INT, 0, comm_);
    if (good != 0) removeRecords();
}

void RecorderSession::ended(int status, const char* how, std::string_view error) noexcept {
    if (teamsFile_ < 0 || getpid() != pid_ || hasEnded_.exchange(true)) return;
    const RecordedNow& now = recordedNow;
    if (now.call != nullptr && now.what == live::Other::Abort) return;  // which is recorded
    const bool isCollective = now.call != nullptr && now.what == live::Other::none;
    const std::string_view name = isCollective          ? live::name(now.called).substr(1)
                                  : now.call != nullptr ? live::nameOf(now.what)
                                                        : std::string_view{how};
    std::array<char, 6> front{"MPI_"};
    if (isCollective) front[4] = static_cast<char>(live::name(now.called).front() - 'a' + 'A');
    std::array<char, 256> line{};
    const int length = std::snprintf(line.data(), line.size(), "ended %d %s%.*s%s%.*s\n", status & 0xff,
                                     isCollective ? front.data() : "", static_cast<int>(name.size()), name.data(),
                                     error.empty() ? "" : " ", static_cast<int>(error.size()), error.data());
    if (length > 0 && asSize(length) < line.size()) (void)!write(teamsFile_, line.data(), asSize(length));
}

void RecorderSession::endsBy(int code) noexcept {
    RecorderSession* const session = current();
    if (session == nullptr || inside) return;
    const std::int32_t error = ReturnedError{code}.step().tag;
    session->ended(code, "MPI", error > 0 ? live::errorClassNames[asSize(error)] : "MPI_ERR_UNKNOWN");
    const RecordedNow now = std::exchange(recordedNow, {});
    if (now.call != nullptr && now.what != live::Other::Abort) now.failed(now.call, code);
}

void RecorderSession::exits(const char* how, int status) noexcept {
    if (failing != 0) endsBy(failing);
    // Threads of the launcher's library, and calls that wait, end the process when the launcher has ended.
    const bool isOwn = recordedNow.call == nullptr && gettid() == getpid();
    if (RecorderSession* const session = current(); session != nullptr && isOwn) session->ended(status, how, "");
}

void RecorderSession::removeRecords() const {
    std::error_code ignored;
    const std::filesystem::path folder = live::recordsOf(options_.folder);
    std::filesystem::remove(live::fileOf(folder, process_), ignored);
    std::filesystem::remove(live::teamsFileOf(folder, process_), ignored);
    std::filesystem::remove(live::rankStatusFileOf(folder, process_), ignored);
    PMPI_Barrier(comm_);
    if (process_ == 0) std::filesystem::remove(folder, ignored);
}

bool RecorderSession::isCollectedLater() const {
    return !apart_ && !options_.collector.empty() && options_.collector == live::bootId();
}

void RecorderSession::collect() {
    const live::FileLimit isAnError;
    complain(writeRecordedArchive(everyone(), options_.folder));
}

/// Nothing is read from files: processes may be on machines that share none.
live::Calls RecorderSession::everyone() const {
    live::Calls calls{.processes = processes_, .teamFiles = {teams_}};
    for (int other = 1; other < processes_; ++other) {
        MPI_Status status;
        int length = 0;
        check(PMPI_Probe(other, tag, comm_, &status), "collecting records");
        PMPI_Get_count(&status, MPI_BYTE, &length);
        std::string words(asSize(length), '\0');
        check(PMPI_Recv(words.data(), length, MPI_BYTE, other, tag, comm_, MPI_STATUS_IGNORE), "collecting records");
        calls.teamFiles.push_back(std::move(words));
    }
    calls.recordOf = [this](std::int32_t process) { return ask(process); };
    return calls;
}

live::Record RecorderSession::ask(std::int32_t process) const {
    const auto recordFrom = [&](std::span<const std::byte> bytes) {
        try {
            return live::recordFrom(bytes);
        } catch (const Error&) {
            throw Error{text("the record of process ", process, " was damaged while the program ran")};
        }
    };
    if (process == 0) return recordFrom(recorder_->bytes());
    check(PMPI_Send(nullptr, 0, MPI_BYTE, process, tag, comm_), "collecting records");
    MPI_Status status;
    int length = 0;
    check(PMPI_Probe(process, tag, comm_, &status), "collecting records");
    PMPI_Get_count(&status, MPI_BYTE, &length);
    std::vector<std::byte> bytes(asSize(length));
    check(PMPI_Recv(bytes.data(), length, MPI_BYTE, process, tag, comm_, MPI_STATUS_IGNORE), "collecting records");
    return recordFrom(bytes);
}

/// First the teams, then the record for whoever asks with `tag`; `tag + 1` says that all is done.
void RecorderSession::hand() const {
    check(PMPI_Send(teams_.data(), count(static_cast<Bytes>(teams_.size())), MPI_BYTE, 0, tag, comm_),
          "handing records over");
    for (;;) {
        MPI_Status status;
        check(PMPI_Recv(nullptr, 0, MPI_BYTE, 0, MPI_ANY_TAG, comm_, &status), "handing records over");
        if (status.MPI_TAG != tag) return;
        const std::span<const std::byte> bytes = recorder_->bytes();
        check(PMPI_Send(bytes.data(), count(static_cast<Bytes>(bytes.size())), MPI_BYTE, 0, tag, comm_),
              "handing records over");
    }
}

}  // namespace engine::mpi::pmpi

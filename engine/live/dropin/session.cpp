// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/dropin/session.hpp"

#include "engine/live/dropin/orders.hpp"
#include "engine/live/file_limit.hpp"
#include "engine/live/mpi/clocks.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <bit>
#include <cstdio>

namespace engine::mpi::dropin {
namespace {

std::atomic<std::uint16_t> threads{0};

/// Threads are numbered by their first calls.
std::uint16_t threadNumber() noexcept {
    static thread_local const std::uint16_t own = threads.fetch_add(1, std::memory_order_relaxed);
    return own;
}

void complain(const std::string& sentence) { std::fprintf(stderr, "collscope: %s\n", sentence.c_str()); }

/// Whether it is true on all processes.
bool all(bool own, MPI_Comm comm) {
    int mine = own ? 1 : 0;
    int every = 0;
    check(PMPI_Allreduce(&mine, &every, 1, MPI_INT, MPI_MIN, comm), "agreeing");
    return every != 0;
}

constexpr int tag = 1;

}  // namespace

std::atomic<Session*> Session::current_{nullptr};

void Session::start() {
    const Inside guard;
    Session* session = nullptr;
    try {
        Orders orders = agreeOnOrders();
        if (orders.mistake.empty() && orders.folder.empty() && orders.rules.empty()) return;
        session = new Session{std::move(orders)};
    } catch (const std::exception& failure) {
        // Every process has the same mistake; one of them tells.
        int process = 0;
        PMPI_Comm_rank(MPI_COMM_WORLD, &process);
        if (process == 0) complain(failure.what());
        PMPI_Barrier(MPI_COMM_WORLD);
        PMPI_Abort(MPI_COMM_WORLD, 2);
    }
    current_.store(session, std::memory_order_release);
}

Session::Session(Orders orders) : orders_{std::move(orders)} {
    if (!orders_.mistake.empty()) throw Error{orders_.mistake};
    rules_ = live::rulesFromText(orders_.rules, orders_.rulesFile);
    check(PMPI_Comm_dup(MPI_COMM_WORLD, &comm_), "copying MPI_COMM_WORLD");
    PMPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(comm_, &process_);
    PMPI_Comm_size(comm_, &processes_);
    check(PMPI_Comm_group(MPI_COMM_WORLD, &world_), "reading MPI_COMM_WORLD");
    check(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key_, nullptr), "making an attribute");
    if (!rules_.empty()) judge_.emplace();
    if (!orders_.folder.empty()) openRecord();
}

/// A program whose record cannot be made runs without one: its own work counts for more.
void Session::openRecord() {
    const live::FileLimit isAnError;
    const std::filesystem::path folder = recordsOf(orders_.folder);
    std::string why;
    try {
        recorder_ =
            std::make_unique<Recorder>(live::fileOf(folder, process_), orders_.room, Recorder::Program::anyones);
        teamsFile_ = open(live::teamsFileOf(folder, process_).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (teamsFile_ < 0) throw Error{text("the record in '", folder.string(), "' cannot be made")};
    } catch (const Error& error) {
        why = error.what();
    }
    if (!all(why.empty(), comm_)) {
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
    apart_ = !shareClock(comm_);
    if (apart_) header.clock[0] = header.clock[1] = compareClocks(comm_);
}

/// Written at once: a process that dies later has said who its communicators are.
void Session::writeTeams(const std::string& line) {
    const live::FileLimit isAnError;
    teams_ += line;
    if (teamsFile_ >= 0 && write(teamsFile_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
        complain(text("process ", process_, ": the record of communicators cannot be written"));
}

int Session::forget(MPI_Comm, int, void* known, void*) {
    const Inside guard;
    delete static_cast<Communicator*>(known);
    return MPI_SUCCESS;
}

Communicator* Session::of(MPI_Comm comm) {
    void* known = nullptr;
    int found = 0;
    if (PMPI_Comm_get_attr(comm, key_, &known, &found) != MPI_SUCCESS) return nullptr;
    if (found != 0) return static_cast<Communicator*>(known);
    const Inside guard;
    auto fresh = std::make_unique<Communicator>(comm, *this);
    check(PMPI_Comm_set_attr(comm, key_, fresh.get()), "keeping an attribute");
    return fresh.release();
}

void Session::record(live::Call call) noexcept {
    if (!recorder_) return;
    call.thread = threadNumber();
    recorder_->addShared(std::bit_cast<live::Event>(call));
}

void Session::refused(const std::string& why) {
    const std::lock_guard lock{seldom_};
    if (refusals_++ == 0) refusal_ = why;
}

std::vector<std::int32_t> Session::worldRanks(MPI_Group group) const {
    int size = 0;
    check(PMPI_Group_size(group, &size), "reading a group");
    std::vector<std::int32_t> own(asSize(size));
    for (int i = 0; i < size; ++i) own[asSize(i)] = i;
    std::vector<std::int32_t> ranks(own.size());
    if (size > 0) check(PMPI_Group_translate_ranks(group, size, own.data(), world_, ranks.data()), "reading a group");
    return ranks;
}

std::int32_t Session::introduce(const live::Team& team) {
    const std::lock_guard lock{seldom_};
    const std::int32_t number = teamCount_++;
    if (recorder_) writeTeams(live::teamLine(number, team));
    return number;
}

void Session::finish() {
    Session* session = current_.exchange(nullptr);
    if (session == nullptr) return;
    const Inside guard;
    if (session->recorder_) session->closeRecord();
    if (session->process_ == 0 && session->refusals_ > 0)
        complain(text("rules that could not be followed: ", session->refusals_, ", first: ", session->refusal_));
    Apart::mpiEnds = true;  // communicators of the program may outlive this; their attributes go without a word
    session->judge_.reset();
    PMPI_Group_free(&session->world_);
    PMPI_Comm_free(&session->comm_);
    // The rest stays: attributes that MPI has still to delete lead to it.
    session->recorder_.reset();
    if (session->teamsFile_ >= 0) close(session->teamsFile_);
}

void Session::closeRecord() {
    live::Header& header = recorder_->header();
    if (apart_) header.clock[1] = compareClocks(comm_);
    recorder_->at(now(), 0);
    header.state = live::State::done;
    int good = 1;
    if (process_ == 0) {
        try {
            collect();
        } catch (const std::exception& failure) {
            good = 0;
            complain(text("no archive: ", failure.what(), "; the records stay in ", recordsOf(orders_.folder).string(),
                          ", 'collscope-mpi collect' reads them"));
        }
        // Processes that were not asked wait for a word.
        for (int other = 1; other < processes_; ++other) PMPI_Send(nullptr, 0, MPI_BYTE, other, tag + 1, comm_);
    } else {
        hand();
    }
    PMPI_Bcast(&good, 1, MPI_INT, 0, comm_);
    if (good != 0) removeRecords();
}

void Session::removeRecords() const {
    std::error_code ignored;
    const std::filesystem::path folder = recordsOf(orders_.folder);
    std::filesystem::remove(live::fileOf(folder, process_), ignored);
    std::filesystem::remove(live::teamsFileOf(folder, process_), ignored);
    PMPI_Barrier(comm_);
    if (process_ == 0) std::filesystem::remove(folder, ignored);
}

void Session::collect() {
    const live::FileLimit isAnError;
    const Delivered delivered = deliver(everyone(), orders_.folder);
    say(delivered);
}

void Session::say(const Delivered& delivered) const {
    std::string words = text(delivered.calls, " calls of ", processes_, processes_ == 1 ? " process" : " processes",
                             " recorded in ", orders_.folder);
    if (!rules_.empty()) words += text(", ", delivered.replaced, " of them replaced");
    if (delivered.dropped > 0) words += text("; for ", delivered.dropped, " there was no room: set COLLSCOPE_CALLS");
    complain(words);
}

/// Nothing is read from files: processes may be on machines that share none.
live::Calls Session::everyone() const {
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

live::Record Session::ask(std::int32_t process) const {
    if (process == 0) return live::recordFrom(recorder_->bytes());
    check(PMPI_Send(nullptr, 0, MPI_BYTE, process, tag, comm_), "collecting records");
    MPI_Status status;
    int length = 0;
    check(PMPI_Probe(process, tag, comm_, &status), "collecting records");
    PMPI_Get_count(&status, MPI_BYTE, &length);
    std::vector<std::byte> bytes(asSize(length));
    check(PMPI_Recv(bytes.data(), length, MPI_BYTE, process, tag, comm_, MPI_STATUS_IGNORE), "collecting records");
    return live::recordFrom(bytes);
}

/// First the teams, then the record for whoever asks with `tag`; `tag + 1` says that all is done.
void Session::hand() const {
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

}  // namespace engine::mpi::dropin

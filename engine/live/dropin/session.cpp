// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/dropin/session.hpp"

#include "engine/live/dropin/orders.hpp"
#include "engine/live/file_limit.hpp"
#include "engine/live/mpi/clocks.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
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

void Session::start(live::Other what, std::int64_t begin, const void* caller) {
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
    if (session->records()) {
        // All know these two, whoever uses them first.
        (void)session->of(MPI_COMM_WORLD);
        (void)session->of(MPI_COMM_SELF);
        session->record(std::bit_cast<live::Event>(
            live::Step{.begin = begin, .end = now(), .site = session->site(caller), .what = what}));
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
    askForThreads();
    if (!orders_.folder.empty()) openRecord();
}

void Session::askForThreads() {
    const auto rule = std::find_if(rules_.begin(), rules_.end(), [](const live::Rule& one) {
        return one.algorithm != nullptr && !live::isBlocking(one.called);
    });
    if (rule == rules_.end()) return;
    int provided = MPI_THREAD_SINGLE;
    PMPI_Query_thread(&provided);
    threads_ = all(provided == MPI_THREAD_MULTIPLE, comm_);
    if (threads_) check(PMPI_Comm_dup(MPI_COMM_SELF, &self_), "copying MPI_COMM_SELF");
    else refused(text(name(rule->called), ": the library has no MPI_THREAD_MULTIPLE on all processes"));
}

bool Session::keepsType(MPI_Datatype type) {
    if (underWay_ == 0) return false;
    int integers = 0;
    int addresses = 0;
    int types = 0;
    int combiner = MPI_COMBINER_NAMED;
    if (type == MPI_DATATYPE_NULL ||
        PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS ||
        combiner == MPI_COMBINER_NAMED)
        return false;
    const std::lock_guard lock{seldom_};
    types_.push_back(type);
    return true;
}

bool Session::keepsOperation(MPI_Op operation) {
    if (underWay_ == 0) return false;
    for (const MPI_Op named : {MPI_OP_NULL, MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_BAND,
                               MPI_BOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP})
        if (operation == named) return false;
    const std::lock_guard lock{seldom_};
    operations_.push_back(operation);
    return true;
}

void Session::freeKept() {
    const std::lock_guard lock{seldom_};
    if (underWay_ != 0) return;
    for (MPI_Datatype& type : types_) PMPI_Type_free(&type);
    for (MPI_Op& operation : operations_) PMPI_Op_free(&operation);
    types_.clear();
    operations_.clear();
}

/// Pairs of neighbouring parts join, as in Dinan et al. 2011, Noncollective communicator creation in MPI. What MPI-3
/// has for it, MPI_Comm_create_group, ends in a crash under MPICH 4.0.2.
MPI_Comm Session::make(const std::vector<std::int32_t>& ranks, int tag) {
    MPI_Comm made = MPI_COMM_NULL;
    {
        const std::lock_guard lock{seldom_};
        check(PMPI_Comm_split(self_, 0, 0, &made), "copying a communicator");
    }
    const auto all = static_cast<std::int32_t>(ranks.size());
    const auto own = static_cast<std::int32_t>(std::find(ranks.begin(), ranks.end(), process_) - ranks.begin());
    for (std::int32_t size = 1; size < all; size *= 2) {
        const bool isSecond = own / size % 2 == 1;
        const std::int32_t other = (own / size + (isSecond ? -1 : 1)) * size;
        if (other >= all) continue;
        MPI_Comm both = MPI_COMM_NULL;
        check(PMPI_Intercomm_create(made, 0, comm_, ranks[asSize(other)], tag, &both), "joining parts");
        PMPI_Comm_free(&made);
        const int code = PMPI_Intercomm_merge(both, isSecond ? 1 : 0, &made);
        PMPI_Comm_free(&both);
        check(code, "joining parts");
    }
    return made;
}

std::uint64_t Session::timesMet(std::uint64_t number) {
    const std::lock_guard lock{seldom_};
    return met_[number]++;
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
        openStanding(folder);
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

void Session::openStanding(const std::filesystem::path& folder) {
    const std::filesystem::path path = live::standingFileOf(folder, process_);
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    void* memory = MAP_FAILED;
    if (file >= 0 && posix_fallocate(file, 0, sizeof(live::Standing)) == 0)
        memory = mmap(nullptr, sizeof(live::Standing), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0) close(file);
    if (memory == MAP_FAILED) throw Error{text("the record '", path.string(), "' cannot be made")};
    standing_ = new (memory) live::Standing{};
    standing_->process = process_;
    standing_->processes = processes_;
    standing_->pid = getpid();
    gethostname(standing_->host.data(), standing_->host.size() - 1);
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

void Session::record(const live::Event& event) noexcept {
    if (!recorder_) return;
    auto own = std::bit_cast<live::Step>(event);
    own.thread = threadNumber();
    recorder_->addShared(std::bit_cast<live::Event>(own));
}

std::uint16_t Session::site(const void* caller) {
    return sites_.of(caller, [this](std::uint16_t number, const live::Site& site) {
        const std::lock_guard lock{seldom_};
        writeTeams(live::siteLine(number, site));
    });
}

void Session::enters(const live::Stand& stand) noexcept {
    const std::uint16_t thread = threadNumber();
    if (standing_ != nullptr && thread < live::Standing::mostThreads) standing_->threads[thread].write(stand);
}

void Session::left(std::int64_t when) noexcept {
    const std::uint16_t thread = threadNumber();
    if (standing_ != nullptr && thread < live::Standing::mostThreads) standing_->threads[thread].left(when);
}

void Session::posted(MPI_Request request, const Pending& pending) {
    const auto before = requests_.add(request, pending);
    if (!before) return;
    if (before->message.deed == live::Deed::none) {
        live::Call done = before->collective;
        done.kind = live::Kind::complete;
        done.begin = before->number;
        done.end = 0;
        return record(std::bit_cast<live::Event>(done));
    }
    live::Step sent = before->message;
    sent.kind = live::Kind::part;
    sent.what = live::Other::Wait;
    sent.deed = live::Deed::sent;
    sent.request = before->number;
    record(std::bit_cast<live::Event>(sent));
}

void Session::matched(MPI_Message message, std::int32_t team) {
    const std::lock_guard lock{seldom_};
    matched_[message] = team;
}

std::optional<std::int32_t> Session::teamOfMatched(MPI_Message message) {
    const std::lock_guard lock{seldom_};
    const auto found = matched_.find(message);
    if (found == matched_.end()) return std::nullopt;
    const std::int32_t team = found->second;
    matched_.erase(found);
    return team;
}

void Session::named(MPI_Comm comm, const char* name) {
    try {
        const Communicator* const known = of(comm);
        if (known == nullptr || !known->team()) return;
        const std::lock_guard lock{seldom_};
        writeTeams(live::nameLine(*known->team(), name));
    } catch (const std::exception& failure) {
        complain(failure.what());
    }
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

void Session::finish(const void* caller) {
    Session* session = current_.exchange(nullptr);
    if (session == nullptr) return;
    const Inside guard;
    if (session->recorder_) session->closeRecord(caller);
    if (session->process_ == 0 && session->refusals_ > 0)
        complain(text("rules that could not be followed: ", session->refusals_, ", first: ", session->refusal_));
    if (const std::int64_t later = session->replacedLater_; session->process_ == 0 && later > 0)
        complain(text(later, later == 1 ? " call" : " calls", " of process 0 replaced without blocking"));
    session->freeKept();
    Apart::mpiEnds = true;  // communicators of the program may outlive this; their attributes go without a word
    session->judge_.reset();
    if (session->self_ != MPI_COMM_NULL) PMPI_Comm_free(&session->self_);
    PMPI_Group_free(&session->world_);
    PMPI_Comm_free(&session->comm_);
    // The rest stays: attributes that MPI has still to delete lead to it.
    session->recorder_.reset();
    if (session->standing_ != nullptr) munmap(std::exchange(session->standing_, nullptr), sizeof(live::Standing));
    if (session->teamsFile_ >= 0) close(session->teamsFile_);
}

void Session::closeRecord(const void* caller) {
    // MPI_Finalize is told up to where all have come to it: what follows is ours.
    live::Step last{.begin = now(), .site = site(caller), .what = live::Other::Finalize};
    enters({.begin = last.begin, .site = last.site, .what = static_cast<std::uint8_t>(last.what)});
    PMPI_Barrier(comm_);
    last.end = now();
    record(std::bit_cast<live::Event>(last));
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
    std::filesystem::remove(live::standingFileOf(folder, process_), ignored);
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

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/pmpi/recording/recorder_session.hpp"

#include "engine/live/mpi/lost_mapping.hpp"
#include "engine/live/pmpi/replacement/environment.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdio>

namespace engine::mpi::pmpi {

void complain(const std::string& sentence) { std::fprintf(stderr, "collscope: %s\n", sentence.c_str()); }

bool trueOnAll(bool own, MPI_Comm comm) {
    int mine = own ? 1 : 0;
    int every = 0;
    check(PMPI_Allreduce(&mine, &every, 1, MPI_INT, MPI_MIN, comm), "agreeing");
    return every != 0;
}

std::atomic<RecorderSession*> RecorderSession::current_{nullptr};

void RecorderSession::start(live::Other what, std::int64_t begin, const Caller& caller) {
    const InsideRecorder guard;
    RecorderSession* session = nullptr;
    bool isMistake = false;
    try {
        RecorderOptions options = agreeOnRecorderOptions();
        isMistake = !options.mistake.empty();
        if (options.mistake.empty() && options.folder.empty() && options.rules.empty()) return;
        session = new RecorderSession{std::move(options)};
    } catch (const std::exception& failure) {
        // All processes have the same mistake in what was asked, and one of them reports it; any other failure is of
        // this process alone, and the others may be anywhere.
        int process = 0;
        PMPI_Comm_rank(MPI_COMM_WORLD, &process);
        if (isMistake && process == 0) complain(failure.what());
        if (!isMistake) complain(text("process ", process, " cannot start recording: ", failure.what()));
        if (isMistake) PMPI_Barrier(MPI_COMM_WORLD);
        PMPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (session->records()) {
        const live::Step first{.begin = begin, .end = now(), .site = session->site(caller), .what = what};
        session->record(std::bit_cast<live::Event>(first));
        session->enters({.begin = begin, .end = first.end, .what = what, .site = first.site});
    }
    current_.store(session, std::memory_order_release);
    on_exit([](int status, void*) { exits("exit", status); }, nullptr);
}

RecorderSession::RecorderSession(RecorderOptions options) : options_{std::move(options)} {
    if (!options_.mistake.empty()) throw Error{options_.mistake};
    rules_ = live::rulesFromText(options_.rules, options_.rulesFile);
    check(PMPI_Comm_dup(MPI_COMM_WORLD, &comm_), "copying MPI_COMM_WORLD");
    PMPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(comm_, &process_);
    PMPI_Comm_size(comm_, &processes_);
    check(PMPI_Comm_group(MPI_COMM_WORLD, &world_), "reading MPI_COMM_WORLD");
    check(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key_, this), "making an attribute");
    if (!rules_.empty()) argumentChecker_.emplace();
    askForThreads();
    if (!options_.folder.empty()) openRecord();
    if (records()) internal_.start(comm_, options_.inside > 0);
    for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) made(comm);
}

void RecorderSession::askForThreads() {
    const auto rule = std::find_if(rules_.begin(), rules_.end(), [](const live::Rule& one) {
        return one.algorithm != nullptr && !live::isBlocking(one.called);
    });
    if (rule == rules_.end()) return;
    int provided = MPI_THREAD_SINGLE;
    PMPI_Query_thread(&provided);
    threads_ = trueOnAll(provided == MPI_THREAD_MULTIPLE, comm_);
    if (!threads_) refused(text(name(rule->called), ": the library has no MPI_THREAD_MULTIPLE on all processes"));
}

bool RecorderSession::keepsType(MPI_Datatype type) {
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

bool RecorderSession::keepsOperation(MPI_Op operation) {
    if (underWay_ == 0) return false;
    for (const MPI_Op named : {MPI_OP_NULL, MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_BAND,
                               MPI_BOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP})
        if (operation == named) return false;
    const std::lock_guard lock{seldom_};
    operations_.push_back(operation);
    return true;
}

void RecorderSession::freeKept() {
    const std::lock_guard lock{seldom_};
    if (underWay_ != 0) return;
    for (MPI_Datatype& type : types_) PMPI_Type_free(&type);
    for (MPI_Op& operation : operations_) PMPI_Op_free(&operation);
    types_.clear();
    operations_.clear();
}

int RecorderSession::forget(MPI_Comm comm, int, void* known, void* session) {
    const InsideRecorder guard;
    static_cast<RecorderSession*>(session)->known_.erase(comm);
    library::freed(*static_cast<Communicator*>(known));
    delete static_cast<Communicator*>(known);
    return MPI_SUCCESS;
}

Communicator* RecorderSession::of(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL || comm == MPI_Comm{}) return nullptr;
    if (Communicator* const known = known_.find(comm)) return known;
    void* attribute = nullptr;
    int found = 0;
    if (PMPI_Comm_get_attr(comm, key_, &attribute, &found) != MPI_SUCCESS) return nullptr;
    if (found != 0) return static_cast<Communicator*>(attribute);
    const InsideRecorder guard;
    auto fresh = std::make_unique<Communicator>(comm, *this);
    check(PMPI_Comm_set_attr(comm, key_, fresh.get()), "keeping an attribute");
    known_.add(comm, *fresh);
    if (internal_.isOn()) library::met(comm, *fresh);
    return fresh.release();
}

void RecorderSession::made(MPI_Comm comm) {
    if (!records() && !threads_) return;
    Communicator* const fresh = of(comm);
    const InsideRecorder guard;
    if (fresh != nullptr && threads_) fresh->prepareLater();
}

void RecorderSession::matched(MPI_Message message, std::int32_t team) {
    const std::lock_guard lock{seldom_};
    matched_[message] = team;
}

std::optional<std::int32_t> RecorderSession::teamOfMatched(MPI_Message message) {
    const std::lock_guard lock{seldom_};
    const auto found = matched_.find(message);
    if (found == matched_.end()) return std::nullopt;
    const std::int32_t team = found->second;
    matched_.erase(found);
    return team;
}

void RecorderSession::named(MPI_Comm comm, const char* name) {
    try {
        const Communicator* const known = of(comm);
        if (known == nullptr || !known->team()) return;
        const std::lock_guard lock{seldom_};
        writeTeams(live::nameLine(*known->team(), name));
    } catch (const std::exception& failure) {
        complain(failure.what());
    }
}

void RecorderSession::refused(const std::string& why) {
    const std::lock_guard lock{seldom_};
    constexpr std::size_t mostReasons = 32;
    const bool isKnown = refusals_.contains(why) || refusals_.size() < mostReasons;
    ++refusals_[isKnown ? why : "for other reasons"];
}

std::vector<std::int32_t> RecorderSession::worldRanks(MPI_Group group) const {
    int size = 0;
    check(PMPI_Group_size(group, &size), "reading a group");
    std::vector<std::int32_t> own(asSize(size));
    for (int i = 0; i < size; ++i) own[asSize(i)] = i;
    std::vector<std::int32_t> ranks(own.size());
    if (size > 0) check(PMPI_Group_translate_ranks(group, size, own.data(), world_, ranks.data()), "reading a group");
    return ranks;
}

std::int32_t RecorderSession::introduce(const live::Team& team) {
    const std::lock_guard lock{seldom_};
    const std::int32_t number = teamCount_++;
    if (recorder_) writeTeams(live::teamLine(number, team));
    return number;
}

void RecorderSession::finish(const Caller& caller) {
    RecorderSession* session = current_.exchange(nullptr);
    if (session == nullptr) return;
    const InsideRecorder guard;
    session->internal_.stop();
    try {
        if (session->recorder_) session->closeRecord(caller);
    } catch (const std::exception& failure) {
        complain(text("process ", session->process_, ": no archive is written: ", failure.what()));
    }
    if (session->process_ == 0 && !session->refusals_.empty()) {
        std::int64_t calls = 0;
        auto most = session->refusals_.begin();
        for (auto one = most; one != session->refusals_.end(); ++one) {
            calls += one->second;
            if (one->second > most->second) most = one;
        }
        complain(text("rules were not followed in ", calls, calls == 1 ? " call" : " calls", " of process 0",
                      session->refusals_.size() > 1 ? ", mostly: " : ": ", most->first));
    }
    if (const std::int64_t later = session->replacedLater_; session->process_ == 0 && later > 0)
        complain(text(later, later == 1 ? " call" : " calls", " of process 0 replaced without blocking"));
    session->freeKept();
    // Communicators of the program may outlive this; their attributes go without a word.
    PrivateCommunicator::mpiEnds = true;
    session->argumentChecker_.reset();
    PMPI_Group_free(&session->world_);
    PMPI_Comm_free(&session->comm_);
    // The rest stays: attributes that MPI has still to delete lead to it.
    session->recorder_.reset();
    if (session->status_ != nullptr) {
        forgetMapping(session->status_);
        munmap(std::exchange(session->status_, nullptr), sizeof(live::RankStatus));
    }
    if (session->teamsFile_ >= 0) close(session->teamsFile_);
}

}  // namespace engine::mpi::pmpi

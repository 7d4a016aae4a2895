// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/mpi/algorithm_benchmark.hpp"

#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"
#include "engine/live/mpi/clock_offsets.hpp"
#include "engine/live/mpi/exchange.hpp"
#include "engine/live/mpi/execution_method.hpp"
#include "engine/live/mpi/library_call.hpp"
#include "engine/live/mpi/mpi_library.hpp"

#include <sys/prctl.h>

#include <algorithm>
#include <array>

namespace engine::mpi {
namespace {

/// Control variables of the library with other values for as long as this lives.
class Forced {
public:
    explicit Forced(const std::vector<std::pair<std::string, std::int32_t>>& variables) {
        for (const auto& [name, value] : variables) {
            int index = 0;
            check(MPI_T_cvar_get_index(name.c_str(), &index), name.c_str());
            Variable one;
            int count = 0;
            check(MPI_T_cvar_handle_alloc(index, nullptr, &one.handle, &count), name.c_str());
            all_.push_back(one);
            check(MPI_T_cvar_read(one.handle, &all_.back().before), name.c_str());
            if (MPI_T_cvar_write(one.handle, &value) != MPI_SUCCESS) refused_ = name;
        }
    }
    ~Forced() {
        for (Variable& one : all_) {
            MPI_T_cvar_write(one.handle, &one.before);
            MPI_T_cvar_handle_free(&one.handle);
        }
    }
    /// A variable that the library does not let a running program set; empty: all are set.
    [[nodiscard]] const std::string& refused() const { return refused_; }
    Forced(const Forced&) = delete;
    Forced& operator=(const Forced&) = delete;

private:
    struct Variable {
        MPI_T_cvar_handle handle{};
        std::int32_t before = 0;
    };
    std::vector<Variable> all_;
    std::string refused_;
};

/// The same words on all processes: those of the first one that has any.
std::string firstOf(const std::string& words) {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int own = words.empty() ? ranks : rank;
    int first = 0;
    check(MPI_Allreduce(&own, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD), "comparing");
    if (first == ranks) return {};
    std::array<char, 256> sent{};
    words.copy(sent.data(), sent.size() - 1);
    check(MPI_Bcast(sent.data(), static_cast<int>(sent.size()), MPI_CHAR, first, MPI_COMM_WORLD), "comparing");
    return sent.data();
}

}  // namespace

/// A call with forced variables, on a communicator made for them; tested when it is made.
class Trials::TestedCall {
public:
    explicit TestedCall(const Trial& trial) {
        const Forced forced{trial.variables};
        MPI_Comm comm = MPI_COMM_NULL;
        check(MPI_Comm_dup(MPI_COMM_WORLD, &comm), "making a communicator");  // which reads the variables
        team_ = std::make_unique<Team>(comm);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        const Faults faults = faultsOf(trial.called, comm, trial.testsSize ? trial.bytes : 0);
        fault_ = firstOf(faults.always.empty() && !trial.commutes ? faults.ofOrder : faults.always);
        if (!forced.refused().empty())
            fault_ = text("not measured, since the library does not let a running program set ", forced.refused());
    }

    [[nodiscard]] MPI_Comm comm() const { return team_->comm(); }
    [[nodiscard]] const std::string& fault() const { return fault_; }

private:
    std::unique_ptr<Team> team_;
    std::string fault_;
};

/// A trial with its buffers.
class Trials::Bench {
public:
    /// `offset` is this clock minus that of process 0.
    Bench(const Trial& trial, const TestedCall& way, std::int64_t offset) : trial_{trial}, way_{way}, offset_{offset} {
        entry_.plan = trial.plan;
        if (trial.plan) entry_.problem = trial.plan->problem;
        if (trial.plan) {
            fault_ = faultOfPlan();
            if (fault_.empty()) (void)measure();  // not counted, see below
            return;
        }
        fault_ = way.fault();
        if (!fault_.empty()) return;
        call_ = libraryCall(trial.called, trial.bytes, way.comm());
        {
            const Forced forced{trial.variables};
            call_->execute();
        }
        (void)measure();  // not counted: determines how many calls are timed at once
    }

    Outcome measure() {
        Outcome outcome{.fault = fault_};
        if (!fault_.empty()) return outcome;
        // Of one measurement, since the buffers of all schedules would fill the memory.
        const std::unique_ptr<Method> method =
            trial_.plan ? methodOf(entry_, way_.comm(), false, Leaves::atOnce, mark_) : nullptr;
        const auto execute = [&] { return method ? method->execute() : call_->execute(); };
        const std::int64_t together = startTogether(MPI_COMM_WORLD, offset_, leaving_);
        const Forced forced{trial_.variables};
        const int repeats = callsAtOnce();
        if (!trial_.arrivals.empty()) {
            int rank = 0;
            MPI_Comm_rank(way_.comm(), &rank);
            sleepUntil(together + trial_.arrivals[static_cast<std::size_t>(rank)]);
        }
        const std::int64_t entered = now();  // later than asked for: a rank takes time to wake up
        for (int i = 0; i < repeats; ++i) execute();
        const std::int64_t left = now();
        std::array<std::int64_t, 3> latest{left - entered, entered - offset_, left - offset_};
        check(MPI_Allreduce(MPI_IN_PLACE, latest.data(), 3, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD), "measuring");
        const std::int64_t time = trial_.arrivals.empty() ? latest[0] : latest[2] - latest[1];
        last_ = std::max<std::int64_t>(time, 1) * 1000 / repeats;
        outcome.time = Picoseconds{last_};
        return outcome;
    }

private:
    /// Why the schedule gives a wrong result on some rank; empty where it does not.
    [[nodiscard]] std::string faultOfPlan() const {
        const std::unique_ptr<Method> method = methodOf(entry_, way_.comm(), false, Leaves::atOnce, mark_);
        method->execute();
        return firstOf(method->compare());
    }
    /// How many calls are timed at once: enough for a millisecond where one is short.
    [[nodiscard]] int callsAtOnce() const {
        constexpr std::int64_t aim = 1'000'000'000;  // picoseconds
        return last_ <= 0 || !trial_.arrivals.empty() ? 1
                                                      : static_cast<int>(std::clamp<std::int64_t>(aim / last_, 1, 20));
    }

    const Trial& trial_;
    const TestedCall& way_;
    Entry entry_;  ///< of a schedule
    Mark mark_;    ///< without a recorder
    std::string fault_;
    std::unique_ptr<LibraryCall> call_;
    std::int64_t offset_;
    std::int64_t leaving_ = 0;
    std::int64_t last_ = 0;  ///< picoseconds of a call, the same on all processes
};

Trials::Trials(std::vector<Trial> all) : all_{std::move(all)}, benches_(all_.size()) {
    int provided = 0;
    check(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), "MPI_T_init_thread");
    prctl(PR_SET_TIMERSLACK, 1);  // ranks that sleep wake up when they should
    if (!shareClock(MPI_COMM_WORLD)) offset_ = compareClocks(MPI_COMM_WORLD).offset;
}

Trials::~Trials() {
    benches_.clear();
    ways_.clear();
    MPI_T_finalize();
}

void Trials::measure(const std::function<std::optional<std::size_t>()>& next,
                     const std::function<void(std::size_t, const Outcome&)>& note) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    while (true) {
        std::int64_t order = -1;
        if (rank == 0)
            if (const std::optional<std::size_t> chosen = next()) order = static_cast<std::int64_t>(*chosen);
        check(MPI_Bcast(&order, 1, MPI_INT64_T, 0, MPI_COMM_WORLD), "agreeing on a trial");
        if (order < 0) return;
        const auto which = static_cast<std::size_t>(order);
        if (!benches_[which]) {
            const Trial& trial = all_[which];
            std::unique_ptr<TestedCall>& way =
                ways_[{trial.called, trial.variables, trial.testsSize ? trial.bytes : 0}];
            if (!way) way = std::make_unique<TestedCall>(trial);
            benches_[which] = std::make_unique<Bench>(trial, *way, offset_);
        }
        const Outcome outcome = benches_[which]->measure();
        if (rank == 0) note(which, outcome);
    }
}

void callInTurn(std::span<const SizedCall> calls) {
    int rank = 0, processes = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    std::map<std::int32_t, std::unique_ptr<Team>> teams;
    for (const SizedCall& one : calls) {
        if (one.ranks > processes)
            throw Error{text(one.ranks, " ranks were requested, but the launcher started ", processes,
                             " processes; if ", field::mpirun,
                             " has several words, they must start as many as the largest number of ranks")};
        std::unique_ptr<Team>& team = teams[one.ranks];
        if (!team) {
            MPI_Comm comm = MPI_COMM_NULL;
            check(MPI_Comm_split(MPI_COMM_WORLD, rank < one.ranks ? 0 : MPI_UNDEFINED, rank, &comm),
                  "making a communicator");
            team = std::make_unique<Team>(comm);
            if (comm != MPI_COMM_NULL) MPI_Comm_set_name(comm, one.communicator.c_str());
        }
        if (team->comm() != MPI_COMM_NULL) libraryCall(one.called, one.bytes, team->comm())->execute();
    }
}

}  // namespace engine::mpi

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/mpi/mpi_worker_processes.hpp"

#include "engine/base/processors.hpp"
#include "engine/base/text.hpp"

#include "engine/live/mpi/mpi_library.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace engine::mpi {
namespace {

// What a member says: {job, or one of these; bytes of a piece of its result}, then the piece. Without a piece the job
// is done. Whoever did a job, or none yet, or failed, waits for the answer: a job, or `end`. Who has done none yet says
// its machine and its processors there, which do nothing while it waits.
constexpr std::int64_t nothing = -1;  ///< done so far
constexpr std::int64_t failed = -2;   ///< the piece says why
constexpr std::int64_t end = -3;

constexpr int askTag = 11;
constexpr int answerTag = 12;
constexpr std::size_t atOnce = std::size_t{1} << 30;  // the library counts with int
constexpr std::chrono::microseconds pause{200};

using Ask = std::array<std::int64_t, 2>;

void say(std::int64_t job, std::string_view piece) {
    const Ask ask{job, static_cast<std::int64_t>(piece.size())};
    check(MPI_Send(ask.data(), 2, MPI_INT64_T, 0, askTag, MPI_COMM_WORLD), "asking for work");
    for (std::size_t at = 0; at < piece.size(); at += atOnce)
        check(MPI_Send(piece.data() + at, count(static_cast<Bytes>(std::min(atOnce, piece.size() - at))), MPI_BYTE, 0,
                       askTag, MPI_COMM_WORLD),
              "giving a result");
}

/// Until the first process has answered: soon while there are jobs, else not before it has finished everything. The
/// library would keep a processor busy until then.
void awaitAnswer() {
    constexpr int soon = 1000;  // looks
    int there = 0;
    for (int looks = 0; there == 0; ++looks) {
        if (looks >= soon) std::this_thread::sleep_for(pause);
        check(MPI_Iprobe(0, answerTag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE), "getting work");
    }
}

std::int64_t receiveAnswer() {
    awaitAnswer();
    std::int64_t job = end;
    check(MPI_Recv(&job, 1, MPI_INT64_T, 0, answerTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE), "getting work");
    return job;
}

void sendAnswer(int member, std::int64_t job) {
    check(MPI_Send(&job, 1, MPI_INT64_T, member, answerTag, MPI_COMM_WORLD), "handing work out");
}

/// What a member says, and who it is.
struct Said {
    int member = 0;
    std::int64_t job = nothing;
    std::string_view piece{};

    [[nodiscard]] bool asks() const { return job < 0 || piece.empty(); }
};

/// The piece lies in `room`.
Said receiveAsk(int member, std::vector<char>& room) {
    Ask ask{};
    check(MPI_Recv(ask.data(), 2, MPI_INT64_T, member, askTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE), "hearing a process");
    const std::size_t bytes = asSize(ask[1]);
    if (room.size() < bytes) room.resize(bytes);
    for (std::size_t at = 0; at < bytes; at += atOnce)
        check(MPI_Recv(room.data() + at, count(static_cast<Bytes>(std::min(atOnce, bytes - at))), MPI_BYTE, member,
                       askTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
              "hearing a process");
    return {.member = member, .job = ask[0], .piece = {room.data(), bytes}};
}

/// What a member says of itself first.
std::string introduction() {
    std::array<char, MPI_MAX_PROCESSOR_NAME> machine{};
    int length = 0;
    check(MPI_Get_processor_name(machine.data(), &length), "asking for the machine");
    return std::string{machine.data(), asSize(length)} + '\n' + ownProcessors();
}

/// A process of this machine waits while this one goes on alone with what all have done.
void takeProcessorsOf(std::string_view introduced) {
    const std::string own = introduction();
    const std::size_t machine = own.find('\n') + 1;
    if (introduced.substr(0, machine) == own.substr(0, machine)) alsoUseProcessors(introduced.substr(machine));
}

/// The jobs that this process does itself beside handing out, on a thread that never calls MPI.
class Own {
public:
    Own(std::size_t first, std::size_t last, const std::function<void(std::size_t)>& work)
        : next_{first}, last_{last}, thread_{[this, &work](const std::stop_token& stop) { run(work, stop); }} {}

    /// The next job of all; nothing when none is left.
    std::optional<std::size_t> take() {
        const std::lock_guard lock{mutex_};
        return next_ < last_ ? std::optional{next_++} : std::nullopt;
    }
    /// How many were done since it was last asked. Throws what `work` threw.
    std::size_t done() {
        const std::lock_guard lock{mutex_};
        if (fault_) std::rethrow_exception(fault_);
        return std::exchange(done_, 0);
    }

private:
    void run(const std::function<void(std::size_t)>& work, const std::stop_token& stop) {
        try {
            while (!stop.stop_requested()) {
                const auto job = take();
                if (!job) return;
                work(*job);
                const std::lock_guard lock{mutex_};
                ++done_;
            }
        } catch (...) {
            const std::lock_guard lock{mutex_};
            fault_ = std::current_exception();
        }
    }

    std::mutex mutex_;
    std::size_t next_;
    std::size_t last_;
    std::size_t done_ = 0;
    std::exception_ptr fault_;
    std::jthread thread_;
};

}  // namespace

class MpiWorkerProcesses::Leader {
public:
    explicit Leader(int members) : asks_(asSize(members), false) {}

    void lead(std::size_t first, std::size_t last, const std::function<void(std::size_t)>& work,
              const std::function<void(std::size_t, std::string_view)>& hear) {
        Own own{first, last, work};
        for (std::size_t member = 1; member < asks_.size(); ++member)
            if (asks_[member]) answer(member, own.take());
        for (std::size_t left = last - first; left > 0;) {
            const std::size_t done = own.done();
            left -= done;
            const auto said = listen();
            if (!said && done == 0) std::this_thread::sleep_for(pause);
            if (!said) continue;
            if (said->job == failed) throw Error{text("process ", said->member, " gave up: ", said->piece)};
            if (said->asks()) answer(asSize(said->member), own.take());
            if (said->job == nothing) takeProcessorsOf(said->piece);
            if (said->job == nothing) continue;
            hear(asSize(said->job), said->piece);
            if (said->asks()) --left;
        }
    }

    /// Everyone asks once more than it gets work; what is still said of jobs is for nobody.
    void dismiss() {
        for (std::size_t member = 1; member < asks_.size(); ++member) {
            while (!asks_[member]) asks_[member] = receiveAsk(static_cast<int>(member), room_).asks();
            sendAnswer(static_cast<int>(member), end);
        }
    }

private:
    void answer(std::size_t member, std::optional<std::size_t> job) {
        asks_[member] = !job;
        if (job) sendAnswer(static_cast<int>(member), static_cast<std::int64_t>(*job));
    }

    std::optional<Said> listen() {
        MPI_Status status;
        int there = 0;
        check(MPI_Iprobe(MPI_ANY_SOURCE, askTag, MPI_COMM_WORLD, &there, &status), "listening");
        if (there == 0) return std::nullopt;
        Said said = receiveAsk(status.MPI_SOURCE, room_);
        asks_[asSize(said.member)] = said.asks();
        return said;
    }

    std::vector<bool> asks_;  ///< by member: it waits for an answer
    std::vector<char> room_;  ///< of the piece that was said last
};

MpiWorkerProcesses::MpiWorkerProcesses(const World& world) : members_{world.processes()} {
    if (world.process() == 0) leader_ = std::make_unique<Leader>(members_);
}

MpiWorkerProcesses::~MpiWorkerProcesses() = default;

bool MpiWorkerProcesses::leads() const { return leader_ != nullptr; }

int MpiWorkerProcesses::members() const { return members_; }

void MpiWorkerProcesses::lead(std::size_t first, std::size_t last, const std::function<void(std::size_t)>& own,
                              const std::function<void(std::size_t, std::string_view)>& hear) {
    leader_->lead(first, last, own, hear);
}

void MpiWorkerProcesses::serve(const std::function<void(std::size_t, const live::Tell&)>& work) {
    std::int64_t done = nothing;
    std::string words = introduction();
    while (!dismissed_) {
        say(done, words);
        words.clear();
        const std::int64_t job = receiveAnswer();
        dismissed_ = job == end;
        if (dismissed_) return;
        try {
            work(asSize(job), [&](std::string_view piece) {
                if (!piece.empty()) say(job, piece);
            });
            done = job;
        } catch (const std::exception& failure) {
            words = wordsOf(failure);
            done = failed;
        }
    }
}

void MpiWorkerProcesses::part() {
    if (leader_) return leader_->dismiss();
    if (dismissed_) return;
    say(nothing, {});
    (void)receiveAnswer();
    dismissed_ = true;
}

}  // namespace engine::mpi

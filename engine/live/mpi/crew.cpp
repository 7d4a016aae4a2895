// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/mpi/crew.hpp"

#include "engine/text.hpp"

#include "engine/live/mpi/library.hpp"

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

// An ask: {job done, or one of these; bytes of its result}, then the result. The answer: a job, or `end`.
constexpr std::int64_t nothing = -1;  ///< done so far
constexpr std::int64_t failed = -2;   ///< the result says why
constexpr std::int64_t end = -3;

constexpr int askTag = 11;
constexpr int answerTag = 12;
constexpr std::size_t piece = std::size_t{1} << 30;  // the library counts with int
constexpr std::chrono::microseconds pause{200};

using Ask = std::array<std::int64_t, 2>;

void sendAsk(std::int64_t job, const std::string& result) {
    const Ask ask{job, static_cast<std::int64_t>(result.size())};
    check(MPI_Send(ask.data(), 2, MPI_INT64_T, 0, askTag, MPI_COMM_WORLD), "asking for work");
    for (std::size_t at = 0; at < result.size(); at += piece)
        check(MPI_Send(result.data() + at, count(static_cast<Bytes>(std::min(piece, result.size() - at))), MPI_BYTE, 0,
                       askTag, MPI_COMM_WORLD),
              "giving a result");
}

std::int64_t receiveAnswer() {
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
    std::string result{};
};

Said receiveAsk(int member) {
    Said said{.member = member};
    Ask ask{};
    check(MPI_Recv(ask.data(), 2, MPI_INT64_T, member, askTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE), "hearing a process");
    said.job = ask[0];
    said.result.resize(asSize(ask[1]));
    for (std::size_t at = 0; at < said.result.size(); at += piece)
        check(MPI_Recv(said.result.data() + at, count(static_cast<Bytes>(std::min(piece, said.result.size() - at))),
                       MPI_BYTE, member, askTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
              "hearing a process");
    return said;
}

/// The jobs that this process does itself beside handing out, on a thread that never calls MPI.
class Own {
public:
    Own(std::size_t first, std::size_t last, const live::Job& work)
        : next_{first}, last_{last}, thread_{[this, &work](const std::stop_token& stop) { run(work, stop); }} {}

    /// The next job of all; nothing when none is left.
    std::optional<std::size_t> take() {
        const std::lock_guard lock{mutex_};
        return next_ < last_ ? std::optional{next_++} : std::nullopt;
    }
    /// What was done since it was last asked. Throws what `work` threw.
    std::vector<std::pair<std::size_t, std::string>> done() {
        const std::lock_guard lock{mutex_};
        if (fault_) std::rethrow_exception(fault_);
        return std::exchange(done_, {});
    }

private:
    void run(const live::Job& work, const std::stop_token& stop) {
        try {
            while (!stop.stop_requested()) {
                const auto job = take();
                if (!job) return;
                std::string result = work(*job);
                const std::lock_guard lock{mutex_};
                done_.emplace_back(*job, std::move(result));
            }
        } catch (...) {
            const std::lock_guard lock{mutex_};
            fault_ = std::current_exception();
        }
    }

    std::mutex mutex_;
    std::size_t next_;
    std::size_t last_;
    std::vector<std::pair<std::size_t, std::string>> done_;
    std::exception_ptr fault_;
    std::jthread thread_;
};

}  // namespace

class ProcessCrew::Leader {
public:
    explicit Leader(int members) : asks_(asSize(members), false) {}

    void lead(std::size_t first, std::size_t last, const live::Job& work,
              const std::function<void(std::size_t, std::string)>& take) {
        Own own{first, last, work};
        for (std::size_t member = 1; member < asks_.size(); ++member)
            if (asks_[member]) answer(member, own.take());
        for (std::size_t left = last - first; left > 0;) {
            bool moved = false;
            for (auto& [job, result] : own.done()) {
                take(job, std::move(result));
                --left;
                moved = true;
            }
            if (auto said = hear()) {
                if (said->job == failed) throw Error{text("process ", said->member, " gave up: ", said->result)};
                answer(asSize(said->member), own.take());
                if (said->job >= 0) take(asSize(said->job), std::move(said->result)), --left;
                moved = true;
            }
            if (!moved) std::this_thread::sleep_for(pause);
        }
    }

    /// Everyone asks once more than it gets work.
    void dismiss() {
        for (std::size_t member = 1; member < asks_.size(); ++member) {
            if (!asks_[member]) (void)receiveAsk(static_cast<int>(member));
            sendAnswer(static_cast<int>(member), end);
        }
    }

private:
    void answer(std::size_t member, std::optional<std::size_t> job) {
        asks_[member] = !job;
        if (job) sendAnswer(static_cast<int>(member), static_cast<std::int64_t>(*job));
    }

    std::optional<Said> hear() {
        MPI_Status status;
        int there = 0;
        check(MPI_Iprobe(MPI_ANY_SOURCE, askTag, MPI_COMM_WORLD, &there, &status), "listening");
        if (there == 0) return std::nullopt;
        Said said = receiveAsk(status.MPI_SOURCE);
        asks_[asSize(said.member)] = true;
        return said;
    }

    std::vector<bool> asks_;  ///< by member: it waits for an answer
};

ProcessCrew::ProcessCrew(const World& world) : members_{world.processes()} {
    if (world.process() == 0) leader_ = std::make_unique<Leader>(members_);
}

ProcessCrew::~ProcessCrew() = default;

bool ProcessCrew::leads() const { return leader_ != nullptr; }

int ProcessCrew::members() const { return members_; }

void ProcessCrew::lead(std::size_t first, std::size_t last, const live::Job& work,
                       const std::function<void(std::size_t, std::string)>& take) {
    leader_->lead(first, last, work, take);
}

void ProcessCrew::serve(const live::Job& work) {
    std::int64_t done = nothing;
    std::string result;
    while (!dismissed_) {
        sendAsk(done, result);
        const std::int64_t job = receiveAnswer();
        dismissed_ = job == end;
        if (dismissed_) return;
        try {
            result = work(asSize(job));
            done = job;
        } catch (const std::exception& failure) {
            result = wordsOf(failure);
            done = failed;
        }
    }
}

void ProcessCrew::part() {
    if (leader_) return leader_->dismiss();
    if (dismissed_) return;
    sendAsk(nothing, {});
    (void)receiveAnswer();
    dismissed_ = true;
}

}  // namespace engine::mpi

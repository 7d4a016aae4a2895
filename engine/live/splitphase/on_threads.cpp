// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/splitphase/on_threads.hpp"

#include "engine/base/by_id.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"
#include "engine/live/splitphase/shared_memory_transport.hpp"

#include <unistd.h>
#include <algorithm>
#include <barrier>
#include <exception>
#include <mutex>
#include <thread>

namespace engine::splitphase {
namespace {

constexpr std::int32_t mostRanks = 1024;
/// Events that one record keeps: 48 MiB, as over MPI.
constexpr std::int64_t mostEvents = 1 << 20;

/// Keeps what a thread saw, for the record of its rank.
class Diary final : public Witness {
public:
    explicit Diary(live::Record& record) : record_{record} {}

    void turnTo(std::int32_t repeat, std::size_t way) {
        repeat_ = repeat;
        way_ = static_cast<std::uint16_t>(way);
    }
    void saw(live::Event event) noexcept override {
        if (repeat_ < 0) return;  // warming up
        if (record_.events.size() == record_.events.capacity()) {
            ++record_.dropped;
            return;
        }
        event.repeat = repeat_;
        event.entry = way_;
        record_.events.push_back(event);
    }

private:
    live::Record& record_;
    std::int32_t repeat_ = 0;
    std::uint16_t way_ = 0;
};

class SplitPhaseThreads {
public:
    SplitPhaseThreads(const Plan& plan, const std::vector<Settings>& ways, std::int32_t repeats, std::int32_t warmUps,
                      bool check)
        : plan_{plan},
          ways_{ways},
          repeats_{repeats},
          warmUps_{warmUps},
          check_{check},
          board_{plan},
          ranks_{plan.schedule->facts().ranks},
          records_(ranks_),
          together_{ranks_} {}

    std::vector<live::Record> run(const Progress& progress) {
        std::stop_source stop;
        const std::stop_callback forward{progress.stop, [&] { stop.request_stop(); }};
        {
            std::vector<std::jthread> threads;
            for (const Rank rank : records_.ids())
                threads.emplace_back([this, rank, &stop, &progress] { guard(rank, stop, progress); });
        }
        if (failure_) std::rethrow_exception(failure_);
        return std::move(records_).vector();
    }

private:
    /// Nobody waits for a thread that failed.
    void guard(Rank rank, std::stop_source& stop, const Progress& progress) {
        try {
            work(rank, stop.get_token(), progress);
        } catch (...) {
            const std::scoped_lock lock{failureMutex_};
            if (!failure_) failure_ = std::current_exception();
            stop.request_stop();
        }
        together_.arrive_and_drop();
    }

    void work(Rank rank, const std::stop_token& stop, const Progress& progress) {
        live::Record& record = records_[rank];
        describe(rank, record);
        Diary diary{record};
        const auto transport = board_.transportOf(rank);
        Allreduce call{plan_, rank, *transport, &diary};
        const std::int64_t all = (eventsOf(call.route()) + 2) * repeats_ * static_cast<std::int64_t>(ways_.size());
        record.events.reserve(asSize(std::min(mostEvents, all)));
        RankBuffers fresh{plan_.problem, plan_.schedule->facts(), rank};
        const std::vector<std::byte> vector{fresh.slot(ownSlot()).begin(), fresh.slot(ownSlot()).end()};
        for (std::int32_t repeat = -warmUps_; repeat < repeats_; ++repeat)
            for (std::size_t way = 0; way < ways_.size(); ++way) {
                diary.turnTo(repeat, way);
                together_.arrive_and_wait();
                if (stop.stop_requested()) throw Cancelled{};
                const std::int64_t begin = now();
                diary.saw({.begin = begin, .end = begin, .kind = live::Kind::begin});
                execute(call, vector, ways_[way], &diary, stop);
                diary.saw({.begin = begin, .end = now(), .kind = live::Kind::end});
                if (check_ && ways_[way].communicate && record.fault.empty() &&
                    (repeat == -warmUps_ || repeat == repeats_ - 1)) {
                    record.fault = call.buffers().compare();
                    record.faultEntry = static_cast<std::int32_t>(way);
                }
                if (rank.value == 0 && progress.report)
                    progress.report(static_cast<double>(repeat + warmUps_ + 1) / (repeats_ + warmUps_));
            }
        record.state = live::State::done;
    }

    void describe(Rank rank, live::Record& record) const {
        record.process = rank.value;
        record.processes = ranks_;
        record.pid = getpid();
        std::array<char, 64> host{};
        gethostname(host.data(), host.size() - 1);
        record.host = host.data();
        record.ranks.fill(-1);
        for (std::size_t way = 0; way < ways_.size(); ++way) record.ranks[way] = rank.value;
    }

    [[nodiscard]] int ownSlot() const { return std::countr_zero(plan_.schedule->facts().own); }

    const Plan& plan_;
    const std::vector<Settings>& ways_;
    std::int32_t repeats_;
    std::int32_t warmUps_;
    bool check_;
    Board board_;
    std::int32_t ranks_;
    ById<Rank, live::Record> records_;
    std::barrier<> together_;
    std::mutex failureMutex_;
    std::exception_ptr failure_;
};

}  // namespace

std::vector<live::Record> onThreads(const Plan& plan, const std::vector<Settings>& ways, std::int32_t repeats,
                                    std::int32_t warmUps, bool check, const Progress& progress) {
    requireSplitPhase(plan);
    const std::int32_t ranks = plan.schedule->facts().ranks;
    if (ranks > mostRanks)
        throw Error{text(field::on, " threads runs at most ", mostRanks, " ranks, not ", ranks, "; use ", field::on,
                         " virtual for more")};
    return SplitPhaseThreads{plan, ways, repeats, warmUps, check}.run(progress);
}

}  // namespace engine::splitphase

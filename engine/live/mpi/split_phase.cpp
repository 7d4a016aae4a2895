// SPDX-License-Identifier: BSD-3-Clause
// An allreduce in two halves, with a computation between them, as a method of a job.
#include "engine/live/mpi/execution_method.hpp"
#include "engine/live/mpi/transports.hpp"

namespace engine::mpi {
namespace {

/// Writes what happens to the record of the process.
class ToRecord final : public splitphase::Witness {
public:
    explicit ToRecord(const Mark& mark) : mark_{mark} {}

    void saw(live::Event event) noexcept override {
        if (mark_.recorder == nullptr) return;
        event.repeat = mark_.repeat;
        event.entry = mark_.entry;
        mark_.recorder->add(event);
        if (event.kind == live::Kind::turn) mark_.recorder->at(event.end, event.round + 1);
    }

private:
    const Mark& mark_;
};

class SplitPhase final : public Method {
public:
    SplitPhase(const Entry& entry, MPI_Comm comm, Rank rank, const Mark& mark)
        : settings_{*entry.split},
          witness_{mark},
          combining_{entry.problem},
          route_{*entry.plan, rank},
          transport_{settings_.by == splitphase::By::oneSided ? oneSided(comm, route_) : twoSided(comm, route_)},
          call_{*entry.plan, rank, *transport_, &witness_} {
        const Facts& facts = entry.plan->schedule->facts();
        RankBuffers fresh{entry.problem, facts, rank};
        const auto own = fresh.slot(std::countr_zero(facts.own));
        vector_.assign(own.begin(), own.end());
        call_.combineWith([this](auto left, auto right) { combining_.combine(left, right); },
                          combining_.commutes() ? Operands::mayChangePlaces : Operands::keepPlaces);
    }

    /// Every call brings its vector again.
    void fill() override {}
    void execute() override { splitphase::execute(call_, vector_, settings_, &witness_); }
    [[nodiscard]] std::string compare() const override {
        return settings_.communicate ? call_.buffers().compare() : std::string{};
    }
    [[nodiscard]] std::int64_t events() const override { return splitphase::eventsOf(route_); }

private:
    const splitphase::Settings settings_;
    ToRecord witness_;
    Combining combining_;
    splitphase::Route route_;
    std::unique_ptr<splitphase::Transport> transport_;
    splitphase::Allreduce call_;
    std::vector<std::byte> vector_;
};

}  // namespace

std::unique_ptr<Method> splitPhase(const Entry& entry, MPI_Comm comm, Rank rank, const Mark& mark) {
    return std::make_unique<SplitPhase>(entry, comm, rank, mark);
}

}  // namespace engine::mpi

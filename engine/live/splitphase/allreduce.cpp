// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/splitphase/allreduce.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <thread>

namespace engine::splitphase {
namespace {

const Plan& required(const Plan& plan) {
    requireSplitPhase(plan);
    return plan;
}

}  // namespace

Allreduce::Allreduce(const Plan& plan, Rank rank, Transport& transport, Witness* witness)
    : plan_{required(plan)},
      rank_{rank},
      route_{plan, rank},
      transport_{transport},
      witness_{witness},
      buffers_{plan.problem, plan.schedule->facts(), rank} {}

void Allreduce::combineWith(Combine combine, Operands operands) {
    if (state_ == State::underWay)
        throw Error{
            text("rank ", rank_, ": the operation cannot change while an allreduce is in progress; wait for it first")};
    requireSplitPhase(plan_, operands);
    buffers_.combineWith(std::move(combine), operands);
}

void Allreduce::start(std::span<const std::byte> vector) {
    if (state_ == State::underWay)
        throw Error{text("rank ", rank_,
                         ": an allreduce is in progress and only one can be; wait for it before the next start")};
    if (static_cast<Bytes>(vector.size()) != plan_.problem.layout.largest())
        throw Error{text("rank ", rank_, ": the vector has ", vector.size(), " bytes, not the ",
                         plan_.problem.layout.largest(), " of the problem")};
    buffers_.bring(vector);
    ++call_;
    at_ = 0;
    sent_ = false;
    state_ = State::underWay;
    test();
}

bool Allreduce::test() {
    if (state_ == State::never)
        throw Error{text("rank ", rank_, ": no allreduce was started that could be waited for")};
    if (state_ == State::done) return true;
    for (; at_ < route_.steps().size(); ++at_) {
        const Step& step = route_.steps()[at_];
        if (!sent_) send(step);
        if (!receive(step)) return false;
        apply(step);
        sent_ = false;
    }
    state_ = State::done;
    return true;
}

bool Allreduce::wait(Nanoseconds timeout) {
    const std::int64_t begin = now();
    while (!test()) {
        if (timeout != block && now() - begin >= timeout.count()) return false;
        std::this_thread::yield();
    }
    return true;
}

std::span<const std::byte> Allreduce::result() {
    if (state_ != State::done) throw Error{text("rank ", rank_, ": no allreduce is done whose result there could be")};
    return buffers_.slot(plan_.schedule->facts().result);
}

void Allreduce::send(const Step& step) {
    stepBegan_ = now();
    const auto sends = step.turn.sends();
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < sends.size(); ++i) {
        std::span<const std::byte> data;
        if (sends[i].whole) data = buffers_.carried(sends[i]);
        else buffers_.read(step.turn, sends[i], gathered_), data = gathered_;
        sizes.push_back(data.size());
        transport_.put(sends[i].peer, step.remote[i], call_, data);
    }
    transport_.notify();
    for (std::size_t i = 0; i < sends.size(); ++i) tell(live::Kind::send, stepBegan_, step, i, sends[i], sizes[i]);
    missing_ = step.turn.receives().size();
    arrivals_.assign(missing_, std::nullopt);
    sent_ = true;
}

bool Allreduce::receive(const Step& step) {
    for (std::size_t i = 0; i < arrivals_.size() && missing_ > 0; ++i) {
        if (arrivals_[i]) continue;
        arrivals_[i] = transport_.arrived(step.firstSlot + static_cast<std::int32_t>(i), call_);
        if (!arrivals_[i]) continue;
        --missing_;
        tell(live::Kind::receive, stepBegan_, step, i, step.turn.receives()[i], arrivals_[i]->size());
    }
    return missing_ == 0;
}

void Allreduce::apply(const Step& step) {
    for (std::size_t i = 0; i < arrivals_.size(); ++i) {
        buffers_.apply(step.turn, step.turn.receives()[i], *arrivals_[i]);
        transport_.release(step.firstSlot + static_cast<std::int32_t>(i), call_);
    }
    if (witness_ != nullptr)
        witness_->saw({.begin = stepBegan_, .end = now(), .round = step.round.value, .kind = live::Kind::turn});
}

void Allreduce::tell(live::Kind kind, std::int64_t begin, const Step& step, std::size_t place, const Message& message,
                     std::size_t bytes) {
    if (witness_ == nullptr) return;
    witness_->saw({.begin = begin,
                   .end = now(),
                   .round = step.round.value,
                   .bytes = static_cast<Bytes>(bytes),
                   .peer = message.peer.value,
                   .kind = kind,
                   .place = static_cast<std::uint16_t>(place)});
}

}  // namespace engine::splitphase

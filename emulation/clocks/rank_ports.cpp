// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/clocks/rank_ports.hpp"

#include "emulation/clocks/bounded_time.hpp"

#include <algorithm>

namespace emulation {

using engine::MessageRecord;
using engine::Picoseconds;

Ports::Ports(std::int32_t ranks, int each)
    : each_{engine::asSize(each)}, out_(engine::asSize(ranks) * each_), in_(out_.size()) {}

Picoseconds& Ports::freeFirst(std::vector<Picoseconds>& side, engine::Rank rank) {
    if (each_ == 0) return any_ = Picoseconds{};
    if (each_ == 1) return side[rank.index()];
    return *std::ranges::min_element(std::span{side}.subspan(rank.index() * each_, each_));
}

void Ports::send(MessageRecord& message, Picoseconds cost, Picoseconds now) {
    Picoseconds& port = freeFirst(out_, message.from);
    message.sendBegin = std::max(now, port);
    port = message.sendEnd = later(message.sendBegin, cost);
}

void Ports::receive(MessageRecord& message, Picoseconds cost, Picoseconds now) {
    Picoseconds& port = freeFirst(in_, message.to);
    message.receiveBegin = std::max(now, port);
    port = message.receiveEnd = later(message.receiveBegin, cost);
}

void Ports::meet(MessageRecord& message, Picoseconds cost, Picoseconds now) {
    now = std::max(now, freeFirst(in_, message.to));
    send(message, cost, now);
    receive(message, cost, message.sendBegin);
}

}  // namespace emulation

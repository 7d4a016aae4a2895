// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/stopping.hpp"

#include <atomic>
#include <utility>

namespace engine {
namespace {

thread_local const Stopping* innermost = nullptr;
std::atomic<const std::stop_token*> ofAll = nullptr;

}  // namespace

Stopping::Stopping(std::stop_token stop) : stop_{std::move(stop)}, outer_{std::exchange(innermost, this)} {}

Stopping::~Stopping() { innermost = outer_; }

bool Stopping::requested() {
    if (innermost != nullptr) return innermost->stop_.stop_requested();
    const std::stop_token* all = ofAll.load(std::memory_order_acquire);
    return all != nullptr && all->stop_requested();
}

StoppingAll::StoppingAll(std::stop_token stop) : stop_{std::move(stop)}, outer_{ofAll.exchange(&stop_)} {}

StoppingAll::~StoppingAll() { ofAll = outer_; }

}  // namespace engine

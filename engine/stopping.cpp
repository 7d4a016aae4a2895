// SPDX-License-Identifier: BSD-3-Clause
#include "engine/stopping.hpp"

#include <utility>

namespace engine {
namespace {

thread_local const Stopping* innermost = nullptr;

}  // namespace

Stopping::Stopping(std::stop_token stop) : stop_{std::move(stop)}, outer_{std::exchange(innermost, this)} {}

Stopping::~Stopping() { innermost = outer_; }

bool Stopping::requested() { return innermost != nullptr && innermost->stop_.stop_requested(); }

}  // namespace engine

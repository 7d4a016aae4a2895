// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/pmpi/recording/requests.hpp"

namespace engine::mpi::pmpi {

std::uint32_t Requests::number() {
    const std::lock_guard lock{mutex_};
    return last_ = last_ == UINT32_MAX ? 1 : last_ + 1;
}

std::optional<Pending> Requests::add(MPI_Request request, const Pending& pending) {
    const std::lock_guard lock{mutex_};
    const auto [place, isNew] = all_.try_emplace(keyOf(request), pending);
    if (isNew) return std::nullopt;
    const Pending before = place->second;
    place->second = pending;
    return before.number != 0 && before.message.deed != live::CallEffect::postReceive ? std::optional{before}
                                                                                      : std::nullopt;
}

std::optional<Pending> Requests::start(MPI_Request request) {
    const std::lock_guard lock{mutex_};
    const auto found = all_.find(keyOf(request));
    if (found == all_.end() || !found->second.persistent) return std::nullopt;
    last_ = last_ == UINT32_MAX ? 1 : last_ + 1;
    found->second.number = last_;
    ++found->second.sequence;  // of a persistent collective, whose starts are counted
    found->second.cancelled = false;
    found->second.ready = 0;
    return found->second;
}

std::optional<Pending> Requests::ready(MPI_Request request, std::int32_t partitions) {
    const std::lock_guard lock{mutex_};
    const auto found = all_.find(keyOf(request));
    if (found == all_.end() || found->second.number == 0 || found->second.partitions == 0) return std::nullopt;
    Pending& pending = found->second;
    const bool wasOpen = pending.ready < pending.partitions;
    pending.ready += partitions;
    return wasOpen && pending.ready >= pending.partitions ? std::optional{pending} : std::nullopt;
}

std::optional<Pending> Requests::look(RequestKey key) {
    const std::lock_guard lock{mutex_};
    const auto found = all_.find(key);
    return found != all_.end() && found->second.number != 0 ? std::optional{found->second} : std::nullopt;
}

bool Requests::isPersistentCollective(MPI_Request request) {
    const std::lock_guard lock{mutex_};
    const auto found = all_.find(keyOf(request));
    return found != all_.end() && found->second.persistent && found->second.other != live::Other::none;
}

std::optional<Pending> Requests::take(RequestKey key) {
    const std::lock_guard lock{mutex_};
    const auto found = all_.find(key);
    if (found == all_.end() || found->second.number == 0) return std::nullopt;
    const Pending taken = found->second;
    if (taken.persistent) found->second.number = 0;
    else all_.erase(found);
    return taken;
}

void Requests::cancel(MPI_Request request) {
    const std::lock_guard lock{mutex_};
    const auto found = all_.find(keyOf(request));
    if (found != all_.end()) found->second.cancelled = true;
}

void Requests::forget(MPI_Request request) {
    const std::lock_guard lock{mutex_};
    all_.erase(keyOf(request));
}

}  // namespace engine::mpi::pmpi

// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/msccl/memory.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace engine::schedules::msccl {
namespace {

constexpr std::int64_t mostCells = std::int64_t{1} << 23;

bool precedes(Doer before, Doer doer, const Clock& clock) {
    return before.block < 0 || before.block == doer.block || clock.empty() || clock[asSize(before.block)] > before.step;
}

}  // namespace

Memory::Memory(const File& msccl, const Promise& promise, std::string_view file) {
    if (msccl.inPlace && msccl.collective != "custom") inPlace_ = promise;  // whoever makes one of his own says where
    std::int64_t count = 0;
    for (std::int32_t r = 0; asSize(r) < msccl.gpus.size(); ++r) {
        std::array<std::int64_t, buffers> sizes = msccl.gpus[asSize(r)].chunks;
        sizes[0] = std::max(sizes[0], promise.inputs(r));
        sizes[1] = std::max(sizes[1], promise.outputs(r));
        if (inPlace_) {
            // What lies in the other buffer has its place there.
            std::int64_t& host = sizes[promise.collective() == Collective::allgatherv ||
                                               (promise.collective() == Collective::gatherv && r == promise.root())
                                           ? 1
                                           : 0];
            host = std::max({host, sizes[0], sizes[1]});
        }
        std::array<std::int64_t, buffers> begins{};
        for (std::size_t b = 0; b < buffers; ++b) {
            begins[b] = count;
            count += sizes[b];
        }
        sizes_.push_back(sizes);
        begins_.push_back(begins);
        if (count > mostCells) throw Error{text(file, ": its buffers have more than ", mostCells, " chunks in total")};
    }
    cells_.resize(asSize(count));
}

std::int64_t Memory::index(std::int32_t gpu, Buffer buffer, std::int64_t chunk) const {
    if (inPlace_ && buffer != Buffer::scratch) {
        const Collective collective = inPlace_->collective();
        const bool inOutput =
            collective == Collective::allgatherv || (collective == Collective::gatherv && gpu == inPlace_->root());
        const Buffer host = inOutput ? Buffer::output : Buffer::input;
        if (buffer != host) {
            const std::int64_t there = inPlace_->shared(gpu, chunk);
            if (there < sizes_[asSize(gpu)][static_cast<std::size_t>(host)]) {
                buffer = host;
                chunk = there;
            }
        }
    }
    return begins_[asSize(gpu)][static_cast<std::size_t>(buffer)] + chunk;
}

std::optional<Doer> read(Cell& cell, Doer doer, const Clock& clock) {
    if (!precedes(cell.writer, doer, clock)) return cell.writer;
    const auto same = std::find_if(cell.readers.begin(), cell.readers.end(),
                                   [&](const Doer& reader) { return reader.block == doer.block; });
    if (same == cell.readers.end()) cell.readers.push_back(doer);
    else same->step = doer.step;
    return std::nullopt;
}

std::optional<Doer> write(Cell& cell, Doer doer, const Clock& clock) {
    if (!precedes(cell.writer, doer, clock)) return cell.writer;
    for (const Doer& reader : cell.readers)
        if (!precedes(reader, doer, clock)) return reader;
    cell.writer = doer;
    cell.readers.clear();
    return std::nullopt;
}

}  // namespace engine::schedules::msccl

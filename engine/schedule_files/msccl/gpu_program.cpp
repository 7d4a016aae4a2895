// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/msccl/gpu_program.hpp"

#include <algorithm>
#include <array>
#include <ostream>

namespace engine::schedules::msccl {
namespace {

constexpr std::array stepWords{"s", "r", "rcs", "rrc", "rrs", "rrcs", "re", "cpy", "nop"};

void attribute(std::ostream& out, std::string_view name, std::int64_t value) {
    out << ' ' << name << "=\"" << value << '"';
}

}  // namespace

std::int32_t WrittenGpu::blockFor(Role role) {
    const auto [found, fresh] = roles_.try_emplace(role, static_cast<std::int32_t>(blocks_.size()));
    if (fresh) blocks_.push_back({.role = role});
    return found->second;
}

void WrittenGpu::add(Kind kind, std::int32_t peer, Place source, Place target, std::int64_t count) {
    const std::int32_t self = blockFor(kind == Kind::send ? Role{1, peer} : receives(kind) ? Role{2, peer} : Role{});
    std::map<std::int32_t, std::int32_t> after;  // thread block, step
    const auto follow = [&](Doer doer) {
        if (doer.block < 0 || doer.block == self) return;
        const auto known = blocks_[asSize(self)].waited.find(doer.block);
        if (known != blocks_[asSize(self)].waited.end() && known->second >= doer.step) return;
        std::int32_t& last = after.try_emplace(doer.block, doer.step).first->second;
        last = std::max(last, doer.step);
    };
    const auto each = [&](Place place, const auto& does) {
        for (std::int64_t c = 0; c < count; ++c) does(cells_[{place.buffer, place.first + c}]);
        if (place.buffer == Buffer::scratch) scratch_ = std::max(scratch_, place.first + count);
    };
    const bool reads = !receives(kind) || reduces(kind);
    if (reads) each(source, [&](const Cell& cell) { follow(cell.writer); });
    if (writes(kind))
        each(target, [&](const Cell& cell) {
            follow(cell.writer);
            for (const Doer& reader : cell.readers) follow(reader);
        });
    std::vector<Step>& steps = blocks_[asSize(self)].steps;
    std::size_t left = after.size();
    for (const auto& [block, step] : after) {
        blocks_[asSize(self)].waited[block] = step;
        blocks_[asSize(block)].steps[asSize(step)].tells = true;
        // A step waits for one other; further ones are waited for before it.
        if (--left > 0) steps.push_back({.kind = Kind::nothing, .waitsFor = block, .itsStep = step, .tells = false});
        else steps.push_back({kind, source, target, count, block, step, false});
    }
    if (after.empty()) steps.push_back({kind, source, target, count, -1, -1, false});
    const Doer doer{self, static_cast<std::int32_t>(steps.size()) - 1};
    if (reads)
        each(source, [&](Cell& cell) {
            std::erase_if(cell.readers, [&](const Doer& one) { return one.block == self; });
            cell.readers.push_back(doer);
        });
    if (writes(kind)) each(target, [&](Cell& cell) { cell = {.writer = doer}; });
}

void WrittenGpu::write(std::ostream& out, std::size_t id, std::int64_t inputs, std::int64_t outputs) const {
    out << "  <gpu id=\"" << id << '"';
    attribute(out, "i_chunks", inputs);
    attribute(out, "o_chunks", outputs);
    attribute(out, "s_chunks", scratch_);
    out << ">\n";
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const Written& block = blocks_[b];
        out << "    <tb id=\"" << b << '"';
        attribute(out, "send", block.role.first == 1 ? block.role.second : -1);
        attribute(out, "recv", block.role.first == 2 ? block.role.second : -1);
        attribute(out, "chan", 0);
        out << ">\n";
        for (std::size_t s = 0; s < block.steps.size(); ++s) {
            const Step& step = block.steps[s];
            const bool nothing = step.kind == Kind::nothing;
            out << "      <step s=\"" << s << "\" type=\"" << stepWords[static_cast<std::size_t>(step.kind)] << '"';
            out << " srcbuf=\"" << bufferLetters[static_cast<std::size_t>(step.source.buffer)] << '"';
            attribute(out, "srcoff", nothing ? -1 : step.source.first);
            out << " dstbuf=\"" << bufferLetters[static_cast<std::size_t>(step.target.buffer)] << '"';
            attribute(out, "dstoff", nothing ? -1 : step.target.first);
            attribute(out, "cnt", step.count);
            attribute(out, "depid", step.waitsFor);
            attribute(out, "deps", step.itsStep);
            attribute(out, "hasdep", step.tells ? 1 : 0);
            out << "/>\n";
        }
        out << "    </tb>\n";
    }
    out << "  </gpu>\n";
}

std::size_t WrittenGpu::mostSteps() const {
    std::size_t most = 0;
    for (const Written& block : blocks_) most = std::max(most, block.steps.size());
    return most;
}

}  // namespace engine::schedules::msccl

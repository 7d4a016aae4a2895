// SPDX-License-Identifier: BSD-3-Clause
#include "engine/synthesis/symmetry.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace engine::synthesis {
namespace {

constexpr std::size_t mostSymmetries = 256;
constexpr int mostTries = 20'000;  // of ranks, in the search for one symmetry

class Finder {
public:
    Finder(const Fabric& fabric, const std::vector<Chunk>& chunks, const Poll& poll)
        : fabric_{fabric}, chunks_{chunks}, poll_{poll}, at_(asSize(fabric.ranks) * asSize(fabric.ranks), -1) {
        for (std::size_t i = 0; i < fabric.channels.size(); ++i)
            channel(fabric.channels[i].from, fabric.channels[i].to) = static_cast<std::int32_t>(i);
        for (std::size_t c = 0; c < chunks.size(); ++c)
            distinct_ =
                chunks[c].held.empty() &&
                byNeed_.emplace(std::pair{chunks[c].owner, chunks[c].needed}, static_cast<std::int32_t>(c)).second &&
                distinct_;
    }

    std::vector<Symmetry> find() {
        if (!distinct_) return {};
        std::vector<std::int32_t> same(asSize(fabric_.ranks));
        std::iota(same.begin(), same.end(), 0);
        for (std::int32_t a = 0; a < fabric_.ranks; ++a)
            for (std::int32_t b = a + 1; b < fabric_.ranks; ++b) {
                std::vector<std::int32_t> swapped = same;
                std::swap(swapped[asSize(a)], swapped[asSize(b)]);
                keep(swapped);
            }
        order();
        for (std::int32_t first = 0; first < fabric_.ranks; ++first)
            for (std::int32_t second = 0; second < fabric_.ranks; ++second) {
                if (fabric_.ranks < 2 || first == second || found_.size() >= mostSymmetries) continue;
                images_.assign(asSize(fabric_.ranks), -1);
                used_.assign(asSize(fabric_.ranks), false);
                tries_ = 0;
                if (take(0, first) && take(1, second) && goOn(2)) keep(images_);
            }
        return std::move(found_);
    }

private:
    std::int32_t& channel(std::int32_t from, std::int32_t to) {
        return at_[asSize(from) * asSize(fabric_.ranks) + asSize(to)];
    }

    /// Ranks in an order in which each is next to one before it, as far as that is possible.
    void order() {
        std::vector<bool> reached(asSize(fabric_.ranks));
        for (std::int32_t start = 0; start < fabric_.ranks; ++start) {
            if (reached[asSize(start)]) continue;
            reached[asSize(start)] = true;
            order_.push_back(start);
            for (std::size_t i = order_.size() - 1; i < order_.size(); ++i)
                for (std::int32_t to = 0; to < fabric_.ranks; ++to)
                    if (!reached[asSize(to)] && channel(order_[i], to) >= 0) {
                        reached[asSize(to)] = true;
                        order_.push_back(to);
                    }
        }
    }

    bool alike(std::int32_t one, std::int32_t other) const {
        if ((one < 0) != (other < 0)) return false;
        if (one < 0) return true;
        const Channel& a = fabric_.channels[asSize(one)];
        const Channel& b = fabric_.channels[asSize(other)];
        return std::equal(
            a.links.begin(), a.links.end(), b.links.begin(), b.links.end(),
            [&](std::int32_t x, std::int32_t y) { return fabric_.lanes[asSize(x)] == fabric_.lanes[asSize(y)]; });
    }

    bool take(std::size_t place, std::int32_t image) {
        const std::int32_t rank = order_[place];
        for (std::size_t i = 0; i < place; ++i) {
            const std::int32_t other = order_[i];
            const std::int32_t there = images_[asSize(other)];
            if (!alike(channel(rank, other), channel(image, there)) ||
                !alike(channel(other, rank), channel(there, image)))
                return false;
        }
        images_[asSize(rank)] = image;
        used_[asSize(image)] = true;
        return true;
    }

    bool goOn(std::size_t place) {
        if (place >= order_.size()) return true;
        for (std::int32_t image = 0; image < fabric_.ranks; ++image) {
            if (used_[asSize(image)]) continue;
            if (++tries_ > mostTries) return false;
            if (poll_ && tries_ % 256 == 1) poll_();
            if (!take(place, image)) continue;
            if (goOn(place + 1)) return true;
            used_[asSize(image)] = false;
        }
        return false;
    }

    /// Keeps what leaves links that are shared, and chunks, as they are.
    void keep(const std::vector<std::int32_t>& images) {
        if (found_.size() >= mostSymmetries || !seen_.insert(images).second) return;
        bool moves = false;
        for (std::size_t r = 0; r < images.size(); ++r) moves = moves || images[r] != static_cast<std::int32_t>(r);
        if (!moves) return;
        std::map<std::int32_t, std::int32_t> links;
        std::map<std::int32_t, std::int32_t> back;
        for (const Channel& one : fabric_.channels) {
            const std::int32_t other = channel(images[asSize(one.from)], images[asSize(one.to)]);
            if (other < 0 || !alike(channel(one.from, one.to), other)) return;
            const Channel& image = fabric_.channels[asSize(other)];
            for (std::size_t i = 0; i < one.links.size(); ++i)
                if (links.emplace(one.links[i], image.links[i]).first->second != image.links[i] ||
                    back.emplace(image.links[i], one.links[i]).first->second != one.links[i])
                    return;
        }
        Symmetry symmetry{.rank = images};
        for (const Chunk& chunk : chunks_) {
            std::vector<bool> needed(chunk.needed.size());
            for (std::size_t r = 0; r < needed.size(); ++r) needed[asSize(images[r])] = chunk.needed[r];
            const auto other = byNeed_.find({images[asSize(chunk.owner)], needed});
            if (other == byNeed_.end()) return;
            symmetry.chunk.push_back(other->second);
        }
        found_.push_back(std::move(symmetry));
    }

    const Fabric& fabric_;
    const std::vector<Chunk>& chunks_;
    const Poll& poll_;
    std::vector<std::int32_t> at_;  ///< channels by their ends; -1: none
    std::map<std::pair<std::int32_t, std::vector<bool>>, std::int32_t> byNeed_;
    bool distinct_ = true;
    std::vector<std::int32_t> order_;
    std::vector<std::int32_t> images_;
    std::vector<bool> used_;
    int tries_ = 0;
    std::set<std::vector<std::int32_t>> seen_;
    std::vector<Symmetry> found_;
};

}  // namespace

std::vector<Symmetry> symmetriesOf(const Fabric& fabric, const std::vector<Chunk>& chunks, const Poll& poll) {
    return Finder{fabric, chunks, poll}.find();
}

std::vector<Symmetry> symmetriesOfBlocks(const Fabric& fabric, const std::vector<Chunk>& chunks, const Poll& poll) {
    std::vector<Chunk> first;                        // of each block
    std::vector<std::vector<std::int32_t>> ofBlock;  // its chunks
    for (std::size_t c = 0; c < chunks.size(); ++c) {
        if (c == 0 || chunks[c].block != chunks[c - 1].block) {
            first.push_back(chunks[c]);
            ofBlock.emplace_back();
        }
        ofBlock.back().push_back(static_cast<std::int32_t>(c));
    }
    std::vector<std::pair<std::size_t, Symmetry>> found;  // by the number of cycles
    for (const Symmetry& one : symmetriesOf(fabric, first, poll)) {
        Symmetry lifted{.rank = one.rank, .chunk = std::vector<std::int32_t>(chunks.size())};
        bool fits = true;
        for (std::size_t b = 0; b < ofBlock.size() && fits; ++b) {
            const std::vector<std::int32_t>& images = ofBlock[asSize(one.chunk[b])];
            fits = images.size() == ofBlock[b].size();
            for (std::size_t i = 0; i < ofBlock[b].size() && fits; ++i) lifted.chunk[asSize(ofBlock[b][i])] = images[i];
        }
        if (!fits) continue;
        std::size_t cycles = 0;
        std::vector<bool> seen(one.rank.size());
        for (std::size_t rank = 0; rank < seen.size(); ++rank) {
            if (seen[rank]) continue;
            ++cycles;
            for (std::size_t at = rank; !seen[at]; at = asSize(one.rank[at])) seen[at] = true;
        }
        found.emplace_back(cycles, std::move(lifted));
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Symmetry> all;
    for (auto& [cycles, one] : found) all.push_back(std::move(one));
    return all;
}

}  // namespace engine::synthesis

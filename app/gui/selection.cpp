// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/selection.hpp"

#include <algorithm>

namespace app::gui {

using engine::LinkId;
using engine::Rank;

bool Selection::selectRank(std::optional<Rank> rank) {
    if (rank && (!subject_ || rank->value < 0 || rank->value >= subject_->run().ranks)) return false;
    if (rank_ == rank && !message_ && (rank || (!link_ && !block_))) return false;
    rank_ = rank;
    message_.reset();
    if (!rank) {
        link_.reset();
        block_.reset();
    }
    return true;
}

bool Selection::selectBlock(std::int32_t block, Rank rank) {
    const bool other = subject_ && block >= 0 && block < subject_->columns().count() && block_ != block;
    if (other) block_ = block;
    return selectRank(rank) || other;
}

bool Selection::selectMessage(std::optional<std::size_t> message) {
    if (message && (!subject_ || *message >= subject_->run().messages.size())) return false;
    if (message_ == message) return false;
    message_ = message;
    return true;
}

bool Selection::selectLink(std::optional<LinkId> link) {
    if (link && (!subject_ || !subject_->report().network || link->value < 0 ||
                 link->value >= subject_->report().network->links())) {
        return false;
    }
    if (link_ == link) return false;
    link_ = link;
    return true;
}

bool Selection::toggle(const Meaning& meaning) {
    switch (meaning.kind) {
        case Meaning::Kind::rank: {
            const Rank rank{static_cast<std::int32_t>(meaning.index)};
            return selectRank(rank_ == rank ? std::nullopt : std::optional{rank});
        }
        case Meaning::Kind::block:
            return selectBlock(static_cast<std::int32_t>(meaning.index),
                               Rank{static_cast<std::int32_t>(meaning.second)});
        case Meaning::Kind::message: {
            const auto message = static_cast<std::size_t>(meaning.index);
            return selectMessage(message_ == message ? std::nullopt : std::optional{message});
        }
        case Meaning::Kind::link: {
            const LinkId link{static_cast<std::int32_t>(meaning.index)};
            return selectLink(link_ == link ? std::nullopt : std::optional{link});
        }
        case Meaning::Kind::none:
        case Meaning::Kind::stage:
        case Meaning::Kind::axis:
        case Meaning::Kind::bound:
        case Meaning::Kind::cause: break;
    }
    return false;
}

bool Selection::selectNeighbour(int direction) {
    if (!subject_) return false;
    const std::int32_t ranks = subject_->run().ranks;
    const std::int32_t next = rank_ ? rank_->value + direction : (direction > 0 ? 0 : ranks - 1);
    return selectRank(Rank{std::clamp(next, 0, std::max(0, ranks - 1))});
}

bool Selection::concerns(std::size_t message) const {
    const auto& messages = subject_->run().messages;
    return !rank_ || messages.from()[message] == *rank_ || messages.to()[message] == *rank_;
}

std::optional<std::size_t> Selection::nextMessage(int direction) const {
    if (!subject_) return std::nullopt;
    const auto count = static_cast<std::int64_t>(subject_->run().messages.size());
    std::int64_t i = message_ ? static_cast<std::int64_t>(*message_) : (direction > 0 ? -1 : count);
    do {
        i += direction;
    } while (i >= 0 && i < count && !concerns(static_cast<std::size_t>(i)));
    return i < 0 || i >= count ? std::nullopt : std::optional{static_cast<std::size_t>(i)};
}

}  // namespace app::gui

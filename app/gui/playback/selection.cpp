// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/playback/selection.hpp"

#include "app/gui/scenes/text/program_text.hpp"

#include <algorithm>
#include <utility>

namespace app::gui {

using engine::LinkId;
using engine::Rank;

bool Selection::ask(const std::optional<Meaning>& meaning) { return std::exchange(asked_, meaning) != meaning; }

bool Selection::selectRank(std::optional<Rank> rank) {
    if (rank && (!subject_ || rank->value < 0 || rank->value >= subject_->run().ranks)) return false;
    const bool told = ask(rank ? std::optional{Meaning{Meaning::Kind::rank, rank->value, -1}} : std::nullopt);
    if (rank_ == rank && !message_ && (rank || (!link_ && !block_))) return told;
    rank_ = rank;
    message_.reset();
    if (!rank) {
        link_.reset();
        block_.reset();
    }
    return true;
}

bool Selection::selectBlock(std::optional<std::int32_t> block, std::optional<Rank> rank) {
    if (block && (!subject_ || *block < 0 || *block >= subject_->columns().count())) return false;
    bool different = std::exchange(block_, block) != block;
    if (rank) different = selectRank(rank) || different;
    else if (message_) different = selectMessage(std::nullopt) || different;
    return ask(block ? std::optional{Meaning{Meaning::Kind::block, *block, rank ? rank->value : -1}} : std::nullopt) ||
           different;
}

bool Selection::selectMessage(std::optional<std::size_t> message) {
    if (message && (!subject_ || *message >= subject_->run().messages.size())) return false;
    const bool told =
        ask(message ? std::optional{Meaning{Meaning::Kind::message, static_cast<std::int64_t>(*message), -1}}
                    : std::nullopt);
    return std::exchange(message_, message) != message || told;
}

bool Selection::selectLink(std::optional<LinkId> link) {
    if (link && (!subject_ || !subject_->report().network || link->value < 0 ||
                 link->value >= subject_->report().network->links())) {
        return false;
    }
    const bool told = ask(link ? std::optional{Meaning{Meaning::Kind::link, link->value, -1}} : std::nullopt);
    return std::exchange(link_, link) != link || told;
}

bool Selection::selectMark(std::optional<std::size_t> mark) {
    if (mark) return ask(Meaning{Meaning::Kind::note, static_cast<std::int64_t>(*mark), -1});
    return asked_ && asked_->kind == Meaning::Kind::note && ask(std::nullopt);
}

bool Selection::toggle(const Meaning& meaning) {
    switch (meaning.kind) {
        case Meaning::Kind::rank: {
            const Rank rank{static_cast<std::int32_t>(meaning.index)};
            const bool again = rank_ == rank && asked_ == meaning;
            return selectRank(again ? std::nullopt : std::optional{rank});
        }
        case Meaning::Kind::block: {
            const auto block = static_cast<std::int32_t>(meaning.index);
            if (meaning.second < 0)
                return selectBlock(block_ == block ? std::nullopt : std::optional{block}, std::nullopt);
            return selectBlock(block, Rank{static_cast<std::int32_t>(meaning.second)});
        }
        case Meaning::Kind::message: {
            const auto message = static_cast<std::size_t>(meaning.index);
            return selectMessage(message_ == message && asked_ == meaning ? std::nullopt : std::optional{message});
        }
        case Meaning::Kind::link: {
            const LinkId link{static_cast<std::int32_t>(meaning.index)};
            const bool again = link_ == link && asked_ == Meaning{Meaning::Kind::link, link.value, -1};
            return selectLink(again ? std::nullopt : std::optional{link});
        }
        case Meaning::Kind::still: {
            const bool chosen = selectRank(Rank{static_cast<std::int32_t>(meaning.index)});
            return rank_ && (ask(meaning) || chosen);
        }
        case Meaning::Kind::call:
        case Meaning::Kind::wait:
        case Meaning::Kind::own:
        case Meaning::Kind::metric:
        case Meaning::Kind::path: {
            const std::optional<Rank> rank = rankOfStretch(*subject_, meaning);
            const bool chosen = rank && selectRank(rank);
            return ask(meaning) || chosen;
        }
        case Meaning::Kind::collective:
        case Meaning::Kind::iteration:
        case Meaning::Kind::note:
        case Meaning::Kind::bound:
        case Meaning::Kind::cause: return ask(meaning);
        case Meaning::Kind::group:
        case Meaning::Kind::none:
        case Meaning::Kind::stage:
        case Meaning::Kind::round:
        case Meaning::Kind::axis: break;
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

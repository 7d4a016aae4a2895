// SPDX-License-Identifier: BSD-3-Clause
// The chains of a subject: what messages had to wait for, back to the start.
#include "app/gui/scenes/drawing/lazy_value.hpp"
#include "app/gui/scenes/run/drawable_run.hpp"

namespace app::gui {
namespace {

constexpr std::size_t quickToSort = 50'000;  // whose ends are sorted in some milliseconds
constexpr std::size_t mostInChain = 2000;    // messages: more could not be distinguished

}  // namespace

struct DrawableRun::KeptChains {
    using Found = std::unique_ptr<analysis::Chains>;

    explicit KeptChains(std::shared_ptr<const Report> report)
        : later{report->run->messages.size() <= quickToSort,
                [report](const engine::Progress&) { return std::make_unique<analysis::Chains>(*report->run); }} {}

    Later<Found> later;
    std::mutex access;  // to what follows, and to the chains themselves
    std::optional<std::uint32_t> message;
    std::shared_ptr<const analysis::Chain> chain;
};

std::shared_ptr<DrawableRun::KeptChains> DrawableRun::chainsOf(const std::shared_ptr<const Report>& report) {
    return std::make_shared<KeptChains>(report);
}

bool DrawableRun::chainsReady() const { return hasRounds() && chains_->later.done(); }

std::shared_ptr<const analysis::Chain> DrawableRun::chainTo(std::uint32_t message) const {
    if (!chainsReady() || message >= run().messages.size()) return nullptr;
    const std::scoped_lock lock{chains_->access};
    if (chains_->message != message) {
        chains_->chain = std::make_shared<const analysis::Chain>(chains_->later.get()->to(message, mostInChain));
        chains_->message = message;
    }
    return chains_->chain;
}

std::optional<std::uint32_t> DrawableRun::messageOf(engine::Rank rank, engine::Picoseconds time) const {
    if (!chainsReady()) return std::nullopt;
    const std::scoped_lock lock{chains_->access};
    return chains_->later.get()->ofRank(rank, time);
}

}  // namespace app::gui

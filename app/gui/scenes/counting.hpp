// SPDX-License-Identifier: BSD-3-Clause
// Sums over a whole run that no first picture needs: of many messages they are counted while people already look.
#pragma once

#include "app/gui/scenes/tallies.hpp"

#include <future>
#include <memory>
#include <stop_token>

namespace app::gui {

class Counting {
public:
    /// Begins; a few messages are counted at once.
    Counting(std::shared_ptr<const Report> report, std::shared_ptr<const RankMessages> messages);
    Counting(const Counting&) = delete;
    Counting& operator=(const Counting&) = delete;
    /// Nobody asks any more: stops and waits for that.
    ~Counting() { stop_.request_stop(); }

    [[nodiscard]] bool done() const;
    /// Waits until they are there.
    [[nodiscard]] const Tallies& tallies() const { return tallies_.get(); }

private:
    std::stop_source stop_;
    std::shared_future<Tallies> tallies_;
};

}  // namespace app::gui

// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/counting.hpp"

#include "app/gui/scenes/give_way.hpp"

#include <chrono>

namespace app::gui {
namespace {

constexpr std::int32_t mostBundles = 256;  // of ranks, in the matrix

}  // namespace

Tallies::Tallies(const Report& report, const traces::Recording* recording, const engine::Progress& progress)
    : traffic{analysis::trafficOf(*report.run, mostBundles, progress)},
      linkRounds{analysis::linkRoundsOf(*report.run, report.network.get(),
                                        report.congestion ? &*report.congestion : nullptr, progress)},
      waits{recording != nullptr ? analysis::waitSums(*recording, progress)
                                 : analysis::waitSums(*report.run, progress)} {}

Counting::Counting(std::shared_ptr<const Report> report, traces::RecordingPtr recording) {
    const bool few = report->run->messages.size() <= quickMessages;
    tallies_ = std::async(few ? std::launch::deferred : std::launch::async, [few, report = std::move(report),
                                                                             recording = std::move(recording),
                                                                             stop = stop_.get_token()] {
                   if (!few) giveWay();
                   return Tallies{*report, recording.get(), {.report = {}, .stop = stop}};
               }).share();
    if (few) tallies_.wait();
}

bool Counting::done() const { return tallies_.wait_for(std::chrono::seconds{0}) == std::future_status::ready; }

}  // namespace app::gui

// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/run/lazy_statistics.hpp"

namespace app::gui {
namespace {

constexpr std::int32_t mostBundles = 256;  // of ranks, in the matrix

}  // namespace

Tallies::Tallies(const Report& report, const traces::Recording* recording, const engine::Progress& progress)
    : traffic{analysis::trafficOf(*report.run, mostBundles, progress)},
      linkRounds{analysis::linkRoundsOf(*report.run, report.network.get(),
                                        report.congestion ? &*report.congestion : nullptr, progress)},
      waits{recording != nullptr
                ? analysis::waitSums(*recording, {.part = {}, .communicators = {}, .most = recording->messages.size()},
                                     progress)
                : analysis::waitSums(*report.run, {}, progress)} {}

Counting::Counting(std::shared_ptr<const Report> report, traces::RecordingPtr recording)
    : tallies_{report->run->messages.size() <= quickMessages,
               [report, recording = std::move(recording)](const engine::Progress& progress) {
                   return Tallies{*report, recording.get(), progress};
               }} {
    (void)tallies_.done();  // it is begun before anybody looks
}

}  // namespace app::gui

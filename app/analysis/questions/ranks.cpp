// SPDX-License-Identifier: BSD-3-Clause
// How every rank spent the time.
#include "app/analysis/answering.hpp"
#include "app/analysis/attendance.hpp"
#include "engine/text.hpp"

namespace app::analysis::questions::about_ranks {
namespace {

using engine::Content;

void answer(Inquiry& inquiry, engine::Table& table) {
    const std::vector<engine::RankTimes> ranks = inquiry.rankTimes();
    const std::vector<Attendance> attended = attendanceOf(inquiry.run(), ranks, inquiry.span());
    const std::vector<engine::Picoseconds> waited = inquiry.waitSums().all();
    for (std::size_t rank = 0; rank < attended.size(); ++rank) {
        const Attendance& times = attended[rank];
        if (!inquiry.wish().part.has(engine::Rank{static_cast<std::int32_t>(rank)})) continue;
        table.rows.push_back(
            {static_cast<std::int64_t>(rank), times.absent, times.busy, times.wait, times.idle, waited[rank]});
    }
    remarkOnMessages(inquiry, table);
    if (!inquiry.trace().own())
        addRemark(table, "outside of messages a program may compute: who waited says the table of waits");
    const Imbalance busy = busyImbalance(ranks, inquiry.wish().part);
    if (busy.mean.count() > 0)
        addRemark(table, engine::text("busy time: ", engine::showTime(busy.mean), " in the mean, most on rank ",
                                      busy.who, ", ", engine::showNumber(100 * busy.share(), 3), " % above it"));
}

}  // namespace

Question question() {
    return {
        .name = "ranks",
        .page = 130,
        .meaning = "how every rank spent the time",
        .title = "how every rank spent the time",
        .how = "a remark names the imbalance",
        .columns =
            {{"rank", Content::rank, "of the world", Leads::rank},
             {"absent_s", Content::time, "before it came to the collective"},
             {"busy_s", Content::time,
              "in which it sent, received, combined what it had received, or computed between the halves of a call"},
             {"wait_s", Content::time,
              "outside messages: it was there and did nothing of that, before it was done; a program that was traced may compute then"},
             {"idle_s", Content::time, "after that, until the end of the run, or of the part asked about"},
             {"waiting_s", Content::time,
              "what its threads waited for others, whatever they were busy with: as the table of waits has it"}},
        .answer = answer};
}

}  // namespace app::analysis::questions::about_ranks

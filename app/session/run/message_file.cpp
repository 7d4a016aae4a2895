// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/run/message_file.hpp"

#include "app/analysis/format/csv.hpp"
#include "engine/base/text.hpp"

namespace app {

using engine::Picoseconds;

void writeMessagesCsv(const engine::Run& run, std::ostream& out) {
    // Messages of another tool have no rounds.
    const bool hasRounds = run.setting.on != "trace";
    out << "round,from,to,bytes,send_begin_s,send_end_s,receive_begin_s,receive_end_s,ranges\n";
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const engine::MessageRecord m = run.messages[i];
        if (hasRounds) out << m.round;
        out << ',' << m.from << ',' << m.to << ',' << m.bytes;
        for (const Picoseconds time : {m.sendBegin, m.sendEnd, m.receiveBegin, m.receiveEnd})
            out << ',' << analysis::csvNumber(engine::seconds(time));
        out << ',';
        const char* space = "";
        for (const engine::Range range : run.messages.what(i)) {
            out << space << range.begin << '-' << range.end;
            space = " ";
        }
        out << '\n';
    }
}

}  // namespace app

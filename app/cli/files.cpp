// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/files.hpp"

#include "app/analysis/csv.hpp"
#include "engine/text.hpp"

namespace app::cli {

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

void requireFree(const std::filesystem::path& file, bool force, std::string_view flag) {
    // Also a link that leads nowhere is something of the user's.
    std::error_code unknown;
    if (!force && std::filesystem::exists(std::filesystem::symlink_status(file, unknown)))
        throw engine::Error{
            engine::text(flag, ": ", file.string(), " is there already; choose another name or add --force")};
    // Whether it can be made is found by beginning to: nothing of it stays.
    const engine::NewFile trial{file, existing(force)};
}

engine::Existing existing(bool force) { return force ? engine::Existing::replace : engine::Existing::refuse; }

void writeFile(const std::filesystem::path& file, engine::Existing existing, const std::stop_token& stop,
               const std::function<void(std::ostream&)>& write) {
    engine::NewFile made{file, existing, stop};
    write(made.out());
    made.publish();
}

}  // namespace app::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/files.hpp"

#include "app/cli/json.hpp"
#include "engine/text.hpp"

#include <array>
#include <charconv>
#include <fstream>
#include <map>

namespace app::cli {
namespace {

using engine::Picoseconds;

std::string decimal(double number) {
    std::array<char, 32> buffer;
    const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
    return {buffer.data(), end};
}

double microseconds(Picoseconds time) { return static_cast<double>(time.count()) / 1e6; }

/// Numbers the messages of a rank within a round: each port becomes a row of its own, so that none overlap.
class Lanes {
public:
    int next(engine::Rank rank, engine::Round round) {
        auto& [latest, lane] = byRank_[rank.value];
        lane = latest == round ? lane + 1 : 0;
        latest = round;
        return lane;
    }

private:
    std::map<std::int32_t, std::pair<engine::Round, int>> byRank_;
};

}  // namespace

void writeMessagesCsv(const engine::Run& run, std::ostream& out) {
    out << "round,from,to,bytes,send_begin_s,send_end_s,receive_begin_s,receive_end_s,ranges\n";
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const engine::MessageRecord m = run.messages[i];
        out << m.round << ',' << m.from << ',' << m.to << ',' << m.bytes;
        for (const Picoseconds time : {m.sendBegin, m.sendEnd, m.receiveBegin, m.receiveEnd})
            out << ',' << decimal(engine::seconds(time));
        out << ',';
        const char* space = "";
        for (const engine::Range range : run.messages.what(i)) {
            out << space << range.begin << '-' << range.end;
            space = " ";
        }
        out << '\n';
    }
}

void writePerfetto(const engine::Run& run, std::ostream& out) {
    out << "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [";
    bool first = true;
    const auto event = [&](const Json& json) {
        out << (first ? "\n" : ",\n") << json.dump();
        first = false;
    };
    for (std::int32_t rank = 0; rank < run.ranks; ++rank)
        event(
            {{"ph", "M"}, {"name", "process_name"}, {"pid", rank}, {"args", {{"name", engine::text("rank ", rank)}}}});
    Lanes out_;
    Lanes in;
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const engine::MessageRecord m = run.messages[i];
        const int sender = 2 * out_.next(m.from, m.round);
        const int receiver = 2 * in.next(m.to, m.round) + 1;
        const auto slice = [&](const std::string& name, engine::Rank rank, int port, Picoseconds begin,
                               Picoseconds end) {
            event({{"ph", "X"},
                   {"name", name},
                   {"pid", rank.value},
                   {"tid", port},
                   {"ts", microseconds(begin)},
                   {"dur", microseconds(end - begin)},
                   {"args", {{"round", m.round.value}, {"bytes", m.bytes}}}});
        };
        slice(engine::text("to ", m.to), m.from, sender, m.sendBegin, m.sendEnd);
        slice(engine::text("from ", m.from), m.to, receiver, m.receiveBegin, m.receiveEnd);
        const auto arrow = [&](const char* phase, engine::Rank rank, int port, Picoseconds time) {
            Json json{{"ph", phase},       {"name", "message"}, {"cat", "message"},        {"id", i},
                      {"pid", rank.value}, {"tid", port},       {"ts", microseconds(time)}};
            if (*phase == 'f') json["bp"] = "e";
            event(json);
        };
        arrow("s", m.from, sender, m.sendBegin);
        arrow("f", m.to, receiver, m.receiveBegin);
    }
    out << "\n]}\n";
}

void requireFree(const std::filesystem::path& file, bool force) {
    if (!force && std::filesystem::exists(file))
        throw engine::Error{
            engine::text("--output: ", file.string(), " is there already; choose another name or add --force")};
}

void writeFile(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write) {
    std::filesystem::path part = file;
    part += ".part";
    const auto fail = [&] {
        std::error_code ignored;
        std::filesystem::remove(part, ignored);
        throw engine::Error{
            engine::text("cannot write '", file.string(), "'; does its folder exist, and is there room?")};
    };
    {
        std::ofstream out{part, std::ios::binary};
        if (!out) fail();
        write(out);
        out.close();
        if (!out) fail();
    }
    std::error_code code;
    std::filesystem::rename(part, file, code);
    if (code) fail();
}

}  // namespace app::cli

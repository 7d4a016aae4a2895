// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/files.hpp"

#include "engine/text.hpp"

#include <array>
#include <charconv>
#include <fstream>

namespace app::cli {
namespace {

using engine::Picoseconds;

std::string decimal(double number) {
    std::array<char, 32> buffer;
    const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
    return {buffer.data(), end};
}

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

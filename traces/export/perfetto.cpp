// SPDX-License-Identifier: BSD-3-Clause
#include "traces/export/perfetto.hpp"

#include <cstdio>
#include <string>
#include <string_view>

namespace traces {
namespace {

/// Names come from foreign files: bytes that are no UTF-8 become question marks.
std::string quoted(std::string_view words) {
    std::string json = "\"";
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto c = static_cast<unsigned char>(words[i]);
        const std::size_t more = c < 0x80                ? 0
                                 : c >= 0xc2 && c < 0xe0 ? 1
                                 : c >= 0xe1 && c < 0xf0 ? 2
                                 : c >= 0xf1 && c < 0xf4 ? 3
                                                         : 9;
        bool whole = more < 9 && i + more < words.size();
        for (std::size_t k = 1; whole && k <= more; ++k)
            whole = (static_cast<unsigned char>(words[i + k]) & 0xc0) == 0x80;
        if (c == '"' || c == '\\') json += {'\\', static_cast<char>(c)};
        else if (c < 0x20) {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
            json += code;
        } else if (whole) {
            json += words.substr(i, more + 1);
            i += more;
        } else {
            json += '?';
        }
    }
    return json + '"';
}

/// Microseconds: 12.345678.
std::string micros(Picoseconds time) {
    char words[40];
    const std::int64_t ps = time.count();
    std::snprintf(words, sizeof words, "%s%lld.%06lld", ps < 0 ? "-" : "",
                  static_cast<long long>(std::abs(ps) / 1'000'000), static_cast<long long>(std::abs(ps) % 1'000'000));
    return words;
}

class Writer {
public:
    Writer(const Recording& recording, std::ostream& out) : all_{recording}, out_{out} {}

    void write() {
        out_ << "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"trace\":" << quoted(all_.name) << ",\"not recorded\":[";
        for (std::size_t i = 0; i < all_.absences.size(); ++i)
            out_ << (i == 0 ? "" : ",") << quoted(all_.absences[i].words);
        out_ << "]},\n\"traceEvents\":[";
        names();
        for (std::size_t i = 0; i < all_.states.size(); ++i) calls(i);
        collectives();
        messages();
        halves();
        out_ << "\n]}\n";
    }

private:
    /// Threads of a process by their locations; 0 and 1 are its messages and its collectives.
    static constexpr std::int64_t messageThread = 0, collectiveThread = 1, firstLocation = 2;

    std::ostream& event() {
        out_ << (first_ ? "\n" : ",\n");
        first_ = false;
        return out_;
    }
    [[nodiscard]] std::int64_t processOf(Rank rank) const { return rank == noRank ? all_.ranks : rank.value; }

    void name(const char* what, std::int64_t process, std::int64_t thread, std::string_view words) {
        event() << R"({"ph":"M","name":")" << what << R"(","pid":)" << process << ",\"tid\":" << thread
                << ",\"args\":{\"name\":" << quoted(words) << "}}";
    }
    void slice(std::string_view words, const char* category, std::int64_t process, std::int64_t thread,
               Picoseconds begin, Picoseconds end) {
        event() << R"({"ph":"X","name":)" << quoted(words) << R"(,"cat":")" << category << R"(","pid":)" << process
                << ",\"tid\":" << thread << ",\"ts\":" << micros(begin) << ",\"dur\":" << micros(end - begin);
    }

    void names() {
        for (Rank rank{0}; rank.value < all_.ranks; ++rank) {
            name("process_name", rank.value, messageThread, "rank " + std::to_string(rank.value));
            name("thread_name", rank.value, messageThread, "messages");
            name("thread_name", rank.value, collectiveThread, "collectives");
        }
        for (std::size_t i = 0; i < all_.locations.size(); ++i)
            name("thread_name", processOf(all_.locations[i].rank), firstLocation + static_cast<std::int64_t>(i),
                 all_.locations[i].name);
    }

    void calls(std::size_t location) {
        const States& states = all_.states[location];
        const std::int64_t process = processOf(all_.locations[location].rank);
        for (std::size_t i = 0; i < states.size(); ++i) {
            const Region& region = all_.regions[static_cast<std::size_t>(states.region[i])];
            slice(region.name, region.call == Call::none ? "call" : "mpi", process,
                  firstLocation + static_cast<std::int64_t>(location), states.begin[i], states.end[i]);
            if (region.recorded == Recorded::no) out_ << R"(,"args":{"messages":"not recorded"})";
            out_ << '}';
        }
    }

    void collectives() {
        for (const Collective& instance : all_.collectives.instances)
            for (const Participant& part : all_.collectives.of(instance)) {
                slice(nameOf(instance.operation), "collective", part.rank.value, collectiveThread, part.begin,
                      part.end);
                out_ << ",\"args\":{\"communicator\":"
                     << quoted(all_.communicators[static_cast<std::size_t>(instance.communicator)].name)
                     << ",\"sent\":" << part.sent << ",\"received\":" << part.received
                     << ",\"complete\":" << (instance.complete ? "true" : "false") << "}}";
            }
    }

    void messages() {
        const Messages& messages = all_.messages;
        for (std::size_t i = 0; i < messages.size(); ++i) {
            const Message m = messages[i];
            slice("send", "message", m.from.value, messageThread, m.sendBegin, m.sendEnd);
            out_ << ",\"args\":{\"to\":" << m.to.value << ",\"bytes\":" << m.bytes << ",\"tag\":" << m.tag << "}}";
            slice("receive", "message", m.to.value, messageThread, m.receiveBegin, m.receiveEnd);
            out_ << ",\"args\":{\"from\":" << m.from.value << ",\"bytes\":" << m.bytes << ",\"tag\":" << m.tag
                 << ((m.flags & flag::receiveInferred) != 0 ? ",\"inferred\":true" : "") << "}}";
            event() << R"({"ph":"s","name":"message","cat":"message","id":)" << i << ",\"pid\":" << m.from.value
                    << ",\"tid\":" << messageThread << ",\"ts\":" << micros(m.sendBegin) << '}';
            event() << R"({"ph":"f","bp":"e","name":"message","cat":"message","id":)" << i << ",\"pid\":" << m.to.value
                    << ",\"tid\":" << messageThread << ",\"ts\":" << micros(m.receiveEnd) << '}';
        }
    }

    void halves() {
        for (const Half& half : all_.halves)
            event() << R"({"ph":"i","s":"t","name":")" << (half.side == Side::send ? "send" : "receive")
                    << R"( without its other end","cat":"half","pid":)" << processOf(half.self)
                    << ",\"tid\":" << messageThread << ",\"ts\":" << micros(half.begin) << '}';
    }

    const Recording& all_;
    std::ostream& out_;
    bool first_ = true;
};

}  // namespace

void writePerfetto(const Recording& recording, std::ostream& out) { Writer{recording, out}.write(); }

}  // namespace traces

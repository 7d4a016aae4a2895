// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/records.hpp"

#include "engine/error.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <fstream>

namespace engine::live {
namespace {

bool readHeader(std::ifstream& in, Header& header) {
    in.read(reinterpret_cast<char*>(&header), sizeof header);
    return in.good() && header.magic == Header::expectedMagic;
}

/// Everything but the events, for which there is room.
Record recordOf(const Header& header) {
    Record record{.process = header.process,
                  .processes = header.processes,
                  .pid = header.pid,
                  .host = header.host.data(),
                  .library = header.library.data(),
                  .ranks = header.ranks,
                  .setUp = header.setUp,
                  .clock = header.clock,
                  .dropped = header.dropped + std::max<std::int64_t>(0, header.count - header.capacity),
                  .turnBegan = header.turnBegan,
                  .round = Round{header.round},
                  .repeat = header.repeat,
                  .entry = header.entry,
                  .state = header.state.load(),
                  .faultEntry = header.faultEntry,
                  .fault = header.fault.data()};
    record.events.resize(asSize(std::min(header.count.load(), header.capacity)));
    return record;
}

}  // namespace

std::int64_t Record::common(std::int64_t own) const {
    const auto& [before, after] = clock;
    if (after.at == before.at) return own - before.offset;
    const double drift = static_cast<double>(after.offset - before.offset) / static_cast<double>(after.at - before.at);
    return own - before.offset - static_cast<std::int64_t>(drift * static_cast<double>(own - before.at));
}

std::filesystem::path fileOf(const std::filesystem::path& folder, std::int32_t process) {
    return folder / text("process-", process, ".rec");
}

Record recordFrom(std::span<const std::byte> bytes) {
    Header header;
    if (bytes.size() < sizeof header) throw Error{"not the record of a process"};
    std::memcpy(static_cast<void*>(&header), bytes.data(), sizeof header);
    if (header.magic != Header::expectedMagic) throw Error{"not the record of a process"};
    Record record = recordOf(header);
    bytes = bytes.subspan(sizeof header);
    if (bytes.size() < record.events.size() * sizeof(Event)) throw Error{"a record that ends before its last event"};
    std::memcpy(record.events.data(), bytes.data(), record.events.size() * sizeof(Event));
    return record;
}

Record readRecord(const std::filesystem::path& file) {
    std::ifstream in{file, std::ios::binary};
    Header header;
    if (!readHeader(in, header)) throw Error{text("'", file.string(), "' is not the record of a process")};
    Record record = recordOf(header);
    in.read(reinterpret_cast<char*>(record.events.data()),
            static_cast<std::streamsize>(record.events.size() * sizeof(Event)));
    if (!in) throw Error{text("'", file.string(), "' ends before its last event")};
    return record;
}

std::vector<Record> readRecords(const std::filesystem::path& folder) {
    std::vector<Record> records;
    for (const auto& entry : std::filesystem::directory_iterator{folder})
        if (entry.path().extension() == ".rec" && entry.is_regular_file()) {
            std::ifstream in{entry.path(), std::ios::binary};
            Header header;
            // A process that died before it had written its header left nothing to read.
            if (readHeader(in, header)) records.push_back(readRecord(entry.path()));
        }
    std::sort(records.begin(), records.end(), [](const auto& a, const auto& b) { return a.process < b.process; });
    return records;
}

void noteStopped(const std::filesystem::path& folder) {
    const std::vector<Record> records = readRecords(folder);
    if (std::none_of(records.begin(), records.end(),
                     [](const Record& record) { return record.state == State::failed; }))
        return;
    for (const Record& record : records) {
        if (record.state != State::started) continue;
        std::fstream file{fileOf(folder, record.process), std::ios::binary | std::ios::in | std::ios::out};
        const State stopped = State::stopped;
        file.seekp(offsetof(Header, state));
        file.write(reinterpret_cast<const char*>(&stopped), sizeof stopped);
        if (!file) throw Error{text("the record of process ", record.process, " cannot be written")};
    }
}

double shareDone(const std::filesystem::path& folder) {
    std::ifstream in{fileOf(folder, 0), std::ios::binary};
    Header header;
    if (!readHeader(in, header) || header.capacity == 0) return 0;
    return std::min(1.0, static_cast<double>(header.count.load()) / static_cast<double>(header.capacity));
}

}  // namespace engine::live

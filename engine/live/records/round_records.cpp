// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/records/round_records.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <fstream>

namespace engine::live {
namespace {

constexpr std::int64_t mostTime = std::int64_t{1} << 58;  // nine years [ns]: what is computed of three fits a number
constexpr std::int64_t mostDropped = std::int64_t{1} << 60;

bool isTime(std::int64_t time) { return time >= -mostTime && time <= mostTime; }

/// Whether a process of ours can have written this: a file may be damaged, and is read even so.
bool isSound(const Header& header) {
    const std::int32_t processes = std::max(header.processes, 1);  // 0 where it died before it knew
    return header.magic == Header::expectedMagic && header.process >= 0 && header.processes >= 0 &&
           processes <= mostProcesses && (header.processes == 0 || header.process < processes) &&
           std::all_of(header.ranks.begin(), header.ranks.end(),
                       [&](std::int32_t rank) { return rank >= -1 && rank < processes; }) &&
           std::all_of(header.setUp.begin(), header.setUp.end(), isTime) &&
           std::all_of(header.clock.begin(), header.clock.end(),
                       [](const ClockSample& one) { return isTime(one.at) && isTime(one.offset); }) &&
           header.capacity >= 0 && header.count >= 0 && header.count <= mostDropped && header.dropped >= 0 &&
           header.dropped <= mostDropped && isTime(header.turnBegan);
}

bool readHeader(std::ifstream& in, Header& header) {
    in.read(reinterpret_cast<char*>(&header), sizeof header);
    return in.good() && isSound(header);
}

/// Up to the zero at the end, if there is one.
template <std::size_t Size>
std::string wordsIn(const std::array<char, Size>& place) {
    return {place.begin(), std::find(place.begin(), place.end(), '\0')};
}

void requireTimes(const std::vector<Event>& events) {
    if (!std::all_of(events.begin(), events.end(),
                     [](const Event& event) { return isTime(event.begin) && isTime(event.end); }))
        throw Error{"a record of times that cannot have been"};
}

std::int64_t eventsOf(const Header& header) { return std::min(header.count.load(), header.capacity); }

/// Everything but the events.
Record recordOf(const Header& header) {
    Record record{.process = header.process,
                  .processes = header.processes,
                  .pid = header.pid,
                  .host = wordsIn(header.host),
                  .library = wordsIn(header.library),
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
                  .fault = wordsIn(header.fault)};
    return record;
}

}  // namespace

std::int64_t Record::common(std::int64_t own) const {
    const auto& [before, after] = clock;
    if (after.at == before.at) return own - before.offset;
    const double drift = static_cast<double>(after.offset - before.offset) / static_cast<double>(after.at - before.at);
    constexpr auto most = static_cast<double>(mostTime);
    return own - before.offset -
           static_cast<std::int64_t>(std::clamp(drift * static_cast<double>(own - before.at), -most, most));
}

std::filesystem::path fileOf(const std::filesystem::path& folder, std::int32_t process) {
    return folder / text("process-", process, ".rec");
}

Record recordFrom(std::span<const std::byte> bytes) {
    Header header;
    if (bytes.size() < sizeof header) throw Error{"not the record of a process"};
    std::memcpy(static_cast<void*>(&header), bytes.data(), sizeof header);
    if (!isSound(header)) throw Error{"not the record of a process"};
    Record record = recordOf(header);
    bytes = bytes.subspan(sizeof header);
    if (bytes.size() / sizeof(Event) < asSize(eventsOf(header)))
        throw Error{"a record that ends before its last event"};
    record.events.resize(asSize(eventsOf(header)));
    std::memcpy(record.events.data(), bytes.data(), record.events.size() * sizeof(Event));
    requireTimes(record.events);
    return record;
}

Record readRecord(const std::filesystem::path& file) {
    std::ifstream in{file, std::ios::binary};
    Header header;
    if (!readHeader(in, header)) throw Error{text("'", file.string(), "' is not the record of a process")};
    Record record = recordOf(header);
    std::error_code fault;
    const std::uintmax_t bytes = std::filesystem::file_size(file, fault);
    if (fault || (bytes - sizeof header) / sizeof(Event) < asSize(eventsOf(header)))
        throw Error{text("'", file.string(), "' ends before its last event")};
    record.events.resize(asSize(eventsOf(header)));
    in.read(reinterpret_cast<char*>(record.events.data()),
            static_cast<std::streamsize>(record.events.size() * sizeof(Event)));
    if (!in) throw Error{text("'", file.string(), "' ends before its last event")};
    requireTimes(record.events);
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

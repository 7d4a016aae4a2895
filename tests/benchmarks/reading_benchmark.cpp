// SPDX-License-Identifier: BSD-3-Clause
// How fast a trace is read, beside the OTF2 library that hands every event to an empty callback on one core. Eight
// ranks send round a ring, with a barrier every 64 rounds; COLLSCOPE_READING_EVENTS says how many events (10000000),
// COLLSCOPE_READING_KEEP a folder in which the trace is left for other readers, and taken from the next time.
//
// CPU is that of the whole process; peak_MB that of a process of its own that reads the trace once.
#include "engine/error.hpp"
#include "engine/text.hpp"
#include "traces/archive.hpp"

#include <benchmark/benchmark.h>
#include <otf2/otf2.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t ranks = 8;

std::uint64_t eventsWanted() {
    const char* asked = std::getenv("COLLSCOPE_READING_EVENTS");
    return asked == nullptr ? 10'000'000
                            : static_cast<std::uint64_t>(
                                  engine::readInteger(asked, "COLLSCOPE_READING_EVENTS", 1000, 10'000'000'000));
}

OTF2_FlushType flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }
OTF2_FlushCallbacks flushCallbacks{flush, nullptr};

/// Times differ a little from rank to rank, so that every event has a timestamp of its own.
std::uint64_t jitter(std::uint64_t& state) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (state >> 32) % 500;
}

void writeEvents(OTF2_Archive* archive, std::uint32_t rank, std::uint64_t rounds) {
    OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter(archive, rank);
    std::uint64_t state = 88172645463325252ULL + rank;
    for (std::uint64_t k = 0; k < rounds; ++k) {
        const std::uint64_t base = 2000 + k * 4000;
        const auto tag = static_cast<std::uint32_t>(k % 30000);
        const std::uint64_t begin = base + jitter(state);
        OTF2_EvtWriter_Enter(writer, nullptr, begin, 0);
        OTF2_EvtWriter_MpiSend(writer, nullptr, begin + 50, (rank + 1) % ranks, 0, tag, 4096);
        OTF2_EvtWriter_MpiRecv(writer, nullptr, base + 2000 + jitter(state), (rank + ranks - 1) % ranks, 0, tag, 4096);
        OTF2_EvtWriter_Leave(writer, nullptr, base + 2600, 0);
        if (k % 64 != 63) continue;
        OTF2_EvtWriter_Enter(writer, nullptr, base + 2610 + jitter(state), 1);
        OTF2_EvtWriter_MpiCollectiveBegin(writer, nullptr, base + 3200);
        OTF2_EvtWriter_MpiCollectiveEnd(writer, nullptr, base + 3600, OTF2_COLLECTIVE_OP_BARRIER, 0,
                                        OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
        OTF2_EvtWriter_Leave(writer, nullptr, base + 3610, 1);
    }
    OTF2_Archive_CloseEvtWriter(archive, writer);
}

void define(OTF2_Archive* archive, std::uint64_t rounds) {
    OTF2_GlobalDefWriter* g = OTF2_Archive_GetGlobalDefWriter(archive);
    OTF2_GlobalDefWriter_WriteClockProperties(g, 1'000'000'000, 0, 4000 * (rounds + 1), OTF2_UNDEFINED_TIMESTAMP);
    std::vector<std::string> words{"", "host", "MPI_COMM_WORLD", "MPI_Sendrecv", "MPI_Barrier", "Master thread"};
    const auto firstName = static_cast<OTF2_StringRef>(words.size());
    for (std::uint32_t rank = 0; rank < ranks; ++rank) words.push_back(engine::text("MPI Rank ", rank));
    for (OTF2_StringRef id = 0; id < words.size(); ++id) OTF2_GlobalDefWriter_WriteString(g, id, words[id].c_str());
    OTF2_GlobalDefWriter_WriteSystemTreeNode(g, 0, 1, 1, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        OTF2_GlobalDefWriter_WriteLocationGroup(g, rank, firstName + rank, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                OTF2_UNDEFINED_LOCATION_GROUP);
        OTF2_GlobalDefWriter_WriteLocation(g, rank, 5, OTF2_LOCATION_TYPE_CPU_THREAD, 4 * rounds, rank);
    }
    for (OTF2_RegionRef region = 0; region < 2; ++region)
        OTF2_GlobalDefWriter_WriteRegion(g, region, 3 + region, 3 + region, 0, OTF2_REGION_ROLE_FUNCTION,
                                         OTF2_PARADIGM_MPI, 0, 0, 0, 0);
    std::vector<std::uint64_t> members(ranks);
    std::iota(members.begin(), members.end(), std::uint64_t{0});
    OTF2_GlobalDefWriter_WriteGroup(g, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, 0, ranks,
                                    members.data());
    OTF2_GlobalDefWriter_WriteGroup(g, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, 0, ranks, members.data());
    OTF2_GlobalDefWriter_WriteComm(g, 0, 2, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

/// The trace of this process, gone with it unless it is to be kept.
class Trace {
public:
    Trace() : kept_{std::getenv("COLLSCOPE_READING_KEEP") != nullptr} {
        folder_ = kept_ ? fs::path{std::getenv("COLLSCOPE_READING_KEEP")}
                        : fs::temp_directory_path() / engine::text("collscope-reading-", ::getpid());
        if (kept_ && fs::exists(anchor())) return;
        const std::uint64_t rounds = eventsWanted() / ranks * 16 / 65;
        OTF2_Archive* archive = OTF2_Archive_Open(folder_.c_str(), "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                                                  OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
        if (archive == nullptr) throw engine::Error{"cannot write a trace to " + folder_.string()};
        OTF2_Archive_SetFlushCallbacks(archive, &flushCallbacks, nullptr);
        OTF2_Archive_SetSerialCollectiveCallbacks(archive);
        OTF2_Archive_OpenEvtFiles(archive);
        for (std::uint32_t rank = 0; rank < ranks; ++rank) writeEvents(archive, rank, rounds);
        OTF2_Archive_CloseEvtFiles(archive);
        // Without local definitions ViTE ends.
        OTF2_Archive_OpenDefFiles(archive);
        for (std::uint32_t rank = 0; rank < ranks; ++rank)
            OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, rank));
        OTF2_Archive_CloseDefFiles(archive);
        define(archive, rounds);
        OTF2_Archive_Close(archive);
    }
    Trace(const Trace&) = delete;
    Trace& operator=(const Trace&) = delete;
    ~Trace() {
        std::error_code ignored;
        if (!kept_) fs::remove_all(folder_, ignored);
    }
    [[nodiscard]] fs::path anchor() const { return folder_ / "traces.otf2"; }

    static const Trace& one() {
        static const Trace trace;
        return trace;
    }

private:
    bool kept_;
    fs::path folder_;
};

/// Every event handed to a callback that does nothing, one location after the other.
std::uint64_t readBare(const fs::path& anchor) {
    OTF2_Reader* reader = OTF2_Reader_Open(anchor.c_str());
    OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader(reader);
    std::uint64_t read = 0, sum = 0;
    OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &read);
    for (OTF2_LocationRef location = 0; location < ranks; ++location) OTF2_Reader_SelectLocation(reader, location);
    OTF2_Reader_OpenEvtFiles(reader);
    OTF2_EvtReaderCallbacks* callbacks = OTF2_EvtReaderCallbacks_New();
    using List = OTF2_AttributeList*;
    const auto call = [](OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void*, List, OTF2_RegionRef) {
        return OTF2_CALLBACK_SUCCESS;
    };
    const auto message = [](OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void*, List, std::uint32_t, OTF2_CommRef,
                            std::uint32_t, std::uint64_t) { return OTF2_CALLBACK_SUCCESS; };
    OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, call);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, call);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, message);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, message);
    for (OTF2_LocationRef location = 0; location < ranks; ++location) {
        OTF2_EvtReader* events = OTF2_Reader_GetEvtReader(reader, location);
        OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, nullptr);
        OTF2_Reader_ReadAllLocalEvents(reader, events, &read);
        OTF2_Reader_CloseEvtReader(reader, events);
        sum += read;
    }
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    OTF2_Reader_Close(reader);
    return sum;
}

std::uint64_t readWhole(const fs::path& anchor) {
    const traces::RecordingPtr recording = traces::readRecording(anchor);
    if (!recording->halves.empty()) throw engine::Error{"the trace was not matched"};
    std::uint64_t events = 0;
    for (const traces::Location& location : recording->locations) events += location.events;
    return events;
}

/// What an earlier opening kept: nothing is read but a few pieces of the archive.
std::uint64_t readIndex(const fs::path& anchor) {
    const traces::RecordingPtr recording =
        traces::openRecording(anchor, {.memory = {}, .keep = traces::Keep::besideTrace, .smallest = 0});
    std::uint64_t events = 0;
    for (const traces::Location& location : recording->locations) events += location.events;
    return events;
}

template <class Read>
double peakMegabytes(Read read) {
    const pid_t child = ::fork();
    if (child == 0) {
        read(Trace::one().anchor());
        ::_exit(0);
    }
    int status = 0;
    rusage usage{};
    ::wait4(child, &status, 0, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1000;
}

template <class Read>
void measure(benchmark::State& state, Read read) {
    Trace::one();
    state.counters["peak_MB"] = peakMegabytes(read);
    std::uint64_t events = 0;
    for (auto _ : state) events += read(Trace::one().anchor());
    state.SetItemsProcessed(static_cast<std::int64_t>(events));
}

void bareOtf2(benchmark::State& state) { measure(state, readBare); }
void recordingMatched(benchmark::State& state) { measure(state, readWhole); }
void recordingOpenedAgain(benchmark::State& state) {
    readIndex(Trace::one().anchor());
    measure(state, readIndex);
}

BENCHMARK(bareOtf2)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(recordingMatched)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(recordingOpenedAgain)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace

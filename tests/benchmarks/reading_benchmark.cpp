// SPDX-License-Identifier: BSD-3-Clause
// How fast a trace is read, beside the OTF2 library that hands every event to an empty callback on one core. Eight
// ranks send round a ring, with a barrier every 64 rounds; COLLSCOPE_READING_EVENTS says how many events (10000000),
// COLLSCOPE_READING_KEEP a folder in which the trace is left for other readers, and taken from the next time.
//
// CPU is that of the whole process; peak_MB that of a process of its own that reads the trace once.
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "tests/support/written_trace.hpp"
#include "traces/recording/archive.hpp"

#include <benchmark/benchmark.h>
#include <otf2/otf2.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

std::uint64_t eventsWanted() {
    const char* asked = std::getenv("COLLSCOPE_READING_EVENTS");
    return asked == nullptr ? 10'000'000
                            : static_cast<std::uint64_t>(
                                  engine::readInteger(asked, "COLLSCOPE_READING_EVENTS", 1000, 10'000'000'000));
}

/// The trace of this process, gone with it unless it is to be kept.
class Trace {
public:
    Trace() : kept_{std::getenv("COLLSCOPE_READING_KEEP") != nullptr} {
        folder_ = kept_ ? fs::path{std::getenv("COLLSCOPE_READING_KEEP")}
                        : fs::temp_directory_path() / engine::text("collscope-reading-", ::getpid());
        if (kept_ && fs::exists(anchor())) return;
        support::writeTrace(folder_, support::Pattern::ring, eventsWanted());
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
    for (OTF2_LocationRef location = 0; location < support::writtenRanks; ++location)
        OTF2_Reader_SelectLocation(reader, location);
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
    for (OTF2_LocationRef location = 0; location < support::writtenRanks; ++location) {
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

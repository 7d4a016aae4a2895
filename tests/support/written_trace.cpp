// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/written_trace.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <otf2/otf2.h>

#include <numeric>
#include <string>
#include <vector>

namespace support {
namespace {

constexpr std::uint32_t ranks = writtenRanks;
constexpr std::uint64_t roundTicks = 4000;

OTF2_FlushType flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }
OTF2_FlushCallbacks flushCallbacks{flush, nullptr};

/// Times differ a little from rank to rank, so that every event has a timestamp of its own.
std::uint64_t jitter(std::uint64_t& state) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (state >> 32) % 500;
}

class Rounds {
public:
    Rounds(OTF2_Archive* archive, std::uint32_t rank, std::uint64_t rounds)
        : archive_{archive},
          writer_{OTF2_Archive_GetEvtWriter(archive, rank)},
          rank_{rank},
          rounds_{rounds},
          state_{88172645463325252ULL + rank} {}
    ~Rounds() { OTF2_Archive_CloseEvtWriter(archive_, writer_); }
    Rounds(const Rounds&) = delete;
    Rounds& operator=(const Rounds&) = delete;

    void ring() {
        for (std::uint64_t k = 0; k < rounds_; ++k) {
            const std::uint64_t base = 2000 + k * roundTicks;
            const std::uint64_t begin = base + jitter(state_);
            OTF2_EvtWriter_Enter(writer_, nullptr, begin, 0);
            const auto tag = static_cast<std::uint32_t>(k % 30000);
            send(begin + 50, 1, tag);
            receive(base + 2000 + jitter(state_), ranks - 1, tag);
            OTF2_EvtWriter_Leave(writer_, nullptr, base + 2600, 0);
            if (k % 64 != 63) continue;
            OTF2_EvtWriter_Enter(writer_, nullptr, base + 2610 + jitter(state_), 1);
            barrier(base + 3200, base + 3600);
            OTF2_EvtWriter_Leave(writer_, nullptr, base + 3610, 1);
        }
    }

    void mixed() {
        for (std::uint64_t k = 0; k < rounds_; ++k) {
            const std::uint64_t base = 2000 + k * roundTicks;
            const auto tag = static_cast<std::uint32_t>(k % 15000) * 2;
            const std::uint64_t begin = base + jitter(state_);
            OTF2_EvtWriter_Enter(writer_, nullptr, begin, 0);
            send(begin, 1, tag);
            send(base + 600, ranks - 1, tag);
            send(base + 650, ranks - 1, tag + 1);
            receive(base + 2000 + jitter(state_), 1, tag + 1);
            receive(base + 2600, 1, tag);
            receive(base + 2650, ranks - 1, tag);
            send(base + 2700, 2, tag);
            OTF2_EvtWriter_Leave(writer_, nullptr, base + 2700, 0);
            const std::uint64_t entered = base + 3000 + jitter(state_);
            OTF2_EvtWriter_Enter(writer_, nullptr, entered, 1);
            barrier(entered, base + 3600);
            OTF2_EvtWriter_Leave(writer_, nullptr, base + 3600, 1);
        }
    }

    void reductions() {
        for (std::uint64_t k = 0; k < rounds_; ++k) {
            const std::uint64_t base = 2000 + k * roundTicks;
            const std::uint64_t entered = base + jitter(state_);
            OTF2_EvtWriter_Enter(writer_, nullptr, entered, 2);
            collective(entered, base + 600 + jitter(state_), OTF2_COLLECTIVE_OP_ALLREDUCE, 64);
            OTF2_EvtWriter_Leave(writer_, nullptr, base + 1200, 2);
        }
    }

private:
    void send(std::uint64_t time, std::uint32_t ahead, std::uint32_t tag) {
        OTF2_EvtWriter_MpiSend(writer_, nullptr, time, (rank_ + ahead) % ranks, 0, tag, 4096);
    }
    void receive(std::uint64_t time, std::uint32_t ahead, std::uint32_t tag) {
        OTF2_EvtWriter_MpiRecv(writer_, nullptr, time, (rank_ + ahead) % ranks, 0, tag, 4096);
    }
    void barrier(std::uint64_t begin, std::uint64_t end) { collective(begin, end, OTF2_COLLECTIVE_OP_BARRIER, 0); }
    void collective(std::uint64_t begin, std::uint64_t end, OTF2_CollectiveOp operation, std::uint64_t bytes) {
        OTF2_EvtWriter_MpiCollectiveBegin(writer_, nullptr, begin);
        OTF2_EvtWriter_MpiCollectiveEnd(writer_, nullptr, end, operation, 0, OTF2_COLLECTIVE_ROOT_NONE, bytes, bytes);
    }

    OTF2_Archive* archive_;
    OTF2_EvtWriter* writer_;
    std::uint32_t rank_;
    std::uint64_t rounds_;
    std::uint64_t state_;
};

void define(OTF2_Archive* archive, std::uint64_t rounds, std::uint64_t eventsOfRank) {
    OTF2_GlobalDefWriter* g = OTF2_Archive_GetGlobalDefWriter(archive);
    OTF2_GlobalDefWriter_WriteClockProperties(g, 1'000'000'000, 0, roundTicks * (rounds + 1), OTF2_UNDEFINED_TIMESTAMP);
    std::vector<std::string> words{
        "", "host", "MPI_COMM_WORLD", "MPI_Sendrecv", "MPI_Barrier", "MPI_Allreduce", "Master thread"};
    const auto firstName = static_cast<OTF2_StringRef>(words.size());
    for (std::uint32_t rank = 0; rank < ranks; ++rank) words.push_back(engine::text("MPI Rank ", rank));
    for (OTF2_StringRef id = 0; id < words.size(); ++id) OTF2_GlobalDefWriter_WriteString(g, id, words[id].c_str());
    OTF2_GlobalDefWriter_WriteSystemTreeNode(g, 0, 1, 1, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        OTF2_GlobalDefWriter_WriteLocationGroup(g, rank, firstName + rank, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                OTF2_UNDEFINED_LOCATION_GROUP);
        OTF2_GlobalDefWriter_WriteLocation(g, rank, 6, OTF2_LOCATION_TYPE_CPU_THREAD, eventsOfRank, rank);
    }
    for (OTF2_RegionRef region = 0; region < 3; ++region)
        OTF2_GlobalDefWriter_WriteRegion(g, region, 3 + region, 3 + region, 0, OTF2_REGION_ROLE_FUNCTION,
                                         OTF2_PARADIGM_MPI, 0, 0, 0, 0);
    std::vector<std::uint64_t> members(ranks);
    std::iota(members.begin(), members.end(), std::uint64_t{0});
    OTF2_GlobalDefWriter_WriteGroup(g, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, 0, ranks,
                                    members.data());
    OTF2_GlobalDefWriter_WriteGroup(g, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, 0, ranks, members.data());
    OTF2_GlobalDefWriter_WriteComm(g, 0, 2, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

}  // namespace

void writeTrace(const std::filesystem::path& folder, Pattern pattern, std::uint64_t events) {
    const std::uint64_t of64 = pattern == Pattern::ring    ? 65 * 4
                               : pattern == Pattern::mixed ? 64 * 13
                                                           : 64 * 4;  // rounds
    const std::uint64_t rounds = events / ranks * 64 / of64;
    OTF2_Archive* archive = OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                                              OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive == nullptr) throw engine::Error{"cannot write a trace to " + folder.string()};
    OTF2_Archive_SetFlushCallbacks(archive, &flushCallbacks, nullptr);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenEvtFiles(archive);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        Rounds its{archive, rank, rounds};
        switch (pattern) {
            case Pattern::ring: its.ring(); break;
            case Pattern::mixed: its.mixed(); break;
            case Pattern::reductions: its.reductions(); break;
        }
    }
    OTF2_Archive_CloseEvtFiles(archive);
    // Without local definitions ViTE ends.
    OTF2_Archive_OpenDefFiles(archive);
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
        OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, rank));
    OTF2_Archive_CloseDefFiles(archive);
    define(archive, rounds, rounds * of64 / 64);
    OTF2_Archive_Close(archive);
}

}  // namespace support

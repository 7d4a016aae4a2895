// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/mpi/world.hpp"

#include "engine/base/median.hpp"
#include "engine/live/mpi/clock_offsets.hpp"
#include "engine/live/mpi/execution_method.hpp"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>

namespace engine::mpi {
namespace {

/// Messages follow each other without a pause, as they do in a schedule: a port that was still may be faster at first.
int exchangesInARow(Bytes size) {
    return static_cast<int>(std::clamp<Bytes>((Bytes{256} << 10) / std::max<Bytes>(size, 1), 4, 256));
}

/// Room for this many events in one record: 48 MiB.
constexpr std::int64_t mostEvents = 1 << 20;

/// "Open MPI v4.1.4", "MPICH 4.0.2": the first words of what the library says of itself, which are a page.
std::string libraryName() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> words{};
    int length = 0;
    MPI_Get_library_version(words.data(), &length);
    const std::string_view all{words.data(), asSize(length)};
    std::istringstream first{std::string{all.substr(0, all.find_first_of(",\n"))}};
    std::string name;
    for (std::string word; first >> word;)
        if (word != "Version:") name += (name.empty() ? "" : " ") + word;
    return name;
}

/// One entry as this process sees it.
struct OwnEntry {
    std::unique_ptr<Team> team;
    Mark mark;
    std::unique_ptr<Method> method;
};

/// The work of one process.
class Worker {
public:
    explicit Worker(const Job& job) : job_{job}, own_(job.entries.size()) {
        MPI_Comm_rank(MPI_COMM_WORLD, &process_);
        for (std::size_t e = 0; e < job.entries.size(); ++e) prepare(e);
        makeRecord();
    }

    void work() {
        live::Header& header = recorder_->header();
        const bool apart = job_.measureClocks || !shareClock(MPI_COMM_WORLD);
        if (apart) header.clock[0] = compareClocks(MPI_COMM_WORLD);
        header.clock[1] = header.clock[0];
        for (std::int32_t round = -job_.warmUps; round < job_.repeats; ++round)
            for (std::size_t e = 0; e < own_.size(); ++e) execute(e, round);
        if (apart) header.clock[1] = compareClocks(MPI_COMM_WORLD);
        header.state = live::State::done;
    }

    /// Says why this process ends before its time.
    void fail(const char* why) {
        live::keep(recorder_->header().fault, why);
        recorder_->header().state = live::State::failed;
    }

private:
    void prepare(std::size_t e) {
        const Entry& entry = job_.entries[e];
        OwnEntry& own = own_[e];
        MPI_Comm comm = MPI_COMM_NULL;
        check(MPI_Comm_split(MPI_COMM_WORLD, process_ < entry.ranks() ? 0 : MPI_UNDEFINED, process_, &comm),
              "making a team");
        const bool neighbours = entry.plan != nullptr && job_.neighbours.kind() != Wiring::Kind::any;
        own.team = std::make_unique<Team>(comm);
        if (comm == MPI_COMM_NULL) return;
        if (neighbours) own.team = std::make_unique<Team>(placedOn(job_.neighbours, comm));
        MPI_Comm_set_errhandler(own.team->comm(), MPI_ERRORS_RETURN);
        own.mark.entry = static_cast<std::uint16_t>(e);
        own.method = methodOf(entry, own.team->comm(), neighbours, job_.leaves, own.mark);
    }

    void makeRecord() {
        std::int64_t once = 0;
        for (const OwnEntry& own : own_)
            if (own.method) once += own.method->events() + 2;
        const std::int64_t least = 2 * job_.repeats * static_cast<std::int64_t>(own_.size());
        recorder_ = std::make_unique<Recorder>(live::fileOf(job_.folder, process_),
                                               std::max(least, std::min(mostEvents, once * job_.repeats)));
        live::Header& header = recorder_->header();
        header.process = process_;
        MPI_Comm_size(MPI_COMM_WORLD, &header.processes);
        header.pid = getpid();
        gethostname(header.host.data(), header.host.size() - 1);
        live::keep(header.library, libraryName());
        header.ranks.fill(-1);
        for (std::size_t e = 0; e < own_.size(); ++e)
            if (own_[e].method) {
                header.ranks[e] = own_[e].team->rank().value;
                header.setUp[e] = own_[e].method->setUp();
            }
    }

    /// Number `repeat` of entry `e`; warm-ups count up to -1 and leave no events. The first and the last execution
    /// start from fresh data and are compared; reductions always start afresh, or their sums would grow without end.
    void execute(std::size_t e, std::int32_t repeat) {
        OwnEntry& own = own_[e];
        if (!own.method) return;
        const bool looked = repeat == -job_.warmUps || repeat == job_.repeats - 1;
        const bool first = repeat == -job_.warmUps;
        if (!first && (looked || isReduction(job_.entries[e].problem.collective))) own.method->fill();
        own.mark.repeat = repeat;
        own.mark.recorder = repeat < 0 ? nullptr : recorder_.get();
        live::Header& header = recorder_->header();
        header.entry = static_cast<std::int32_t>(e);
        header.repeat = repeat;
        recorder_->at(now(), 0);
        startTogether(own.team->comm(), recorder_->header().clock[0].offset, leaving_);
        const std::int64_t begin = now();
        recorder_->at(begin, 0);
        if (repeat >= 0) note(own, live::Kind::begin, begin, begin);
        own.method->execute();
        if (repeat >= 0) note(own, live::Kind::end, begin, now());
        if (job_.check && looked) compare(e);
    }

    void note(const OwnEntry& own, live::Kind kind, std::int64_t begin, std::int64_t end) {
        recorder_->add({.begin = begin, .end = end, .repeat = own.mark.repeat, .kind = kind, .entry = own.mark.entry});
    }

    void compare(std::size_t e) {
        live::Header& header = recorder_->header();
        if (header.fault[0] != '\0') return;
        live::keep(header.fault, own_[e].method->compare());
        header.faultEntry = static_cast<std::int32_t>(e);
    }

    const Job& job_;
    int process_ = 0;
    std::vector<OwnEntry> own_;
    std::unique_ptr<Recorder> recorder_;
    std::int64_t leaving_ = 0;  // nanoseconds between the last one's coming and this one's leaving, of late at most
};

}  // namespace

std::int32_t Entry::ranks() const { return plan != nullptr ? plan->schedule->facts().ranks : problem.ranks(); }

World::World(int& argc, char**& argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);  // worker processes have a thread that works beside
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
}

World::~World() { MPI_Finalize(); }

std::int32_t World::process() const {
    int process = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    return process;
}

std::int32_t World::processes() const {
    int processes = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    return processes;
}

std::string World::library() const { return libraryName(); }

std::string World::agree(const std::string& words) const {
    std::int64_t length = static_cast<std::int64_t>(words.size());
    check(MPI_Bcast(&length, 1, MPI_INT64_T, 0, MPI_COMM_WORLD), "agreeing");
    std::string agreed = words;
    agreed.resize(asSize(length));
    check(MPI_Bcast(agreed.data(), count(length), MPI_CHAR, 0, MPI_COMM_WORLD), "agreeing");
    return agreed;
}

void World::carryOut(const Job& job) {
    for (const Entry& entry : job.entries)
        if (entry.ranks() > processes())
            throw Error{text("this run needs ", entry.ranks(), " processes, and ", processes(),
                             processes() == 1 ? text(" was started; start it with the launcher of ", library())
                                              : text(" were started; start them with -n ", entry.ranks()))};
    if (job.entries.empty() || job.entries.size() > live::mostEntries)
        throw Error{text("a job runs 1 to ", live::mostEntries, " methods in turn, not ", job.entries.size())};
    std::unique_ptr<Worker> worker;
    try {
        worker = std::make_unique<Worker>(job);
        worker->work();
        check(MPI_Barrier(MPI_COMM_WORLD), "ending together");
    } catch (const std::exception& failure) {
        if (worker) worker->fail(failure.what());
        std::fprintf(stderr, "process %d: %s\n", process(), failure.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

std::vector<Picoseconds> World::exchangeTimes(const std::vector<Bytes>& sizes, std::int32_t repeats) {
    const int self = process();
    const int partner = self % 2 == 0 ? self + 1 : self - 1;
    std::vector<Picoseconds> medians;
    for (const Bytes size : sizes) {
        std::vector<std::byte> out(asSize(size));
        std::vector<std::byte> in(out.size());
        std::vector<std::int64_t> times;
        const int inARow = exchangesInARow(size);
        check(MPI_Barrier(MPI_COMM_WORLD), "exchanging");
        for (std::int32_t i = -1; i < repeats && partner < processes(); ++i) {
            const std::int64_t begin = now();
            for (int k = 0; k < inARow; ++k)
                check(MPI_Sendrecv(out.data(), count(size), MPI_BYTE, partner, 0, in.data(), count(size), MPI_BYTE,
                                   partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
                      "exchanging");
            if (i >= 0) times.push_back(now() - begin);
        }
        times.resize(asSize(repeats));
        std::vector<std::int64_t> all(self == 0 ? times.size() * asSize(processes()) : 0);
        check(MPI_Gather(times.data(), repeats, MPI_INT64_T, all.data(), repeats, MPI_INT64_T, 0, MPI_COMM_WORLD),
              "exchanging");
        if (self != 0) continue;
        all.resize(times.size() * asSize(processes() / 2 * 2));  // who has no partner measured nothing
        medians.emplace_back(median(std::move(all)) * 1000 / inARow);
    }
    return medians;
}

}  // namespace engine::mpi

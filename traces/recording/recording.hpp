// SPDX-License-Identifier: BSD-3-Clause
// What a trace holds, whoever recorded it: who took part, which calls it made, which messages and collectives passed,
// and what was not recorded. app/analysis asks; here nothing is worked out.
//
// Rules that hold in every Recording, whatever lay in the archive:
//   times         picoseconds since the first event of the trace, 0..2^62; of one location never falling
//   who           a Rank is a place in the world of MPI (COMM_LOCATIONS), 0..ranks-1; noRank = not known or nobody.
//                 Locations are threads, streams and metrics as well; a rank's own one is locationOf(rank).
//   messages      both ends are known. What has one end only lies in `halves`, never among the messages.
//   not recorded  is said in `absences` and in flags; it is never a number that looks like any other.
#pragma once

#include "engine/base/types.hpp"
#include "traces/storage/column.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace traces {

using engine::Bytes;
using engine::Picoseconds;
using engine::Rank;

constexpr Rank noRank{-1};
constexpr Rank everyRank{-2};         ///< of a communicator; who a Notice is about, nowhere else
constexpr std::int32_t noIndex = -1;  ///< of an index: there is none

/// Ticks of the archive's timer and picoseconds since its first event.
struct Clock {
    std::uint64_t ticksPerSecond = 1'000'000'000'000;  ///< >= 1
    std::uint64_t zero = 0;                            ///< the tick of time 0

    /// Rounded down; 0 for ticks before `zero`; at most 2^62 ps.
    [[nodiscard]] Picoseconds at(std::uint64_t tick) const;
    /// The inverse: the tick that `at` made `time` of, exact up to 10^12 ticks a second.
    [[nodiscard]] std::uint64_t tickOf(Picoseconds time) const;

    friend bool operator==(const Clock&, const Clock&) = default;
};

enum class LocationKind : std::uint8_t { thread, accelerator, metric, other };

/// Where events were recorded: a thread, a stream of an accelerator, a metric.
struct Location {
    std::uint64_t id = 0;  ///< in the archive; ids are sparse
    std::string name;      ///< "Master thread"
    LocationKind kind = LocationKind::thread;
    Rank rank = noRank;             ///< of the process it belongs to
    bool speaksForRank = false;     ///< it is the rank's own location
    std::string process;            ///< "MPI Rank 3"
    std::vector<std::string> path;  ///< names in the system tree from its root down: {"machine", "node 7"}
    std::uint64_t events = 0;       ///< that were read
    Picoseconds first{};            ///< of its events; 0 when it has none
    Picoseconds last{};
    std::map<std::string, std::string> properties;

    /// What of its rank it is, "OMP thread 1"; empty for the rank itself, and for where its metrics are recorded.
    [[nodiscard]] std::string about() const;

    friend bool operator==(const Location&, const Location&) = default;
};

/// What a call of MPI does, as far as answers need it.
enum class Call : std::uint8_t {
    none,          ///< not MPI
    send,          ///< MPI_Send, MPI_Isend and variants
    receive,       ///< MPI_Recv, MPI_Irecv and variants
    sendReceive,   ///< MPI_Sendrecv, MPI_Sendrecv_replace
    wait,          ///< MPI_Wait*, MPI_Test*
    collective,    ///< moves data or synchronises: MPI_Bcast, MPI_Barrier, MPI_Ibcast, ...
    communicator,  ///< makes or frees one: MPI_Comm_split, MPI_Cart_create, ...
    setup,         ///< MPI_Init, MPI_Finalize and variants
    other
};

/// Whether the messages (or the collective) of a region's calls were recorded.
enum class Recorded : std::uint8_t {
    notExpected,  ///< the region moves nothing
    yes,          ///< at least one of its calls has a record; one without moved nothing
    no            ///< none of its calls has one: what they moved is not known
};

/// What a region is for, where threads wait by it; as the archive says its role.
enum class RegionRole : std::uint8_t {
    function,         ///< and whatever is none of the following
    construct,        ///< of a team of threads: a parallel region, a loop, a task
    barrier,          ///< of a team, written in the program
    implicitBarrier,  ///< of a team, at the end of a construct
    critical          ///< what one thread at a time may be in, waiting for it included
};

struct Region {
    std::string name;        ///< "MPI_Send", "main"
    std::string paradigm;    ///< "mpi", "user", "openmp", ... as the archive says; EZTrace calls everything "user"
    Call call = Call::none;  ///< by paradigm or by name
    Recorded recorded = Recorded::notExpected;
    std::int64_t calls = 0;
    std::string place{};  ///< of a call, where the program makes it: "assemble, main.c:35"; empty where not recorded
    RegionRole role = RegionRole::function;

    /// "MPI_Send (assemble, main.c:35)".
    [[nodiscard]] std::string title() const { return place.empty() ? name : name + " (" + place + ')'; }
    friend bool operator==(const Region&, const Region&) = default;
};

enum class CommunicatorKind : std::uint8_t {
    ordinary,
    world,
    self,  ///< of every rank on its own: `members` is empty
    inter  ///< `members` is one side, `remote` the other
};

/// Members are world ranks in the order of the communicator: peer 2 is members[2]. Definitions that different ranks
/// gave of one communicator are one entry.
struct Communicator {
    std::string name;  ///< "MPI_COMM_WORLD"; may be empty
    CommunicatorKind kind = CommunicatorKind::ordinary;
    std::vector<Rank> members;
    std::vector<Rank> remote;        ///< of an intercommunicator, else empty
    std::int32_t parent = noIndex;   ///< index of the communicator it was made of
    std::vector<std::uint64_t> ids;  ///< in the archive
    bool joined = false;  ///< an intercommunicator whose sides were recorded apart and joined by members and order

    friend bool operator==(const Communicator&, const Communicator&) = default;
};

/// The calls of one location, in the order of entering: a call precedes those made inside it.
struct States {
    Column<Picoseconds> begin;
    Column<Picoseconds> end;          ///< >= begin; of an open call the last event of its location
    Column<std::int32_t> region;      ///< index into Recording::regions
    Column<std::uint16_t> depth;      ///< 0 = outermost; deeper than 65535 stays 65535
    std::vector<std::uint32_t> open;  ///< indices of calls that were never left, rising

    [[nodiscard]] std::size_t size() const { return begin.size(); }
    friend bool operator==(const States&, const States&) = default;
};

/// What a location tells beside its calls, messages and collectives.
enum class NoticeKind : std::uint8_t {
    fork,         ///< this thread makes others work with it; number: how many it asked for
    join,         ///< they are done
    teamBegin,    ///< this thread works in a team; subject: which one, as Recording numbers them
    teamEnd,      ///< no longer
    acquireLock,  ///< subject: of the rank's locks which one; number: as which one its acquisitions are counted
    releaseLock,  ///< likewise, of the acquisition that ends
    // Of windows; subject: which one, an index into Recording::windows.
    syncGroup,      ///< with some ranks; number: which, an index into Recording::groups; detail: syncNone or what
    requestWindow,  ///< a lock at `peer` is asked for; number: of the locks there which one
    acquireWindow,  ///< it is there
    releaseWindow,  ///< and no longer
    put,            ///< number: bytes that go to `peer`
    get,            ///< number: bytes that come from `peer`
    atomic,         ///< number: bytes that go there and come back
    flushWindow,    ///< what was done at `peer` is done
    parameter,      ///< subject: an index into Recording::parameters; number: its value
    // Of files; subject: which one, an index into Recording::files.
    openFile,         ///< detail: for reading, writing or both, as OTF2 numbers it
    closeFile,        ///< what was opened
    beginOperation,   ///< detail: a FileOperation; number: bytes asked for
    endOperation,     ///< number: bytes read or written
    cancelOperation,  ///< it ends without having done anything
    seekFile,         ///< number: the place in the file it leads to
    lockFile,         ///< a lock of it is there; detail: lockExclusive or not, as of those that follow
    unlockFile,       ///< and no longer
    tryFile           ///< it is not to be had
};

constexpr bool isOneSided(NoticeKind kind) { return kind >= NoticeKind::syncGroup && kind <= NoticeKind::flushWindow; }
constexpr bool isOfFile(NoticeKind kind) { return kind >= NoticeKind::openFile && kind <= NoticeKind::tryFile; }
constexpr std::uint8_t lockExclusive = 0;
constexpr std::uint8_t syncNone = 0;  ///< of a syncGroup: nothing was synchronised, as OTF2 numbers it
enum class ParameterType : std::uint8_t { words, integer, natural };  ///< words: an index into Parameter::words
enum class FileOperation : std::uint8_t { read, write, flush, other };

struct Notice {
    Picoseconds time{};
    std::uint64_t number = 0;
    std::uint32_t subject = 0;
    std::uint32_t entered = 0;  ///< so many calls of the location were entered before: times alone may not tell
    NoticeKind kind = NoticeKind::fork;
    std::uint8_t detail = 0;  ///< of a lock of threads: its paradigm, an index into paradigmNames; of one of a window:
                              ///< lockExclusive or not; of a parameter: a ParameterType
    std::uint16_t slot = 0;   ///< of an operation on a file: tells it from others that are in progress at its location
    Rank peer = noRank;       ///< of windows: whose memory it is about; everyRank of locks and flushes of all

    friend bool operator==(const Notice&, const Notice&) = default;
};

using MessageFlags = std::uint8_t;
namespace flag {
constexpr MessageFlags sendNonBlocking = 1;     ///< MPI_Isend and kin
constexpr MessageFlags receiveNonBlocking = 2;  ///< MPI_Irecv and kin
constexpr MessageFlags sendEndUnknown = 4;      ///< completion not recorded; sendEnd = sendBegin
constexpr MessageFlags receiveInferred = 8;     ///< the receive was found by the order of requests, not by a record:
                                                ///< receiveEnd is the end of the wait that fits, an upper limit
constexpr MessageFlags bytesDiffer = 16;        ///< receiver recorded another number; `bytes` is the sender's
}  // namespace flag

struct Message {
    Rank from;
    Rank to;
    std::int32_t communicator = 0;  ///< index into Recording::communicators
    std::uint32_t tag = 0;
    Bytes bytes = 0;
    Picoseconds sendBegin{};     ///< the sender enters its call, or the one that posts its request
    Picoseconds sendEnd{};       ///< its call is left, or its request completed
    Picoseconds receiveBegin{};  ///< the receiver enters its call, or has posted its request
    Picoseconds receiveEnd{};    ///< the receiver's record: the message is there
    MessageFlags flags = 0;

    friend bool operator==(const Message&, const Message&) = default;
};

/// Messages with both ends, ordered by (from, order of posting at the sender).
struct Messages {
    Column<Rank> from;
    Column<Rank> to;
    Column<std::int32_t> communicator;
    Column<std::uint32_t> tag;
    Column<Bytes> bytes;
    Column<Picoseconds> sendBegin;
    Column<Picoseconds> sendEnd;
    Column<Picoseconds> receiveBegin;
    Column<Picoseconds> receiveEnd;
    Column<MessageFlags> flags;

    [[nodiscard]] std::size_t size() const { return from.size(); }
    [[nodiscard]] bool empty() const { return from.empty(); }
    [[nodiscard]] Message operator[](std::size_t i) const {
        return {from[i],      to[i],      communicator[i], tag[i],        bytes[i],
                sendBegin[i], sendEnd[i], receiveBegin[i], receiveEnd[i], flags[i]};
    }
    friend bool operator==(const Messages&, const Messages&) = default;
};

enum class Side : std::uint8_t { send, receive };

/// One end of a message whose other end is not in the trace.
struct Half {
    Side side = Side::send;
    Rank self;
    Rank peer = noRank;                   ///< noRank: the request never completed, or the peer is nobody of this trace
    std::int32_t communicator = noIndex;  ///< noIndex: not known, as `tag` and `bytes` then
    std::uint32_t tag = 0;
    Bytes bytes = 0;
    Picoseconds begin{};
    Picoseconds end{};
    bool nonBlocking = false;

    friend bool operator==(const Half&, const Half&) = default;
};

/// Up to `unknown` as OTF2 numbers them; it has no numbers for the rest.
enum class Operation : std::uint8_t {
    barrier,
    bcast,
    gather,
    gatherv,
    scatter,
    scatterv,
    allgather,
    allgatherv,
    alltoall,
    alltoallv,
    alltoallw,
    allreduce,
    reduce,
    reduceScatter,
    scan,
    exscan,
    reduceScatterBlock,
    createHandle,
    destroyHandle,
    allocate,
    deallocate,
    createHandleAndAllocate,
    destroyHandleAndDeallocate,
    unknown,
    fence,  ///< MPI_Win_fence: a barrier of all ranks of a window
    neighborAllgather,
    neighborAllgatherv,
    neighborAlltoall,
    neighborAlltoallv,
    neighborAlltoallw
};
constexpr Operation lastOperation = Operation::neighborAlltoallw;

/// "allgatherv": as the catalogue calls it.
std::string_view nameOf(Operation operation);

/// Its messages are among Recording::messages: each rank waits for its neighbours alone.
constexpr bool isAmongNeighbours(Operation operation) { return operation >= Operation::neighborAllgather; }

/// Moves data or synchronises; making and freeing handles does not.
constexpr bool isCommunication(Operation operation) {
    return operation <= Operation::reduceScatterBlock || operation >= Operation::fence;
}
/// It moves no data of its own.
constexpr bool isBarrier(Operation operation) {
    return operation == Operation::barrier || operation == Operation::fence;
}

/// Nobody leaves before all have entered, whatever the sizes are.
constexpr bool joinsAll(Operation operation) {
    using enum Operation;
    return isBarrier(operation) || operation == allgather || operation == alltoall || operation == allreduce ||
           operation == reduceScatterBlock;
}

/// One rank's part in a collective.
struct Participant {
    Rank rank;
    Picoseconds begin{};  ///< the call was entered; MPI_COLLECTIVE_BEGIN where none is known
    Picoseconds end{};    ///< MPI_COLLECTIVE_END
    Bytes sent = 0;       ///< as recorded: MPI standard's count for this operation, own share included
    Bytes received = 0;
    bool nonBlocking = false;  ///< begin = the call that posts it was entered, end = completed
    /// The root as this rank passed it: rank in the communicator, of the other group where there are two, or one of the
    /// following.
    std::int32_t root = rootNone;
    std::int16_t reduction = noIndex;  ///< index into Recording::reductions; noIndex: none, or not recorded

    static constexpr std::int32_t rootNone = -1;
    static constexpr std::int32_t rootSelf = -2;       ///< it is the root (MPI_ROOT)
    static constexpr std::int32_t rootSameGroup = -3;  ///< another rank of its group is (MPI_PROC_NULL)

    friend bool operator==(const Participant&, const Participant&) = default;
};

/// One instance: the k-th collective of a communicator, all participants together.
struct Collective {
    Operation operation = Operation::unknown;
    std::int32_t communicator = 0;
    Rank root = noRank;     ///< world rank; noRank where there is none
    std::size_t first = 0;  ///< of its participants in Collectives::participants, which rise by rank
    std::size_t count = 0;
    bool complete = true;  ///< every member's part is there
    bool ordered = true;   ///< false: the members' records do not tell which calls belong together; this is one
                           ///< member's call on its own
    std::int32_t algorithm = noIndex;  ///< index into Recording::algorithms; noIndex: the recorder names none
    std::int32_t ofLibrary = noIndex;  ///< index into Library::algorithms; noIndex: the library names none
    std::int32_t component = noIndex;  ///< index into Library::components; likewise

    friend bool operator==(const Collective&, const Collective&) = default;
};

/// Ordered by communicator, then in the order of its calls.
struct Collectives {
    Column<Collective> instances;
    Column<Participant> participants;

    [[nodiscard]] std::span<const Participant> of(const Collective& instance) const {
        return participants.span().subspan(instance.first, instance.count);
    }
    friend bool operator==(const Collectives&, const Collectives&) = default;
};

/// What the MPI library itself sent within calls of the program, and how it names what it ran. These messages are not
/// among Recording::messages.
struct Library {
    Messages messages;                    ///< `communicator`: that of the call; noIndex: one that only the library has
    Column<std::int32_t> collective;      ///< beside `messages`: the instance; noIndex: within a call that is none
    std::vector<std::string> algorithms;  ///< "allreduce_intra_ring", "bcast_intra_pipeline:segsize=1024"
    std::vector<std::string> components;  ///< of the library, that run them: "tuned"

    friend bool operator==(const Library&, const Library&) = default;
};

/// A collective that was begun and never ended in the trace (EZTrace's MPI_Ibcast): its communicator is not known.
struct Unfinished {
    Rank rank;
    std::int32_t region = noIndex;  ///< of the call, which names the operation
    Picoseconds begin{};

    friend bool operator==(const Unfinished&, const Unfinished&) = default;
};

/// What was not recorded.
enum class Absence : std::uint8_t {
    messages,           ///< calls of `region` that move messages have no record: Sendrecv under EZTrace
    collective,         ///< calls of collective `region` have no record: Scan under EZTrace
    collectiveEnd,      ///< collectives begun and never ended: `count`
    sendCompletion,     ///< `count` sends do not say when they completed
    receiveCompletion,  ///< `count` receive requests do not say what they received
    insideCollectives,  ///< `count` collectives are one record per rank: the rounds inside are not in the trace
    anyMessage,         ///< the trace has no message at all
    rounds,             ///< which round a message belongs to
    contents,           ///< what a message carried
    topology,           ///< the network
    interval,           ///< a location did not record in [begin, end): `location`
    file,               ///< events of `location` are missing, wholly or from `begin` on
    clocks,             ///< clocks of ranks do not agree: see clock check
    sizes,              ///< the ends of `count` messages say different sizes
    passedOver,         ///< `count` records of a kind that nothing here looks at: tasks, ...
    limit               ///< the recorder says that it left something out
};

struct NotRecorded {
    Absence what = Absence::rounds;
    std::int32_t region = noIndex;
    std::int32_t location = noIndex;
    std::int64_t count = 0;
    Picoseconds begin{};
    Picoseconds end{};
    std::string words;  ///< one clause for the user: "MPI_Sendrecv (28 calls): its messages were not recorded"

    friend bool operator==(const NotRecorded&, const NotRecorded&) = default;
};

/// A location whose events end before the trace does although calls are open, or whose file is cut off.
struct EarlyEnd {
    std::int32_t location = 0;
    Picoseconds last{};
    std::string why;

    friend bool operator==(const EarlyEnd&, const EarlyEnd&) = default;
};

/// The archive's own measurement: `offset` was added to the ticks of `location` around the tick `at`, linearly between
/// two of them. All times of a Recording contain these offsets, as OTF2's own tools show them.
struct ClockOffset {
    std::int32_t location = 0;
    std::uint64_t at = 0;
    std::int64_t offset = 0;
    double deviation = 0;

    friend bool operator==(const ClockOffset&, const ClockOffset&) = default;
};

/// What is to be added to the times of a rank's locations: linear in time.
struct ClockLine {
    Picoseconds offset{};
    double drift = 0;  ///< ps per ps, within +-0.01

    [[nodiscard]] Picoseconds operator()(Picoseconds time) const;

    friend bool operator==(const ClockLine&, const ClockLine&) = default;
};

/// Of the locations of a rank, whose times were fitted.
struct FittedClock {
    ClockLine added{};    ///< to the times as recorded
    Picoseconds slack{};  ///< how much the clock may be off, before or after; 0 where it is not tied
    bool tied = false;    ///< records connect it with the rank that the others follow

    friend bool operator==(const FittedClock&, const FittedClock&) = default;
};

/// How the values of a metric are meant.
enum class MetricValue : std::uint8_t {
    accumulated,  ///< a sum that grows: what counts is how fast
    absolute,     ///< a temperature, a mean
    relative      ///< how much it grew since the sample before, or grows until the next one
};

/// Which time a value is about.
enum class MetricTiming : std::uint8_t {
    start,  ///< since the measurement began
    point,  ///< that moment
    last,   ///< since the sample before
    next    ///< until the next sample
};

/// Something that was measured: a counter, a temperature.
struct Metric {
    std::string name;         ///< "PAPI_TOT_INS"
    std::string description;  ///< may be empty
    std::string unit;         ///< of its values, as the archive says: "B", "#"; may be empty
    MetricValue value = MetricValue::absolute;
    MetricTiming timing = MetricTiming::point;

    friend bool operator==(const Metric&, const Metric&) = default;
};

/// Values of metrics that were measured together, about one and the same.
struct MetricSamples {
    std::int32_t location = 0;           ///< that recorded them, on whose clock
    Rank rank = noRank;                  ///< whose they are; noRank where of several ranks or of none
    std::string about;                   ///< what of it, or what else: "OMP thread 1", "node 7"; empty: the rank itself
    std::vector<std::int32_t> metrics;   ///< indices into Recording::metrics
    Column<Picoseconds> time;            ///< never falling
    std::vector<Column<double>> values;  ///< by metric, beside `time`; finite, in the metric's unit

    friend bool operator==(const MetricSamples&, const MetricSamples&) = default;
};

struct CartTopology {
    std::string name;
    std::int32_t communicator = 0;
    std::vector<std::int32_t> lengths;
    std::vector<bool> periodic;                          ///< per dimension
    std::vector<std::vector<std::int32_t>> coordinates;  ///< by world rank; empty for a rank that has none

    friend bool operator==(const CartTopology&, const CartTopology&) = default;
};

/// Memory that others read and write.
struct Window {
    std::int32_t communicator = noIndex;  ///< its ranks, by which others are named there

    friend bool operator==(const Window&, const Window&) = default;
};

/// What the program itself records about its calls: the step of a loop.
struct Parameter {
    std::string name;
    std::vector<std::string> words;  ///< values that are no numbers, each once

    friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// What processes read and write, by one interface: what is written by another one, or by another name, is another.
struct File {
    std::string name;     ///< "/scratch/out.h5", "stdout"; may be empty
    std::string through;  ///< "POSIX I/O"; may be empty

    friend bool operator==(const File&, const File&) = default;
};

/// A remark about a moment or a span of the trace, which whoever recorded it made.
struct Marker {
    std::string group;     ///< "steps"
    std::string category;  ///< "iteration"
    std::string text;      ///< "step 7"; may be empty
    Picoseconds begin{};
    Picoseconds end{};                ///< `begin` of a moment
    std::int32_t location = noIndex;  ///< whom it is about; noIndex: all

    friend bool operator==(const Marker&, const Marker&) = default;
};

/// How many records of a kind the archive holds, by the names otf2-print gives them: "MPI_SEND".
struct RecordCount {
    std::string name;
    std::uint64_t count = 0;

    friend bool operator==(const RecordCount&, const RecordCount&) = default;
};

/// What only archives of Collscope hold. Columns lie beside Recording::messages.
struct OwnColumns {
    Column<std::int64_t> round;
    Column<std::uint64_t> place;      ///< among the sender's messages of the round, where times do not tell; else 0
    Column<std::uint64_t> whatStart;  ///< ranges of message i: what[whatStart[i]..whatStart[i+1])
    Column<engine::Range> what;

    friend bool operator==(const OwnColumns&, const OwnColumns&) = default;
};

struct Recording {
    std::string name;     ///< of the anchor file, as it was asked for
    std::string creator;  ///< program that wrote it: "Score-P 7.1", "Collscope"; may be empty
    Clock clock;
    std::int32_t ranks = 0;
    Picoseconds duration{};  ///< from the first event of any location to the last
    std::vector<Location> locations;
    std::vector<Region> regions;
    std::vector<Communicator> communicators;
    std::vector<States> states;           ///< by location
    std::vector<Column<Notice>> notices;  ///< by location, in the order of time; none where no location has any
    Messages messages;
    Column<Half> halves;
    Collectives collectives;
    Library library;
    std::vector<Window> windows;
    std::vector<std::vector<Rank>> groups;  ///< of ranks that windows are opened to, each as the archive lists it
    std::vector<Parameter> parameters;
    std::vector<File> files;
    std::vector<Marker> markers;          ///< by their begins
    std::vector<std::string> algorithms;  ///< that collectives ran by, as their recorder names them: "bcast/chain:x=2"
    std::vector<std::string> reductions;  ///< operations that reductions combine by: "sum"
    std::vector<Unfinished> unfinished;
    std::vector<CartTopology> topologies;
    std::vector<Metric> metrics;
    std::vector<MetricSamples> samples;  ///< by the locations that recorded them
    std::vector<ClockOffset> clockOffsets;
    std::vector<NotRecorded> absences;
    std::vector<EarlyEnd> earlyEnds;
    std::vector<RecordCount> records;
    std::vector<std::string> remarks;               ///< what else a reader must know
    std::map<std::string, std::string> properties;  ///< of the archive
    std::optional<OwnColumns> own;                  ///< of archives that Collscope wrote
    bool corrected = false;  ///< clocks were fitted; the Recording that was read keeps the times as recorded
    /// By rank; empty where nothing was fitted. Times contain what is to be added where they are `corrected`; those of
    /// a training job that are not show by this fit how far they may be off.
    std::vector<FittedClock> fittedClocks;

    /// Index of the location that speaks for `rank`; noIndex when the trace has none.
    [[nodiscard]] std::int32_t locationOf(Rank rank) const;

    friend bool operator==(const Recording&, const Recording&) = default;
};

using RecordingPtr = std::shared_ptr<const Recording>;

/// By rank: whether it was recorded, as events of its locations or its part in a collective show. All are where neither
/// shows any.
std::vector<bool> recordedRanks(const Recording& recording);

/// Half-open span of time.
struct TimeSpan {
    Picoseconds begin{};
    Picoseconds end{};

    friend bool operator==(const TimeSpan&, const TimeSpan&) = default;
};

/// From the first message or collective to the end of the last: what a first view should show, and not MPI_Init. The
/// whole recording when nothing was communicated.
TimeSpan communicationOf(const Recording& recording);

/// Collectives of which no messages were recorded, and the calls of their ranks. A collective on a communicator of one
/// rank has none.
struct WithoutMessages {
    std::int64_t collectives = 0;
    std::int64_t calls = 0;
};
WithoutMessages collectivesWithoutMessages(const Recording& recording);

/// What a region of this name does: "MPI_Isend" is Call::send.
Call callOf(std::string_view region);

/// The operation that a collective call of this name carries out: "MPI_Ibcast" is bcast; unknown when it is none.
Operation operationOf(std::string_view region);

}  // namespace traces

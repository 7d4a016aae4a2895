// SPDX-License-Identifier: BSD-3-Clause
#include "tests/fuzz/readers.hpp"

#include "app/analysis/overview/analysis_queue.hpp"
#include "app/gui/window/main_window.hpp"
#include "app/session/options/specification.hpp"
#include "app/session/run/live_order.hpp"
#include "app/teaching/lessons/lesson.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"
#include "engine/live/records/call_records.hpp"
#include "engine/live/records/record_merging.hpp"
#include "engine/live/replacement_rules.hpp"
#include "tests/fuzz/spoil.hpp"
#include "tests/support/programs/told_program.hpp"
#include "traces/export/copy.hpp"
#include "traces/index/index_file.hpp"
#include "traces/recording/archive.hpp"
#include "traces/recording/calls.hpp"
#include "traces/storage/checksum.hpp"

#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <QThread>

#include <fstream>
#include <iostream>
#include <sstream>

namespace fuzz {
namespace {

namespace fs = std::filesystem;
using namespace engine::live;

constexpr std::int64_t mostBytes = std::int64_t{1} << 24;

std::string wordsIn(const std::string& file) { return engine::contentOf(file, mostBytes, "cannot be read"); }

int lesson(const std::string& file) {
    const app::gui::Lesson read = app::gui::readLesson(wordsIn(file), file);
    std::cout << read.title.toStdString() << ": " << read.stops.size() << " stops\n";
    return 0;
}

int rules(const std::string& file) {
    for (const Rule& rule : rulesFromText(wordsIn(file), file)) std::cout << rule.words << '\n';
    return 0;
}

int order(const std::string& file) {
    const app::LiveOrder read = app::orderFromText(wordsIn(file));
    for (const app::LiveOrder::Entry& entry : read.entries) {
        if (const engine::live::Native* native = nativeNamed(entry.id)) (void)app::optionsOf(entry, *native);
        else (void)app::planOf(entry);
    }
    std::cout << app::toText(read);
    return 0;
}

void put(const fs::path& folder, std::int32_t process, const std::vector<Event>& events) {
    Header header;
    header.process = process;
    header.processes = 3;
    header.pid = 100 + process;
    header.ranks.fill(-1);
    header.ranks[0] = process;
    keep(header.host, "here");
    keep(header.library, "some MPI");
    header.clock = {{{0, 10 * process}, {5000, 12 * process}}};
    header.capacity = static_cast<std::int64_t>(events.size()) + 2;
    header.count = static_cast<std::int64_t>(events.size());
    header.state = State::done;
    std::ofstream out{fileOf(folder, process), std::ios::binary};
    out.write(reinterpret_cast<const char*>(&header), sizeof header);
    out.write(reinterpret_cast<const char*>(events.data()),
              static_cast<std::streamsize>(events.size() * sizeof(Event)));
    const std::vector<Event> unused(2);
    out.write(reinterpret_cast<const char*>(unused.data()), static_cast<std::streamsize>(2 * sizeof(Event)));
}

/// A broadcast from process 0 to the two others, and after it calls of a program.
int records(const fs::path& folder) {
    fs::create_directory(folder);
    for (std::int32_t process = 0; process < 3; ++process) {
        std::vector<Event> events;
        const auto add = [&](Kind kind, std::int64_t begin, std::int64_t end, std::int64_t round, std::int32_t peer) {
            events.push_back({.begin = begin, .end = end, .round = round, .bytes = 64, .peer = peer, .kind = kind});
        };
        add(Kind::begin, 100, 100, 0, 0);
        if (process == 0) add(Kind::send, 110, 150, 0, 2), add(Kind::send, 160, 190, 1, 1);
        else add(Kind::receive, 120, 180, process == 2 ? 0 : 1, 0);
        for (std::int64_t round = 0; round < 2; ++round) add(Kind::turn, 150 + 40 * round, 151 + 40 * round, round, 0);
        add(Kind::end, 100, 300, 0, 0);
        for (std::int32_t call = 0; call < 6; ++call)
            events.push_back(std::bit_cast<Event>(Call{.begin = 400 + 100 * call,
                                                       .end = 450 + 100 * call + process,
                                                       .received = 64,
                                                       .sent = 64,
                                                       .root = call % 5 == 1 ? 0 : root::none,
                                                       .team = call == 5 ? 1 : 0,
                                                       .called = everyCalled[static_cast<std::size_t>(call) % 5],
                                                       .way = static_cast<std::uint8_t>(call == 1 ? 1 : 0)}));
        events.push_back(std::bit_cast<Event>(Step{.begin = 410,
                                                   .end = 420,
                                                   .bytes = 64,
                                                   .tag = -12,
                                                   .peer = (process + 1) % 3,
                                                   .kind = Kind::internal,
                                                   .deed = CallEffect::postSend}));
        events.push_back(std::bit_cast<Event>(Carrier{.begin = 405, .end = 430, .arguments = {64}, .function = 7}));
        put(folder, process, events);
        std::ofstream{teamsFileOf(folder, process)}
            << teamLine(0, {TeamKind::intra, {0, 1, 2}, {}, "MPI_COMM_WORLD"})
            << (process == 2 ? teamLine(1, {TeamKind::self, {}, {}, ""})
                             : teamLine(1, {TeamKind::inter, {0}, {1}, "two groups"}))
            << "way 1 bcast/pipelined-chain:segments=8\n"
            << codeLine(7, {"libmpi.so.40", "ompi_coll_base_bcast_intra_pipeline", {"segsize"}})
            << wordsLine("asked", 0, "coll=tuned") << wordsLine("inside", 1, "") << wordsLine("unrecorded", 2, "")
            << noteLine(3, "allreduce/swing needs a power of two");
    }
    return 0;
}

int join(const fs::path& folder) {
    const std::vector<Record> all = readRecords(folder);
    const engine::Plan plan = app::makePlan(app::specified("bcast/binomial-tree -n 3 --size 64B").run);
    (void)brokenOff(all);
    const std::vector<Sample> samples = samplesOf(all, 0);
    const std::int32_t repeat = samples.empty() ? 0 : medianBy(&Sample::slowest, samples).repeat;
    for (const engine::Plan* known : {&plan, static_cast<const engine::Plan*>(nullptr)})
        std::cout << joined(all, 0, repeat, known, "bcast").run.messageCount << " messages\n";
    noteStopped(folder);
    std::cout << shareDone(folder) << '\n';
    return 0;
}

int settings(const std::string& file) {
    static int count = 1;
    static char program[] = "collscope";
    static char* arguments[] = {program, nullptr};
    const QApplication application{count, arguments};
    QApplication::setApplicationName("Collscope");
    QSettings kept{QString::fromStdString(file), QSettings::IniFormat};
    app::gui::MainWindow window{kept};
    window.show();
    window.presenter().begin({});
    constexpr int patience = 3000;  // milliseconds; what runs longer is left to its thread, and stopped
    QElapsedTimer waited;
    waited.start();
    do QCoreApplication::processEvents(QEventLoop::AllEvents, 10), QThread::msleep(1);
    while (window.working() && waited.elapsed() < patience);
    window.close();
    return 0;
}

/// Changes bytes of what an index says beside its columns, and makes its sums right again.
void spoilRest(const fs::path& file, std::uint64_t seed) {
    constexpr std::size_t restBegin = 32, restSum = 48, headSum = 64;
    std::ostringstream whole;
    whole << std::ifstream{file, std::ios::binary}.rdbuf();
    std::string content = whole.str();
    const auto at = [&](std::size_t place) { return reinterpret_cast<std::uint64_t*>(content.data() + place); };
    const std::size_t begin = *at(restBegin);
    std::mt19937_64 random{seed};
    for (std::uint64_t times = 1 + random() % 3; times > 0; --times)
        content[begin + random() % (content.size() - begin)] = static_cast<char>(random());
    *at(restSum) = traces::index::checksum(content.data() + begin, content.size() - begin);
    *at(headSum) = traces::index::checksum(content.data(), headSum);
    std::ofstream{file, std::ios::binary} << content;
}

int index(const fs::path& archive, std::uint64_t seed) {
    fs::path anchor = archive;
    for (const auto& entry : fs::directory_iterator{archive})
        if (entry.path().extension() == ".otf2") anchor = entry.path();
    const traces::index::Fingerprint print = traces::index::fingerprintOf(anchor);
    traces::Recording recording = *traces::readRecording(archive);
    const bool bytes = seed % 4 == 0;
    Spoiler spoiler{seed, std::uint64_t{4} << seed % 10};
    if (!bytes) traces::index::fields(spoiler, recording);
    const fs::path file = anchor.string() + ".index";
    if (!traces::index::write(recording, print, file)) throw engine::Error{"no index can be written"};
    if (bytes) spoilRest(file, seed);
    traces::Opening opening;
    opening.keep = traces::Keep::besideTrace;
    opening.smallest = 0;
    app::analysis::AnalysisQueue queue{
        app::analysis::openTrace(archive, app::analysis::Clocks::fittedWhereNeeded, {}, opening)};
    for (const app::analysis::Finding& finding : queue.summary({})) std::cout << finding.words << '\n';
    for (const app::analysis::TableDefinition& question : app::analysis::tableDefinitions()) {
        try {
            std::cout << queue.ask(question, {}).table.rows.size() << " rows of " << question.name << '\n';
        } catch (const engine::Error& refusal) {
            std::cout << refusal.what() << '\n';
        }
    }
    return 0;
}

}  // namespace

int read(const std::vector<std::string>& words) {
    const std::string& what = words.at(0);
    const std::string& name = words.at(1);
    if (what == "@lesson") return lesson(name);
    if (what == "@rules") return rules(name);
    if (what == "@order") return order(name);
    if (what == "@records") return records(name);
    if (what == "@notices") {
        traces::writeCopy(support::toldProgram(), name);
        return 0;
    }
    if (what == "@join") return join(name);
    if (what == "@settings") return settings(name);
    if (what == "@index")
        return index(name, static_cast<std::uint64_t>(engine::readInteger(words.at(2), "seed", 0, 1'000'000'000)));
    if (what == "@collect") {
        std::cout << traces::writeCalls(callsIn(name), words.at(2)).calls << " calls\n";
        return 0;
    }
    throw engine::Error{"no such reader"};
}

}  // namespace fuzz

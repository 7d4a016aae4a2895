// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/network_namespaces/lab_hosts.hpp"

#include "engine/base/new_file.hpp"
#include "engine/base/text.hpp"
#include "engine/live/child_process.hpp"

#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <set>
#include <thread>
#include <utility>

namespace engine::live {
namespace {

using engine::Error;
using engine::text;
using engine::live::Child;
using engine::live::findProgram;

constexpr const char* theSwitch = "clab-switch";
constexpr const char* addresses = "10.77.0.";

/// Bytes that may stand in a port, so that none are lost, and in a connection: what MPI is given goes to the port
/// whole.
constexpr std::int64_t mostQueued = 64 << 20;

// Messages go at once: the questions and answers of a rendezvous would wait behind the bytes of other messages, and
// both ways at once would take as long as one after the other (1 MiB at 100 Mbit/s: 180 ms instead of 96 ms).
constexpr std::int64_t mostAtOnce = 4 << 20;

// Messages take milliseconds here: who waits for one leaves the processors to others (app/mpi/symbol_overrides).
constexpr const char* napVariable = "COLLSCOPE_NAP";
constexpr const char* nap = "1000";  // microseconds

std::string space(std::int32_t host) { return text("collscope-", host); }
std::string cable(std::int32_t host) { return text("clab-", host); }
std::string address(std::int32_t host) { return text(addresses, host); }

/// Programs of the system, where a short PATH may not lead.
std::string tool(const std::string& name) {
    for (const std::string& path : {name, "/usr/sbin/" + name, "/sbin/" + name})
        if (const std::string found = findProgram(path); !found.empty()) return found;
    throw Error{text("a lab needs the program ", name, "; install iproute2")};
}

/// Runs a program to its end and returns what it said; throws Error with its words when it fails.
std::string carryOut(const std::vector<std::string>& words) {
    Child child{words};
    while (child.watch(1000)) {
    }
    if (child.code() == 0) return child.words();
    throw Error{text("'", engine::joined(words, " "), "' failed: ", child.words().substr(0, child.words().find('\n')))};
}

/// "ip", "-n", ... from the words of one line.
std::string carryOut(const std::string& line) {
    std::vector<std::string> words = engine::split(line, ' ');
    words[0] = tool(words[0]);
    return carryOut(words);
}

void requireRights() {
    if (geteuid() != 0) throw Error{"a lab is made of network namespaces, which only root may make"};
    tool("ip");
    tool("tc");
}

std::string rateWords(engine::Rate rate) {
    return text(8'000'000'000'000'000 / std::max<std::int64_t>(1, rate.femtosecondsPerByte), "bit");
}

/// What the lab is like is written on the switch: it goes when the switch goes.
void writeDown(const Lab& lab) {
    const std::string words =
        text(lab.hosts, " ", lab.rate.femtosecondsPerByte, " ", lab.queues ? 1 : 0, " ", lab.backlogBefore);
    carryOut({tool("ip"), "link", "set", theSwitch, "alias", words});
}

void addSwitch(std::int32_t hosts, engine::Rate rate) {
    if (carryOut("ip -o addr").find(addresses) != std::string::npos)
        throw Error{text("this machine already uses addresses ", addresses, "*, which a lab needs")};
    carryOut(text("ip link add ", theSwitch, " type bridge"));
    writeDown({.hosts = hosts, .rate = rate});
    carryOut(text("ip addr add ", addresses, "254/24 dev ", theSwitch));
    carryOut(text("ip link set ", theSwitch, " up"));
}

/// Packets that may wait for a processor between a cable and a host, of the whole machine: where all hosts share few
/// processors more than the usual thousand do, and those beyond are lost.
constexpr std::int64_t mostWaiting = 100'000;
constexpr const char* backlogFile = "/proc/sys/net/core/netdev_max_backlog";

/// Raises how many may wait to `packets`; how many could before, 0 where that was enough or may not be changed.
std::int64_t raiseBacklog(std::int64_t packets) {
    std::int64_t before = 0;
    if (!(std::ifstream{backlogFile} >> before) || before >= packets) return 0;
    std::ofstream out{backlogFile};
    return out << packets << std::flush ? before : 0;
}

/// Bytes that go at `rate` in this many microseconds.
std::int64_t bytesIn(std::int64_t microseconds, engine::Rate rate) {
    return microseconds * 1'000'000'000 / std::max<std::int64_t>(1, rate.femtosecondsPerByte);
}

/// How a cable is held to its rate. A clock that comes late, as it does where all hosts share few processors, would
/// take time from the cable that it never gets back: 3 to 6% where all send. So it may make up for 1.5 ms, but no
/// faster than at 1.1 times its rate; after a pause messages go that fast as well, until those 1.5 ms are used. What
/// the smaller of the two buckets holds is free after an idle interval: little more than one packet, 0.5 ms long.
/// Shorter packets let those that pause pay all, and make the processors the port of those that send without end.
struct Brake {
    explicit Brake(engine::Rate rate)
        : packet{std::clamp<std::int64_t>(bytesIn(500, rate), 3750, 65'536)},
          words{text(" root tbf rate ", rateWords(rate), " burst ", std::max<std::int64_t>(15'000, bytesIn(1500, rate)),
                     " peakrate ", rateWords({rate.femtosecondsPerByte * 100 / 110}), " mtu ",
                     std::max<std::int64_t>(5000, bytesIn(560, rate)), " limit ", mostQueued)} {}

    std::int64_t packet;  ///< bytes
    std::string words;    ///< for tc
};

/// What makes a host's port a queue: the bytes of a message stand in it together, and those of a later message behind
/// them. Usually TCP hands over a bit of each connection in turn, so that the message that others wait for takes as
/// long as the one behind it: its windows are small at first, it hands the port no more than it expects to go in some
/// milliseconds, and takes bytes that stand in a queue for lost; and some ways of controlling congestion hold bytes
/// back to measure how fast they could go. False where the system does not let it be.
bool makeQueueOfPort(std::int32_t host) try {
    carryOut(
        {tool("ip"), "netns", "exec", space(host), "sh", "-c",
         text("cd /proc/sys/net/ipv4 && echo reno > tcp_congestion_control && echo 0 > tcp_slow_start_after_idle && "
              "echo 1000 > tcp_pacing_ss_ratio && echo 1000 > tcp_pacing_ca_ratio && echo 0 > tcp_autocorking && "
              "echo ",
              mostQueued, " > tcp_limit_output_bytes && for way in tcp_rmem tcp_wmem; do echo 4096 ", mostQueued / 2,
              " ", mostQueued, " > $way; done")});
    carryOut(text("ip -n ", space(host), " route replace ", addresses, "0/24 dev port src ", address(host),
                  " initcwnd 65535 initrwnd 65535 rto_min 5s"));
    return true;
} catch (const Error&) {
    return false;
}

/// Whether its port is a queue.
bool addHost(std::int32_t host, engine::Rate rate) {
    const Brake brake{rate};
    carryOut(text("ip netns add ", space(host)));
    carryOut(text("ip link add ", cable(host), " type veth peer name port netns ", space(host)));
    carryOut(text("ip link set ", cable(host), " gso_max_size ", brake.packet, " master ", theSwitch, " up"));
    carryOut(text("ip -n ", space(host), " link set lo up"));
    carryOut(text("ip -n ", space(host), " addr add ", address(host), "/24 dev port"));
    carryOut(text("ip -n ", space(host), " link set port gso_max_size ", brake.packet, " up"));
    carryOut(text("tc qdisc add dev ", cable(host), brake.words));
    carryOut(text("tc -n ", space(host), " qdisc add dev port", brake.words));
    return makeQueueOfPort(host);
}

/// Numbers of the namespaces that are called like ours.
std::vector<std::int32_t> existingHosts() {
    std::vector<std::int32_t> hosts;
    std::error_code none;
    const std::string prefix = "collscope-";
    for (const auto& entry : std::filesystem::directory_iterator{"/run/netns", none}) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(prefix)) continue;
        const std::string number = name.substr(prefix.size());
        if (!number.empty() && number.size() < 4 && number.find_first_not_of("0123456789") == std::string::npos)
            hosts.push_back(std::stoi(number));
    }
    return hosts;
}

bool isThere(const std::string& link) { return std::filesystem::exists("/sys/class/net/" + link); }

std::string placeOf(std::int32_t host) { return "/run/netns/" + space(host); }

/// What tells a network namespace from every other; nothing when there is none.
std::optional<std::pair<dev_t, ino_t>> networkOf(const std::string& file) {
    struct stat is {};
    if (stat(file.c_str(), &is) != 0) return std::nullopt;
    return std::pair{is.st_dev, is.st_ino};
}

void endProcessesOf(const std::vector<std::int32_t>& hosts) {
    std::set<std::pair<dev_t, ino_t>> theirs;
    for (const std::int32_t host : hosts)
        if (const auto network = networkOf(placeOf(host))) theirs.insert(*network);
    if (const auto own = networkOf("/proc/self/ns/net")) theirs.erase(*own);
    std::error_code gone;
    for (const auto& entry : std::filesystem::directory_iterator{"/proc", gone}) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        if (const auto network = networkOf(entry.path() / "ns/net"); network && theirs.contains(*network))
            kill(static_cast<pid_t>(std::stoi(name)), SIGKILL);
    }
}

/// With its network a host's cable goes, a little later. Not by `ip` one after the other: many hosts would take longer
/// than those wait who want the program to end.
void removeHosts(const std::vector<std::int32_t>& hosts) {
    endProcessesOf(hosts);
    for (const std::int32_t host : hosts) {
        umount2(placeOf(host).c_str(), MNT_DETACH);
        if (unlink(placeOf(host).c_str()) != 0)
            throw Error{text("the host ", space(host), " cannot be taken down: ", std::strerror(errno))};
    }
    for (int i = 0; i < 150; ++i) {
        if (std::none_of(hosts.begin(), hosts.end(), [](std::int32_t host) { return isThere(cable(host)); })) return;
        std::this_thread::sleep_for(std::chrono::milliseconds{20});
    }
    for (const std::int32_t host : hosts)
        if (isThere(cable(host))) carryOut(text("ip link del ", cable(host)));
}

}  // namespace

std::optional<Lab> existingLab() {
    Lab lab;
    lab.existing = static_cast<std::int32_t>(existingHosts().size());
    if (!isThere(theSwitch)) return lab.existing > 0 ? std::optional{lab} : std::nullopt;
    std::ifstream{text("/sys/class/net/", theSwitch, "/ifalias")} >> lab.hosts >> lab.rate.femtosecondsPerByte >>
        lab.queues >> lab.backlogBefore;
    return lab;
}

Lab setUpLab(std::int32_t hosts, engine::Rate rate, const engine::Progress& progress) {
    requireRights();
    if (existingLab()) throw Error{"a lab is set up already; 'collscope lab down' removes it"};
    Lab lab{.hosts = hosts, .existing = hosts, .rate = rate};
    try {
        addSwitch(hosts, rate);
        lab.backlogBefore = raiseBacklog(mostWaiting);
        writeDown(lab);
        for (std::int32_t host = 1; host <= hosts; ++host) {
            progress.at(static_cast<double>(host - 1) / hosts);
            lab.queues = addHost(host, rate) && lab.queues;
        }
        writeDown(lab);
    } catch (...) {
        takeDownLab();
        throw;
    }
    return lab;
}

std::int32_t takeDownLab() {
    requireRights();
    const std::vector<std::int32_t> hosts = existingHosts();
    if (const std::optional<Lab> lab = existingLab(); lab && lab->backlogBefore > 0)
        std::ofstream{backlogFile} << lab->backlogBefore;
    // The switch first: whoever sees a process of a host end can then see why.
    if (isThere(theSwitch)) carryOut(text("ip link del ", theSwitch));
    removeHosts(hosts);
    return static_cast<std::int32_t>(hosts.size());
}

std::vector<std::string> labArgumentsOfMpich(const Lab& lab, const std::filesystem::path& agent,
                                             const std::filesystem::path& hostfile) {
    engine::NewFile hosts{hostfile, engine::Existing::replace};
    for (std::int32_t host = 1; host <= lab.hosts; ++host) hosts.out() << address(host) << '\n';
    hosts.publish();
    // The launcher's own address is that of the switch. A host has one port, of this name.
    std::vector<std::string> words{"-f",           hostfile.string(), "-launcher", "rsh", "-launcher-exec",
                                   agent.string(), "-iface",          theSwitch};
    for (const auto& [name, value] : {std::pair<std::string, std::string>{"UCX_TLS", "tcp,self"},
                                      {"UCX_NET_DEVICES", "port"},
                                      {"UCX_RNDV_THRESH", text(mostAtOnce)},
                                      {napVariable, nap}})
        words.insert(words.end(), {"-genv", name, value});
    return words;
}

std::vector<std::string> labArguments(const Lab& lab, std::int32_t processes, const std::string& agent,
                                      const std::filesystem::path& hostfile) {
    engine::NewFile hosts{hostfile, engine::Existing::replace};
    const std::int32_t each = (processes + lab.hosts - 1) / lab.hosts;
    for (std::int32_t host = 1; host <= lab.hosts; ++host) hosts.out() << address(host) << " slots=" << each << '\n';
    hosts.publish();
    const std::string ours = text(addresses, "0/24");
    const std::string atOnce = text(mostAtOnce);
    return {"--hostfile", hostfile.string(), "--map-by", "node", "--mca", "plm_rsh_agent", agent, "--mca",
            "plm_rsh_no_tree_spawn", "1", "--mca", "oob_tcp_if_include", ours, "--mca", "btl_tcp_if_include", ours,
            "--mca", "pml", "ob1", "--mca", "btl", "tcp,self", "--mca", "btl_tcp_eager_limit", atOnce, "--mca",
            "btl_tcp_max_send_size", atOnce,
            // An exchange would make connections while it is measured.
            "--mca", "mpi_preconnect_mpi", "1", "-x", text(napVariable, '=', nap)};
}

std::vector<std::string> onLabHost(const std::string& where, const std::string& command) {
    if (!where.starts_with(addresses)) throw Error{text("'", where, "' is no address of a lab's host")};
    const auto host = static_cast<std::int32_t>(
        engine::readInteger(where.substr(std::string_view{addresses}.size()), "host", 1, mostLabHosts));
    // A name of its own, so that MPI takes it for another machine.
    return {tool("ip"),  "netns",   "exec",
            space(host), "unshare", "-u",
            "sh",        "-c",      text("hostname ", space(host), "; ", command)};
}

}  // namespace engine::live

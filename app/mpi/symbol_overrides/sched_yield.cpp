// SPDX-License-Identifier: BSD-3-Clause
// How a process waits for messages. The MPI library asks for news without end and calls sched_yield in between. With 16
// processes on a few processors they all look busy to the system, and one that got its message waits for the time
// slices of those that did not: milliseconds, as long as a message of the lab itself. There (COLLSCOPE_NAP, in
// microseconds) they sleep instead until something arrives at one of their TCP sockets, but no longer than that; who
// sleeps is woken at once, and who waits costs nothing. The library's own collectives wait in the same way.
#include <dirent.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <utility>
#include <vector>

namespace {

/// Nanoseconds; negative: not asked yet.
constinit std::atomic<long> nap{-1};

long readNap() {
    const char* words = std::getenv("COLLSCOPE_NAP");
    const long time = words != nullptr ? std::strtol(words, nullptr, 10) * 1000 : 0;
    // Otherwise the system makes every sleep 50 us longer.
    if (time > 0) prctl(PR_SET_TIMERSLACK, 1000UL);
    return time > 0 && time < 1'000'000'000 ? time : 0;
}

bool isConnection(int file) {
    sockaddr_storage peer{};
    socklen_t length = sizeof peer;
    return getpeername(file, reinterpret_cast<sockaddr*>(&peer), &length) == 0 &&
           (peer.ss_family == AF_INET || peer.ss_family == AF_INET6);
}

/// The TCP connections of this process, one object per thread that waits.
class Connections {
public:
    /// Sleeps until something arrives or `time` is over; after an arrival not at all, since the library calls once more
    /// between reading it and telling of it. Connections made since the latest look are found by and by: until then
    /// they are waited for like everything that is no connection, for `time`.
    void await(const timespec& time) {
        if (std::exchange(arrived_, false)) return;
        if (waitsToLook_-- == 0) look();
        arrived_ = ppoll(open_.data(), open_.size(), &time, nullptr) > 0;
        if (arrived_ &&
            std::any_of(open_.begin(), open_.end(), [](const pollfd& file) { return file.revents & POLLNVAL; }))
            waitsToLook_ = 0;
        // News that the library leaves where they are, such as a peer that has ended, must not keep everyone awake.
        unread_ = arrived_ ? unread_ + 1 : 0;
        if (unread_ > mostUnread) nanosleep(&time, nullptr);
    }

private:
    static constexpr int looksEvery = 512;  // waits
    static constexpr int mostUnread = 256;

    void look() {
        waitsToLook_ = looksEvery;
        open_.clear();
        DIR* files = opendir("/proc/self/fd");
        if (files == nullptr) return;
        while (const dirent* entry = readdir(files)) {
            const int file = static_cast<int>(std::strtol(entry->d_name, nullptr, 10));
            if (entry->d_name[0] != '.' && isConnection(file))
                open_.push_back({.fd = file, .events = POLLIN, .revents = 0});
        }
        closedir(files);
    }

    std::vector<pollfd> open_;
    int waitsToLook_ = 0;
    int unread_ = 0;        // waits in a row that ended at once
    bool arrived_ = false;  // in the latest wait
};

}  // namespace

/// In place of the C library's: this program, or the drop-in library, exports it, so that the MPI library calls it too.
extern "C" [[gnu::visibility("default")]] int sched_yield() noexcept {
    long time = nap.load(std::memory_order_relaxed);
    if (time < 0) nap = time = readNap();
    if (time == 0) return static_cast<int>(syscall(SYS_sched_yield));
    thread_local Connections connections;
    connections.await({.tv_sec = 0, .tv_nsec = time});
    return 0;
}

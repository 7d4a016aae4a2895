// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/mpi/recorder.hpp"

#include "engine/base/error.hpp"
#include "engine/base/new_file.hpp"
#include "engine/base/text.hpp"
#include "engine/live/mpi/lost_mapping.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>

namespace engine::mpi {
namespace {

/// The header of this process, for the handler below. A signal has no other way to reach it.
std::atomic<live::Header*> current{nullptr};

/// Whoever started the run asks all processes to end: that is not a death of this one. Anybody else ends this one.
extern "C" void stopped(int, siginfo_t* from, void*) {
    live::Header* header = current.load();
    auto started = live::State::started;
    const auto why = from->si_pid == getppid() ? live::State::stopped : live::State::ended;
    if (header != nullptr) header->state.compare_exchange_strong(started, why);
    _exit(128 + SIGTERM);
}

}  // namespace

Recorder::Recorder(const std::filesystem::path& file, std::int64_t capacity, Program program)
    : length_{sizeof(live::Header) + asSize(capacity) * sizeof(live::Event)} {
    std::error_code ignored;
    std::filesystem::create_directories(file.parent_path(), ignored);
    const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const auto refuse = [&](const char* what) {
        const std::string why = whyUnwritable(errno);
        if (descriptor >= 0) close(descriptor);
        throw Error{text("the record '", file.string(), "' cannot be ", what, ": ", why)};
    };
    if (descriptor < 0) refuse("made");
    if (const int code = posix_fallocate(descriptor, 0, static_cast<off_t>(length_)); code != 0)
        errno = code, refuse("given its room");
    void* memory = mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) refuse("mapped");
    close(descriptor);
    // Pages are made when they are first written to. In a measurement of ours that is now. Other programs mostly need
    // few of them: one is made for every 85 events, and the room for all of them is there.
    if (program == Program::ours) std::memset(memory, 0, length_);
    events_ = reinterpret_cast<live::Event*>(static_cast<std::byte*>(memory) + sizeof(live::Header));
    header_ = new (memory) live::Header{};
    header_->capacity = capacity;
    keepMapping(memory, length_);
    if (program == Program::anyones) return;
    watching_ = true;
    current = header_;
    struct sigaction action {};
    action.sa_sigaction = stopped;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGTERM, &action, nullptr);
}

Recorder::~Recorder() {
    if (watching_) {
        std::signal(SIGTERM, SIG_DFL);
        current = nullptr;
    }
    forgetMapping(header_);
    munmap(header_, length_);
}

}  // namespace engine::mpi

// SPDX-License-Identifier: BSD-3-Clause
// The functions of Python that a thread is in, by the interpreter's public interface, which the program brings along.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace engine::mpi::pmpi {

/// Holds the interpreter's lock. Whoever holds another one must not wait for it.
class PythonLock {
public:
    PythonLock();
    ~PythonLock();
    PythonLock(const PythonLock&) = delete;
    PythonLock& operator=(const PythonLock&) = delete;

private:
    int state_;
};

class PythonPath {
public:
    static constexpr std::size_t mostFrames = 24;

    struct Frame {
        std::uintptr_t code = 0;       ///< object of the function
        std::int32_t instruction = 0;  ///< offset in it; the line before Python 3.11

        friend bool operator==(const Frame&, const Frame&) = default;
    };

    /// Whether an interpreter is loaded whose frames can be read: Python 3.9 and later.
    static bool isPossible();

    /// Of this thread, now; nothing where it runs no Python.
    void look();
    [[nodiscard]] std::size_t frames() const noexcept { return count_; }
    /// From the innermost on.
    const Frame& operator[](std::size_t i) const noexcept { return frames_[i]; }
    [[nodiscard]] std::uint64_t hash() const noexcept;
    /// Lines of the file of teams for the frame, as that of `number`. Its code stays in memory from now on. Under the
    /// interpreter's lock, while the frame is in its function.
    [[nodiscard]] std::string describe(std::size_t i, std::uint16_t number) const;

    friend bool operator==(const PythonPath& a, const PythonPath& b) noexcept;

private:
    std::size_t count_ = 0;
    std::array<Frame, mostFrames> frames_{};
};

}  // namespace engine::mpi::pmpi

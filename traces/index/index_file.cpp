// SPDX-License-Identifier: BSD-3-Clause
#include "traces/index/index_file.hpp"

#include "engine/base/error.hpp"
#include "engine/base/new_file.hpp"
#include "engine/base/parallel.hpp"
#include "traces/index/fields.hpp"
#include "traces/index/index_validation.hpp"
#include "traces/storage/checksum.hpp"
#include "traces/storage/resident_pages.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace traces::index {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t readers =
#include "readers.inc"
    ;

struct Head {
    std::array<char, 16> magic{'c', 'o', 'l', 'l', 's', 'c', 'o', 'p', 'e', ' ', 'i', 'n', 'd', 'e', 'x', '\n'};
    std::uint64_t readers = index::readers;
    std::uint64_t archive = 0;
    std::uint64_t restBegin = 0;
    std::uint64_t restBytes = 0;
    std::uint64_t restSum = 0;
    std::uint64_t columnsSum = 0;
    std::uint64_t headSum = 0;

    [[nodiscard]] std::uint64_t sum() const { return checksum(this, offsetof(Head, headSum)); }
};
static_assert(std::is_trivially_copyable_v<Head>);

constexpr std::uint64_t alignment = 64;
constexpr std::size_t pieceBytes = std::size_t{4} << 20;

constexpr std::uint64_t aligned(std::uint64_t at) { return (at + alignment - 1) / alignment * alignment; }

/// A column, or a piece of one: where it lies in the file and in memory.
struct Piece {
    std::uint64_t at;
    const char* place;
    std::size_t bytes;
};

void addPieces(std::vector<Piece>& pieces, std::uint64_t at, const void* place, std::size_t bytes) {
    for (std::size_t done = 0; done < bytes; done += pieceBytes)
        pieces.push_back({at + done, static_cast<const char*>(place) + done, std::min(pieceBytes, bytes - done)});
}

/// Pages of a mapped piece are looked at again only when they are needed.
void giveBack(const Piece& piece) {
    constexpr std::uintptr_t page = 4096;
    const auto at = reinterpret_cast<std::uintptr_t>(piece.place);
    const std::uintptr_t begin = (at + page - 1) / page * page;
    const std::uintptr_t end = (at + piece.bytes) / page * page;
    if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

/// Calls `work(piece, sum)` for all pieces, on all cores; gives the sum of their sums.
template <class Work>
std::uint64_t sumOf(const std::vector<Piece>& pieces, Work work) {
    std::vector<std::uint64_t> sums(pieces.size());
    engine::parallelFor(pieces.size(), [&](std::size_t i) {
        sums[i] = checksum(pieces[i].place, pieces[i].bytes, pieces[i].at);
        work(pieces[i]);
    });
    return checksum(sums.data(), sums.size() * sizeof(std::uint64_t));
}

/// Fields to bytes; columns get a place in the file.
class Out {
public:
    template <class... T>
    void operator()(const T&... values) {
        (put(values), ...);
    }

    std::string rest;
    std::vector<Piece> pieces;
    std::uint64_t end = aligned(sizeof(Head));  ///< of the columns

private:
    void raw(const void* place, std::size_t bytes) { rest.append(static_cast<const char*>(place), bytes); }
    void count(std::uint64_t number) { raw(&number, sizeof number); }

    template <class T>
    void put(const T& value) {
        if constexpr (AsItLies<T>::value) raw(&value, sizeof value);
        else fields(*this, value);
    }
    void put(const std::string& words) {
        count(words.size());
        raw(words.data(), words.size());
    }
    void put(const std::vector<bool>& bits) {
        count(bits.size());
        for (const bool bit : bits) put(static_cast<std::uint8_t>(bit));
    }
    template <class T>
    void put(const std::vector<T>& values) {
        count(values.size());
        if constexpr (AsItLies<T>::value) raw(values.data(), values.size() * sizeof(T));
        else
            for (const T& value : values) put(value);
    }
    template <class Key, class Value>
    void put(const std::map<Key, Value>& entries) {
        count(entries.size());
        for (const auto& [key, value] : entries) put(key), put(value);
    }
    template <class T>
    void put(const std::optional<T>& value) {
        count(value ? 1 : 0);
        if (value) put(*value);
    }
    template <class T>
    void put(const Column<T>& column) {
        static_assert(AsItLies<T>::value);
        count(end);
        count(column.size());
        addPieces(pieces, end, column.data(), column.size() * sizeof(T));
        end = aligned(end + column.size() * sizeof(T));
    }
};

/// Bytes to fields. What does not fit leaves it `broken`, and whatever was made is thrown away.
class In {
public:
    In(std::shared_ptr<const char> file, std::uint64_t columns, std::span<const char> rest)
        : file_{std::move(file)}, columns_{columns}, rest_{rest} {}

    template <class... T>
    void operator()(T&... values) {
        (get(values), ...);
    }

    bool broken = false;
    std::vector<Piece> pieces;

    [[nodiscard]] bool atEnd() const { return rest_.empty(); }

private:
    void raw(void* place, std::size_t bytes) {
        if (bytes > rest_.size()) {
            broken = true;
            rest_ = {};
            return;
        }
        if (bytes > 0) std::memcpy(place, rest_.data(), bytes);
        rest_ = rest_.subspan(bytes);
    }
    /// Of things that take at least `least` bytes each.
    std::size_t count(std::size_t least = 1) {
        std::uint64_t number = 0;
        raw(&number, sizeof number);
        if (number <= rest_.size() / least) return engine::asSize(number);
        broken = true;
        return 0;
    }

    template <class T>
    void get(T& value) {
        if constexpr (AsItLies<T>::value) raw(&value, sizeof value);
        else fields(*this, value);
    }
    void get(bool& value) {
        std::uint8_t byte = 0;
        raw(&byte, sizeof byte);
        broken = broken || byte > 1;
        value = byte == 1;
    }
    void get(std::string& words) {
        words.resize(count());
        raw(words.data(), words.size());
    }
    void get(std::vector<bool>& bits) {
        bits.resize(count());
        for (std::size_t i = 0; i < bits.size(); ++i) {
            std::uint8_t bit = 0;
            get(bit);
            bits[i] = bit != 0;
        }
    }
    template <class T>
    void get(std::vector<T>& values) {
        values.resize(count(AsItLies<T>::value ? sizeof(T) : 1));
        if constexpr (AsItLies<T>::value) raw(values.data(), values.size() * sizeof(T));
        else
            for (T& value : values) get(value);
    }
    template <class Key, class Value>
    void get(std::map<Key, Value>& entries) {
        for (std::size_t left = count(); left > 0 && !broken; --left) {
            Key key{};
            get(key);
            get(entries[std::move(key)]);
        }
    }
    template <class T>
    void get(std::optional<T>& value) {
        if (count() > 0) get(value.emplace());
    }
    template <class T>
    void get(Column<T>& column) {
        std::uint64_t at = 0, size = 0;
        raw(&at, sizeof at);
        raw(&size, sizeof size);
        if (at % alignment != 0 || at > columns_ || size > (columns_ - at) / sizeof(T)) broken = true;
        if (broken || size == 0) return;
        const auto* values = reinterpret_cast<const T*>(file_.get() + at);
        addPieces(pieces, at, values, size * sizeof(T));
        column = {file_, std::span<const T>{values, engine::asSize(size)}};
    }

    std::shared_ptr<const char> file_;
    std::uint64_t columns_;  ///< where they end
    std::span<const char> rest_;
};

/// Its blocks are taken at once: a full disk shows before anything is written.
bool reserve(const engine::NewFile& file, std::uint64_t bytes) {
    return ::posix_fallocate(file.descriptor(), 0, static_cast<off_t>(bytes)) == 0;
}

bool writeAt(const engine::NewFile& file, std::uint64_t at, const char* place, std::size_t bytes) {
    while (bytes > 0) {
        const ssize_t done = ::pwrite(file.descriptor(), place, bytes, static_cast<off_t>(at));
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        at += static_cast<std::uint64_t>(done);
        place += done;
        bytes -= engine::asSize(done);
    }
    return true;
}

/// Whether the user, or the owner of the trace, wrote this.
bool trusted(const struct stat& file, const fs::path& anchor) {
    struct stat trace {};
    return file.st_uid == ::geteuid() ||
           (!anchor.empty() && ::stat(anchor.c_str(), &trace) == 0 && file.st_uid == trace.st_uid);
}

/// The whole file as memory that is only read, of which at most `budget` bytes stay; empty when it cannot be.
std::pair<std::shared_ptr<const char>, std::uint64_t> mapped(const fs::path& path, std::uint64_t budget,
                                                             const fs::path& anchor) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return {};
    struct stat facts {};
    void* place = MAP_FAILED;
    if (::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && trusted(facts, anchor) &&
        facts.st_size >= static_cast<off_t>(sizeof(Head)))
        place = ::mmap(nullptr, engine::asSize(facts.st_size), PROT_READ, MAP_PRIVATE, file, 0);
    ::close(file);
    if (place == MAP_FAILED) return {};
    const auto bytes = engine::asSize(facts.st_size);
    const auto residence = std::make_shared<reading::Residence>(budget);
    residence->add(place, bytes);
    return {std::shared_ptr<const char>{static_cast<const char*>(place),
                                        [bytes, residence](const char* at) {
                                            residence->remove(const_cast<char*>(at));
                                            ::munmap(const_cast<char*>(at), bytes);
                                        }},
            bytes};
}

}  // namespace

std::uint64_t sizeOf(const Recording& recording) {
    Out out;
    fields(out, recording);
    return out.end + out.rest.size();
}

bool write(const Recording& recording, const Fingerprint& of, const fs::path& file, const engine::Progress& progress) {
    Out out;
    fields(out, recording);
    Head head;
    head.archive = of.sum;
    head.restBegin = out.end;
    head.restBytes = out.rest.size();
    head.restSum = checksum(out.rest.data(), out.rest.size());
    try {
        engine::NewFile made{file, isIndex(file) ? engine::Existing::replace : engine::Existing::refuse};
        if (!reserve(made, out.end + out.rest.size())) return false;
        std::atomic<bool> good{writeAt(made, out.end, out.rest.data(), out.rest.size())};
        head.columnsSum = sumOf(out.pieces, [&](const Piece& piece) {
            progress.at(1);
            if (good && !writeAt(made, piece.at, piece.place, piece.bytes)) good = false;
        });
        head.headSum = head.sum();
        std::array<char, sizeof head> bytes{};
        std::memcpy(bytes.data(), &head, sizeof head);
        if (!good || !writeAt(made, 0, bytes.data(), bytes.size())) return false;
        made.publish();
        return true;
    } catch (const engine::Error&) {
        return false;
    }
}

bool isIndex(const fs::path& file) {
    const int open = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (open < 0) return false;
    decltype(Head::magic) begin{};
    struct stat facts {};
    const bool ours = ::fstat(open, &facts) == 0 && S_ISREG(facts.st_mode) &&
                      ::pread(open, begin.data(), begin.size(), 0) == static_cast<ssize_t>(begin.size()) &&
                      begin == Head{}.magic;
    ::close(open);
    return ours;
}

RecordingPtr load(const fs::path& file, const Fingerprint& of, std::uint64_t budget, const fs::path& anchor) {
    const auto [content, bytes] = mapped(file, budget, anchor);
    if (!content) return nullptr;
    Head head;
    std::memcpy(&head, content.get(), sizeof head);
    if (head.magic != Head{}.magic || head.headSum != head.sum() || head.readers != readers || head.archive != of.sum ||
        head.restBegin > bytes || head.restBytes != bytes - head.restBegin)
        return nullptr;
    const std::span<const char> rest{content.get() + head.restBegin, engine::asSize(head.restBytes)};
    if (checksum(rest.data(), rest.size()) != head.restSum) return nullptr;
    In in{content, head.restBegin, rest};
    auto recording = std::make_shared<Recording>();
    fields(in, *recording);
    const auto summed = [&, all = bytes](const Piece& piece) {
        if (all > budget / 8) giveBack(piece);
    };
    if (in.broken || !in.atEnd() || sumOf(in.pieces, summed) != head.columnsSum) return nullptr;
    if (!plausible(*recording)) return nullptr;
    for (const Piece& piece : in.pieces) summed(piece);
    return recording;
}

}  // namespace traces::index

// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a file, compressed by gzip or not, as the stream that RapidJSON reads from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace traces::kineto {

class Source {
public:
    using Ch = char;  // NOLINT: RapidJSON's name

    /// Throws Error when the file cannot be read.
    explicit Source(const std::filesystem::path& path);
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;
    ~Source();

    /// The next byte, 0 at the end.
    [[nodiscard]] char Peek() const { return *at_; }
    char Take() {
        const char byte = *at_;
        if (++at_ == end_) fill();
        return byte;
    }
    [[nodiscard]] std::size_t Tell() const { return before_ + static_cast<std::size_t>(at_ - buffer_.data()); }

    /// The bytes at hand, at least one; and passes over so many of them.
    [[nodiscard]] std::string_view atHand() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
    void pass(std::size_t bytes) {
        at_ += bytes;
        if (at_ == end_) fill();
    }

    // Only what parses in place writes to its stream.
    char* PutBegin() { return nullptr; }
    void Put(char) {}
    void Flush() {}
    std::size_t PutEnd(char*) { return 0; }

    /// Passes over spaces and ends of lines.
    void skipSpaces() {
        if (*at_ > ' ') return;
        for (;;) {
            while (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')
                if (++at_ == end_) break;
            if (at_ != end_) return;
            fill();
        }
    }

    /// Reads on until `bytes` are at hand, or all that the file still has.
    void gather(std::size_t bytes);
    /// Ends here, whatever the file still has.
    void stop(std::string why);

    /// Why the bytes ended before the file's end, such as a damaged compression; empty where they did not.
    [[nodiscard]] const std::string& damage() const { return damage_; }
    /// Bytes of the file that were read, compressed.
    [[nodiscard]] std::uint64_t consumed() const;

private:
    void fill();
    /// Reads behind the bytes at hand; how many, at most 0 at the end.
    int readOn();

    struct File;
    std::unique_ptr<File> file_;
    std::vector<char> buffer_;
    const char* at_ = nullptr;
    const char* end_ = nullptr;  ///< of what is in the buffer; at the end of the file behind a 0
    std::size_t before_ = 0;     ///< bytes that earlier fillings had
    bool over_ = false;
    std::string damage_;
};

/// Bytes that the file has when it is not compressed: of a compressed one as many as its end has, at least its own and
/// at most 100 times as many. 0 where it cannot be read.
std::uint64_t plainSize(const std::filesystem::path& path);

}  // namespace traces::kineto

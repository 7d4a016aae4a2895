// SPDX-License-Identifier: BSD-3-Clause
// What communication costs: Hockney's alpha + beta m for a message, or LogGP; gamma for each combined byte.
#pragma once

#include "engine/base/bounded.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace engine {

enum class Operation : std::uint8_t;

/// LogGP (Alexandrov et al. 1995), and O as LogGOPSim has it (Hoefler et al. 2010). A message of m bytes counts its
/// bytes behind the first, m' = max(m - 1, 0). All values >= 0.
struct LogGP {
    Picoseconds latency{};   ///< L: between the two processors, beside everything else
    Picoseconds overhead{};  ///< o: a processor works so long to send, or to receive, a message
    Picoseconds gap{};       ///< g: least time from one message to the next at a port
    Rate gapPerByte{};       ///< G: time per byte at a port
    Rate overheadPerByte{};  ///< O: time per byte that a processor works

    friend bool operator==(const LogGP&, const LogGP&) = default;
};

/// Parameters of a machine. A message of m bytes takes alpha + beta m at both of its ends.
struct Model {
    std::string name = "alpha-beta";
    Picoseconds alpha{1'000'000};  ///< startup of a message, >= 0 (default 1 us)
    Rate beta{400'000};            ///< time per byte moved (default 0.4 ns/B = 2.5 GB/s)
    Rate gamma{0};                 ///< time per byte combined in a reduction
    std::optional<LogGP> logGP{};  ///< where given, it holds in place of alpha and beta
    /// Messages of more bytes wait for their receiver (rendezvous); where not given, none does.
    std::optional<Bytes> eagerLimit{};
    std::map<Operation, Rate> gammaOf{};  ///< of operations that take another time per byte than gamma

    /// This machine where `operation` is the one that combines: its time per byte is gamma.
    [[nodiscard]] Model combiningBy(Operation operation) const;
    [[nodiscard]] Picoseconds message(Bytes bytes) const { return later(alpha, beta * bytes); }

    friend bool operator==(const Model&, const Model&) = default;
};

/// "alpha=1000000ps beta=400000fs/B gamma=0fs/B", with "name=", "gamma-max=", the letters of LogGP and "eager=" where
/// they matter: can be read back to the last digit.
std::string toText(const Model& model);

/// `model` with LogGP's letters put into alpha and beta: L + 2 o for a message, G + 2 O for each of its bytes.
Model asAlphaBeta(const Model& model);

/// What toText wrote. Throws Error.
Model modelFromText(std::string_view words);

/// "max=0.3ns/B": sets what an operation takes. Throws Error that names `what`.
void setGammaOf(Model& model, std::string_view words, std::string_view what);

/// "L=5us,o=1us,g=2us,G=1ns/B,O=0ns/B"; letters that are left out are 0. Errors name `what`.
LogGP readLogGP(std::string_view words, std::string_view what);

/// Terms of a cost, before a model gives them a time.
struct Cost {
    std::int64_t startups = 0;  ///< times alpha
    Bytes volume = 0;           ///< bytes times beta
    Bytes combined = 0;         ///< bytes times gamma

    /// Under Hockney's model; LogGP gives these terms no time.
    /// Throws Error behind the end of time.
    [[nodiscard]] Picoseconds under(const Model& model) const;
    /// The same in femtoseconds without an end, to be compared.
    [[nodiscard]] __int128 weighed(const Model& model) const;
    friend bool operator==(const Cost&, const Cost&) = default;
};

}  // namespace engine

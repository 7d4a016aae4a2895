// SPDX-License-Identifier: BSD-3-Clause
// The conditions of a replay as words that its recording keeps: a replay of that goes by them again.
#pragma once

#include "app/analysis/replay/recorded_program.hpp"
#include "app/session/session.hpp"
#include "emulation/replay/replay.hpp"
#include "traces/recording/recorded_rank_times.hpp"
#include "traces/recording/recording.hpp"

#include <map>
#include <string>

namespace app {

/// "message" or "byte", as --in-ports takes it.
std::string_view nameOf(emulation::InPorts inPorts);
/// Throws Error with the nearest one.
emulation::InPorts inPortsNamed(const std::string& words);

/// Properties of an archive.
std::map<std::string, std::string> replayProperties(const RunWish& wish, const std::string& network,
                                                    emulation::InPorts inPorts);
/// What they say of that.
emulation::InPorts inPortsOf(const traces::Recording& recording);

/// Takes what these properties say into `wish`; whether they say anything. Throws Error for what cannot be read.
bool takeReplayProperties(const traces::Recording& recording, RunWish& wish);

/// The network of a replay; messages between all ranks where none is wished for.
emulation::NetworkPtr networkOf(const NetworkWish& wish, std::int32_t ranks);

/// Messages that the order of their ends puts in flight together share links. `ends`: of all messages of `program`.
void shareLinks(emulation::Program& program, const traces::BusyEnds& ends);

/// How long ranks of such a recording computed before slow ones among them took longer; empty where none was slow.
analysis::ComputationOf unslowedOwnTime(const traces::Recording& recording);

}  // namespace app

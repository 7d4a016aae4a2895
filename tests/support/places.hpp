// SPDX-License-Identifier: BSD-3-Clause
// Where tests find what they read.
#pragma once

#include <filesystem>

namespace support {

/// The checkout.
std::filesystem::path sourceFolder();

/// Numbers worked out apart from this program: tests/golden.
std::filesystem::path goldenFolder();

/// Traces of other people, which are never part of the checkout: shared/traces beside it, or COLLSCOPE_SHARED_TRACES.
/// May be absent.
std::filesystem::path sharedTraces();

}  // namespace support

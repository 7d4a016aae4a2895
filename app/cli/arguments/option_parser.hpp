// SPDX-License-Identifier: BSD-3-Clause
// The one definition of commands and flags that the parser, --help, the manual and the completion are made from.
#pragma once

#include "app/cli/arguments/arguments.hpp"

#include <CLI/CLI.hpp>

#include <memory>

namespace app::cli {

/// The tree of commands; parsing it fills `arguments`, which must outlive it.
std::unique_ptr<CLI::App> definitions(Arguments& arguments);

/// The option's flags as written, "-n, --ranks N".
std::string flagsOf(const CLI::Option& option);

/// The words in capitals that usages and flags have for values, with their meanings.
const std::vector<std::pair<std::string, std::string>>& valuesInUsage();

/// Every flag of `app` as written on the command line: "--ranks", "-n", ...
std::vector<std::string> flagNames(const CLI::App& app);

/// What --help says about the program, or about one command.
std::string helpFor(const CLI::App& app);

}  // namespace app::cli

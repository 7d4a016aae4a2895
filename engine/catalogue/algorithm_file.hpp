// SPDX-License-Identifier: BSD-3-Clause
// A file is an algorithm: where an id of the catalogue may stand, so may a path to a script or to a schedule as data.
#pragma once

#include "engine/algorithm/algorithm.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace engine::schedules {

/// Whether `id` is a path: it ends in .lua, .json, .xml, .goal or .et, or begins with ./, ../ or /.
bool isPath(std::string_view id);

/// Whether `word`, where a trace might stand too, is an algorithm's file: by its ending, or because it is a file at all
/// and no archive's.
bool isAlgorithmFile(const std::string& word);

/// The algorithm in the file, whose id is the path. Read again when the file has changed; what was handed out before
/// stays as it was, until it is given back (see giveBack). From any thread. Throws Error, which names file and line.
const Algorithm& algorithmIn(const std::string& path);

/// From here on `content` counts as what stands in the file, whatever does on the disk; until it is dropped. For an
/// editor, whose text is run before it is saved.
void setDraft(const std::string& path, const std::string& content);
void dropDraft(const std::string& path);

/// The same of a file whose content was handed over by another process.
const Algorithm& algorithmFrom(const std::string& path, const std::string& content);

/// The same if this program has opened the file before, as it was then; null otherwise: a trace may name any file, and
/// opening a trace must read no other.
const Algorithm* openedAs(const std::string& path);

/// Keeps the algorithm of a file from being given back, as its plans do; null for one of the catalogue.
std::shared_ptr<const void> sourceOf(const Algorithm& algorithm);

/// While one stands, nothing is given back: for work in a thread beside the one that does so.
class Keeping {
public:
    Keeping();
    ~Keeping();
    Keeping(const Keeping&) = delete;
    Keeping& operator=(const Keeping&) = delete;
};

/// Gives back what no longer stands in its file and no plan is of, so that an editor that reads a text at every key
/// does not keep all of its states. The caller, and whoever has no Keeping, must hold no algorithm of a file.
void giveBack();

/// How many states of the file are there.
std::size_t shelved(const std::string& path);

/// What stands in the file of an algorithm; empty for one of the catalogue.
std::string contentOf(const Algorithm& algorithm);

/// The problem that the schedule in a data file is for; null for algorithms that take several.
const Problem* problemOf(const Algorithm& algorithm);

/// Whether that problem may have other sizes: the file says no bytes, and its contributions are all of one size.
bool takesAnySize(const Algorithm& algorithm);

}  // namespace engine::schedules

// SPDX-License-Identifier: BSD-3-Clause
// Files that this program reads and no verb names: each reader as a command of its own.
#pragma once

#include <string>
#include <vector>

namespace fuzz {

/// Does what `words` say, as the command line would: returns its exit code, throws engine::Error.
///   @lesson FILE            the stops of a lesson, and the moment that each shows
///   @rules FILE             a rules file of the drop-in library
///   @order FILE             what the processes of a live run are told
///   @records FOLDER         makes records of three processes that ran and called
///   @join FOLDER            such records as a run
///   @collect FOLDER TO      and as an archive
///   @notices FOLDER         makes an archive of a program that tells of threads, windows, parameters and files
///   @settings FILE          opens the window as these settings tell it, and closes it
///   @index ARCHIVE SEED     keeps an index beside the archive with values spoilt at random and right sums, reads it
int read(const std::vector<std::string>& words);

}  // namespace fuzz

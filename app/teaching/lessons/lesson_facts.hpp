// SPDX-License-Identifier: BSD-3-Clause
// What a lesson states is held to the run that it shows.
//
//     fact: two ranks have the message: 0 and 4 | holders of block 0 = 0 4
//     fact: each costs a startup | general
//
// Left the words of the stop's text, right what they say of the run at the moment that is shown: a claim and its value.
//
// | claim                               | value                                                          |
// |-------------------------------------|----------------------------------------------------------------|
// | ranks, group A, group B, blocks     | how many there are                                             |
// | rounds, least rounds                | of the run; what no algorithm can beat                         |
// | messages in round N                 | how many                                                       |
// | in flight                           | messages at this moment                                        |
// | busy, waiting, still                | ranks at this moment; still: waiting or done                   |
// | waiting in round N, still in round N| the same in the middle of the round                            |
// | holders of block N                  | ranks that have all of it                                      |
// | number of holders of block N        | how many they are                                              |
// | blocks at rank R                    | which it has all of; of a reduction, contributions in its sum  |
// | received by rank R in round N       | blocks                                                         |
// | senders to rank R in round N        | ranks; also: receivers from                                    |
// | serialized bytes                    | counted in contributions                                       |
// | links of the cut                    | that decide the lower bound on time                            |
// | must cross the cut, crosses the cut | bytes over these links, of any algorithm and of the run,       |
// |                                     | counted in contributions                                       |
// | held in vain                        | yes or no: somebody holds what it does not need                |
// | faster than LINE                    | yes or no: LINE as in `run:`                                   |
// | general                             | no value: true of more than this run                           |
#pragma once

#include "app/teaching/lessons/lesson.hpp"

namespace app::gui {

/// The value of `claim` at `time`; of several numbers, with blanks between them. Throws Error for words that claim
/// nothing, and for what cannot be known of this run.
std::string valueOf(const std::string& claim, const DrawableRun& subject, engine::Picoseconds time);

/// What a stop states, shows or asks, and its run does not have.
struct Mistake {
    int line = 0;  ///< of the lesson's file
    std::string words;
};
std::optional<Mistake> mistakeIn(const Stop& stop, const DrawableRun& subject);

/// Throws Error, which names `lesson` and the line, where a stop has a mistake in it.
void requireTrue(const Lesson& lesson, const Stop& stop, const DrawableRun& subject);

}  // namespace app::gui

// SPDX-License-Identifier: BSD-3-Clause
// Papers as files: one file under resources/papers is one paper, in the paper's order; the build puts their texts into
// the program, so that it finds them wherever it stands. A line is a key and a value. A key that opens a block (item,
// picture, number, panel, curve) has the name of the block as its value; the keys behind it belong to that block.
//
//   # a remark                          a line that ends in \ goes on in the next one
//   title: authors, year, title
//   notes: what holds for all items     may be left out
//   text: NAME = WORDS                  elsewhere the value $NAME means these words
//
//   item: fig3                          or tab1, eq2, def1, thm1, alg1, claim4, obs2; the name says the kind
//   shows: what it is about
//   because: why the verdict is what it is
//   axes: what the paper says of them   may be left out, like all keys up to the first number
//   tolerance: 0.02                     of quotients and formulas; 0.01 without this line
//   fitted: yes                         the model of its runs was fitted to printed numbers
//   unavailable: yes                    it needs something that is not available here
//   columns: 2                          of its pictures; same-time: yes, below: words
//   picture: TITLE                      a run in a view of `export`: run, view; after-round, rank, first, count,
//                                       together, senders, held, borders, borders-to
//   number: where in the paper, and of what
//     print: what the paper says        in brackets: words of ours
//     says: 3                           the same as numbers: about 3, above 3, below 3, at least 3, at most 3, 2 to 3,
//                                       formula 1+log2(p)
//     expected: 10/7                    derived apart from this program
//     run: words behind `run`           and over: those of the run by which it is divided, or formula: of one run
//     of: rounds                        or messages, bytes, idle, proved, opposed, links, peer, carried; else the time
//     message: rank 7 receives 1 in round 2    the first message, of which peer and carried are
//     because: cause                    of the difference from print; term: a formula that accounts for it,
//                                       refutes: yes, unavailable: yes, fit: 0.01
//     headline: yes                     a row of `claims`
//     large: yes                        left out of the small form
//   panel: TITLE                        a chart: sweep: words behind `sweep`, small: fewer or smaller runs,
//                                       joined: title of a chart that several share
//     mark: X Y WORDS                   a number in print, as often as needed
//     curve: a dashed line or a series of the panel above, or of the panel that in: TITLE names
//       over: another one               else the first series
//       says: at least 1                of the quotient, else 1; from: X, to: X
//       range: 1.1 to 16/13             lowest and highest quotient where it differs from print
//       because, term, refutes, unavailable, large as above; what: the quotient's name; ours: yes where says is not in
//       print
#pragma once

#include "app/cli/figures/item.hpp"

#include <string>
#include <string_view>

namespace app::figures {

/// Of the text of such a file. Its name without ending and leading digits is the paper's. Throws Error{"FILE:LINE:
/// ..."} for a key that is unknown, missing or given twice, and for a value that cannot be read; runs are read when
/// they are made.
Paper readPaper(std::string_view words, const std::string& file);

}  // namespace app::figures

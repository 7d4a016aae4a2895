-- SPDX-License-Identifier: BSD-3-Clause
algorithm {
  collective = "reduce-scatter",
  title = "Pairwise exchange",
  idea = "In each round a rank sends to another one what that is to combine.",
}

function rounds()
  return n - 1
end

function turn(rank, round)
  local to = (rank + 1 + round) % n
  local from = (rank - 1 - round) % n
  send(to, block(to))
  combine(from, block(rank))
end

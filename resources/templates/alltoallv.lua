-- SPDX-License-Identifier: BSD-3-Clause
algorithm {
  collective = "alltoallv",
  title = "Pairwise exchange",
  idea = "In each round a rank sends to another one, and receives from another one.",
}

function rounds()
  return n - 1
end

function turn(rank, round)
  local to = (rank + 1 + round) % n
  local from = (rank - 1 - round) % n
  send(to, block(rank, to))
  receive(from, block(from, rank))
end

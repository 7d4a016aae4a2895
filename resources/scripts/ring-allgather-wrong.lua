-- SPDX-License-Identifier: BSD-3-Clause
-- Wrong on purpose: the guard counts blocks from the wrong side, so that a rank sends a block that it gets only later.
algorithm {
  collective = "allgatherv",
  title = "Ring with a wrong guard",
  idea = "The ring allgather, wrong on purpose: what a rank sends in a round it gets only in a later one.",
  wiring = "ring",
}

function rounds()
  return n - 1
end

function turn(rank, round)
  local next = (rank + 1) % n
  local previous = (rank - 1) % n
  -- Right would be (rank - round): the block that came in the round before.
  send(next, block((rank + round) % n))
  receive(previous, block((previous + round) % n))
end

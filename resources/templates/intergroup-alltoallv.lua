-- SPDX-License-Identifier: BSD-3-Clause
algorithm {
  collective = "intergroup-alltoallv",
  title = "Pairs",
  idea = "In each round the two groups meet in other pairs.",
}

-- Whom a rank meets in a round: nobody, or one of the other group.
local function partner(rank, round)
  local most = math.max(p, q)
  if rank < p then
    local other = (rank + round) % most
    if other < q then
      return p + other
    end
  else
    local other = (rank - p - round) % most
    if other < p then
      return other
    end
  end
end

function rounds()
  return math.max(p, q)
end

function turn(rank, round)
  local other = partner(rank, round)
  if other then
    send(other, block(rank, other))
    receive(other, block(other, rank))
  end
end

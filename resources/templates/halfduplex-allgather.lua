-- SPDX-License-Identifier: BSD-3-Clause
algorithm {
  collective = "halfduplex-allgather",
  title = "Pairs",
  idea = "In each round senders and receivers meet in other pairs.",
}

function rounds()
  return math.max(p, q)
end

function turn(rank, round)
  local most = math.max(p, q)
  if rank < p then
    local to = (rank + round) % most
    if to < q then
      send(p + to, block(rank))
    end
  else
    local from = (rank - p - round) % most
    if from < p then
      receive(from, block(from))
    end
  end
end

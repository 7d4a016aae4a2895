-- SPDX-License-Identifier: BSD-3-Clause
algorithm {
  collective = "allgatherv",
  title = "Bruck",
  idea = "All that is there goes backwards, twice as far in every round; any number of ranks.",
}

function rounds()
  local count = 0
  while 1 << count < n do count = count + 1 end
  return count
end

function turn(rank, round)
  local far = 1 << round
  local count = math.min(far, n - far) -- in the last round only what is missing
  local ahead = (rank + far) % n
  send((rank - far) % n, blocks(rank, count))
  receive(ahead, blocks(ahead, count))
end

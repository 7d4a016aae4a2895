-- SPDX-License-Identifier: BSD-3-Clause
algorithm {
  collective = "allgatherv",
  title = "Recursive doubling",
  idea = "Partners twice as far apart in every round exchange all that they have.",
  demands = function()
    if n & (n - 1) ~= 0 then return "it needs a power-of-two number of ranks" end
  end,
}

function rounds()
  local count = 0
  while 1 << count < n do count = count + 1 end
  return count
end

function turn(rank, round)
  local have = 1 << round -- blocks, from the first of my group of so many ranks
  local partner = rank ~ have
  send(partner, blocks(rank // have * have, have))
  receive(partner, blocks(partner // have * have, have))
end

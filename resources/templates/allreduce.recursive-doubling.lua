-- SPDX-License-Identifier: BSD-3-Clause
algorithm {
  collective = "allreduce",
  title = "Recursive doubling",
  idea = "Partners twice as far apart in every round exchange and combine their vectors.",
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
  local partner = rank ~ (1 << round)
  send(partner, all())
  -- In the order of ranks, for operations that do not commute.
  if partner < rank then
    combine(partner, all(), "left")
  else
    combine(partner, all())
  end
end

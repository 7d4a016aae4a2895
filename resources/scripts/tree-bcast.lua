-- SPDX-License-Identifier: BSD-3-Clause
-- Who has the message doubles in every round; in segments, each of which goes down the tree behind the one before.
algorithm {
  collective = "bcast",
  title = "Tree, written in Lua",
  idea = "The number of those who have the message doubles in every round.",
  options = {
    segments = { default = 1, low = 1, high = 64, meaning = "pieces of the message, one after the other" },
  },
}

local function height()
  local levels = 0
  while 1 << levels < n do levels = levels + 1 end
  return levels
end

function rounds()
  return height() * option.segments
end

function turn(rank, round)
  local level = round % height()
  local what = part(all(), option.segments, round // height())
  local distance = 1 << level
  local me = (rank - root) % n -- as if the root were rank 0
  if me < distance and me + distance < n then
    send((rank + distance) % n, what)
  elseif me >= distance and me < 2 * distance then
    receive((rank - distance) % n, what)
  end
end

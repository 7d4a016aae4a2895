-- SPDX-License-Identifier: BSD-3-Clause
algorithm {
  collective = "bcast",
  title = "Pipelined chain",
  idea = "Segments follow each other down a chain of all ranks.",
  options = {
    segments = { default = 4, low = 1, high = 1024, meaning = "pieces of the message" },
  },
}

function rounds()
  if n == 1 then return 0 end
  return n - 2 + option.segments
end

local function piece(number)
  return part(all(), option.segments, number)
end

function turn(rank, round)
  local me = (rank - root) % n -- place in the chain
  local out = round - me
  local into = out + 1
  if me < n - 1 and out >= 0 and out < option.segments then send((rank + 1) % n, piece(out)) end
  if me > 0 and into >= 0 and into < option.segments then receive((rank - 1) % n, piece(into)) end
end

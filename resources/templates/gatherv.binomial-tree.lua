-- SPDX-License-Identifier: BSD-3-Clause
algorithm {
  collective = "gatherv",
  title = "Binomial tree",
  idea = "What was gathered goes on together: half of those who hold blocks give them away in every round.",
}

function rounds()
  local count = 0
  while 1 << count < n do count = count + 1 end
  return count
end

function turn(rank, round)
  local far = 1 << round
  local me = (rank - root) % n -- as if the root were rank 0
  if me % (2 * far) == far then
    send((rank - far) % n, blocks(rank, math.min(far, n - me)))
  elseif me % (2 * far) == 0 and me + far < n then
    local child = (rank + far) % n
    receive(child, blocks(child, math.min(far, n - me - far)))
  end
end

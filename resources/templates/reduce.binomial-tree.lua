-- SPDX-License-Identifier: BSD-3-Clause
algorithm {
  collective = "reduce",
  title = "Binomial tree",
  idea = "Half of those who still have a vector give it away in every round.",
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
    send((rank - far) % n, all())
  elseif me % (2 * far) == 0 and me + far < n then
    combine((rank + far) % n, all())
  end
end

-- SPDX-License-Identifier: BSD-3-Clause
algorithm {
  collective = "bcast",
  title = "Binomial tree",
  idea = "The number of those who have the message doubles in every round.",
}

function rounds()
  local count = 0
  while 1 << count < n do count = count + 1 end
  return count
end

function turn(rank, round)
  local far = 1 << round
  local me = (rank - root) % n -- as if the root were rank 0
  if me < far and me + far < n then
    send((rank + far) % n, all())
  elseif me >= far and me < 2 * far then
    receive((rank - far) % n, all())
  end
end

collscope: t8 does not exist; name an OTF2 anchor file (*.otf2) or the folder that holds one
Command exited with non-zero status 2
process 6.06 s wall 0.06 user 0.07 sys 19384 KB
--------------------------------------------------------------------------
Primary job  terminated normally, but 1 process returned
a non-zero exit code. Per user-direction, the job has been aborted.
--------------------------------------------------------------------------
process 5.78 s wall 0.05 user 0.08 sys 19108 KB
--------------------------------------------------------------------------
mpirun detected that one or more processes exited with non-zero status, thus causing
the job to be terminated. The first process to do so was:

  Process name: [[27306,1],0]
  Exit code:    2
--------------------------------------------------------------------------
Command exited with non-zero status 2
1e8 mpi all 11.52 s

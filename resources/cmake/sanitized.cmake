# The build type of the presets asan and tsan. What the sanitizers add makes optimising cost minutes and running cost
# hours: the rooms that compute are optimised, the rest (tests, window, command line) is not; addresses in reports need
# line numbers only.
set(CMAKE_CXX_FLAGS_SANITIZED "-g1 -O1")
set(CMAKE_EXE_LINKER_FLAGS_SANITIZED "")
set(collscope_unoptimised $<$<CONFIG:Sanitized>:-O0>)

# Seconds a test may take, and a script that starts the program many times.
set(collscope_patience 300)
set(collscope_script_patience 1200)
if(CMAKE_BUILD_TYPE STREQUAL "Sanitized")
  set(collscope_patience 1500)
  set(collscope_script_patience 3000)
endif()

# Warnings of every target of ours; clean on GCC and clang. Left out: -Wrestrict, -Wstringop-overflow, -Warray-bounds and
# -Wnull-dereference, which GCC 12
# reports inside its own library at -O3.
add_library(collscope_warnings INTERFACE)
target_compile_options(
  collscope_warnings
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
            -Wcast-align -Wunused -Wdouble-promotion -Wformat=2 -Wimplicit-fallthrough
            $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wlogical-op -Wno-pedantic -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds>)
option(COLLSCOPE_WERROR "Warnings are errors" OFF)
if(COLLSCOPE_WERROR)
  target_compile_options(collscope_warnings INTERFACE -Werror)
endif()

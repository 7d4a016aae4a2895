# Warnings of every target of ours; clean on GCC and clang. Left out: -Wrestrict, -Wstringop-overflow, -Warray-bounds,
# -Wnull-dereference and -Wmaybe-uninitialized, which GCC 12 reports inside its own library when it optimises: of copies of
# std::optional and std::variant, for instance. A name that is global in one file does not hide
# anything in another that is compiled together with it (joined.cmake).
set(collscope_shadow -Wshadow)
if(collscope_joins)
  set(collscope_shadow $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>)
endif()
add_library(collscope_warnings INTERFACE)
target_compile_options(
  collscope_warnings
  INTERFACE -Wall -Wextra -Wpedantic ${collscope_shadow} -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
            -Wcast-align -Wunused -Wdouble-promotion -Wformat=2 -Wimplicit-fallthrough
            $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wlogical-op -Wno-pedantic -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -Wno-maybe-uninitialized>)
option(COLLSCOPE_WERROR "Warnings are errors" OFF)
if(COLLSCOPE_WERROR)
  target_compile_options(collscope_warnings INTERFACE -Werror)
endif()

# Every header compiles alone: cmake --build --preset dev --target all_verify_interface_header_sets. By hand, since it takes
# as long as a build; files that are compiled together (joined.cmake) do not notice what a header lacks.
#
#   collscope_headers(TARGET EXCLUDE-REGEX)
function(collscope_headers target excluded)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    return()
  endif()
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${ARGN}/*.hpp")
  if(excluded)
    list(FILTER headers EXCLUDE REGEX "${excluded}")
  endif()
  target_sources(${target} INTERFACE FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${headers})
  set_target_properties(${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
endfunction()

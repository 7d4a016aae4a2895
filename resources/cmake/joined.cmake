# Most of what compiling a file costs is reading headers and making code of templates that its neighbours make too: several
# files of a target are compiled as one, and need no precompiled headers. Not in the build type Debug, where one changed file
# is compiled again and again.
#
#   collscope_joined(TARGET PARTS [NAME.cpp...])
#
# A file's part comes from its name alone, so that a new file moves no other. Names in unnamed namespaces must differ
# within a part. Folders that are registries stay apart (there a new file meets no other), and so do the files that are named.
set(collscope_joins ON)
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(collscope_joins OFF)
endif()

function(collscope_joined target parts)
  if(NOT collscope_joins)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  set(joined ${sources})
  list(FILTER joined EXCLUDE REGEX "/(algorithms|topologies|questions)/")
  foreach(source IN LISTS joined)
    get_filename_component(name "${source}" NAME)
    if(name IN_LIST ARGN)
      continue()
    endif()
    string(MD5 sum "${name}")
    string(SUBSTRING "${sum}" 0 6 sum)
    math(EXPR part "0x${sum} % ${parts}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${part}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(joined STREQUAL sources)
    set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

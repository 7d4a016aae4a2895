# Most of what compiling a file costs is reading headers and making code of templates that its neighbours make too: several
# files of a target are compiled as one, and need no precompiled headers. Not in the build type Debug, where one changed file
# is compiled again and again.
#
#   collscope_joined(TARGET PARTS [REGISTRY PARTS] [APART NAME.cpp...])
#
# A file's part comes from its name alone, so that a new file moves no other. Names in unnamed namespaces must differ
# within a part. Folders that are registries have parts of their own, in which nothing meets: each of their files has its
# namespace (catalogue.cmake). Files that are named stay apart.
set(collscope_joins ON)
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(collscope_joins OFF)
endif()

function(collscope_joined target parts)
  if(NOT collscope_joins)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 2 given "" "REGISTRY" "APART")
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  foreach(source IN LISTS sources)
    get_filename_component(name "${source}" NAME)
    if(name IN_LIST given_APART)
      continue()
    endif()
    set(count ${parts})
    set(prefix "")
    if(source MATCHES "/(algorithms|topologies|questions)/")
      set(count ${given_REGISTRY})
      set(prefix "registry_")
    endif()
    string(MD5 sum "${name}")
    string(SUBSTRING "${sum}" 0 6 sum)
    math(EXPR part "0x${sum} % ${count}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${prefix}${part}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP DISABLE_PRECOMPILE_HEADERS ON)
endfunction()

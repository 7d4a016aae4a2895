# Most of what compiling a file costs is reading headers and making code of templates that its neighbours make too: several
# files of a target are compiled as one, and need no precompiled headers. Not in the build type Debug, where one changed file
# is compiled again and again.
#
#   collscope_joined(TARGET PARTS [REGISTRY PARTS] [COMPUTES PATTERN...] [LOOPS PATTERN...] [APART NAME.cpp...])
#
# A file's part comes from its name alone, so that a new file moves no other. Names in unnamed namespaces must differ
# within a part. Folders that are registries have parts of their own, in which nothing meets: each of their files has its
# namespace (catalogue.cmake). Files whose name, or folder, begins with one of the patterns compute: they are one part more,
# and optimised (optimised.cmake), as are those of them that are named to stay apart. A registry whose folder is among the
# LOOPS computes by loops alone, and is optimised for these.
set(collscope_joins ON)
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(collscope_joins OFF)
endif()

function(collscope_joined target parts)
  if(NOT collscope_joins)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 2 given "" "REGISTRY" "APART;COMPUTES;LOOPS")
  list(JOIN given_COMPUTES "|" computes)
  list(JOIN given_LOOPS "|" loops)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  foreach(source IN LISTS sources)
    get_filename_component(name "${source}" NAME)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE path)
    set(computing OFF)
    set(options "")
    if(given_COMPUTES AND "/${path}" MATCHES "/(${computes})")
      set(computing ON)
      set(options "${collscope_optimised}")
    elseif(given_LOOPS AND "/${path}" MATCHES "/(${loops})")
      set(options "${collscope_vectorised}")
    endif()
    if(name IN_LIST given_APART)
      set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS "${options}")
      continue()
    endif()
    set(count ${parts})
    set(prefix "")
    if(given_REGISTRY AND "/${path}" MATCHES "/(algorithms|topologies|definitions)/")
      set(count ${given_REGISTRY})
      set(prefix "registry_")
    elseif(computing)
      set(count 1)
      set(prefix "computing_")
    endif()
    string(MD5 sum "${name}")
    string(SUBSTRING "${sum}" 0 6 sum)
    math(EXPR part "0x${sum} % ${count}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${prefix}${part}")
    if(options)
      # The file that CMake writes to include those of the part.
      set_source_files_properties("${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/unity_${prefix}${part}_cxx.cxx"
                                  PROPERTIES COMPILE_OPTIONS "${options}")
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP DISABLE_PRECOMPILE_HEADERS ON)
endfunction()

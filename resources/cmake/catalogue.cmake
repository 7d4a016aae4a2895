# The folder is the registry: lists the sources of one kind and writes a file that names each. Every source has a namespace
# of that name, with its function in it, so that no two of them meet however they are compiled.
#
#   collscope_catalogue(SOURCES_VARIABLE OUTPUT MACRO BASE_FOLDER)
#
# BASE/bcast/binomial-tree.cpp becomes X(bcast_binomial_tree) in
#   #define MACRO(X) X(...) X(...)
# CONFIGURE_DEPENDS makes a plain `cmake --build` see a new file.
function(collscope_catalogue sources_variable output macro base)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${base}/*.cpp")
  list(SORT sources)
  set(text "// Written by the build from the files of ${macro}; do not edit.\n#define ${macro}(X)")
  foreach(source IN LISTS sources)
    file(RELATIVE_PATH name "${base}" "${source}")
    string(REGEX REPLACE "\\.cpp$" "" name "${name}")
    string(REGEX REPLACE "[^A-Za-z0-9]" "_" name "${name}")
    string(APPEND text " \\\n    X(${name})")
  endforeach()
  string(APPEND text "\n")
  file(CONFIGURE OUTPUT "${output}" CONTENT "${text}" @ONLY)
  set(${sources_variable} "${sources}" PARENT_SCOPE)
endfunction()

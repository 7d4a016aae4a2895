# Small texts that the program carries: writes a list of {"NAME", R"text(...)text"}, one for each file of a folder.
#
#   collscope_texts(OUTPUT FOLDER ENDING)
#
# CONFIGURE_DEPENDS makes a plain `cmake --build` see a new file, and the property a changed one.
function(collscope_texts output folder ending)
  file(GLOB files CONFIGURE_DEPENDS "${folder}/*${ending}")
  list(SORT files)
  set(list "// Written by the build from ${folder}; do not edit.\n")
  foreach(path IN LISTS files)
    get_filename_component(name "${path}" NAME_WLE)
    file(READ "${path}" words)
    string(APPEND list "{\"${name}\", R\"text(${words})text\"},\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
  endforeach()
  file(CONFIGURE OUTPUT "${output}" CONTENT "@list@" @ONLY)
endfunction()

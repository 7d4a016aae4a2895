# collscope_hidden(TARGET): objects that may go into a shared library, of which nothing is to be seen from outside.
function(collscope_hidden target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                             VISIBILITY_INLINES_HIDDEN ON)
endfunction()

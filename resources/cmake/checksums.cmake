# A number that another version of some sources does not have: `0x...U`, for what must not outlive a change of them.
#
#   collscope_sum(OUTPUT FILES...)
#
# Called as a script (-DOUTPUT= -DFILES=) it writes the number.
if(CMAKE_SCRIPT_MODE_FILE)
  set(sums "")
  foreach(path IN LISTS FILES)
    file(SHA256 "${path}" sum)
    string(APPEND sums "${sum}")
  endforeach()
  string(SHA256 sum "${sums}")
  string(SUBSTRING "${sum}" 0 16 sum)
  file(WRITE "${OUTPUT}" "0x${sum}U\n")
  return()
endif()

set(collscope_sums "${CMAKE_CURRENT_LIST_FILE}")
function(collscope_sum output)
  add_custom_command(OUTPUT "${output}" COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DFILES=${ARGN}" -P "${collscope_sums}"
                     DEPENDS ${ARGN} "${collscope_sums}" VERBATIM COMMENT "Summing up ${output}")
endfunction()

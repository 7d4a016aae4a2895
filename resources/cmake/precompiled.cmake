# Reading the standard library's headers is a third of what compiling a file costs: every target reads them once.
add_library(collscope_precompiled INTERFACE)
# ccache sees what a precompiled header holds only when GCC names it while preprocessing.
target_compile_options(collscope_precompiled INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
target_precompile_headers(
  collscope_precompiled
  INTERFACE
  <algorithm>
  <chrono>
  <cstdint>
  <functional>
  <map>
  <memory>
  <optional>
  <span>
  <sstream>
  <string>
  <string_view>
  <utility>
  <vector>)

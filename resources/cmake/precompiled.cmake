# Reading the standard library's headers is a third of what compiling a file costs: every target reads them once.
add_library(collscope_precompiled INTERFACE)
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

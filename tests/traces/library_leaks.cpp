// SPDX-License-Identifier: BSD-3-Clause
// OTF2 3.0.2 loses a few bytes of a writer whose file could not be closed; ours are still looked for.
#if defined(__SANITIZE_ADDRESS__)
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libopen-trace-format2"; }
#endif

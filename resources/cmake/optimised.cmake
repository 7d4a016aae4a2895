# In the build type Release: what people wait for, because it computes, is optimised with all that the compiler has; the rest
# as far as costs next to nothing, which is a third of the compiler's time less (decision 027). A target that computes as a
# whole takes the options by target_compile_options; of others, collscope_joined says which files do (joined.cmake). Not for
# Debug, and Sanitized says for itself what it optimises (sanitized.cmake).
set(collscope_optimised $<$<CONFIG:Release>:-O3>)
# Schedules are long loops over few places: put into their callers and vectorised, they need no more than that (measured,
# decision 027).
set(collscope_vectorised -finline-functions -finline-small-functions -findirect-inlining -fipa-cp -fstrict-aliasing
                         -ftree-vectorize -fvect-cost-model=dynamic -funswitch-loops)
set(collscope_vectorised "$<$<CONFIG:Release>:${collscope_vectorised}>")
add_compile_options($<$<CONFIG:Release>:-O1>)

# GCC cleans up its memory whenever that has grown by some tens of percent, which is a tenth of its time for large files.
add_compile_options("$<$<CXX_COMPILER_ID:GNU>:SHELL:--param=ggc-min-expand=200 --param=ggc-min-heapsize=524288>")

# SPDX-License-Identifier: GPL-3.0-or-later
# Compiler warnings, sanitizers, and the speed-ups (ccache, mold) that are used where they are installed.
add_compile_options(-Wall -Wextra)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Collects garbage less often: with LibTorch's headers that is a fifth of the time of the larger files.
    add_compile_options(--param=ggc-min-heapsize=2000000)
endif()
if(FXSCOPE_SANITIZE)
    add_compile_options(-fsanitize=${FXSCOPE_SANITIZE} -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${FXSCOPE_SANITIZE})
endif()

find_program(FXSCOPE_CCACHE ccache)
if(FXSCOPE_CCACHE)
    # Precompiled headers need these two sloppiness settings to be cacheable at all.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
                                    ${FXSCOPE_CCACHE})
    set(CMAKE_C_COMPILER_LAUNCHER ${FXSCOPE_CCACHE})
endif()

find_program(FXSCOPE_MOLD mold)
if(FXSCOPE_MOLD)
    add_link_options(-fuse-ld=mold)
endif()

# Graphs are many small objects: a quarter of the time of a trace goes into glibc's malloc, far less into this one.
if(NOT FXSCOPE_SANITIZE)
    find_package(mimalloc QUIET)
endif()
# Before the other libraries of a program, so that all of them allocate by it.
function(fx_fast_allocation program)
    if(mimalloc_FOUND)
        target_link_libraries(${program} PRIVATE mimalloc)
    endif()
endfunction()

# SPDX-License-Identifier: GPL-3.0-or-later
# Compiler warnings, sanitizers, and the speed-ups (ccache, mold) that are used where they are installed.
add_compile_options(-Wall -Wextra)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Collects garbage less often: with LibTorch's headers that is a fifth of the time of the larger files.
    add_compile_options(--param=ggc-min-heapsize=2000000)
else()
    add_compile_options(-Wno-unused-lambda-capture) # of `this`, where a pack turns out to be empty
endif()
if(FXSCOPE_SANITIZE)
    add_compile_options(-fsanitize=${FXSCOPE_SANITIZE} -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${FXSCOPE_SANITIZE})
endif()
if(FXSCOPE_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # As a shared library, by a name that the test preset asan knows: programs that are not sanitized preload it.
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so
                    OUTPUT_VARIABLE FXSCOPE_ASAN OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    cmake_path(GET FXSCOPE_ASAN PARENT_PATH folder)
    add_link_options(-shared-libsan -Wl,-rpath,${folder})
    file(CREATE_LINK ${FXSCOPE_ASAN} ${CMAKE_BINARY_DIR}/libasan.so SYMBOLIC)
endif()

find_program(FXSCOPE_CCACHE ccache)
if(FXSCOPE_CCACHE)
    # Precompiled headers need these two sloppiness settings to be cacheable at all. What a source reads is known from
    # the compiler: a run of the preprocessor before it would take a third of a small source's time.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
                                    CCACHE_DEPEND=true ${FXSCOPE_CCACHE})
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

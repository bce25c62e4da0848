# SPDX-License-Identifier: GPL-3.0-or-later
# fx_library(NAME SOURCES ... USES other-folders... LINKS targets... [TORCH|CORE] [COLD] [APART]): one folder of the tree as one
# static library. USES names the folders it may include from; TORCH shares the precompiled headers of LibTorch,
# CORE those of core's lower folders too. COLD: no time is spent in it, so that it is compiled fast rather than well.
# Folders of core are gathered in libfxcore (core/CMakeLists.txt), but for those that are APART.
add_library(fx_torch_pch STATIC ${CMAKE_SOURCE_DIR}/cmake/torch_pch.cpp)
target_link_libraries(fx_torch_pch PUBLIC ${TORCH_LIBRARIES})
target_include_directories(fx_torch_pch PUBLIC ${CMAKE_SOURCE_DIR})
target_precompile_headers(fx_torch_pch PRIVATE ${CMAKE_SOURCE_DIR}/cmake/torch_pch.h)
add_library(fx_core_pch STATIC ${CMAKE_SOURCE_DIR}/cmake/core_pch.cpp)
target_link_libraries(fx_core_pch PUBLIC fx_torch_pch)
target_precompile_headers(fx_core_pch PRIVATE ${CMAKE_SOURCE_DIR}/cmake/core_pch.h)

# fx_linked(OUT targets...): what to link for these targets from outside core, whose folders are one shared library.
function(fx_linked out)
    get_property(core GLOBAL PROPERTY FX_CORE)
    set(linked)
    foreach(target ${ARGN})
        if(target IN_LIST core)
            list(APPEND linked fxcore)
        else()
            list(APPEND linked ${target})
        endif()
    endforeach()
    list(REMOVE_DUPLICATES linked)
    set(${out} ${linked} PARENT_SCOPE)
endfunction()

# fx_core_headers(TARGET): a program or plugin of few sources that shares the precompiled headers CORE.
function(fx_core_headers target)
    target_compile_options(${target} PRIVATE -fPIC) # as the precompiled headers are
    target_precompile_headers(${target} REUSE_FROM fx_core_pch)
endfunction()

function(fx_library name)
    cmake_parse_arguments(arg "TORCH;CORE;COLD;APART" "" "SOURCES;USES;LINKS" ${ARGN})
    add_library(fx_${name} STATIC ${arg_SOURCES})
    target_include_directories(fx_${name} PUBLIC ${CMAKE_SOURCE_DIR})
    if(arg_COLD AND CMAKE_BUILD_TYPE STREQUAL "Release")
        target_compile_options(fx_${name} PRIVATE -O1 "$<$<CXX_COMPILER_ID:Clang>:SHELL:-mllvm -inline-threshold=25>")
    endif()
    list(TRANSFORM arg_USES PREPEND fx_)
    file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
    if(folder MATCHES "^core/" AND NOT arg_APART)
        set_property(GLOBAL APPEND PROPERTY FX_CORE fx_${name})
    else()
        fx_linked(arg_USES ${arg_USES})
    endif()
    # The library of core last, as its headers' folders are.
    list(FIND arg_USES fxcore core)
    if(core GREATER -1)
        list(REMOVE_ITEM arg_USES fxcore)
        list(APPEND arg_LINKS fxcore)
    endif()
    target_link_libraries(fx_${name} PUBLIC ${arg_USES} ${arg_LINKS})
    foreach(headers torch core)
        string(TOUPPER ${headers} wanted)
        if(arg_${wanted})
            target_link_libraries(fx_${name} PUBLIC fx_torch_pch)
            target_precompile_headers(fx_${name} REUSE_FROM fx_${headers}_pch)
        endif()
    endforeach()
endfunction()

# SPDX-License-Identifier: GPL-3.0-or-later
# fx_library(NAME SOURCES ... USES other-folders... LINKS targets... [TORCH]): one folder of the tree as one
# static library. USES names the folders it may include from; TORCH shares the precompiled LibTorch headers.
add_library(fx_torch_pch STATIC ${CMAKE_SOURCE_DIR}/cmake/torch_pch.cpp)
target_link_libraries(fx_torch_pch PUBLIC ${TORCH_LIBRARIES})
target_include_directories(fx_torch_pch PUBLIC ${CMAKE_SOURCE_DIR})
target_precompile_headers(fx_torch_pch PRIVATE ${CMAKE_SOURCE_DIR}/cmake/torch_pch.h)

function(fx_library name)
    cmake_parse_arguments(arg "TORCH" "" "SOURCES;USES;LINKS" ${ARGN})
    add_library(fx_${name} STATIC ${arg_SOURCES})
    target_include_directories(fx_${name} PUBLIC ${CMAKE_SOURCE_DIR})
    foreach(folder ${arg_USES})
        target_link_libraries(fx_${name} PUBLIC fx_${folder})
    endforeach()
    target_link_libraries(fx_${name} PUBLIC ${arg_LINKS})
    if(arg_TORCH)
        target_link_libraries(fx_${name} PUBLIC fx_torch_pch)
        target_precompile_headers(fx_${name} REUSE_FROM fx_torch_pch)
    endif()
endfunction()

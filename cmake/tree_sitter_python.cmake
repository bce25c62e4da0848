# SPDX-License-Identifier: GPL-3.0-or-later
# tree-sitter with its Python grammar as one static library, from the C sources in their packages on PyPI.
# Debian 12's libtree-sitter is older than the headers that this grammar was generated for.
set(tree_sitter_packages tree-sitter==0.23.2 tree-sitter-python==0.23.6)
set(runtime ${CMAKE_BINARY_DIR}/tree-sitter-0.23.2/tree_sitter/core/lib)
set(grammar ${CMAKE_BINARY_DIR}/tree_sitter_python-0.23.6)
set(FXSCOPE_SDISTS ${CMAKE_BINARY_DIR} CACHE PATH "Folder with the two source packages, or where to put them")

if(NOT EXISTS ${grammar}/src/parser.c OR NOT EXISTS ${runtime}/src/lib.c)
    if(NOT EXISTS ${FXSCOPE_SDISTS}/tree_sitter_python-0.23.6.tar.gz)
        find_program(FXSCOPE_PYTHON python3 REQUIRED)
        execute_process(
            COMMAND ${FXSCOPE_PYTHON} -m pip download --quiet --no-deps --no-binary :all:
                    --no-build-isolation --dest ${FXSCOPE_SDISTS} ${tree_sitter_packages}
            RESULT_VARIABLE failed)
        if(failed)
            message(FATAL_ERROR "could not download the source packages ${tree_sitter_packages}; "
                                "put them into a folder and pass -DFXSCOPE_SDISTS=FOLDER")
        endif()
    endif()
    file(ARCHIVE_EXTRACT INPUT ${FXSCOPE_SDISTS}/tree-sitter-0.23.2.tar.gz DESTINATION ${CMAKE_BINARY_DIR})
    file(ARCHIVE_EXTRACT INPUT ${FXSCOPE_SDISTS}/tree_sitter_python-0.23.6.tar.gz
         DESTINATION ${CMAKE_BINARY_DIR})
    # The grammar includes the runtime's headers under the folder name that generated parsers use.
    foreach(header parser array alloc)
        file(COPY ${runtime}/src/${header}.h DESTINATION ${grammar}/src/tree_sitter)
    endforeach()
endif()

add_library(tree_sitter_python STATIC ${runtime}/src/lib.c ${grammar}/src/parser.c ${grammar}/src/scanner.c)
target_include_directories(tree_sitter_python SYSTEM PUBLIC ${runtime}/include PRIVATE ${runtime}/src
                                                                                       ${grammar}/src)
target_compile_options(tree_sitter_python PRIVATE -w -O1)

# SPDX-License-Identifier: GPL-3.0-or-later
# Finds LibTorch: -DTorch_DIR first, else the torch of python3: of the active environment (packaging/run.sh makes one), or on PATH.
# The environment is asked first because a cmake that is started by a wrapper, as pyenv does, finds PATH changed.
if(NOT Torch_DIR)
    find_program(FXSCOPE_PYTHON python3 HINTS $ENV{VIRTUAL_ENV}/bin REQUIRED)
    execute_process(
        COMMAND ${FXSCOPE_PYTHON} -c
                "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0])"
        OUTPUT_VARIABLE torch_folder
        OUTPUT_STRIP_TRAILING_WHITESPACE
        ERROR_QUIET
        RESULT_VARIABLE torch_missing)
    if(torch_missing)
        message(FATAL_ERROR "LibTorch not found: pass -DTorch_DIR=.../share/cmake/Torch, "
                            "or `pip install torch==2.13.0` into the python3 on PATH")
    endif()
    set(Torch_DIR ${torch_folder}/share/cmake/Torch)
endif()
find_package(Torch REQUIRED)
# Torch's own flags are wanted by every user of its headers, and its libraries are found next to the wheel.
set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} ${TORCH_CXX_FLAGS}")
list(GET TORCH_INCLUDE_DIRS 0 torch_include)
get_filename_component(FXSCOPE_TORCH_ROOT ${torch_include}/.. ABSOLUTE)
set(CMAKE_BUILD_RPATH ${FXSCOPE_TORCH_ROOT}/lib)

# SPDX-License-Identifier: GPL-3.0-or-later
# What `cmake --install` puts where. Each program and library has one line where it is built; packaging/CMakeLists.txt has the rest.
#   bin            a launcher for each program that a person starts; it finds LibTorch (packaging/launcher.sh)
#   lib/fxscope    bin: the programs, beside each other as they find each other; samples; shared libraries; plugins
set(FXSCOPE_HOME lib/fxscope)

# fx_install_program(NAME [LAUNCHED]): LAUNCHED is what a person starts, and has a man page.
function(fx_install_program name)
    set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN/..")
    install(TARGETS ${name} RUNTIME DESTINATION ${FXSCOPE_HOME}/bin)
    if("LAUNCHED" IN_LIST ARGN)
        install(PROGRAMS ${CMAKE_SOURCE_DIR}/packaging/launcher.sh DESTINATION bin RENAME ${name})
        install(FILES ${CMAKE_SOURCE_DIR}/packaging/share/${name}.1 DESTINATION share/man/man1)
    endif()
endfunction()

# fx_install_library(NAME [FOLDER]): a shared library, or in FOLDER one that is loaded at run time.
function(fx_install_library name)
    set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN:$ORIGIN/..")
    install(TARGETS ${name} LIBRARY DESTINATION ${FXSCOPE_HOME}/${ARGN})
endfunction()

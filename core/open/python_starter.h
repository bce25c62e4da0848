// SPDX-License-Identifier: GPL-3.0-or-later
// The one program that fxscope starts for a model: python3, which compiles a program by AOTInductor. It is
// started by a process of its own, as the one that runs graphs may start nothing
// (core/session/confine_run.h).
#pragma once

#include <memory>
#include <string>

namespace fx {

/// Beginning of the names of folders for a compiler, among the system's temporary files.
inline constexpr const char* kCompilerFolder = "fxscope-compile-";
/// What lies in such a folder: what is compiled, a .pt2 that our writer writes, and what comes of it.
inline constexpr const char *kCompiledProgram = "program.pt2", *kCompiledPackage = "package.pt2";

/// Forks the process that starts python3 for this one from now on. Nothing but the program of
/// python_starter.cpp can be started by it.
void preparePython();

class PythonStarter;

/// python3, compiling in a folder.
class PythonCompiler {
public:
    /// Uses the process of preparePython(), or else one that ends with this object.
    explicit PythonCompiler(const std::string& folder);
    /// Ends python3 with all that it has started.
    ~PythonCompiler();
    PythonCompiler(const PythonCompiler&) = delete;
    PythonCompiler& operator=(const PythonCompiler&) = delete;

    /// Waits up to 200 ms for output. Returns false once python3 has ended. Throws an Error if it cannot be
    /// started.
    bool wait();
    const std::string& log() const { return m_log; }
    bool hasCompiled() const { return m_hasCompiled; }

private:
    const std::unique_ptr<PythonStarter> m_own;
    const int m_socket;
    bool m_isRunning = false, m_hasCompiled = false;
    std::string m_log;
};

} // namespace fx

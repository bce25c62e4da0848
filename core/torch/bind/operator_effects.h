// SPDX-License-Identifier: GPL-3.0-or-later
// What operators do beside giving results, and which of them may run. Models come from strangers: one may ask
// for a file to be overwritten as well as for a sum.
#pragma once

#include <ATen/core/function_schema.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace fx {

enum class OperatorEffect : uint8_t {
    Pure,
    Draws,   ///< random numbers, or sets where they begin
    Writes,  ///< into its arguments
    Outside, ///< files, the terminal, other processes, the network
    Unknown  ///< of an operator that a library has registered
};

/// `qualifiedName`: "aten::add".
OperatorEffect effectOf(std::string_view qualifiedName);
/// Of an operator that a program has defined, whose work is the program's own: no more than it may do anyway.
void declareEffect(const std::string& qualifiedName, OperatorEffect effect);

/// How far calls may reach.
enum class Reach : uint8_t {
    Opening, ///< nothing outside the program, and nothing whose effect is not known
    Running, ///< nothing outside the program
    Outside  ///< the user allows it for this model
};

/// On this thread, while it lives. Opening within a run reaches no further than opening does.
class ReachScope {
public:
    explicit ReachScope(Reach reach);
    ~ReachScope();
    ReachScope(const ReachScope&) = delete;
    ReachScope& operator=(const ReachScope&) = delete;

private:
    Reach m_before;
};

/// Throws an Error that no program can catch (kNotAllowedKind) where an operator of this effect may not be
/// called now: outside any scope as in a run.
void requireReach(const c10::OperatorName& name, OperatorEffect effect);
/// Whether it would.
bool isWithinReach(OperatorEffect effect);

} // namespace fx

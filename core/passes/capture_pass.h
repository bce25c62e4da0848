// SPDX-License-Identifier: GPL-3.0-or-later
// Puts in the place of a graph the operators that it calls when it runs, and with --backward those that work
// out gradients, too.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace fx {

class Edit;
struct PassOption;
class PassOptions;
struct PassContext;

/// The same with what torch.export asks for.
void runToAten(Edit& edit, const PassOptions& options, PassContext& context);
/// The same with options as texts.
void captureOperators(Edit& edit, const std::map<std::string, std::string>& options, PassContext& context);
std::vector<PassOption> captureOptions();
void runCapture(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx

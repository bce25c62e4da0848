// SPDX-License-Identifier: GPL-3.0-or-later
// Opens TorchScript programs (torch.jit.save): LibTorch parses their code, and core/trace traces it into a
// graph.
#pragma once

#include "core/open/python_source.h"

namespace fx {

class ZipArchive;

/// Whether the archive holds a program.
bool isTorchScript(const ZipArchive& zip);
/// Runs nothing of the file: programs that would run code while they are loaded are refused.
OpenedModel openTorchScript(const ZipArchive& zip, const TraceOptions& options);

} // namespace fx

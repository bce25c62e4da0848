// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold of a TorchScript archive before LibTorch loads it: LibTorch trusts the sizes of tensors,
// parses code by recursion, and runs a method of the file where a class has one for loading.
#pragma once

namespace fx {

class ZipArchive;

/// Reads all records; throws an Error that names the one that is at fault.
void checkTorchScript(const ZipArchive& zip);

} // namespace fx

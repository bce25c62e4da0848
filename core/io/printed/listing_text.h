// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs printed as a listing (str(graph)): "%relu : [num_users=1] = call_function[target=torch.relu](args =
// (%x,), kwargs = {})". Such a text has strings without quotes: what could be a number or a device is one.
#pragma once

#include "core/io/printed/printed_graph.h"

namespace fx {

/// `text` is a whole listing (PrintedFile::textOf); `path` is what errors call it. Throws an Error at
/// "PATH:LINE:COLUMN".
PrintedGraph readPrintedListing(const std::string& text, const std::string& path);

} // namespace fx

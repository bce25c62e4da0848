// SPDX-License-Identifier: GPL-3.0-or-later
// Python source that a model was made from. Its functions and classes are what calls in the graph mean.
#pragma once

#include <string>

namespace fx {

struct SourceText {
    std::string module; ///< as Python imports it: "net", "package.net"
    std::string path;   ///< as errors name it
    std::string text;
    bool isPackage = false;
};

} // namespace fx

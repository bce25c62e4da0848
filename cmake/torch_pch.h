// SPDX-License-Identifier: GPL-3.0-or-later
// The LibTorch headers that core's sources share, compiled once. Our own headers include none of them.
#pragma once

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

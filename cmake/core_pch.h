// SPDX-License-Identifier: GPL-3.0-or-later
// What nearly everything above core/python includes, compiled once. A source still names what it uses
// (tests/project/check_sources.py).
#pragma once

#include "cmake/torch_pch.h"
#include "core/ir/graph.h"
#include "core/module/edit.h"
#include "core/python/value.h"

#include <nlohmann/json.hpp>

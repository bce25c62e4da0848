// SPDX-License-Identifier: GPL-3.0-or-later
// The same for tests with a window.
#pragma once

#include "tests/app/gui/window_probe.h"
#include "tests/support/test_pch.h"

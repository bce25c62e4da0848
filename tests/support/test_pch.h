// SPDX-License-Identifier: GPL-3.0-or-later
// What most tests include, compiled once.
#pragma once

#include "cmake/core_pch.h"
#include "core/base/error.h"
#include "core/codegen/python_code.h"
#include "core/interpret/interpreter.h"
#include "core/passes/pass_runner.h"

#define QT_NO_VERSION_TAGGING // it wants Qt to be linked, which not all of these programs do
#include <QtTest>

// A busy machine may take long for what is waited for, such as a process that loads LibTorch.
#undef QTRY_VERIFY
#undef QTRY_COMPARE
#define QTRY_VERIFY(expr) QTRY_VERIFY_WITH_TIMEOUT(expr, 30000)
#define QTRY_COMPARE(expr, expected) QTRY_COMPARE_WITH_TIMEOUT(expr, expected, 30000)

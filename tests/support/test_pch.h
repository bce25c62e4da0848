// SPDX-License-Identifier: GPL-3.0-or-later
// What nearly all tests include, compiled once.
#pragma once

#include "cmake/core_pch.h"

#define QT_NO_VERSION_TAGGING // it wants Qt to be linked, which not all of these programs do
#include <QtTest>

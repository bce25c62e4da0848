// SPDX-License-Identifier: GPL-3.0-or-later
// Gives the precompiled headers of tests a translation unit to belong to.

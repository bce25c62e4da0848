// SPDX-License-Identifier: GPL-3.0-or-later
// A program of many test classes. Each call runs one of them: `test_core edit theNameOfATest`.
#pragma once

#include <QtTest>

namespace fx {

/// Factory of a test class, and a function that runs before the application exists (may be null).
struct TestClass {
    QObject* (*make)();
    void (*prepare)();
};

/// Registers a class under the name of its source, tst_NAME.cpp.
bool addTestClass(const char* source, TestClass added);

template <class Test>
TestClass testClass() {
    TestClass made{[]() -> QObject* { return new Test; }, nullptr};
    if constexpr (requires { Test::beforeApplication(); })
        made.prepare = [] { Test::beforeApplication(); };
    return made;
}

} // namespace fx

#define FX_TEST(name) static const bool k##name##IsAdded = fx::addTestClass(__FILE__, fx::testClass<name>());

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"

#ifdef FXSCOPE_TEST_WINDOWS
#include <QApplication>
#endif

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace fx {

namespace {

std::map<std::string, TestClass>& testClasses() {
    static std::map<std::string, TestClass> classes;
    return classes;
}

} // namespace

bool addTestClass(const char* source, TestClass added) {
    const std::string name =
        std::filesystem::path(source).stem().string().substr(std::string_view("tst_").size());
    if (!testClasses().emplace(name, added).second) {
        std::fprintf(stderr, "Two sources of this program are named tst_%s.cpp.\n", name.c_str());
        std::abort();
    }
    return true;
}

} // namespace fx

int main(int argc, char** argv) {
    const auto& classes = fx::testClasses();
    const auto found = classes.find(argc > 1 ? argv[1] : "");
    if (found == classes.end()) {
        std::fprintf(stderr, "usage: %s CLASS [QTEST OPTION...] [FUNCTION...]\nThe classes are:\n", argv[0]);
        for (const auto& [name, made] : classes)
            std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    argv[1] = argv[0];
    ++argv;
    --argc;
    if (found->second.prepare)
        found->second.prepare();
#ifdef FXSCOPE_TEST_WINDOWS
    QApplication application(argc, argv);
    application.setAttribute(Qt::AA_Use96Dpi);
#else
    QCoreApplication application(argc, argv);
#endif
    const std::unique_ptr<QObject> test(found->second.make());
    return QTest::qExec(test.get(), argc, argv);
}

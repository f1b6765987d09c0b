// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QTest>
#include <QtTest/qtestsystem.h>

/// Several sources of tests are compiled as one, each in a namespace of its own, and linked into one program, because most of
/// the time that a test takes to compile goes into templates that all of them use. In place of a main function each leaves
/// an entry here, under the name of its source; grouped_main.cpp starts the one that is asked for.
namespace tracedeck::test {

using TestFunction = int (*)(int argumentCount, char** arguments);

/// Remembers the tests of a source (`.../test_merge.cpp` is called test_merge). Returns true, so that a constant can call it.
bool addTests(const char* sourcePath, TestFunction function);

}  // namespace tracedeck::test

#define TRACEDECK_ADD_TESTS(TestClass, Application)                                                             \
    namespace {                                                                                                 \
    int runTests(int argc, char** argv)                                                                         \
    {                                                                                                           \
        QT_PREPEND_NAMESPACE(QTest::Internal::callInitMain)<TestClass>();                                       \
        Application application(argc, argv);                                                                    \
        TestClass tests;                                                                                        \
        QTEST_SET_MAIN_SOURCE_PATH                                                                              \
        return QTest::qExec(&tests, argc, argv);                                                                \
    }                                                                                                           \
    [[maybe_unused]] const bool testsAdded = ::tracedeck::test::addTests(__FILE__, runTests);                   \
    }

#undef QTEST_GUILESS_MAIN
#define QTEST_GUILESS_MAIN(TestClass) TRACEDECK_ADD_TESTS(TestClass, QCoreApplication)
#undef QTEST_APPLESS_MAIN
#define QTEST_APPLESS_MAIN(TestClass) TRACEDECK_ADD_TESTS(TestClass, QCoreApplication)
#undef QTEST_MAIN
#ifdef QT_WIDGETS_LIB
#include <QApplication>
#define QTEST_MAIN(TestClass) TRACEDECK_ADD_TESTS(TestClass, QApplication)
#else
#define QTEST_MAIN(TestClass) TRACEDECK_ADD_TESTS(TestClass, QCoreApplication)
#endif

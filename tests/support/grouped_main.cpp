// SPDX-License-Identifier: GPL-3.0-or-later
// Main of a program that holds several sources of tests: `unit_tests_1 test_merge [Qt Test's options]`, or through a link
// that is called like the test, `unit_test_merge [Qt Test's options]`.
#include <cstdio>
#include <map>
#include <string>

#include "tests/support/grouped_tests.h"

namespace tracedeck::test {
namespace {

std::map<std::string, TestFunction>& allTests()
{
    static std::map<std::string, TestFunction> tests;
    return tests;
}

std::string stem(const std::string& path)
{
    const std::string name = path.substr(path.rfind('/') + 1);
    return name.substr(0, name.find('.'));
}

}  // namespace

bool addTests(const char* sourcePath, TestFunction function)
{
    allTests().emplace(stem(sourcePath), function);
    return true;
}

}  // namespace tracedeck::test

int main(int argc, char** argv)
{
    const auto& tests = tracedeck::test::allTests();
    const std::string program = tracedeck::test::stem(argv[0]);
    const auto byLink = tests.find(program.substr(program.find('_') + 1));
    if (byLink != tests.end()) return byLink->second(argc, argv);
    const auto byName = argc > 1 ? tests.find(argv[1]) : tests.end();
    if (byName != tests.end()) {
        argv[1] = argv[0];
        return byName->second(argc - 1, argv + 1);
    }
    std::fprintf(stderr, "%s: name one of these tests:\n", argv[0]);
    for (const auto& [name, function] : tests) std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
}

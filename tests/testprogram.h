#pragma once

#include <QObject>

#include <memory>

namespace sweepscope {

/// How long a test waits for something that must happen, in milliseconds. Only a test that fails waits as long.
inline constexpr int patience = 100'000;

}  // namespace sweepscope

namespace sweepscope::tests {

/// Adds a test class to a program that has several. `unit_live_tests tst_plotkeys` runs the one in tst_plotkeys.cpp; options of Qt Test
/// may follow.
class TestClass {
public:
    using Make = std::unique_ptr<QObject> (*)();

    TestClass(const char *file, Make make);
};

}  // namespace sweepscope::tests

/// In place of QTEST_MAIN(). Programs with the window in them have a QApplication, others a QCoreApplication.
#define SWEEPSCOPE_TEST(Class)                                                                                         \
    static const sweepscope::tests::TestClass registered##Class(                                                       \
        __FILE__, [] { return std::unique_ptr<QObject>(std::make_unique<Class>()); });

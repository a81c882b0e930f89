#include "testprogram.h"

#include <QTest>
#ifdef QT_WIDGETS_LIB
#include <QApplication>
#else
#include <QCoreApplication>
#endif

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace sweepscope::tests {
namespace {

std::map<std::string, TestClass::Make> &classes()
{
    static std::map<std::string, TestClass::Make> byName;
    return byName;
}

}  // namespace

TestClass::TestClass(const char *file, Make make)
{
    classes().emplace(std::filesystem::path(file).stem().string(), make);
}

}  // namespace sweepscope::tests

int main(int argc, char *argv[])
{
    using namespace sweepscope::tests;
    const auto chosen = argc > 1 ? classes().find(argv[1]) : classes().end();
    if (chosen == classes().end()) {
        std::fprintf(stderr, "Usage: %s TEST [OPTIONS OF QT TEST]\nTests:\n", argv[0]);
        for (const auto &[name, make] : classes())
            std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    argv[1] = argv[0];
    --argc;
    ++argv;
#ifdef QT_WIDGETS_LIB
    QApplication application(argc, argv);
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi);
#else
    QCoreApplication application(argc, argv);
#endif
    const std::unique_ptr<QObject> test = chosen->second();
    return QTest::qExec(test.get(), argc, argv);
}

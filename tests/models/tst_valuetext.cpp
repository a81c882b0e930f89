#include "testprogram.h"

#include "ui/models/valuetext.h"

#include <QTest>

#include <cmath>

using namespace sweepscope;

class ValueTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void durations_data();
    void durations();
    void timeLeft_data();
    void timeLeft();
    void numbers();
    void fileSizes();
};

void ValueTextTest::durations_data()
{
    QTest::addColumn<double>("seconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << 0.0 << QStringLiteral("0 ms");
    QTest::newRow("below a second") << 0.0416 << QStringLiteral("42 ms");
    QTest::newRow("nearly a second") << 0.9996 << QStringLiteral("1.0 s");
    QTest::newRow("below ten") << 9.94 << QStringLiteral("9.9 s");
    QTest::newRow("ten") << 9.96 << QStringLiteral("10 s");
    QTest::newRow("rounds up to a minute") << 59.6 << QStringLiteral("1 min 00 s");
    QTest::newRow("minutes") << 187.0 << QStringLiteral("3 min 07 s");
    QTest::newRow("hours") << 7500.0 << QStringLiteral("2 h 05 min");
    QTest::newRow("days") << 100800.0 << QStringLiteral("1 d 4 h");
    QTest::newRow("negative") << -1.0 << QString();
    QTest::newRow("unknown") << std::nan("") << QString();
}

void ValueTextTest::durations()
{
    QFETCH(double, seconds);
    QTEST(ui::durationText(seconds), "text");
}

void ValueTextTest::timeLeft_data()
{
    QTest::addColumn<double>("seconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("soon") << 3.0 << QStringLiteral("a few seconds left");
    QTest::newRow("seconds by five") << 22.0 << QStringLiteral("about 20 s left");
    QTest::newRow("almost a minute") << 58.0 << QStringLiteral("about 1 min left");
    QTest::newRow("minutes") << 300.0 << QStringLiteral("about 5 min left");
    QTest::newRow("hours by five minutes") << 7300.0 << QStringLiteral("about 2 h 00 min left");
    QTest::newRow("days") << 180000.0 << QStringLiteral("about 2 d 2 h left");
}

void ValueTextTest::timeLeft()
{
    QFETCH(double, seconds);
    QTEST(ui::timeLeftText(seconds), "text");
}

void ValueTextTest::numbers()
{
    QCOMPARE(ui::numberText(0.0046415888336127825), QStringLiteral("0.0046416"));
    QCOMPARE(ui::numberText(-0.0), QStringLiteral("0"));
    QCOMPARE(ui::numberText(9876.5), QStringLiteral("9876.5"));
    QCOMPARE(ui::numberText(12345.6), QStringLiteral("12,346"));
    QCOMPARE(ui::numberText(-114820), QStringLiteral("-114,820"));
    QCOMPARE(ui::numberText(1e5), QStringLiteral("100,000"));
    QCOMPARE(ui::numberText(2.7e15), QStringLiteral("2.7e+15"));
    QCOMPARE(ui::numberText(std::nan("")), QStringLiteral("NaN"));
    QCOMPARE(ui::parameterText(std::int64_t{123456789}), QStringLiteral("123456789"));
    QCOMPARE(ui::exactText(1.0 / 3), QStringLiteral("0.3333333333333333"));
}

void ValueTextTest::fileSizes()
{
    QCOMPARE(fileSizeText(0), u"0 bytes"_s);
    QCOMPARE(fileSizeText(1), u"1 byte"_s);
    QCOMPARE(fileSizeText(12), u"12 bytes"_s);
    QCOMPARE(fileSizeText(1536), u"1.50 KiB"_s);
}

SWEEPSCOPE_TEST(ValueTextTest)
#include "tst_valuetext.moc"

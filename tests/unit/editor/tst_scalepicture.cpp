#include "testprogram.h"

#include "ui/editor/scalepicture.h"

#include <QGuiApplication>
#include <QImage>
#include <QPainter>
#include <QPalette>
#include <QTest>

#include <cmath>

using namespace sweepscope;
using namespace sweepscope::ui;
using sweep::DimensionKind;
using sweep::SearchMethod;

namespace {

sweep::Dimension range(DimensionKind kind, double low, double high, int points = 0)
{
    sweep::Dimension dimension;
    dimension.name = "lr";
    dimension.kind = kind;
    dimension.low = low;
    dimension.high = high;
    dimension.points = points;
    return dimension;
}

sweep::Dimension list(std::vector<sweep::ParameterValue> values)
{
    sweep::Dimension dimension;
    dimension.name = "lr";
    dimension.values = std::move(values);
    return dimension;
}

bool isClose(const std::vector<double> &places, const std::vector<double> &expected)
{
    return std::ranges::equal(places, expected, [](double a, double b) { return std::abs(a - b) < 1e-9; });
}

constexpr int width = 205;  // a position of 0.1 is 20 pixels, plus half a dot at either end
constexpr int height = 20;

bool isAccent(const QImage &image, double place)
{
    const int x = static_cast<int>(std::lround(2.5 + place * (width - 5)));
    for (int y = 0; y < height; ++y) {
        const QColor color = image.pixelColor(std::min(x, width - 1), y);
        if (color.red() > 200 && color.green() < 80)
            return true;
    }
    return false;
}

QImage painted(const ScalePicture &picture)
{
    QImage image(width, height, QImage::Format_ARGB32);
    image.fill(Qt::white);
    QPalette palette(Qt::black, Qt::white, Qt::white, Qt::gray, Qt::gray, Qt::black, Qt::black, Qt::white, Qt::white);
    palette.setColor(QPalette::Link, Qt::red);
    QPainter painter(&image);
    paintScale(painter, QRectF(0, 0, width, height), picture, palette);
    return image;
}

}  // namespace

class ScalePictureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void logarithmicGridIsEvenlySpacedWithDenserMinorTicks()
    {
        const auto picture = scalePictureOf(range(DimensionKind::Log, 1e-4, 1e-1, 4), SearchMethod::Grid);
        QVERIFY(picture);
        QVERIFY(!picture->isContinuous);
        QVERIFY(isClose(picture->values, {0, 1 / 3.0, 2 / 3.0, 1}));
        QVERIFY(isClose(picture->ticks, {0, 1 / 3.0, 2 / 3.0, 1}));
        QCOMPARE(picture->minorTicks.size(), 24U);
        QVERIFY(picture->minorTicks[1] - picture->minorTicks[0]
                > 2 * (picture->minorTicks[7] - picture->minorTicks[6]));
    }

    void linearScaleHasRoundSteps()
    {
        const auto picture = scalePictureOf(range(DimensionKind::Linear, 0.05, 0.5, 10), SearchMethod::Grid);
        QVERIFY(picture);
        QVERIFY(picture->minorTicks.empty());
        QCOMPARE(picture->ticks.size(), 10U);  // 0.05, 0.1, ... 0.5
        QVERIFY(isClose(picture->ticks, picture->values));
    }

    void sampledRangeIsABar()
    {
        const auto picture = scalePictureOf(range(DimensionKind::Log, 1e-5, 1), SearchMethod::Random);
        QVERIFY(picture && picture->isContinuous);
        QVERIFY(picture->values.empty());
        sweep::Dimension many = range(DimensionKind::Integer, 1, 1e6);
        QVERIFY(scalePictureOf(many, SearchMethod::Grid)->isContinuous);
        many.step = 100'000;
        QVERIFY(!scalePictureOf(many, SearchMethod::Random)->isContinuous);
    }

    void listIsOnTheScaleOfItsValues()
    {
        const auto widths =
            scalePictureOf(list({std::int64_t{32}, std::int64_t{64}, std::int64_t{128}}), SearchMethod::Grid);
        QVERIFY(widths && isClose(widths->values, {0, 1 / 3.0, 1}));
        const auto rates = scalePictureOf(list({0.1, 1e-4, 1e-3}), SearchMethod::Grid);
        QVERIFY(rates && isClose(rates->values, {1, 0, 1 / 3.0}));
        const auto both = scalePictureOf(list({std::int64_t{0}, 1e-4, 0.1}), SearchMethod::Grid);
        QVERIFY(both && isClose(both->values, {0, 1e-3, 1}));
    }

    void nothingIsDrawnWithoutAScale()
    {
        QVERIFY(!scalePictureOf(list({std::string("adam"), std::string("sgd")}), SearchMethod::Grid));
        QVERIFY(!scalePictureOf(list({true, false}), SearchMethod::Grid));
        QVERIFY(!scalePictureOf(list({0.1}), SearchMethod::Grid));
        QVERIFY(!scalePictureOf(range(DimensionKind::Linear, 1, 0, 3), SearchMethod::Grid));
        QVERIFY(!scalePictureOf(range(DimensionKind::Log, 0, 1, 3), SearchMethod::Grid));
        QVERIFY(!scalePictureOf(range(DimensionKind::Linear, -1.7e308, 1.7e308), SearchMethod::Random));
        // Steps below the precision of numbers of this size.
        const std::int64_t huge = 1'700'000'000'000'000'000;
        const auto crowded = scalePictureOf(list({huge, huge + 128, huge + 256}), SearchMethod::Grid);
        QVERIFY(!crowded || crowded->ticks.size() <= 11);
        // Some 600 powers of ten.
        const auto widest = scalePictureOf(range(DimensionKind::Log, 1e-300, 1e300), SearchMethod::Random);
        QVERIFY(!widest || widest->minorTicks.empty());
    }

    void dotsAreDrawnAtTheValues()
    {
        const QImage image = painted(*scalePictureOf(range(DimensionKind::Log, 1e-3, 10, 5), SearchMethod::Grid));
        for (int i = 0; i <= 100; ++i) {
            if (i % 25 == 0)
                QVERIFY2(isAccent(image, i / 100.0), qPrintable(QString::number(i)));
            else if (i % 25 > 2 && i % 25 < 23)
                QVERIFY2(!isAccent(image, i / 100.0), qPrintable(QString::number(i)));
        }
        const QImage bar = painted(*scalePictureOf(range(DimensionKind::Linear, 0, 1), SearchMethod::Random));
        for (int i = 1; i < 100; ++i)
            QVERIFY2(isAccent(bar, i / 100.0), qPrintable(QString::number(i)));
    }
};

SWEEPSCOPE_TEST(ScalePictureTest)
#include "tst_scalepicture.moc"

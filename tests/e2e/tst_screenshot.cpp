#include "testprogram.h"

#include "e2e/workspaceengine.h"

#include <QImage>
#include <QProcess>
#include <QTest>

#include <algorithm>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using tests::WorkspaceEngine;

namespace {

struct Ended {
    int code = -1;
    QString message;
};

Ended runSweepscope(const QStringList &arguments)
{
    QProcess process;
    process.start(QStringLiteral(SWEEPSCOPE_BIN_DIR "/sweepscope"), arguments);
    if (!process.waitForFinished(patience))
        return {};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            QString::fromUtf8(process.readAllStandardError())};
}

/// A workspace with a sweep of two trials that has ended.
struct EndedSweep {
    WorkspaceEngine engine;

    bool run()
    {
        if (!engine.connect())
            return false;
        QFile file(engine.writeSweep(u"points"_s, {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}"_s}, 2));
        if (!file.open(QIODevice::ReadOnly))
            return false;
        engine.client().launchSweep(QString::fromUtf8(file.readAll()), engine.path({}));
        return QTest::qWaitFor(
            [this] {
                const auto &sweeps = engine.client().sweeps();
                return !sweeps.empty() && sweeps[0].state == sweep::SweepState::Completed;
            },
            patience);
    }
    Ended picture(const QStringList &more) const
    {
        return runSweepscope(
            QStringList{u"--workspace"_s, engine.path(u"workspace"_s), u"--screenshot"_s, engine.path(u"out.png"_s)}
            + more);
    }
    QImage image() const { return QImage(engine.path(u"out.png"_s)); }
};

/// Returns the mean lightness of the picture: 0 is black.
int lightness(const QImage &image)
{
    return image.scaled(1, 1, Qt::IgnoreAspectRatio, Qt::SmoothTransformation).pixelColor(0, 0).lightness();
}

}  // namespace

class ScreenshotTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pageIsDrawnInTheRequestedSizeAndTheme();
    void pixelsGrowWithTheScale();
    void pagesDiffer();
    void sameTrialIsShownOnEveryPage();
    void badRequestsAreReportedAndNothingIsWritten();
};

void ScreenshotTest::pageIsDrawnInTheRequestedSizeAndTheme()
{
    EndedSweep sweep;
    QVERIFY2(sweep.run(), qPrintable(sweep.engine.client().errorText()));
    const Ended light = sweep.picture({u"--page"_s, u"trials"_s, u"--size"_s, u"1024x700"_s});
    QVERIFY2(light.code == 0, qPrintable(light.message));
    QCOMPARE(sweep.image().size(), QSize(1024, 700));
    QVERIFY(lightness(sweep.image()) > 180);
    const Ended dark = sweep.picture({u"--page"_s, u"trials"_s, u"--theme"_s, u"dark"_s});
    QVERIFY2(dark.code == 0, qPrintable(dark.message));
    QCOMPARE(sweep.image().size(), QSize(1280, 800));
    QVERIFY(lightness(sweep.image()) < 80);
}

void ScreenshotTest::pixelsGrowWithTheScale()
{
    EndedSweep sweep;
    QVERIFY2(sweep.run(), qPrintable(sweep.engine.client().errorText()));
    const Ended ended = sweep.picture({u"--page"_s, u"live"_s, u"--size=1000x700"_s, u"--scale=2"_s});
    QVERIFY2(ended.code == 0, qPrintable(ended.message));
    QCOMPARE(sweep.image().size(), QSize(2000, 1400));
}

void ScreenshotTest::pagesDiffer()
{
    EndedSweep sweep;
    QVERIFY2(sweep.run(), qPrintable(sweep.engine.client().errorText()));
    QList<QImage> images;
    for (const QString &page : {u"sweep"_s, u"live"_s, u"trials"_s, u"logs"_s}) {
        const Ended ended = sweep.picture({u"--page"_s, page, u"--sweep"_s, u"points"_s, u"--trial"_s, u"1"_s});
        QVERIFY2(ended.code == 0, qPrintable(ended.message));
        QVERIFY2(!images.contains(sweep.image()), qPrintable(page));
        images << sweep.image();
    }
}

void ScreenshotTest::sameTrialIsShownOnEveryPage()
{
    EndedSweep sweep;
    QVERIFY2(sweep.run(), qPrintable(sweep.engine.client().errorText()));
    for (const QString &page : {u"live"_s, u"trials"_s, u"trial"_s, u"logs"_s, u"timeline"_s, u"analysis"_s}) {
        QList<QImage> images;
        for (const QString &trial : {u"1"_s, u"2"_s}) {
            const Ended ended = sweep.picture({u"--page"_s, page, u"--trial"_s, trial});
            QVERIFY2(ended.code == 0, qPrintable(ended.message));
            images << sweep.image();
        }
        QVERIFY2(images[0] != images[1], qPrintable(page));
    }
    const Ended none = sweep.picture({u"--page"_s, u"trial"_s, u"--trial"_s, u"999"_s});
    QVERIFY(none.code > 0);
    QVERIFY2(none.message.contains(u"no trial 999"_s), qPrintable(none.message));
}

void ScreenshotTest::badRequestsAreReportedAndNothingIsWritten()
{
    WorkspaceEngine engine;
    QVERIFY2(engine.connect(), qPrintable(engine.client().errorText()));
    const QStringList common{u"--workspace"_s, engine.path(u"workspace"_s), u"--screenshot"_s,
                             engine.path(u"out.png"_s)};
    const std::pair<QStringList, QString> requests[] = {
        {{u"--page"_s, u"moon"_s}, u"trials"_s},      {{u"--size"_s, u"12x12"_s}, u"--size"_s},
        {{u"--theme"_s, u"pink"_s}, u"dark"_s},       {{u"--trial"_s, u"first"_s}, u"--trial"_s},
        {{u"--sweep"_s, u"no-such"_s}, u"no-such"_s}, {{u"no-such.toml"_s}, u"no-such.toml"_s},
    };
    for (const auto &[arguments, word] : requests) {
        const Ended ended = runSweepscope(common + arguments);
        QVERIFY2(ended.code > 0, qPrintable(arguments.join(u' ')));
        QVERIFY2(ended.message.contains(word), qPrintable(ended.message));
    }
    QVERIFY(!QFile::exists(engine.path(u"out.png"_s)));
}

SWEEPSCOPE_TEST(ScreenshotTest)
#include "tst_screenshot.moc"

#include "machinefixture.h"
#include "testprogram.h"
#include "ui/devices/corescard.h"
#include "ui/devices/corestrip.h"
#include "ui/devices/devicecard.h"
#include "ui/devices/devicecards.h"
#include "ui/devices/devicespage.h"
#include "ui/devices/sparkaxis.h"
#include "ui/devices/sparkline.h"
#include "ui/editor/machinetext.h"
#include "ui/models/devicewords.h"
#include "ui/models/valuetext.h"
#include "ui/theme/fonts.h"
#include "wording/sentence.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QLabel>
#include <QLayout>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QWidgetAction>

#include <set>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

protocol::DeviceStatus core(int index)
{
    protocol::DeviceStatus device;
    device.id = u"cpu:%1"_s.arg(index);
    device.name = u"A CPU"_s;
    device.index = index;
    return device;
}

/// Returns whether a column of the picture contains a colour close to the line's.
bool isDrawn(const QImage &picture, int x, const QColor &color)
{
    for (int y = 0; y < picture.height() - 2; ++y) {
        const QColor pixel = picture.pixelColor(x, y);
        if (std::abs(pixel.red() - color.red()) + std::abs(pixel.green() - color.green())
                + std::abs(pixel.blue() - color.blue())
            < 90)
            return true;
    }
    return false;
}

}  // namespace

/// The content of the device cards.
class DeviceCardsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void memoryHasTheSameUnitEverywhere()
    {
        protocol::DeviceStatus device = gpu();
        device.memoryBytes = 141.0 * 1024 * 1024 * 1024;
        QCOMPARE(machineText({device, core(0)}, {}), u"This machine has NVIDIA H200 with 141 GiB and 1 CPU core."_s);
        QCOMPARE(bytesText(device.memoryBytes), u"141 GiB"_s);
    }

    void cardShowsValuesWithTheirLimits()
    {
        AttemptFixture attempt(1);
        attempt.device(gpuId + ".utilization", start, 87);
        attempt.device(gpuId + ".memory", start, 64.0 * 1024 * 1024 * 1024, "B");
        attempt.device(gpuId + ".memory_total", start, 128.0 * 1024 * 1024 * 1024, "B");
        attempt.device(gpuId + ".sm_clock", start, 1755, "MHz");
        attempt.device(gpuId + ".sm_clock_max", start, 1980, "MHz");
        attempt.device(gpuId + ".power", start, 412.4, "W");
        attempt.device(gpuId + ".power_limit", start, 700, "W");
        attempt.device(gpuId + ".temperature", start, 64, "°C");
        attempt.device(gpuId + ".throttle_reasons", start, 0x44, "");
        attempt.flush();
        DeviceCard card;
        card.showReadings(readingsOf(attempt));
        card.showDevice(gpu());
        QCOMPARE(text(card, u"deviceTitle"_s), u"GPU 3"_s);
        QCOMPARE(text(card, u"utilization"_s), u"87%"_s);
        QCOMPARE(text(card, u"memory"_s), u"64.0 of 128 GiB"_s);
        QCOMPARE(text(card, u"clock"_s), u"1755 of 1980 MHz"_s);
        QCOMPARE(text(card, u"power"_s), u"412 of 700 W"_s);
        QCOMPARE(text(card, u"temperature"_s), u"64 °C"_s);
        QCOMPARE(text(card, u"throttle"_s), u"power limit, hardware thermal slowdown"_s);
        QVERIFY2(throttleText(0x40).isWarning && !throttleText(0x4).isWarning, "a reached power limit is usual");
        QVERIFY(card.findChild<QLabel *>(u"simulated"_s)->isHidden());
        QCOMPARE(text(card, u"deviceUse"_s), u"Free"_s);
    }

    void unknownValuesAreShownAsUnknown()
    {
        protocol::DeviceStatus device = gpu();
        device.memoryBytes = 0;
        device.simulated = true;
        device.processes = {{4711, {}, {}, {}, {}}};
        DeviceCard card;
        card.showDevice(device);
        for (const QString &name :
             {u"utilization"_s, u"memory"_s, u"clock"_s, u"power"_s, u"temperature"_s, u"throttle"_s})
            QCOMPARE(text(card, name), u"unknown"_s);
        QCOMPARE(text(card, u"processes"_s).count(u"unknown"_s), 4);  // name, user, memory and owner
        QVERIFY(!card.findChild<QLabel *>(u"simulated"_s)->isHidden());
        QCOMPARE(text(card, u"deviceUse"_s), u"Other processes"_s);
    }

    void processesShowTheirOwner()
    {
        protocol::DeviceStatus device = gpu();
        device.holders = {{1, u"digits <b>mlp"_s, 3}};
        device.processes = {{1, u"anna"_s, u"python3"_s, 2147483648.0, true}, {2, u"ben"_s, u"<i>"_s, {}, false}};
        DeviceCard card;
        card.showDevice(device);
        const QString processes = text(card, u"processes"_s);
        QVERIFY2(processes.contains(u"anna"_s) && processes.contains(u"2.0 GiB"_s) && processes.contains(u"ours"_s)
                     && processes.contains(u"foreign"_s) && processes.contains(u"&lt;i&gt;"_s),
                 qPrintable(processes));
        QVERIFY2(text(card, u"holders"_s).contains(u"digits &lt;b&gt;mlp trial 3"_s), "names are no markup");
        QCOMPARE(text(card, u"deviceUse"_s), u"In use"_s);
    }

    void conditionsOfAGpuAreShownWithoutItsName()
    {
        protocol::DeviceStatus device = gpu();
        const facts::Fact lost = facts::Fact(facts::Code::GpuLost).with(facts::Field::Index, 3);
        const facts::Fact split = facts::Fact(facts::Code::GpuSplit).with(facts::Field::Count, 2);
        device.conditions = {lost, split};
        DeviceCard card;
        card.showDevice(device);
        const auto words = [](const facts::Fact &fact) { return QString::fromStdString(wording::predicate(fact)); };
        QCOMPARE(text(card, u"condition"_s), sentenceText(words(lost) + u"; "_s + words(split)));
        QVERIFY(!text(card, u"condition"_s).contains(u"GPU 3"_s));
        QCOMPARE(useOf(device), DeviceUse::Wrong);
    }

    void leaseOfAnotherEngineIsShown()
    {
        protocol::DeviceStatus device = gpu();
        device.lease = facts::Fact(facts::Code::GpuLeased)
                           .dueTo(facts::Fact(facts::Code::DeviceHolder)
                                      .with(facts::Field::Workspace, std::string("/home/anna/<runs>")));
        DeviceCard card;
        card.showDevice(device);
        QCOMPARE(text(card, u"holders"_s), QString::fromStdString(wording::clause(device.lease)).toHtmlEscaped());
        QCOMPARE(text(card, u"deviceUse"_s), u"Leased"_s);
        card.showDevice(gpu());
        QCOMPARE(text(card, u"holders"_s), u"none"_s);
        QCOMPARE(text(card, u"deviceUse"_s), u"Free"_s);
    }

    void linesForTheSweepFileAreCopied()
    {
        DeviceCard card;
        card.showDevice(gpu());
        QSignalSpy copied(&card, &DeviceCard::copied);
        auto *menu = card.findChild<QToolButton *>(u"deviceMenu"_s)->menu();
        for (const auto &[name, line] :
             {std::pair(u"copyPin"_s, u"pin = [\"GPU-8a7c\"]"_s),
              std::pair(u"copyExclude"_s, u"exclude = [\"GPU-8a7c\"]"_s), std::pair(u"copyId"_s, u"GPU-8a7c"_s)}) {
            menu->findChild<QAction *>(name)->trigger();
            QCOMPARE(QApplication::clipboard()->text(), line);
            QCOMPARE(copied.takeLast().at(0).toString(), line);
        }
    }

    void cardShowsTheSweepsRuleAndOffersTheOpposite()
    {
        DeviceCard card;
        card.showDevice(gpu());
        const auto *menu = card.findChild<QToolButton *>(u"deviceMenu"_s)->menu();
        auto *exclude = menu->findChild<QAction *>(u"exclude"_s);
        auto *pin = menu->findChild<QAction *>(u"pin"_s);
        card.showSweep({});
        QVERIFY(!exclude->isVisible() && !pin->isVisible());
        SweepGpus shown{1, u"R&D"_s, {}, {{3, gpuId, {}, "NVIDIA H200"}}, {}};
        card.showSweep(shown);
        QCOMPARE(text(card, u"deviceRule"_s), QString());
        QCOMPARE(exclude->text(), u"Exclude from R&&D…"_s);
        QVERIFY(exclude->isVisible() && exclude->isEnabled());
        std::vector<sweep::GpuListChange> asked;
        connect(&card, &DeviceCard::changeRequested, this,
                [&asked](sweep::GpuListChange change) { asked.push_back(change); });
        exclude->trigger();
        pin->trigger();
        shown.devices.exclude = {"3"};
        card.showSweep(shown);
        QCOMPARE(text(card, u"deviceRule"_s), u"Excluded by R&D"_s);
        exclude->trigger();
        shown.devices.exclude = {};
        shown.devices.pin = {"H200"};
        card.showSweep(shown);
        QCOMPARE(text(card, u"deviceRule"_s), u"Pinned by R&D"_s);
        pin->trigger();
        using sweep::GpuListChange;
        QVERIFY(
            asked
            == (std::vector{GpuListChange::Exclude, GpuListChange::Pin, GpuListChange::Include, GpuListChange::Unpin}));
        shown.devices.pin = {"0"};
        const auto *why = menu->findChild<QAction *>(u"whyFixed"_s);
        QVERIFY(!why->isVisible());
        shown.whyFixed = u"r&d has ended"_s;
        card.showSweep(shown);
        QCOMPARE(text(card, u"deviceRule"_s), u"Not used by R&D, which pins other GPUs"_s);
        QVERIFY(!exclude->isEnabled() && !pin->isEnabled());
        // The menu gives the reason above the disabled actions.
        QVERIFY(why->isVisible());
        QCOMPARE(menu->actions().first(), why);
        QCOMPARE(why->text(), u"r&d has ended"_s);
        const auto *words = qobject_cast<const QWidgetAction *>(why)->defaultWidget();
        QCOMPARE(qobject_cast<const QLabel *>(words)->text(), u"r&d has ended"_s);
    }

    void holderIsALinkForMouseAndKeyboard()
    {
        protocol::DeviceStatus device = gpu();
        device.holders = {{1, u"digits"_s, 3}};
        DeviceCard card;
        card.showDevice(device);
        card.show();
        QVERIFY(QTest::qWaitForWindowExposed(&card));
        QSignalSpy clicked(&card, &DeviceCard::holderClicked);
        auto *label = card.findChild<QLabel *>(u"holders"_s);
        QTRY_VERIFY(label->width() > 20);
        QTest::mouseClick(label, Qt::LeftButton, {}, QPoint(12, label->fontMetrics().height() / 2));
        QTRY_COMPARE(clicked.size(), 1);
        QVERIFY(clicked.at(0).at(0).value<protocol::DeviceHolder>() == (protocol::DeviceHolder{1, u"digits"_s, 3}));
        label->setFocus(Qt::TabFocusReason);
        QTest::keyClick(label, Qt::Key_Return);
        QTRY_COMPARE(clicked.size(), 2);
    }

    void sparklineHasGapsWithoutReadings()
    {
        Sparkline line;
        line.resize(301, 20);
        DeviceReadings::Trace points;
        for (int age = 300; age >= 0; --age) {
            if (age > 200 || age < 100)
                points.push_back({start - age * second, 50});
        }
        line.setTrace(points, start, 100);
        QImage picture(line.size(), QImage::Format_RGB32);
        picture.fill(Qt::white);
        line.render(&picture, {}, {}, QWidget::DrawChildren);
        const QColor color = line.palette().color(QPalette::Highlight);
        QVERIFY(isDrawn(picture, 50, color));
        QVERIFY(!isDrawn(picture, 150, color));
        QVERIFY(isDrawn(picture, 250, color));
    }

    void sparklineNamesTheReadingUnderThePointer()
    {
        Sparkline line;
        line.resize(301, 20);
        DeviceReadings::Trace points;
        for (int age = 300; age >= 200; --age)
            points.push_back({start - age * second, 300.0 - age});
        line.setTrace(points, start, 100);
        QVERIFY(line.textAt(50).isEmpty());
        line.setWords(u"Power"_s, [](double watts) { return u"%1 W"_s.arg(watts); });
        QVERIFY2(line.textAt(50).startsWith(u"Power at "_s) && line.textAt(50).endsWith(u": 50 W"_s),
                 qPrintable(line.textAt(50)));
        QVERIFY(line.textAt(200).isEmpty());  // no reading
    }

    void timesBelowSparklinesFitTheirWidth()
    {
        SparkAxis axis;
        axis.setEnd(start, true);
        QCOMPARE(axis.labels(600),
                 QStringList({u"−5 min"_s, u"−4 min"_s, u"−3 min"_s, u"−2 min"_s, u"−1 min"_s, u"now"_s}));
        QCOMPARE(axis.labels(120), QStringList({u"−5 min"_s, u"now"_s}));
        // The first label is not centered at its tick, but begins there.
        const int label = QFontMetrics(smallFont(axis.font())).horizontalAdvance(u"−5 min"_s);
        QCOMPARE(axis.labels(5 * (label + label / 2)).size(), 2);
        axis.setEnd(start, false);
        QCOMPARE(axis.labels(120).last(),
                 QLocale().toString(QDateTime::fromMSecsSinceEpoch(start / 1'000'000), u"HH:mm:ss"_s));
    }

    void coresAreShownTogetherAndIndividually()
    {
        AttemptFixture attempt(1);
        attempt.device("cpu:0.utilization", start, 100);
        attempt.device("cpu:1.utilization", start, 50);
        attempt.device("monitor.cpu", start, 0.4);
        attempt.flush();
        std::vector<protocol::DeviceStatus> cores = {core(0), core(1), core(2)};
        cores[1].holders = {{1, u"digits"_s, 3}, {1, u"digits"_s, 4}};
        CoresCard card;
        card.showCores(cores);
        card.showReadings(readingsOf(attempt));
        QCOMPARE(text(card, u"coresUtilization"_s), u"75%"_s);
        QCOMPARE(text(card, u"coresUse"_s), u"1 of 3 cores in use"_s);
        auto *strip = card.findChild<CoreStrip *>(u"coreStrip"_s);
        strip->resize(200, strip->heightForWidth(200));
        QCOMPARE(strip->textAt({3, 3}), u"core 0: 100%"_s);
        QCOMPARE(strip->textAt({21, 3}), u"core 1: 50%\ndigits trial 3\ndigits trial 4"_s);
        QCOMPARE(strip->textAt({39, 3}), u"core 2: load unknown"_s);
        QVERIFY(strip->accessibleDescription().contains(u"core 2: unknown"_s));
    }

    void pageWithoutDevicesShowsWhenTheyAppear()
    {
        protocol::EngineClient client;
        SelectionModel selection(&client);
        DevicesPage page(&client, &selection);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        QTRY_VERIFY(text(page, u"emptyHint"_s).contains(u"when the engine"_s));
    }

    void cardsFitThePage()
    {
        protocol::DeviceStatus device = gpu();
        device.name = u"NVIDIA RTX PRO 6000 Blackwell Workstation Edition"_s;
        device.simulated = true;
        device.processes = {{1, u"anna"_s, u"python3"_s, 1e9, false}};
        const DeviceWatcher watcher;
        DeviceCards cards(&watcher);
        cards.resize(985, 475);
        cards.show();
        QVERIFY(QTest::qWaitForWindowExposed(&cards));
        cards.setView(DeviceView::Cards);
        cards.showDevices({device, device, device, device, device, core(0)});
        const int needed = cards.widget()->layout()->minimumSize().width();
        QVERIFY2(needed <= cards.viewport()->width(), qPrintable(QString::number(needed)));
    }

    void cardsFillTheAvailableColumns()
    {
        const DeviceWatcher watcher;
        DeviceCards cards(&watcher);
        cards.resize(900, 700);
        cards.show();
        QVERIFY(QTest::qWaitForWindowExposed(&cards));
        cards.showDevices({gpu(), gpu(), core(0)});
        const auto lefts = [&cards] {
            std::set<int> places;
            for (const DeviceCard *card : cards.findChildren<DeviceCard *>())
                places.insert(card->x());
            return places.size();
        };
        QTRY_COMPARE(lefts(), std::size_t(2));
        cards.resize(500, 700);
        QTRY_COMPARE(lefts(), std::size_t(1));
        cards.showDevices({core(0)});
        QTRY_COMPARE(cards.findChildren<DeviceCard *>().size(), 0);
    }
};

SWEEPSCOPE_TEST(DeviceCardsTest)
#include "tst_devicecards.moc"

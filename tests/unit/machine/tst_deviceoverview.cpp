#include "machinefixture.h"
#include "testprogram.h"
#include "ui/devices/devicecard.h"
#include "ui/devices/devicecards.h"
#include "ui/devices/devicemenu.h"
#include "ui/devices/deviceoverview.h"
#include "ui/devices/devicerowsmodel.h"
#include "ui/devices/devicetable.h"
#include "ui/theme/textsize.h"
#include "ui/theme/theme.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QHeaderView>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

using Column = DeviceRowsModel::Column;

/// The space for cards on the page in a window of 1280x800.
constexpr QSize smallPage(985, 475);

std::vector<protocol::DeviceStatus> gpus(int count)
{
    std::vector<protocol::DeviceStatus> devices;
    for (int i = 0; i < count; ++i) {
        devices.push_back(gpu());
        devices.back().index = i;
        devices.back().id = u"GPU-%1"_s.arg(i);
    }
    return devices;
}

std::shared_ptr<DeviceReadings> readings(const std::vector<protocol::DeviceStatus> &devices)
{
    auto all = std::make_shared<DeviceReadings>();
    for (const protocol::DeviceStatus &device : devices) {
        const auto add = [&](const char *quantity, double value) {
            all->add(device.id.toStdString(), quantity, {start, value});
        };
        add("utilization", 87);
        add("memory", 64.0 * 1024 * 1024 * 1024);
        add("memory_total", 128.0 * 1024 * 1024 * 1024);
        add("temperature", 61);
        add("power", 412);
        add("power_limit", 700);
    }
    return all;
}

QString cell(const DeviceRowsModel &model, int row, Column column, int role = Qt::DisplayRole)
{
    return model.index(row, static_cast<int>(column)).data(role).toString();
}

QStringList visibleCards(const DeviceCards &cards)
{
    QStringList titles;
    for (const DeviceCard *card : cards.findChildren<DeviceCard *>()) {
        if (card->isVisible())
            titles << card->accessibleName();
    }
    return titles;
}

struct ShownCards {
    explicit ShownCards(int count, const QSize &size = smallPage)
    {
        cards.resize(size);
        cards.show();
        const std::vector<protocol::DeviceStatus> devices = gpus(count);
        cards.showDevices(devices);
        Q_EMIT watcher.readingsReady(readings(devices));
        table = cards.findChild<DeviceTable *>();
    }
    bool isExposed() { return QTest::qWaitForWindowExposed(&cards); }

    DeviceWatcher watcher;
    DeviceCards cards{&watcher};
    DeviceTable *table = nullptr;
};

}  // namespace

/// The table of all GPUs, one row each.
class DeviceOverviewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { Theme(qApp).setTextSize(usualTextSize); }

    void rowShowsLoadAndHolderOfTheGpu()
    {
        std::vector<protocol::DeviceStatus> devices = gpus(5);
        devices[0].holders = {{1, u"digits"_s, 3}};
        devices[1].processes = {{1, u"anna"_s, u"python3"_s, {}, false}, {2, {}, {}, {}, {}}};
        devices[2].conditions = {facts::Fact(facts::Code::GpuReportedXid).with(facts::Field::Number, 79)};
        devices[3].lease = facts::Code::GpuLeased;
        const auto read = readings(devices);
        DeviceRowsModel model;
        const QAbstractItemModelTester tester(&model);
        model.showDevices(devices);
        model.showReadings(read);
        QCOMPARE(cell(model, 0, Column::Gpu), u"GPU 0"_s);
        QCOMPARE(cell(model, 0, Column::Utilization), u"87%"_s);
        QCOMPARE(cell(model, 0, Column::Utilization, DeviceRowsModel::ShareRole).toDouble(), 0.87);
        QCOMPARE(cell(model, 0, Column::Memory), u"64.0 of 128 GiB"_s);
        QCOMPARE(cell(model, 0, Column::Memory, DeviceRowsModel::ShareRole).toDouble(), 0.5);
        QCOMPARE(cell(model, 0, Column::Temperature), u"61 °C"_s);
        QCOMPARE(cell(model, 0, Column::Power), u"412 of 700 W"_s);
        QCOMPARE(cell(model, 0, Column::Use), u"digits trial 3"_s);
        QCOMPARE(cell(model, 1, Column::Use), u"python3 (anna) and 1 more"_s);
        QCOMPARE(cell(model, 2, Column::Use), u"Reported Xid 79 (the GPU has fallen off the bus)"_s);
        QVERIFY(model.index(2, static_cast<int>(Column::Use)).data(DeviceRowsModel::ProblemRole).toBool());
        QCOMPARE(cell(model, 3, Column::Use), u"Leased to another engine on this machine"_s);
        QCOMPARE(cell(model, 4, Column::Use), u"Free"_s);
        QCOMPARE(cell(model, 4, Column::Use, Qt::AccessibleTextRole), u"Free"_s);
        QCOMPARE(cell(model, 0, Column::Use, Qt::AccessibleTextRole), u"In use: digits trial 3"_s);
        QCOMPARE(cell(model, 0, Column::Gpu, Qt::AccessibleTextRole), u"GPU 0, NVIDIA H200"_s);
        QCOMPARE(model.inUse(), 3);
        QCOMPARE(model.sharedName(), u"NVIDIA H200"_s);
        devices[4].name = u"NVIDIA A100"_s;
        model.showDevices(devices);
        QCOMPARE(cell(model, 4, Column::Gpu, DeviceRowsModel::NameRole), u"A100"_s);
    }

    void unknownValuesAreShownAsUnknown()
    {
        std::vector<protocol::DeviceStatus> devices = gpus(2);
        devices[0].memoryBytes = 0;
        DeviceRowsModel model;
        model.showDevices(devices);
        for (const Column column : {Column::Utilization, Column::Memory, Column::Temperature, Column::Power}) {
            QCOMPARE(cell(model, 0, column), u"unknown"_s);
            QCOMPARE(cell(model, 0, column, Qt::AccessibleTextRole), u"unknown"_s);
            QVERIFY(!model.index(0, static_cast<int>(column)).data(DeviceRowsModel::ShareRole).isValid());
            QVERIFY(model.index(0, static_cast<int>(column)).data(DeviceRowsModel::UnknownRole).toBool());
        }
    }

    void smallPageShowsOnlyTheValues()
    {
        DeviceRowsModel model;
        model.showDevices(gpus(1));
        model.showReadings(readings(gpus(1)));
        model.setBrief(true);
        QCOMPARE(cell(model, 0, Column::Memory), u"64.0 GiB"_s);
        QCOMPARE(cell(model, 0, Column::Power), u"412 W"_s);
        QCOMPARE(cell(model, 0, Column::Power, Qt::ToolTipRole), u"412 of 700 W"_s);
        QCOMPARE(cell(model, 0, Column::Power, Qt::AccessibleTextRole), u"412 of 700 W"_s);
    }

    void rowShowsTheSweepsRule()
    {
        DeviceRowsModel model;
        const QAbstractItemModelTester tester(&model);
        model.showDevices(gpus(2));
        QVERIFY(!model.hasRules());
        SweepGpus shown{1, u"digits"_s, {}, {{0, "GPU-0", {}, "NVIDIA H200"}, {1, "GPU-1", {}, "NVIDIA H200"}}, {}};
        shown.devices.exclude = {"GPU-1"};
        model.showSweep(shown);
        QVERIFY(model.hasRules());
        QCOMPARE(cell(model, 0, Column::Rule), QString());
        QCOMPARE(cell(model, 1, Column::Rule), u"Excluded"_s);
        QCOMPARE(cell(model, 1, Column::Rule, Qt::ToolTipRole), u"Excluded by digits"_s);
        model.showReadings(readings(gpus(2)));
        QCOMPARE(cell(model, 1, Column::Rule), u"Excluded"_s);
    }

    void eightGpusAreVisibleTogether_data()
    {
        QTest::addColumn<int>("textSize");
        QTest::addColumn<QSize>("page");  // in a window of 1280x800
        QTest::newRow("usual") << 100 << smallPage;
        QTest::newRow("large") << 125 << QSize(945, 457);
        QTest::newRow("very large") << 150 << QSize(905, 440);
    }

    void eightGpusAreVisibleTogether()
    {
        QFETCH(int, textSize);
        QFETCH(QSize, page);
        Theme theme(qApp);
        theme.setTextSize(textSize);
        ShownCards shown(8, page);
        QVERIFY(shown.isExposed());
        QTRY_VERIFY(shown.cards.isOverview());
        SweepGpus sweep{1, u"digits"_s, {}, {}, {}};
        for (int i = 0; i < 8; ++i)
            sweep.machine.push_back({i, "GPU-" + std::to_string(i), {}, "NVIDIA H200"});
        sweep.devices.exclude = {"GPU-1"};
        shown.cards.showSweep(sweep);
        // Visible without scrolling in either direction.
        const auto isSeen = [&shown](int row) {
            const QModelIndex last = shown.table->model()->index(row, DeviceRowsModel::columns - 1);
            const QRect place = shown.table->visualRect(last);
            const QPoint corner = shown.table->viewport()->mapTo(shown.cards.viewport(), place.bottomRight());
            return place.isValid() && shown.cards.viewport()->rect().contains(corner);
        };
        QTRY_VERIFY2(
            isSeen(7),
            qPrintable(
                u"%1 of %2"_s.arg(shown.table->horizontalHeader()->length()).arg(shown.table->viewport()->width())));
        QVERIFY(!shown.table->horizontalScrollBar()->isVisible());
    }

    void fewGpusAreShownAsCards()
    {
        ShownCards shown(4);
        QVERIFY(shown.isExposed());
        QVERIFY(!shown.cards.isOverview());
        QVERIFY(shown.cards.hasOverview());
        QTRY_COMPARE(visibleCards(shown.cards).size(), 4);
        shown.cards.setView(DeviceView::Overview);
        QTRY_COMPARE(visibleCards(shown.cards), QStringList{u"GPU 0"_s});
        shown.cards.setView(DeviceView::Cards);
        QTRY_COMPARE(visibleCards(shown.cards).size(), 4);
        shown.cards.showDevices(gpus(1));
        QVERIFY(!shown.cards.hasOverview() && !shown.cards.isOverview());
    }

    void largeWindowHasRoomForEightCards()
    {
        ShownCards shown(8, QSize(3500, 1800));
        QVERIFY(shown.isExposed());
        QTRY_COMPARE(visibleCards(shown.cards).size(), 8);
    }

    void keysMoveFromTheRowToItsCard()
    {
        ShownCards shown(8);
        QVERIFY(shown.isExposed());
        QTRY_COMPARE(visibleCards(shown.cards), QStringList{u"GPU 0"_s});
        shown.table->setFocus();
        for (int i = 0; i < 5; ++i)
            QTest::keyClick(shown.table, Qt::Key_Down);
        QTRY_COMPARE(visibleCards(shown.cards), QStringList{u"GPU 5"_s});
        // New readings keep the current row.
        Q_EMIT shown.watcher.readingsReady(readings(gpus(8)));
        QCOMPARE(shown.table->currentIndex().row(), 5);
        QTest::keyClick(shown.table, Qt::Key_Return);
        QTRY_VERIFY(qobject_cast<QToolButton *>(QApplication::focusWidget()));
        QCOMPARE(QApplication::focusWidget()->objectName(), u"deviceMenu"_s);
        QVERIFY(QApplication::focusWidget()->isVisible());
        // It is scrolled into view.
        const QWidget *button = QApplication::focusWidget();
        const QPoint place = button->mapTo(shown.cards.viewport(), button->rect().center());
        QTRY_VERIFY(shown.cards.viewport()->rect().contains(place));
    }

    void rowHasTheMenuOfItsCard_data()
    {
        QTest::addColumn<QString>("way");
        for (const char *way : {"menu key", "enter on the last cell", "click on the last cell", "right button"})
            QTest::newRow(way) << QString::fromLatin1(way);
    }

    void rowHasTheMenuOfItsCard()
    {
        QFETCH(QString, way);
        ShownCards shown(8);
        QVERIFY(shown.isExposed());
        QTRY_VERIFY(shown.cards.isOverview());
        auto *card = shown.cards.findChildren<DeviceCard *>().at(2);
        QCOMPARE(card->deviceId(), u"GPU-2"_s);
        const QModelIndex last = shown.table->model()->index(2, DeviceRowsModel::columns - 1);
        shown.table->setFocus();
        shown.table->setCurrentIndex(way.startsWith(u"enter"_s) ? last : last.siblingAtColumn(0));
        const QPoint place = shown.table->visualRect(last).center();
        QWidget *area = shown.table->viewport();
        if (way.startsWith(u"enter"_s)) {
            QTest::keyClick(shown.table, Qt::Key_Return);
        } else if (way.startsWith(u"click"_s)) {
            QTest::mouseClick(area, Qt::LeftButton, {}, place);
        } else {
            const auto reason = way == u"menu key"_s ? QContextMenuEvent::Keyboard : QContextMenuEvent::Mouse;
            QContextMenuEvent event(reason, place, area->mapToGlobal(place));
            QApplication::sendEvent(area, &event);
        }
        QTRY_VERIFY(card->menu()->isVisible());
        QSignalSpy copied(&shown.cards, &DeviceCards::copied);
        card->menu()->findChild<QAction *>(u"copyId"_s)->trigger();
        QCOMPARE(copied.at(0).at(0).toString(), u"GPU-2"_s);
        card->menu()->close();
    }
};

SWEEPSCOPE_TEST(DeviceOverviewTest)
#include "tst_deviceoverview.moc"

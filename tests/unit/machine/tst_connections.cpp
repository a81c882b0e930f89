#include "testprogram.h"

// How the window shows the connections between a machine's GPUs.
#include "ui/devices/connectionmodel.h"
#include "ui/devices/devicecards.h"
#include "ui/devices/devicewatcher.h"
#include "ui/theme/theme.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QLabel>
#include <QTableView>
#include <QTest>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using protocol::DeviceStatus;
using ui::ConnectionModel;

namespace {

DeviceStatus connectedGpu(int index, const QMap<QString, QString> &connections)
{
    DeviceStatus device;
    device.id = u"GPU-%1"_s.arg(index);
    device.name = u"Pretend"_s;
    device.gpu = true;
    device.index = index;
    device.connections = connections;
    return device;
}

/// Two linked GPUs, a third one behind the CPUs, an instance of a partitioned GPU, and a core.
std::vector<DeviceStatus> machine()
{
    DeviceStatus first = connectedGpu(0, {{u"GPU-1"_s, u"NV12"_s}, {u"GPU-2"_s, u"SYS"_s}});
    first.nearCpus = u"0-31"_s;
    DeviceStatus core;
    core.id = u"cpu:0"_s;
    return {first, connectedGpu(1, {{u"GPU-0"_s, u"NV12"_s}, {u"GPU-2"_s, u"?"_s}}),
            connectedGpu(2, {{u"GPU-0"_s, u"SYS"_s}, {u"GPU-1"_s, u"?"_s}}), connectedGpu(3, {}), core};
}

}  // namespace

class ConnectionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachPairIsShownOnBothSides()
    {
        ConnectionModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setDevices(machine());
        const auto text = [&model](int row, int column) { return model.index(row, column).data().toString(); };
        QCOMPARE(model.rowCount(), 3);  // an instance has no separate connections
        QCOMPARE(model.columnCount(), 5);
        QCOMPARE(model.headerData(3, Qt::Horizontal).toString(), u"GPU 2"_s);
        QCOMPARE(model.headerData(4, Qt::Horizontal).toString(), u"Nearby CPUs"_s);
        QCOMPARE(text(0, 0), u"GPU 0"_s);
        QCOMPARE(text(0, 1), u"–"_s);
        QCOMPARE(text(0, 2), u"NV12"_s);
        QCOMPARE(text(1, 1), u"NV12"_s);
        QCOMPARE(text(2, 1), u"SYS"_s);
        QCOMPARE(text(2, 2), u"?"_s);
        QCOMPARE(text(0, 4), u"0-31"_s);
        QCOMPARE(text(1, 4), u"unknown"_s);
        QCOMPARE(model.index(1, 1).data(Qt::ToolTipRole).toString(), u"GPU 1 and GPU 0: NVLink, 12 links"_s);
        QCOMPARE(model.index(0, 4).data(Qt::AccessibleTextRole).toString(), u"CPUs near GPU 0: 0-31"_s);
        QCOMPARE(model.legend(),
                 (QStringList{u"NV12: NVLink, 12 links"_s, u"SYS: via CPUs, across NUMA nodes"_s, u"?: unknown"_s}));
        model.setDevices({});
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.columnCount(), 0);
    }

    void betterConnectionsHaveStrongerColours()
    {
        ConnectionModel model;
        model.setDevices({connectedGpu(0, {{u"GPU-1"_s, u"NV1"_s}, {u"GPU-2"_s, u"PIX"_s}, {u"GPU-3"_s, u"SYS"_s}}),
                          connectedGpu(1, {{u"GPU-0"_s, u"NV1"_s}}), connectedGpu(2, {{u"GPU-0"_s, u"PIX"_s}}),
                          connectedGpu(3, {{u"GPU-0"_s, u"SYS"_s}})});
        const auto strength = [&model](int column) {
            return model.index(0, column).data(Qt::BackgroundRole).value<QColor>().alphaF();
        };
        QVERIFY(strength(2) > strength(3));
        QVERIFY(strength(3) > strength(4));
        QVERIFY(strength(4) > 0);
        QVERIFY(!model.index(0, 1).data(Qt::BackgroundRole).isValid());
        QVERIFY(!model.index(1, 3).data(Qt::BackgroundRole).isValid());  // their connection is unknown
        QCOMPARE(ui::connectionText(u"NV1"_s), u"NVLink, 1 link"_s);
        QCOMPARE(ui::connectionText(u"new"_s), u"new"_s);
    }

    void cardIsShownForTwoGpusWithAllRows()
    {
        const ui::Theme theme(qApp);
        const ui::DeviceWatcher watcher;
        ui::DeviceCards cards(&watcher);
        cards.resize(1000, 500);
        cards.show();
        cards.showDevices({connectedGpu(0, {})});
        QVERIFY(!cards.hasConnections());
        auto *table = cards.findChild<QTableView *>(u"connectionsTable"_s);
        QVERIFY(!table->isVisible());
        cards.showDevices(machine());
        QVERIFY(cards.hasConnections());
        cards.goToConnections();
        QTRY_VERIFY(table->isVisible());
        QTRY_VERIFY(table->viewport()->rect().contains(table->visualRect(table->model()->index(2, 0))));
        QTRY_VERIFY(table->viewport()->rect().contains(table->visualRect(table->model()->index(0, 4)).topLeft()));
        QVERIFY(cards.findChild<QLabel *>(u"connectionsLegend"_s)->text().startsWith(u"NV12: NVLink, 12 links"_s));
        cards.showDevices({connectedGpu(0, {})});
        QTRY_VERIFY(!table->isVisible());
    }
};

SWEEPSCOPE_TEST(ConnectionsTest)
#include "tst_connections.moc"

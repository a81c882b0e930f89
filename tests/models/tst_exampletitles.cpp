#include "testprogram.h"

#include "ui/home/exampletitles.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace sweepscope;
using namespace Qt::StringLiterals;

class ExampleTitlesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void firstExampleUsesTheWorkerIfThereIsOne()
    {
        const QTemporaryDir folder;
        const QString worker = folder.filePath(u"sweepscope-worker"_s);
        QCOMPARE(QFileInfo(ui::firstExample(worker.toStdString())).fileName(), u"printed.toml"_s);
        QVERIFY(QFile(worker).open(QFile::WriteOnly));
        QCOMPARE(QFileInfo(ui::firstExample(worker.toStdString())).fileName(), u"digits-mlp.toml"_s);
        QCOMPARE(QFileInfo(ui::firstExample({})).fileName(), u"digits-mlp.toml"_s);
    }

    void examplesOfAMissingWorkerCannotStart()
    {
        QStringList refused;
        for (const QString &path : ui::exampleFiles()) {
            QVERIFY(ui::whyExampleCannotStart(path, {}).isEmpty());
            if (!ui::whyExampleCannotStart(path, "/nowhere/sweepscope-worker").isEmpty())
                refused << QFileInfo(path).completeBaseName();
        }
        QCOMPARE(refused, QStringList({u"digits-mlp"_s, u"mnist-cnn"_s}));
    }
};

SWEEPSCOPE_TEST(ExampleTitlesTest)
#include "tst_exampletitles.moc"

#include "testprogram.h"

#include "ui/shell/guidepage.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace sweepscope;
using namespace Qt::StringLiterals;

class GuidePageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachPageHasItsPlace()
    {
        const QTemporaryDir share;
        QVERIFY(QDir(share.path()).mkpath(u"guide/reference"_s));
        QFile file(share.filePath(u"guide/reference/window.html"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const auto fragment = [&](const QString &page) {
            const QUrl url = ui::guidePage(page, share.path().toStdString());
            return url.toLocalFile() == file.fileName() ? url.fragment() : QString();
        };
        QCOMPARE(fragment(u"live"_s), u"live"_s);
        QCOMPARE(fragment(u"sweep"_s), u"definition"_s);
        QCOMPARE(fragment(u"trial"_s), u"overview"_s);
    }

    void nothingIsOpenedWithoutAGuide()
    {
        const QTemporaryDir share;
        QVERIFY(ui::guidePage(u"live"_s, share.path().toStdString()).isEmpty());
    }
};

SWEEPSCOPE_TEST(GuidePageTest)
#include "tst_guidepage.moc"

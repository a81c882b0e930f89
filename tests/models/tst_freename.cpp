#include "testprogram.h"

#include "ui/models/freename.h"

#include <QTest>

using namespace Qt::StringLiterals;
using sweepscope::ui::freeName;

class FreeNameTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsUpFromTheExistingName()
    {
        QCOMPARE(freeName(u"digits-mlp"_s, {u"digits-mlp"_s}), u"digits-mlp 2"_s);
        QCOMPARE(freeName(u"digits-mlp 2"_s, {u"digits-mlp"_s, u"digits-mlp 2"_s}), u"digits-mlp 3"_s);
        QCOMPARE(freeName(u"digits-mlp"_s, {u"digits-mlp"_s, u"digits-mlp 2"_s, u"digits-mlp 3"_s}), u"digits-mlp 4"_s);
        QCOMPARE(freeName(u"resnet50"_s, {}), u"resnet50 2"_s);
        QCOMPARE(freeName(u"2"_s, {}), u"2 2"_s);
    }
    void isNeverTooLong()
    {
        const QString name = freeName(QString(100, u'ä'), {});
        QVERIFY(name.endsWith(u" 2"_s));
        QVERIFY(name.toUtf8().size() <= 100);
    }
};

SWEEPSCOPE_TEST(FreeNameTest)
#include "tst_freename.moc"

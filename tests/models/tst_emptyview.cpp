#include "testprogram.h"

#include "ui/base/emptyview.h"

#include <QLabel>
#include <QTest>

using namespace sweepscope;
using namespace Qt::StringLiterals;

class EmptyViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hintIsVisibleToItsLastLine();
};

void EmptyViewTest::hintIsVisibleToItsLastLine()
{
    ui::EmptyView view(u"logs"_s);
    view.setMessage(u"Nothing"_s,
                    u"What is to be done about it takes many words, several lines of them. "_s.repeated(5));
    view.resize(1200, 700);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const auto *hint = view.findChild<QLabel *>(u"emptyHint"_s);
    QVERIFY(hint->heightForWidth(hint->width()) > 3 * hint->fontMetrics().height());
    QTRY_VERIFY(hint->height() >= hint->heightForWidth(hint->width()));
}

SWEEPSCOPE_TEST(EmptyViewTest)
#include "tst_emptyview.moc"

#include "testprogram.h"

#include "ui/findings/findingspage.h"

#include <QLabel>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

class FindingsPageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pageWithoutTrialsShowsTheNextStep()
    {
        protocol::EngineClient client;
        SelectionModel selection(&client);
        FindingsPage page(&client, &selection);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        const auto saysWhatToDo = [](const QLabel *label) {
            return label->isVisible() && label->text().contains(u"press Start"_s);
        };
        QTRY_VERIFY(std::ranges::any_of(page.findChildren<QLabel *>(u"emptyHint"_s), saysWhatToDo));
    }
};

SWEEPSCOPE_TEST(FindingsPageTest)
#include "tst_findingspage.moc"

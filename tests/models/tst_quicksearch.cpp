#include "testprogram.h"

#include "ui/home/quicksearch.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPointer>
#include <QTest>

using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

/// A window with a search over it, and the commands that were run.
class QuickSearchTest : public QObject {
    Q_OBJECT

    QStringList m_run;
    std::unique_ptr<QWidget> m_window;
    QPointer<QuickSearch> m_search;

    QuickEntry entry(const QString &text, const QString &hint)
    {
        return {text, hint, {}, [this, text] { m_run << text; }};
    }
    QLineEdit *line() const { return m_search->findChild<QLineEdit *>(u"quickLine"_s); }
    QStringList found() const
    {
        const QAbstractItemModel *model = m_search->findChild<QListView *>(u"quickList"_s)->model();
        QStringList texts;
        for (int row = 0; row < model->rowCount(); ++row)
            texts << model->index(row, 0).data().toString();
        return texts;
    }

private Q_SLOTS:
    void init()
    {
        m_run.clear();
        m_window = std::make_unique<QWidget>();
        m_window->resize(900, 600);
        m_window->show();
        m_search = new QuickSearch({entry(u"Trials"_s, u"Ctrl+3"_s), entry(u"Trial 1"_s, u"lr 0.1"_s),
                                    entry(u"Trial 12"_s, u"lr 0.2"_s), entry(u"digits"_s, u"sweep #1"_s)},
                                   m_window.get());
        m_search->open();
        line()->setFocus();
    }

    void modelAndProxyAreConsistent()
    {
        QuickModel model({entry(u"a"_s, u"b"_s), entry(u"c"_s, {})});
        QuickProxy proxy(&model);
        const QAbstractItemModelTester tester(&proxy, QAbstractItemModelTester::FailureReportingMode::QtTest);
        proxy.setWords(u"b"_s);
        QCOMPARE(proxy.rowCount(), 1);
        proxy.setWords({});
        QCOMPARE(proxy.rowCount(), 2);
    }

    void wordsNarrowTheListAndBestMatchesComeFirst()
    {
        QCOMPARE(found().size(), 4);
        QTest::keyClicks(line(), u"trial 12"_s);
        QCOMPARE(found(), QStringList(u"Trial 12"_s));
        line()->setText(u"trial 1"_s);
        QCOMPARE(found(), QStringList({u"Trial 1"_s, u"Trial 12"_s}));
        line()->setText(u"0.2"_s);
        QCOMPARE(found(), QStringList(u"Trial 12"_s));
        line()->setText(u"nowhere"_s);
        QVERIFY(found().isEmpty());
        QVERIFY(m_search->findChild<QLabel *>(u"quickNothing"_s)->isVisible());
        QTest::keyClick(line(), Qt::Key_Return);
        QVERIFY(m_run.isEmpty() && m_search);
    }

    void distantResultsAppearOnceTextIsTyped()
    {
        QuickEntry far = entry(u"Trial 1 in #2 other"_s, u"Completed"_s);
        far.isFar = true;
        QuickModel model({entry(u"Trial 1"_s, u"lr 0.1"_s), entry(u"Trial 12"_s, {}), far});
        QuickProxy proxy(&model);
        const auto shown = [&proxy] {
            QStringList texts;
            for (int row = 0; row < proxy.rowCount(); ++row)
                texts << proxy.index(row, 0).data().toString();
            return texts;
        };
        QCOMPARE(shown(), QStringList({u"Trial 1"_s, u"Trial 12"_s}));
        proxy.setWords(u"trial 1"_s);
        QCOMPARE(shown(), QStringList({u"Trial 1"_s, u"Trial 1 in #2 other"_s, u"Trial 12"_s}));
        proxy.setWords(u"other 1"_s);
        QCOMPARE(shown(), QStringList(u"Trial 1 in #2 other"_s));
    }

    void arrowsAndEnterRunOnce()
    {
        QTest::keyClicks(line(), u"trial"_s);
        QTest::keyClick(line(), Qt::Key_Down);
        QTest::keyClick(line(), Qt::Key_Down);
        QTest::keyClick(line(), Qt::Key_Up);
        QTest::keyClick(line(), Qt::Key_Return);
        QCOMPARE(m_run, QStringList(u"Trial 1"_s));
        QTRY_VERIFY(!m_search);
    }

    void escapeCloses()
    {
        QTest::keyClick(line(), Qt::Key_Escape);
        QTRY_VERIFY(!m_search);
        QVERIFY(m_run.isEmpty());
    }
};

SWEEPSCOPE_TEST(QuickSearchTest)
#include "tst_quicksearch.moc"

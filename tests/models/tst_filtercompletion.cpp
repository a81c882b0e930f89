#include "testprogram.h"

#include "models/sampletrials.h"
#include "ui/models/trialfilter.h"
#include "ui/trials/filtercompletion.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace Qt::StringLiterals;

/// The completions of the trial table's filter.
class FilterCompletionTest : public QObject {
    Q_OBJECT

    std::unique_ptr<ui::TrialTableModel> m_model;
    std::unique_ptr<QWidget> m_window;
    QLineEdit *m_line = nullptr;

    QAbstractItemView *popup() const { return m_line->findChild<QCompleter *>()->popup(); }
    QStringList offered() const
    {
        QStringList words;
        for (int row = 0; popup()->isVisible() && row < popup()->model()->rowCount(); ++row)
            words << popup()->model()->index(row, 0).data().toString();
        return words;
    }
    /// Sends keys like the window system: to the list if it is open.
    void press(Qt::Key key) { QTest::keyClick(popup()->isVisible() ? static_cast<QWidget *>(popup()) : m_line, key); }

private Q_SLOTS:
    void init()
    {
        m_model = std::make_unique<ui::TrialTableModel>();
        auto trials = sampleTrials(1, 4);
        trials[0].metrics = {{"loss", 1, 5, 1, 1}};
        m_model->setSweep(sampleSweep(1, 4), trials);
        m_window = std::make_unique<QWidget>();
        auto *column = new QVBoxLayout(m_window.get());
        m_line = new QLineEdit;
        column->addWidget(m_line);
        column->addWidget(new QLineEdit);  // the target of Tab
        new ui::FilterCompletion(m_model.get(), m_line);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_line->setFocus();
    }
    void cleanup() { m_window.reset(); }

    void offersMatchingCompletions_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QStringList>("has");
        QTest::addColumn<QStringList>("hasNot");
        QTest::newRow("nothing yet") << QString()
                                     << QStringList{u"lr"_s, u"state"_s, u"loss"_s, u"min.loss"_s, u"not"_s}
                                     << QStringList{u"failed"_s, u"="_s};
        QTest::newRow("name") << u"lr "_s << QStringList{u"="_s, u">="_s} << QStringList{u"state"_s};
        QTest::newRow("comparison") << u"lr > 1 "_s << QStringList{u"and"_s, u"or"_s, u"state"_s}
                                    << QStringList{u"="_s};
        QTest::newRow("state") << u"lr > 1 and state = "_s << QStringList{u"failed"_s} << QStringList{u"lr"_s};
        QTest::newRow("value") << u"hidden="_s << QStringList{u"unset"_s} << QStringList{u"lr"_s};
        QTest::newRow("in quotes") << u"optimizer = \"a"_s << QStringList() << QStringList{u"and"_s};
    }
    void offersMatchingCompletions()
    {
        QFETCH(QString, before);
        QFETCH(QStringList, has);
        QFETCH(QStringList, hasNot);
        const QStringList words = ui::filterWords(before, *m_model);
        for (const QString &word : has)
            QVERIFY2(words.contains(word), qPrintable(word + u" in "_s + words.join(u' ')));
        for (const QString &word : hasNot)
            QVERIFY2(!words.contains(word), qPrintable(word));
    }

    void offersTheNamesOfTheFilter()
    {
        for (const QString &name : ui::TrialFilter::names(*m_model)) {
            const ui::TrialFilter filter(name + u" = 1"_s);
            QVERIFY2(filter.problem().isEmpty() && filter.unknownNames(*m_model).isEmpty(), qPrintable(name));
        }
    }

    void enterAndTabAcceptAndEscCancels()
    {
        QSignalSpy finished(m_line, &QLineEdit::returnPressed);
        QTest::keyClicks(m_line, u"hid"_s);
        QCOMPARE(offered(), QStringList(u"hidden"_s));
        press(Qt::Key_Return);
        QCOMPARE(m_line->text(), u"hidden"_s);
        QVERIFY(!popup()->isVisible());
        QTest::keyClicks(m_line, u" = 8 and sta"_s);
        QVERIFY(offered().contains(u"state"_s));
        press(Qt::Key_Tab);
        QCOMPARE(m_line->text(), u"hidden = 8 and state"_s);
        QVERIFY(!popup()->isVisible());
        QVERIFY(m_line->hasFocus());
        QVERIFY(finished.isEmpty());
        m_line->clear();
        QTest::keyClicks(m_line, u"opt"_s);
        QVERIFY(popup()->isVisible());
        press(Qt::Key_Escape);
        QVERIFY(!popup()->isVisible());
        QCOMPARE(m_line->text(), u"opt"_s);
    }

    void ctrlSpaceOpensTheList()
    {
        QTest::keyClicks(m_line, u"state = "_s);
        QVERIFY(!popup()->isVisible());
        QTest::keyClick(m_line, Qt::Key_Space, Qt::ControlModifier);
        QVERIFY(offered().contains(u"failed"_s));
        QCOMPARE(m_line->text(), u"state = "_s);
        // A completely typed word opens no list.
        press(Qt::Key_Escape);
        QTest::keyClicks(m_line, u"failed"_s);
        QVERIFY(!popup()->isVisible());
    }
};

SWEEPSCOPE_TEST(FilterCompletionTest)
#include "tst_filtercompletion.moc"

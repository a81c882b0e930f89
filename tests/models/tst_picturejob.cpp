#include "testprogram.h"

// Pictures of many lines are painted and written on a thread, and can be cancelled.
#include "models/analysisfigures.h"
#include "ui/analysis/parallelview.h"
#include "ui/plot/picturesaver.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QFileInfo>
#include <QImage>
#include <QProgressDialog>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <map>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace Qt::StringLiterals;
using ui::ParallelView;
using ui::PictureSaver;

namespace {

constexpr int manyTrials = 4000;  // of which more than 3,000 have a value

}  // namespace

class PictureJobTest : public QObject {
    Q_OBJECT

    std::unique_ptr<ui::Theme> m_theme;
    std::map<int, ui::FigurePtr> m_figures;  ///< by their number of trials
    std::unique_ptr<ParallelView> m_view;
    PictureSaver *m_saver = nullptr;
    QTemporaryDir m_folder;

    void show(int trials)
    {
        if (!m_figures.contains(trials))
            m_figures[trials] = AnalysedSweep(trials).figure();
        m_view = std::make_unique<ParallelView>();
        m_view->resize(900, 400);
        m_view->setFigure(m_figures[trials]);
        m_view->show();
        m_saver = new PictureSaver(m_view.get(), [this](const QString &title) { return m_view->sheet(title); });
        m_saver->setResolution(96);
        QTRY_VERIFY_WITH_TIMEOUT(m_view->isDrawn(), patience);
    }
    QProgressDialog *progress() const { return m_view->findChild<QProgressDialog *>(u"pictureProgress"_s); }
    QImage saved(const QString &file) const
    {
        m_saver->save(file);
        return QTest::qWaitFor([this] { return !m_saver->isBusy(); }, patience) ? QImage(file) : QImage();
    }

private Q_SLOTS:
    void initTestCase() { m_theme = std::make_unique<ui::Theme>(qApp); }
    void cleanup()
    {
        m_view.reset();
        m_theme->setScheme(ui::ColorScheme::Light);
    }

    void eventLoopRunsWhileManyLinesAreSaved_data()
    {
        QTest::addColumn<QString>("name");
        for (const QString &name : {u"plot.png"_s, u"plot.svg"_s, u"plot.pdf"_s})
            QTest::newRow(qPrintable(name)) << name;
    }
    void eventLoopRunsWhileManyLinesAreSaved()
    {
        QFETCH(const QString, name);
        show(manyTrials);
        QVERIFY(m_view->within().size() >= 3000);
        QSignalSpy reported(m_saver, &PictureSaver::reported);
        const QString file = m_folder.filePath(name);
        QTimer heartbeat;
        heartbeat.start(1);
        m_saver->save(file);
        QVERIFY(m_saver->isBusy());
        int turns = 0;
        QElapsedTimer sinceTurn;
        qint64 longest = 0;
        while (m_saver->isBusy()) {
            sinceTurn.start();
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
            longest = std::max(longest, sinceTurn.elapsed());
            ++turns;
        }
        qInfo("%d turns of the event loop, the longest of %lld ms", turns, longest);
        QVERIFY2(turns > 20, qPrintable(QString::number(turns)));
        QCOMPARE(reported.size(), 1);
        QVERIFY2(QFileInfo(file).size() > 1000, qPrintable(reported[0][0].toString()));
    }

    void cancelLeavesNoFile()
    {
        show(manyTrials);
        QSignalSpy reported(m_saver, &PictureSaver::reported);
        const QString file = m_folder.filePath(u"cancelled.png"_s);
        m_saver->save(file);
        QVERIFY(progress());
        progress()->findChild<QPushButton *>()->click();
        QTRY_COMPARE_WITH_TIMEOUT(reported.size(), 1, patience);
        QCOMPARE(reported[0][0].toString(), u"The picture was not saved."_s);
        QVERIFY(!QFileInfo::exists(file));
        QVERIFY(QDir(m_folder.path()).entryList({u"cancelled*"_s}).isEmpty());
        QTRY_VERIFY(!progress());
    }

    void closingThePageEndsTheJob()
    {
        show(manyTrials);
        const QString file = m_folder.filePath(u"closed.png"_s);
        m_saver->save(file);
        m_view.reset();
        QVERIFY(!QFileInfo::exists(file));
    }

    void picturesAreLightUnlessDarkIsSelected()
    {
        m_theme->setScheme(ui::ColorScheme::Dark);
        show(60);
        const QPalette before = m_view->palette();
        const QString file = m_folder.filePath(u"light.png"_s);
        QVERIFY(saved(file).pixelColor(2, 2).lightness() > 240);
        m_saver->setDark(true);
        QVERIFY(saved(file).pixelColor(2, 2).lightness() < 60);
        QCOMPARE(m_view->palette(), before);
        QVERIFY(!m_view->testAttribute(Qt::WA_SetPalette));
    }

    void resolutionIsChosenWhereTheFileIsNamed()
    {
        show(60);
        const QString file = m_folder.filePath(u"chosen.png"_s);
        m_saver->setResolution(192);
        const int screen = saved(file).width() / 2;
        m_saver->askForFile();
        auto *dialog = m_view->findChild<QFileDialog *>(u"pictureFile"_s);
        QVERIFY(dialog);
        auto *resolution = dialog->findChild<QComboBox *>(u"pictureResolution"_s);
        QVERIFY(resolution);
        resolution->setCurrentIndex(resolution->findData(96));
        QCOMPARE(dialog->findChild<QComboBox *>(u"pictureColors"_s)->currentText(), u"Light"_s);
        dialog->reject();
        const QImage image = saved(file);
        QCOMPARE(image.width(), screen);
        QCOMPARE(qRound(image.dotsPerMeterX() * 0.0254), 96);
    }

    void copiedPictureIsOnTheClipboard()
    {
        show(60);
        QGuiApplication::clipboard()->clear();
        m_saver->copy();
        QTRY_VERIFY(!QGuiApplication::clipboard()->image().isNull());
    }
};

SWEEPSCOPE_TEST(PictureJobTest)
#include "tst_picturejob.moc"

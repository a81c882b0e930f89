#include "testprogram.h"

// Pictures of many lines are painted and written on a thread, and can be cancelled.
#include "models/analysisfigures.h"
#include "ui/analysis/parallelview.h"
#include "ui/plot/picturesaver.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QLineEdit>
#include <QProgressDialog>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <cmath>
#include <functional>
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
        ui::PictureForm form;
        form.resolution = 96;
        m_saver->setForm(form);
        QTRY_VERIFY_WITH_TIMEOUT(m_view->isDrawn(), patience);
    }
    QProgressDialog *progress() const { return m_view->findChild<QProgressDialog *>(u"pictureProgress"_s); }
    QImage saved(const QString &file) const
    {
        m_saver->save(file);
        return QTest::qWaitFor([this] { return !m_saver->isBusy(); }, patience) ? QImage(file) : QImage();
    }

    QImage exported(const QString &file, const std::function<void(QDialog &)> &choose)
    {
        m_saver->askForFile();
        auto *dialog = m_view->findChildren<ui::PictureDialog *>(u"pictureDialog"_s).back();
        dialog->findChild<QLineEdit *>(u"pictureFile"_s)->setText(file);
        choose(*dialog);
        dialog->findChild<QPushButton *>(u"pictureExport"_s)->click();
        const bool isDone = QTest::qWaitFor([this] { return !m_saver->isBusy(); }, patience);
        return isDone ? QImage(file) : QImage();
    }
    static void choose(QDialog &dialog, const QString &box, const QString &text)
    {
        auto *combo = dialog.findChild<QComboBox *>(box);
        combo->setCurrentIndex(combo->findText(text));
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
        ui::PictureForm form;
        form.isDark = true;
        m_saver->setForm(form);
        QVERIFY(saved(file).pixelColor(2, 2).lightness() < 60);
        QCOMPARE(m_view->palette(), before);
        QVERIFY(!m_view->testAttribute(Qt::WA_SetPalette));
    }

    void pictureHasTheChosenSize()
    {
        show(60);
        const QString file = m_folder.filePath(u"chosen.png"_s);
        const QSize screen = m_view->size();
        const QImage slide =
            exported(file, [](QDialog &dialog) { choose(dialog, u"pictureSize"_s, u"Slide, 1920 × 1080 pixels"_s); });
        QCOMPARE(slide.size(), QSize(1920, 1080));
        const QImage column = exported(file, [](QDialog &dialog) {
            choose(dialog, u"pictureSize"_s, u"Paper, one column"_s);
            choose(dialog, u"pictureColors"_s, u"Dark"_s);
        });
        QCOMPARE(column.size(), QSize(1004, 709));  // 85 x 60 mm at 300 dpi
        QCOMPARE(qRound(column.dotsPerMeterX() * 0.0254), 300);
        QVERIFY(column.pixelColor(2, 2).lightness() < 60);
        const QImage own = exported(file, [](QDialog &dialog) {
            choose(dialog, u"pictureUnit"_s, u"pixels"_s);
            dialog.findChild<QSpinBox *>(u"pictureResolution"_s)->setValue(144);
            dialog.findChild<QDoubleSpinBox *>(u"pictureWidth"_s)->setValue(901);
            dialog.findChild<QDoubleSpinBox *>(u"pictureHeight"_s)->setValue(703);
            QCOMPARE(dialog.findChild<QComboBox *>(u"pictureSize"_s)->currentText(), u"Custom"_s);
        });
        QCOMPARE(own.size(), QSize(901, 703));
        QCOMPARE(m_view->size(), screen);
        QVERIFY(!m_view->testAttribute(Qt::WA_SetFont));
    }

    void documentHasTheChosenSize()
    {
        show(60);
        const QString file = m_folder.filePath(u"column.pdf"_s);
        exported(file, [](QDialog &dialog) {
            choose(dialog, u"pictureSize"_s, u"Paper, two columns"_s);
            choose(dialog, u"pictureFormat"_s, u"PDF document"_s);
        });
        QFile pdf(file);
        QVERIFY(pdf.open(QIODevice::ReadOnly));
        const QByteArray text = pdf.readAll();
        const auto box = QRegularExpression(u"MediaBox \\[0 0 ([\\d.]+) ([\\d.]+)"_s).match(QString::fromLatin1(text));
        QVERIFY(box.hasMatch());
        QVERIFY(std::abs(box.captured(1).toDouble() - 178 / 25.4 * 72) < 1);
        QVERIFY(std::abs(box.captured(2).toDouble() - 90 / 25.4 * 72) < 1);
    }

    void endingOfTheFileChoosesTheFormat()
    {
        show(60);
        const QString file = m_folder.filePath(u"named.svg"_s);
        exported(file, [](QDialog &) {});
        QFile svg(file);
        QVERIFY(svg.open(QIODevice::ReadOnly) && svg.read(200).contains("<svg"));
    }

    void choicesAreRemembered()
    {
        show(60);
        QSettings settings(m_folder.filePath(u"settings.ini"_s), QSettings::IniFormat);
        m_saver->setSettings(&settings);
        exported(m_folder.filePath(u"kept.png"_s), [](QDialog &dialog) {
            choose(dialog, u"pictureSize"_s, u"Paper, one column"_s);
            dialog.findChild<QDoubleSpinBox *>(u"pictureText"_s)->setValue(7);
            dialog.findChild<QCheckBox *>(u"pictureTitle"_s)->setChecked(false);
        });
        m_saver->askForFile();
        const auto *dialog = m_view->findChildren<ui::PictureDialog *>(u"pictureDialog"_s).back();
        const ui::PictureForm form = dialog->form();
        QCOMPARE(form.size, ui::PictureForm::Size::OneColumn);
        QCOMPARE(form.points, 7.0);
        QVERIFY(!form.hasTitle);
        QVERIFY(dialog->findChild<QLineEdit *>(u"pictureFile"_s)->text().startsWith(m_folder.path()));
    }

    void settingsWithoutSenseAreReplaced()
    {
        QSettings settings(m_folder.filePath(u"broken.ini"_s), QSettings::IniFormat);
        settings.setValue("picture/width", u"nan"_s);
        settings.setValue("picture/resolution", 1e9);
        settings.setValue("picture/format", -4);
        settings.setValue("picture/size", 77);
        const ui::PictureForm form = ui::readPictureForm(settings);
        QCOMPARE(form.resolution, ui::PictureForm().resolution);
        QCOMPARE(form.format, ui::PictureFormat::Png);
        QCOMPARE(form.size, ui::PictureForm::Size::Screen);
        QVERIFY(ui::problemOf(form).isEmpty());
    }

    void hugePicturesAreRefused()
    {
        ui::PictureForm form;
        form.inches = {100, 100};
        form.resolution = 1200;
        QVERIFY(!ui::problemOf(form).isEmpty());
        form.format = ui::PictureFormat::Pdf;
        QVERIFY(ui::problemOf(form).isEmpty());
        form.inches = {0.1, 3};
        QVERIFY(!ui::problemOf(form).isEmpty());
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

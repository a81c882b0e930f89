// A picture of one of several charts.
#include "chartplots.h"
#include "pictures.h"
#include "testprogram.h"

#include "ui/plot/chartpicture.h"
#include "ui/plot/panelview.h"
#include "ui/plot/picturesaver.h"

#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDir>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

class ChartPictureTest : public QObject {
    Q_OBJECT

    static QString svgOf(const Plots &p, const QString &id)
    {
        const std::optional<PictureSheet> sheet = sheetOfChart(*p.plots.plot(), id, u"digits · trial 7"_s);
        return sheet ? QString::fromUtf8(pictureOf(*sheet, PictureFormat::Svg)) : QString();
    }
    static bool hasTimes(const QString &svg)
    {
        return svg.contains(QRegularExpression(u">\\d\\d:\\d\\d:\\d\\d<"_s)) && svg.contains(u">time ("_s);
    }

private Q_SLOTS:
    void pictureHasItsChartsCurvesAndATimeAxis()
    {
        Plots p;
        QVERIFY(p.isReady());
        const QString processes = svgOf(p, u"rank.cpu"_s);
        QVERIFY(processes.contains(u"digits · trial 7"_s) && processes.contains(u"CPU per rank"_s));
        QVERIFY(processes.contains(u"rank 1"_s));
        QVERIFY(!processes.contains(u"core 0"_s) && !processes.contains(u"loss"_s));
        QVERIFY(hasTimes(processes));
        const QString chosen = svgOf(p, chosenChart());
        QVERIFY(chosen.contains(u"loss"_s) && !chosen.contains(u"CPU per rank"_s));
        QVERIFY(hasTimes(chosen));
        QVERIFY(svgOf(p, u"gpu.power"_s).isEmpty());

        const std::optional<PictureSheet> sheet = sheetOfChart(*p.plots.plot(), u"rank.cpu"_s, {});
        QVERIFY(sheet->size.height() > 240 && p.pane(u"rank.cpu"_s).area()->height() < 200);
        QVERIFY(p.plots.plot()->alone().isEmpty());
        QVERIFY(!p.plots.findChild<QToolButton *>(u"allCharts"_s)->isVisible());
    }

    void pictureMatchesTheView()
    {
        Plots p;
        QVERIFY(p.isReady());
        LivePlot *plot = p.plots.plot();
        PlotPane &pane = p.pane(chosenChart());
        plot->setYRange(pane, QCPRange(100, 110));
        plot->setXRange(QCPRange(plot->frame().start + 12.25, plot->frame().start + 13));
        plot->setHidden({hidingKey(PanelKind::Curves, pane.panel(), pane.panel().curves[1])});
        const QString svg = svgOf(p, chosenChart());
        QVERIFY(svg.contains(u">104<"_s));
        QVERIFY2(svg.contains(QRegularExpression(u">\\d\\d:\\d\\d:\\d\\d\\.\\d<"_s)), "tenths of a second");
        QVERIFY(svg.contains(u"rank 0"_s) && !svg.contains(u"rank 1"_s));
    }

    void menuOffersThisChartBeforeAllCharts()
    {
        Plots p;
        QVERIFY(p.isReady());
        p.plots.pictures()->setTitle(u"digits · trial 7"_s, u"digits-trial-7"_s);
        LivePlot *plot = p.plots.plot();
        const QPoint place = p.pane(u"rank.cpu"_s).area()->center();
        QContextMenuEvent event(QContextMenuEvent::Mouse, place, plot->mapToGlobal(place));
        QCoreApplication::sendEvent(plot, &event);
        auto *menu = plot->findChild<QMenu *>(u"plotMenu"_s);
        QVERIFY(menu);
        QCOMPARE(menu->actions()[0]->objectName(), u"saveChart"_s);
        QCOMPARE(menu->actions()[1]->objectName(), u"copyChart"_s);
        QCOMPARE(menu->actions()[2]->text(), u"Export all plots…"_s);

        menu->actions()[1]->trigger();
        const QSize all = sheetOf(*plot, u"t"_s).size * 2;
        QTRY_VERIFY(QGuiApplication::clipboard()->image().width() > 400);
        QVERIFY(QGuiApplication::clipboard()->image().height() < all.height());

        menu->actions()[0]->trigger();
        auto *dialog = plot->findChild<PictureDialog *>(u"pictureDialog"_s);
        QVERIFY(dialog);
        const QString file = dialog->findChild<QLineEdit *>(u"pictureFile"_s)->text();
        QCOMPARE(QFileInfo(file).fileName(), u"digits-trial-7-CPU-per-rank.png"_s);
        dialog->reject();
        menu->close();
    }

    void eachPlotGetsItsOwnFile()
    {
        Plots p;
        QVERIFY(p.isReady());
        const QTemporaryDir folder;
        p.plots.pictures()->setTitle(u"digits · trial 7"_s, u"digits · trial 7"_s);
        QSignalSpy reported(p.plots.pictures(), &PictureSaver::reported);
        p.plots.pictures()->askForFile();
        auto *dialog = p.plots.plot()->findChild<PictureDialog *>(u"pictureDialog"_s);
        auto *subject = dialog->findChild<QComboBox *>(u"pictureSubject"_s);
        subject->setCurrentIndex(subject->count() - 1);
        dialog->findChild<QLineEdit *>(u"pictureFile"_s)->setText(folder.path());
        QVERIFY(!dialog->findChild<QPushButton *>(u"pictureCopy"_s)->isEnabled());
        dialog->findChild<QPushButton *>(u"pictureExport"_s)->click();
        QTRY_COMPARE_WITH_TIMEOUT(reported.size(), 1, 30'000);
        const QStringList files = QDir(folder.path()).entryList(QDir::Files);
        QCOMPARE(files.size(), qsizetype(p.plots.plot()->panes().size()));
        QVERIFY(files.contains(u"digits-trial-7-CPU-per-rank.png"_s));
    }

    /// In PDF and SVG the text has the size that was chosen, in points.
    void textHasTheChosenSize()
    {
        Plots p;
        QVERIFY(p.isReady());
        const QSize column(321, 227);  // 85 x 60 mm
        const auto sheet = sheetOfChart(*p.plots.plot(), chosenChart(), u"digits"_s, {column, 8});
        QVERIFY(sheet && sheet->size == column);
        QCOMPARE(sheet->textScale, 1.0);
        const QString svg = QString::fromUtf8(pictureOf(*sheet, PictureFormat::Svg));
        QVERIFY(svg.contains(u"rank 1"_s));
        double smallest = 99;
        for (const auto &size : QRegularExpression(u"font-size=\"([\\d.]+)\""_s).globalMatch(svg))
            smallest = std::min(smallest, size.captured(1).toDouble());
        QVERIFY2(smallest > 6.5 * 96 / 72, qPrintable(QString::number(smallest)));
        QVERIFY2(smallest < 8.5 * 96 / 72, qPrintable(QString::number(smallest)));
    }

    void chartsWithoutRoomAreScaled()
    {
        Plots p;
        QVERIFY(p.isReady());
        const QSize low(600, 90);
        const PictureSheet sheet = sheetOfCharts(*p.plots.plot(), u"digits"_s, {low, 8});
        QCOMPARE(sheet.size, low);
        QVERIFY(sheet.textScale < 0.9);
    }

    void fileNamesHaveNoSeparators()
    {
        QCOMPARE(fileNameOfChart(u"val/loss, lr · trial 7"_s), u"val-loss-lr-trial-7"_s);
        QCOMPARE(fileNameOfChart(u"Parts of a step's time"_s), u"Parts-of-a-steps-time"_s);
        QCOMPARE(fileNameOfChart(u"Genauigkeit_ü"_s), u"Genauigkeit_ü"_s);
    }
};

SWEEPSCOPE_TEST(ChartPictureTest)
#include "tst_chartpicture.moc"

#pragma once

#include "ui/live/picturesaver.h"
#include "ui/live/trialchoice.h"
#include "ui/live/trialsource.h"

#include <QWidget>

#include <QSet>
#include <QString>

#include <memory>
#include <vector>

class QMenu;
class QSettings;

namespace sweepscope::ui {

class ChartLayout;
class ChartsMenu;
class CurveLegend;
class LiveData;
class LivePlot;
class LiveToolBar;
class PlotCursor;
class PlotPane;
struct PlotFrame;

/// The plots of one attempt, with their tool bar, their legend and the thread that feeds them. Needs no engine: only
/// files.
class TrialPlots : public QWidget {
    Q_OBJECT

public:
    explicit TrialPlots(QWidget *parent = nullptr);

    void showSource(const TrialSource &source) { showSources({source}); }
    /// Several: each is one curve, see setForTrials().
    void showSources(const std::vector<TrialSource> &sources);
    /// From now on for comparing trials; before anything is shown.
    void setForTrials();
    /// From now on there is one chart, of the chosen series over its steps, and what is left of the tool bar has room
    /// beside a title; before anything is shown.
    void setForOneChart();
    void clear();
    /// Those that charts are pinned to, see pinnedTrials(); they stay while other trials are shown.
    void setPinned(const std::vector<TrialSource> &pinned);
    std::vector<TrialChoice> pinnedTrials() const;
    /// Arranged as the person left it under this key, and kept there from now on. With a new one, as it was left last.
    void restore(QSettings *settings, const QString &key);
    /// What to say while no feed has a value yet.
    void setEmptyText(const QString &text);

    LivePlot *plot() const { return m_plot; }
    LiveToolBar *toolBar() const { return m_toolBar; }
    ChartLayout *charts() const { return m_charts; }
    CurveLegend *legend() const { return m_legend; }
    PictureSaver *pictures() const { return m_pictures; }
    /// What comes and goes there moves the plots and no button.
    void addBelowToolBar(QWidget *widget);

Q_SIGNALS:
    void problemChanged(const QString &text);
    void seriesChanged(const QString &name);  ///< of the first plot
    void pinnedChanged();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void ask();
    void takeFrame(const std::shared_ptr<const PlotFrame> &frame);
    void keepSources();
    void connectCharts();
    void fillMenu(QMenu *menu, const PictureSaver::Actions &pictures, const QPoint &place);
    void addPictureActions(QMenu *menu, const PictureSaver::Actions &pictures, const PlotPane *pane);
    void ignoreOutliers(bool ignoring);
    void showValues(bool ignoresOutliers, const QSet<QString> &hidden);
    void chartsChanged();
    void save();
    void updateLegend();
    QString valuesUnderCursor() const;
    void updateMessage();

    LiveData *m_data;
    ChartLayout *m_charts;
    ChartsMenu *m_chartsMenu;
    LiveToolBar *m_toolBar;
    LivePlot *m_plot;
    PlotCursor *m_cursor;
    CurveLegend *m_legend;
    PictureSaver *m_pictures;
    std::vector<TrialSource> m_shown;
    std::vector<TrialSource> m_pinned;
    qint64 m_sweepId = 0;  ///< of what was shown last
    QSettings *m_settings = nullptr;
    QString m_key;
    bool m_restoring = false;
    bool m_isForTrials = false;
    bool m_hasOneChart = false;
    QString m_emptyText;
    QString m_problem;
};

}  // namespace sweepscope::ui

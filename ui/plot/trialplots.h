#pragma once

#include "ui/plot/picturesaver.h"
#include "ui/plot/trialchoice.h"
#include "ui/plot/trialsource.h"

#include <QWidget>

#include <QSet>
#include <QString>

#include <memory>
#include <vector>

class QMenu;
class QSettings;
class QToolButton;

namespace sweepscope::ui {

class ChartLayout;
class ChartsMenu;
class CurveEmphasis;
class CurveLegend;
class LiveData;
class LivePlot;
class LiveToolBar;
class PlotCursor;
class PlotPane;
struct ColorKey;
struct PlotCurve;
struct PlotFrame;

/// The plots of one attempt, with tool bar, legend and reading thread. Needs files, but no engine.
class TrialPlots : public QWidget {
    Q_OBJECT

public:
    explicit TrialPlots(QWidget *parent = nullptr);

    void showSource(const TrialSource &source) { showSources({source}); }
    /// Several sources: each is one curve, see setForTrials().
    void showSources(std::vector<TrialSource> sources);
    /// Configures the plots to compare trials; call before anything is shown.
    void setForTrials();
    /// Emphasizes the curve of this trial as long as none is pointed at; 0 for none. See setForTrials().
    void setChosenTrial(int trial);
    /// Leaves outliers out when vertical axes are fitted.
    void ignoreOutliers(bool ignoring);
    /// Configures one chart of the selected series over its steps, with a tool bar small enough to fit next to a title;
    /// call before anything is shown.
    void setForOneChart();
    /// Sets what a picture says about the colors of curves.
    void setColorKey(const ColorKey &key);
    void clear();
    /// Sets the sources of pinned charts, see pinnedTrials(); they stay while other trials are shown.
    void setPinned(const std::vector<TrialSource> &pinned);
    std::vector<TrialChoice> pinnedTrials() const;
    /// Restores the charts stored under this key and stores them there from now on. A new key starts with the last
    /// settings.
    void restore(QSettings *settings, const QString &key);
    /// Sets the text shown while no feed has a value.
    void setEmptyText(const QString &text);

    LivePlot *plot() const { return m_plot; }
    LiveToolBar *toolBar() const { return m_toolBar; }
    ChartLayout *charts() const { return m_charts; }
    CurveLegend *legend() const { return m_legend; }
    PictureSaver *pictures() const { return m_pictures; }
    /// Widgets that appear there move the plots, but no button.
    void addBelowToolBar(QWidget *widget);

Q_SIGNALS:
    void problemChanged(const QString &text);
    /// Of curves of which only some points are here; 0: all are.
    void missingBytesChanged(qint64 bytes);
    void seriesChanged(const QString &name);  ///< of the first plot
    void pinnedChanged();
    /// See setForTrials(). The mouse is on the curve of a trial; none: on no curve. `value`: under the cursor, with its unit.
    /// `isRising`: to the right of the mouse, the curve is higher.
    void trialPointedAt(const sweepscope::ui::TrialChoice &trial, const QString &value, const QPoint &place,
                        bool isRising);
    void trialClicked(const sweepscope::ui::TrialChoice &trial);
    /// With Ctrl: one curve, which is added or removed, or all that pass through a box.
    void trialsSelected(const std::vector<sweepscope::ui::TrialChoice> &trials, bool toggles);
    /// Of trials whose curves are still being read; 0: none.
    void missingCurvesChanged(int curves);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void updateRequest();
    void showFrame(const std::shared_ptr<const PlotFrame> &frame);
    void keepSources();
    void alignApart();
    void connectCharts();
    void fillMenu(QMenu *menu, const PictureSaver::Actions &pictures, const QPoint &place);
    void addPictureActions(QMenu *menu, const PictureSaver::Actions &pictures, const PlotPane *pane);
    const PlotCurve *curveOfTrial(const QString &key) const;
    void selectTrials(const QStringList &keys, bool toggles);
    void exchangeCharts(const QString &chosen, const QString &before);
    void pointAt(const QString &key, const QPoint &place);
    void showValues(bool ignoresOutliers, const QSet<QString> &hidden);
    void chartsChanged();
    void save();
    void updateLegend();
    QString valuesUnderCursor() const;
    void updateMessage();
    bool areAllHidden() const;
    void showHidden();

    LiveData *m_data;
    ChartLayout *m_charts;
    ChartsMenu *m_chartsMenu;
    LiveToolBar *m_toolBar;
    LivePlot *m_plot;
    PlotCursor *m_cursor;
    CurveLegend *m_legend;
    CurveEmphasis *m_emphasis;
    PictureSaver *m_pictures;
    QToolButton *m_showHidden;
    std::vector<TrialSource> m_shown;
    std::vector<TrialSource> m_pinned;
    qint64 m_sweepId = 0;  ///< of the last shown sources
    QSettings *m_settings = nullptr;
    QString m_key;
    QString m_series;  ///< chosen in the tool bar
    bool m_restoring = false;
    bool m_areApart = false;  ///< a pinned trial did not run together with the shown one
    bool m_isForTrials = false;
    bool m_hasOneChart = false;
    QString m_emptyText;
    QString m_problem;
    qint64 m_missingBytes = 0;
    int m_missingCurves = 0;
};

}  // namespace sweepscope::ui

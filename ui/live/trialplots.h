#pragma once

#include "ui/live/trialsource.h"

#include <QWidget>

#include <memory>
#include <vector>

namespace sweepscope::ui {

class CurveLegend;
class LiveData;
class LivePlot;
class LiveToolBar;
class PictureSaver;
class PlotCursor;
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
    void clear();
    /// What to say while no feed has a value yet.
    void setEmptyText(const QString &text);

    LivePlot *plot() const { return m_plot; }
    LiveToolBar *toolBar() const { return m_toolBar; }
    CurveLegend *legend() const { return m_legend; }
    PictureSaver *pictures() const { return m_pictures; }

Q_SIGNALS:
    void problemChanged(const QString &text);
    void seriesChanged(const QString &name);  ///< of the first plot

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void ask();
    void takeFrame(const std::shared_ptr<const PlotFrame> &frame);
    void updateLegend();
    void updateMessage();

    LiveData *m_data;
    LiveToolBar *m_toolBar;
    LivePlot *m_plot;
    PlotCursor *m_cursor;
    CurveLegend *m_legend;
    PictureSaver *m_pictures;
    QString m_emptyText;
    QString m_problem;
};

}  // namespace sweepscope::ui

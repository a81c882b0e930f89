#pragma once

#include "sweep/sweepspec.h"
#include "ui/analysis/analysisfigure.h"
#include "ui/analysis/axisranges.h"
#include "ui/base/enginepage.h"

#include <QString>

#include <map>
#include <utility>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QSettings;
class QStackedWidget;

namespace sweepscope::ui {

class EmptyView;
class ImportancePanel;
class NewestJob;
class ParallelView;
class PictureSaver;
class TargetChooser;
class TrialScatter;

/// Which parameter matters, and where the good region is: parallel coordinates of a sweep's trials, the importance of
/// each parameter, one parameter against the value that trials are judged by, and how the best value came about.
class AnalysisPage : public EnginePage {
    Q_OBJECT
    Q_PROPERTY(bool busy READ isBusy)

public:
    /// `settings` may be null: then nothing is kept.
    AnalysisPage(protocol::EngineClient *client, SelectionModel *selection, QSettings *settings,
                 QWidget *parent = nullptr);
    ~AnalysisPage() override;

    /// Of the plot that has, or had last, the keyboard.
    PictureSaver *pictures() const { return m_pictures[m_picturesOf]; }
    std::vector<PictureSaver *> allPictures() const { return {std::begin(m_pictures), std::end(m_pictures)}; }
    const FigurePtr &figure() const { return m_figure; }
    /// Something is being computed or drawn.
    bool isBusy() const;
    /// There is something to be seen, and all of it is.
    bool isSettled() const { return m_figure && !isBusy(); }

Q_SIGNALS:
    void trialActivated(qint64 sweepId, int trialNumber);
    /// To be shown in the table of trials: those that the filter is meant to take.
    void filterRequested(const QString &filter, const std::vector<int> &trials);

private:
    void build();
    QWidget *buildHead();
    QWidget *buildPlots();
    void addPictures();
    void connectPlots();
    void refresh() override;
    void followSelection(bool isOtherSweep) override;
    void showSweep(qint64 sweepId);
    void showSelected();

    void restore(const sweep::SweepRecord &record);
    void keep() const;
    void readSpec(const sweep::SweepRecord &record);
    void nameSheets(const sweep::SweepRecord &record);
    void take(FigurePtr figure);
    void takeNothing();
    void tellNoValues(const sweep::SweepRecord &record, const analysis::TrialValues &values);
    void showRanges();
    void showPoints();
    void showSlice();
    void showHistory();
    void chooseParameter(const QString &id);

    QSettings *m_settings;
    TargetChooser *m_target;
    QCheckBox *m_log;
    QLabel *m_summary;
    QPushButton *m_clear;
    QPushButton *m_show;
    QStackedWidget *m_plots;
    EmptyView *m_noValues;
    QScrollArea *m_parallelArea;
    ParallelView *m_parallel;
    ImportancePanel *m_importance;
    QComboBox *m_parameter;
    TrialScatter *m_slice;
    TrialScatter *m_history;
    NewestJob *m_job;
    QTimer m_showPoints;
    PictureSaver *m_pictures[4] = {};
    int m_picturesOf = 0;

    FigurePtr m_figure;
    std::string m_toml;  ///< that m_spec is from
    sweep::SweepSpec m_spec;
    qint64 m_sweepId = 0;      ///< that is shown
    QString m_key;             ///< of what is kept about the sweep; empty: it is not restored yet
    bool m_hasChosen = false;  ///< a parameter
    /// The ranges that were chosen in other sweeps, with the figures that they are ranges of.
    std::map<qint64, std::pair<FigurePtr, AxisRanges>> m_keptRanges;
    bool m_filling = false;  ///< what changes is no choice of the person
};

}  // namespace sweepscope::ui

#pragma once

#include "analysis/savedbypruning.h"
#include "sweep/sweepspec.h"
#include "ui/analysis/analysisfigure.h"
#include "ui/analysis/axisranges.h"
#include "ui/base/enginepage.h"
#include "ui/plot/plotpicture.h"

#include <QString>
#include <QVariantMap>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QSettings;
class QSplitter;
class QStackedWidget;

namespace sweepscope::ui {

class ComparedSweeps;
class EmptyView;
class FrontPanel;
class ImportancePanel;
class MapPanel;
class NewestJob;
struct ObjectivesFigure;
class ParallelView;
class PictureSaver;
class PlotCard;
class PruningPanel;
class SurrogateJob;
class TargetChooser;
class TrialScatter;

/// Shows which parameters matter and where the good region is: parallel coordinates of a sweep's trials, the importance
/// of each parameter, one or two parameters against the target value, the best value over time in comparison with random
/// search, the distribution of the values in comparison with other sweeps, what pruning saved, and the Pareto front of several
/// objectives.
class AnalysisPage : public EnginePage {
    Q_OBJECT
    Q_PROPERTY(bool busy READ isBusy)

public:
    /// `settings` may be null; then nothing is stored.
    AnalysisPage(protocol::EngineClient *client, SelectionModel *selection, QSettings *settings,
                 QWidget *parent = nullptr);
    ~AnalysisPage() override;

    /// Of the plot with the keyboard focus, or the last one that had it.
    PictureSaver *pictures() const { return m_pictures[m_picturesOf].saver; }
    std::vector<PictureSaver *> allPictures() const;
    const FigurePtr &figure() const { return m_figure; }
    /// Whether something is being computed or drawn.
    bool isBusy() const;
    /// Whether the page shows a figure, completely drawn.
    bool isSettled() const { return m_figure && !isBusy(); }

Q_SIGNALS:
    void trialActivated(qint64 sweepId, int trialNumber);
    /// Requests to show trials in the table: `trials` are those that `filter` is meant to match.
    void filterRequested(const QString &filter, const std::vector<int> &trials);

private:
    void build();
    QWidget *buildHead();
    QWidget *buildPlots();
    PlotCard *addCard();
    void maximize(const PlotCard *card, bool isMaximized);
    void toggleMaximized();
    void addPictures();
    void addPicture(const QString &title, const QString &fileName, QWidget *plot,
                    std::function<PictureSheet(const QString &title)> source);
    void connectPlots();
    void refresh() override;
    void followSelection(bool isOtherSweep) override;
    void showSweep(qint64 sweepId);
    void showSelected();

    void restore(const sweep::SweepRecord &record);
    void keep() const;
    void keepRanges();
    void restoreRanges();
    void readSpec(const sweep::SweepRecord &record);
    void chooseScale(const analysis::TrialValues &values);
    std::vector<Distribution> othersLike(const sweep::SweepRecord &record);
    QString bestText() const;
    void followResults(const std::vector<sweep::TrialRecord> &trials, const analysis::TrialValues &values);
    void nameSheets(const sweep::SweepRecord &record);
    void setFigure(FigurePtr figure, std::shared_ptr<const ObjectivesFigure> objectives = nullptr);
    void clearFigure();
    void showNoValues(const sweep::SweepRecord &record, const analysis::TrialValues &values);
    std::vector<int> trialsWithin() const;
    void followBrush();
    void showRanges();
    void showPoints();
    void showSlice();
    void showMap();
    void showDistribution();
    void showPruning();
    void showObjectives();
    void showHistory();
    void chooseParameter(const QString &id);
    QString pointText(int trial) const;
    std::vector<TrialScatter *> scatters() const;

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
    MapPanel *m_map;
    PlotCard *m_parameterCard;
    TrialScatter *m_history;
    TrialScatter *m_distribution;
    ComparedSweeps *m_compared;
    PruningPanel *m_pruning;
    FrontPanel *m_front;
    TrialScatter *m_hypervolume;
    PlotCard *m_progressCard;
    PlotCard *m_parallelCard;
    std::vector<PlotCard *> m_cards;
    QSplitter *m_below;  ///< holds all cards but that of the parallel coordinates
    NewestJob *m_job;
    SurrogateJob *m_surrogate;
    QTimer m_showPoints;
    struct Picture {
        QString title;
        QString fileName;
        QWidget *plot;  ///< has the keyboard focus while the picture is of it
        PictureSaver *saver;
    };
    std::vector<Picture> m_pictures;
    std::size_t m_picturesOf = 0;

    FigurePtr m_figure;
    std::shared_ptr<const ObjectivesFigure> m_objectives;  ///< null for a single objective
    std::optional<analysis::SavedByPruning> m_saved;
    std::string m_toml;  ///< source of m_spec
    sweep::SweepSpec m_spec;
    bool m_isComparable = false;                 ///< with random search
    qint64 m_sweepId = 0;                        ///< the shown sweep
    QString m_key;                               ///< of the sweep's settings; empty until they are restored
    bool m_hasChosen = false;                    ///< the user selected a parameter
    bool m_hasChosenScale = false;               ///< the user selected the scale of the value axis
    int m_bestTrial = 0;                         ///< as the engine names it, also unfinished ones
    std::map<qint64, QVariantMap> m_keptRanges;  ///< the ranges of sweeps, for a window without settings
    bool m_needsRanges = false;                  ///< those of the shown sweep are not restored yet
    bool m_brushes = false;                      ///< the change of the selection is its own
    bool m_filling = false;                      ///< changes are not made by the user
};

}  // namespace sweepscope::ui

#pragma once

#include "protocol/engineclient.h"
#include "ui/plot/trialchoice.h"
#include "ui/plot/trialsource.h"

#include <QTimer>
#include <QWidget>

#include <map>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QMenu;
class QSplitter;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace sweepscope::ui {

class ColorKeyRow;
class ComparisonModel;
class ElidedLabel;
class EmptyView;
class PictureSaver;
class TrialPlots;
struct CurveTints;
struct KeptTrial;

/// The curves of trials of a sweep in one plot, and of a few trials their differences next to it. Trials that the user
/// keeps are shown with those of any sweep.
class ComparisonPanel : public QWidget {
    Q_OBJECT

public:
    explicit ComparisonPanel(protocol::EngineClient *client, QWidget *parent = nullptr);

    /// What `trials` are: all of the table, or those that the user has selected.
    enum class Shown { Table, Selection };
    /// `chosen`: the trial whose curve is emphasized; 0: none.
    void showTrials(qint64 sweepId, std::vector<int> trials, Shown shown, int chosen);
    /// Updates the page after a change of the records.
    void refresh();
    const std::vector<int> &trials() const { return m_trials; }
    /// Keeps these trials, or if it has them all, no longer.
    void toggleKept(qint64 sweepId, const std::vector<int> &trials);
    /// Of trials whose curve's color tells something; empty: each has its own color.
    const std::map<int, QRgb> &curveColors() const { return m_curveColors; }
    std::size_t keptCount() const { return m_kept.size(); }
    bool hasKept(qint64 sweepId, const std::vector<int> &trials) const;

    /// Differences of more, or of trials that are not selected, are not shown.
    static constexpr std::size_t mostWithDifferences = 50;

    /// Whether the user has hidden everything else.
    bool isAlone() const;
    /// Of the curves.
    PictureSaver *pictures() const;

Q_SIGNALS:
    void trialActivated(qint64 sweepId, int trialNumber);
    void aloneChosen(bool alone);
    /// By the user, in the plot. Of the sweep.
    void trialsSelected(const std::vector<int> &trials, bool toggles);
    void allTrialsRequested();
    void colorsChanged();  ///< curveColors()

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void update();
    void showDifferences(const sweep::SweepRecord &sweep, const std::vector<const sweep::TrialRecord *> &shown,
                         const std::vector<KeptTrial> &kept);
    void fitTable();
    std::vector<KeptTrial> keptTrials() const;
    void addKeptSources(std::vector<TrialSource> &sources, const std::vector<KeptTrial> &kept) const;
    void groupSources(const sweep::SweepRecord &sweep, const std::vector<const sweep::TrialRecord *> &trials,
                      std::vector<TrialSource> &sources) const;
    void sortForDrawing(const sweep::SweepRecord &sweep, std::vector<const sweep::TrialRecord *> &trials,
                        const CurveTints &tints) const;
    void nameSources(const sweep::SweepRecord &sweep);
    void fillKeptMenu();
    void selectTrials(const std::vector<TrialChoice> &trials, bool toggles);
    void arrange();
    void showSame();
    void showNote();
    void showCurves(const sweep::SweepRecord &sweep, std::vector<const sweep::TrialRecord *> trials,
                    std::vector<KeptTrial> &kept);
    void keepColors(const std::vector<TrialSource> &sources);
    void fillColors(const sweep::SweepRecord &sweep);
    std::vector<TrialSource> sourcesOf(const sweep::SweepRecord &sweep,
                                       const std::vector<const sweep::TrialRecord *> &trials, const CurveTints &tints);
    void showPointed(const TrialChoice &trial, const QString &value, const QPoint &place, bool isRising);
    QWidget *buildHead();

    protocol::EngineClient *m_client;
    qint64 m_sweepId = 0;
    std::vector<int> m_trials;
    Shown m_shown = Shown::Table;
    /// Of trials that were shown, as long as their attempt is the same.
    std::map<int, TrialSource> m_sources;
    std::map<int, QRgb> m_curveColors;
    std::vector<TrialChoice> m_kept;
    bool m_showsOnlyKept = false;
    int m_missingCurves = 0;
    bool m_hadMany = false;
    bool m_hasSeveralRanks = false;
    TrialPlots *m_plots;
    ComparisonModel *m_model;
    QTableView *m_table;
    QComboBox *m_groups;  ///< of which groups of trials, or the curve of each
    QComboBox *m_colors;
    ColorKeyRow *m_key = nullptr;
    QLabel *m_note;
    ElidedLabel *m_same;
    QCheckBox *m_onlyDifferences;
    QWidget *m_facts;            ///< common values and differences
    QToolButton *m_curves;       ///< if there is room for only one of the two
    QToolButton *m_differences;  ///< if there is room for only one of the two
    QToolButton *m_all;          ///< shows all trials again instead of the selected ones
    QToolButton *m_keptButton;
    QMenu *m_keptMenu;
    QToolButton *m_alone;
    QSplitter *m_splitter = nullptr;  ///< between curves and table
    bool m_isSplitByUser = false;
    std::size_t m_fittedColumns = 0;  ///< for which the table has its width
    bool m_hasDifferences = true;
    QStackedWidget *m_stack;
    EmptyView *m_empty;
    QTimer m_update;  ///< coalesces changes
};

}  // namespace sweepscope::ui

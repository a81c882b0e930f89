#pragma once

#include "exporting/sweepexport.h"
#include "ui/models/newestjob.h"

#include <QStringList>
#include <QWidget>

#include <optional>
#include <vector>

class QComboBox;
class QLineEdit;
class QMenu;
class QPushButton;

namespace sweepscope::ui {

/// The part of the curves that is zoomed to.
struct VisibleRange {
    bool isOfSteps = false;
    double from = 0;  ///< steps, or seconds since 1970
    double to = 0;
};

/// What the window shows; an export may be limited to it.
struct ExportScope {
    std::vector<int> filtered;              ///< numbers of the trials that match the filter
    std::vector<int> selected;              ///< numbers of the selected trials
    exporting::ColumnChoice columns;        ///< of the trial table, by their names in files
    std::optional<VisibleRange> visible{};  ///< of the plots in Live; nullopt: everything
};

/// Chooses trials, columns and curves to export.
class ExportChoice : public QWidget {
    Q_OBJECT

public:
    explicit ExportChoice(QWidget *parent);

    /// The width of the first column, to align the rows below it.
    int titleWidth() const;
    void setScope(const ExportScope &scope, int allTrials);
    /// Reads the names of the available series from the feed of a trial, on a thread.
    void offerSeriesOf(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                       const sweep::TrialRecord &trial);
    void enableColumns(bool on);
    void enableCurves(bool on);

    std::vector<sweep::TrialRecord> chosenOf(const std::vector<sweep::TrialRecord> &trials) const;
    exporting::ColumnChoice columns() const;
    exporting::CurvesChoice curves() const;
    QString problem() const;  ///< a sentence; empty if the choice is valid
    QLineEdit *wrongField() const;

Q_SIGNALS:
    void changed();

private:
    enum class Which { All, Filtered, Selected };
    enum class Range { All, Visible, Steps };

    void offerRange();
    void followRange();
    void offerSeries(const QStringList &names);
    void nameSeries();
    QStringList chosenSeries() const;

    ExportScope m_scope;
    QComboBox *m_which;
    QComboBox *m_columns;
    QPushButton *m_series;
    QMenu *m_seriesMenu;
    QLineEdit *m_ranks;
    QComboBox *m_range;
    QLineEdit *m_firstStep;
    QLineEdit *m_lastStep;
    QWidgetList m_titles;  ///< labels of the first column
    NewestJob m_seriesJob;
};

/// Parses "0, 2-5"; empty for an empty text, nullopt if invalid.
std::optional<std::set<int>> ranksFromText(const QString &text);

}  // namespace sweepscope::ui

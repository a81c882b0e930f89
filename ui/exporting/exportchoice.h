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

/// A part of the curves that somebody has zoomed to.
struct VisibleRange {
    bool isOfSteps = false;
    double from = 0;  ///< steps, or seconds since 1970
    double to = 0;
};

/// What the window shows at the moment, which an export may be limited to.
struct ExportScope {
    std::vector<int> filtered;              ///< numbers of the trials that the filter lets through
    std::vector<int> selected;              ///< of those that are selected
    exporting::ColumnChoice columns;        ///< of the table of trials, as files call them
    std::optional<VisibleRange> visible{};  ///< of Live's plots; none: all of it
};

/// Which trials, which of their columns, which of their curves.
class ExportChoice : public QWidget {
    Q_OBJECT

public:
    explicit ExportChoice(QWidget *parent);

    /// Of the first column, for what stands below it.
    int titleWidth() const;
    void setScope(const ExportScope &scope, int allTrials);
    /// Looks into the feed of one of the trials, on a thread, for the series that can be chosen.
    void offerSeriesOf(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                       const sweep::TrialRecord &trial);
    void enableColumns(bool on);
    void enableCurves(bool on);

    std::vector<sweep::TrialRecord> chosenOf(const std::vector<sweep::TrialRecord> &trials) const;
    exporting::ColumnChoice columns() const;
    exporting::CurvesChoice curves() const;
    QString problem() const;  ///< a sentence; empty: all can be read
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
    QWidgetList m_titles;  ///< of the first column
    NewestJob m_look;
};

/// "0, 2-5" as numbers; empty text: none. Nothing where it means nothing.
std::optional<std::set<int>> ranksFromText(const QString &text);

}  // namespace sweepscope::ui

#pragma once

#include "ui/models/trialfilter.h"

#include <QTimer>
#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QSettings;
class QToolButton;

namespace sweepscope::ui {

/// The controls above the trial table, which decide which trials are shown and how. Their settings are stored per
/// sweep.
class TrialFilterBar : public QWidget {
    Q_OBJECT

public:
    TrialFilterBar(const TrialTableModel *model, QSettings *settings, QWidget *parent = nullptr);

    /// The model has another sweep. `key` identifies it in the settings; empty: nothing is stored.
    void restore(const QString &key);
    void clear();
    void focusFilter();
    /// Adds a condition to the current text.
    void addCondition(const QString &condition);
    /// Replaces text and all selections.
    void setText(const QString &text);
    /// `removed`: number of trials removed by edits of the sweep.
    void setCount(int shown, int all, int removed, int selected = 0);

    TrialFilter filter() const;
    /// Whether the user may still be typing the text.
    bool isBeingTyped() const;
    std::vector<sweep::TrialState> states() const;
    QString groupedBy() const;
    QMenu *columnsMenu() const { return m_columnsMenu; }  ///< filled before it is shown
    QToolButton *curvesButton() const { return m_curves; }

Q_SIGNALS:
    void filterChanged();
    void filterFinished();  ///< Enter: the text is complete
    void groupingChanged();

protected:
    /// The user will probably type after moving the cursor into the line edit.
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void buildFilter();
    void buildStates();
    void buildButtons();
    void fillGroups();
    void showProblem();
    void hideProblem();
    QString countText(int shown, int all, int removed, int selected) const;
    void fitCount();
    QString unknownText(const QString &name) const;
    void save() const;

    const TrialTableModel *m_model;
    QSettings *m_settings;
    QString m_key;
    QLineEdit *m_filter;
    QComboBox *m_state;
    QComboBox *m_group;
    QToolButton *m_columns;
    QMenu *m_columnsMenu;
    QToolButton *m_curves;
    QLabel *m_count;
    QString m_longestCount;
    QLabel *m_problem;
    QTimer m_pause;  ///< after the last key: an error is shown now
    QTimer m_ahead;  ///< creates the searched texts ahead, a few at a time
    bool m_restoring = false;
};

}  // namespace sweepscope::ui

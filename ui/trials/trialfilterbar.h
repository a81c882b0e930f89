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

/// The line above the table of trials: what is typed and chosen there decides which trials are shown, and how. What it
/// says is kept for each sweep.
class TrialFilterBar : public QWidget {
    Q_OBJECT

public:
    TrialFilterBar(const TrialTableModel *model, QSettings *settings, QWidget *parent = nullptr);

    /// The model has another sweep. `key` names it in the settings; empty: nothing is kept.
    void restore(const QString &key);
    void clear();
    void focusFilter();
    /// One more condition, beside what was typed.
    void addCondition(const QString &condition);
    /// In place of all that is typed and chosen.
    void setText(const QString &text);
    /// `removed`: of all, by edits of the sweep.
    void setCount(int shown, int all, int removed);

    TrialFilter filter() const;
    /// What stands there was typed, and may go on.
    bool isBeingTyped() const;
    std::vector<sweep::TrialState> states() const;
    QString groupedBy() const;
    QMenu *columnsMenu() const { return m_columnsMenu; }  ///< filled when it is about to be shown
    QToolButton *compareButton() const { return m_compare; }

Q_SIGNALS:
    void filterChanged();
    void filterFinished();  ///< Enter: no more comes
    void groupingChanged();

protected:
    /// Somebody who puts the cursor into the line types next.
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void buildFilter();
    void buildStates();
    void buildButtons();
    void fillGroups();
    void tellProblem();
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
    QToolButton *m_compare;
    QLabel *m_count;
    QLabel *m_problem;
    QTimer m_ahead;  ///< makes what words are looked for in, a little at a time
    bool m_restoring = false;
};

}  // namespace sweepscope::ui

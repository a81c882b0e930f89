#pragma once

#include <QTableView>

#include <vector>

namespace sweepscope::ui {

class TrialRows;

/// The table of trials and groups. What is selected stays selected when all rows are arranged anew.
class TrialTable : public QTableView {
    Q_OBJECT

public:
    explicit TrialTable(TrialRows *rows, QWidget *parent = nullptr);

    /// Numbers of the selected trials, as shown from the top.
    std::vector<int> selectedTrials() const;
    int currentTrial() const;  ///< 0: none
    bool isOnGroup() const;
    /// Selects its row alone, unless the person has selected several rows. A trial that is not in the table: no row is
    /// current.
    void setCurrentTrial(int trialNumber);
    void clearTrials();  ///< no row is selected or current

Q_SIGNALS:
    void trialActivated(int trialNumber);
    void trialChosen(int trialNumber);  ///< by the person, as the current one
    void selectedTrialsChanged();
    void starClicked(int trialNumber);

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void selectionChanged(const QItemSelection &selected, const QItemSelection &deselected) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;

private:
    void keep();
    void restore();
    void fold(int row, bool folded);

    TrialRows *m_rows;
    std::vector<int> m_keptTrials;
    int m_keptCurrent = 0;
    bool m_arranging = false;  ///< a current row that changes is no choice of the person
    bool m_restoring = false;
};

}  // namespace sweepscope::ui

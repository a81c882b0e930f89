#pragma once

#include <QTableView>

#include <optional>
#include <vector>

namespace sweepscope::ui {

class TrialRows;
struct TrialGroup;

/// The table of trials and groups. Keeps the selection when rows are rebuilt.
class TrialTable : public QTableView {
    Q_OBJECT

public:
    explicit TrialTable(TrialRows *rows, QWidget *parent = nullptr);

    /// Numbers of the selected trials, in display order.
    std::vector<int> selectedTrials() const;
    /// Likewise, and the trials of the chosen group, see chosenGroup().
    std::vector<int> trialsOfSelection() const;
    /// Adds or removes these, or selects only them. Trials without a row are ignored.
    void selectTrials(const std::vector<int> &trials, bool toggles);
    int currentTrial() const;  ///< 0 if there is none
    bool isOnGroup() const;
    bool isGroupChosen() const { return chosenGroup() != nullptr; }
    /// Selects its row alone, unless the user has selected several rows. Without a row for this trial, no row is
    /// current.
    void setCurrentTrial(int trialNumber);
    void clearTrials();  ///< no row is selected or current

Q_SIGNALS:
    void trialActivated(int trialNumber);
    void trialChosen(int trialNumber);  ///< by the user, as the current one
    void selectedTrialsChanged();
    void starClicked(int trialNumber);

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void selectionChanged(const QItemSelection &selected, const QItemSelection &deselected) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;

private:
    std::vector<int> selectedRowNumbers() const;
    void keep();
    void restore();
    void fold(int row, bool folded);
    const TrialGroup *chosenGroup() const;
    bool folds(const QMouseEvent &event) const;

    TrialRows *m_rows;
    std::vector<int> m_keptTrials;
    std::optional<int> m_keptOffset;  ///< rows of the current one below the first visible one; none if it was not seen
    int m_keptCurrent = 0;
    bool m_arranging = false;  ///< changes of the current row are not made by the user
    bool m_restoring = false;
    QString m_chosenGroup;     ///< title of the last group that was current without being folded
    bool m_isFolding = false;  ///< by a mouse button that is pressed
};

}  // namespace sweepscope::ui

#pragma once

#include "ui/editor/placedproblem.h"
#include "ui/editor/sweepcheck.h"

#include <QFrame>

#include <optional>
#include <vector>

class QLabel;
class QListWidget;
class QPushButton;
class QToolButton;

namespace sweepscope::ui {

/// Always visible: the number of trials in the form, its problems, and Start.
class SummaryStrip : public QFrame {
    Q_OBJECT

public:
    struct Entry {
        QString title;  ///< the field's label
        PlacedProblem problem;
        bool hindersStart = true;  ///< false if it only prevents applying it to an existing sweep
    };
    /// The existing sweep that the draft may be applied to.
    struct Target {
        QString number;     ///< "#3"
        bool isChanged;     ///< the draft differs from the definition
        QString hindrance;  ///< why it cannot be changed; empty if it can
        bool isRun = false;

        bool operator==(const Target &) const = default;
    };

    explicit SummaryStrip(QWidget *parent = nullptr);

    void showResult(const CheckResult &result, const std::vector<Entry> &problems);
    /// Why Start is disabled, apart from problems; empty if it is not.
    void setHindrance(const QString &reason);
    /// Sets the result of the plan, if there is one: the number of concurrent trials, which may be fewer than the sweep
    /// allows, and the total time ("about 12 min").
    void setPlan(std::optional<int> atOnce, const QString &time);
    /// nullopt: the draft can only be launched as a new sweep.
    void setTarget(const std::optional<Target> &target);
    QString summary() const;
    /// Empty if the changes can be applied.
    QString whyNotApplied() const;
    QPushButton *startButton() const { return m_start; }
    QPushButton *applyButton() const { return m_apply; }
    /// Presses the primary button: Apply for a sweep that exists, else Start. Returns why that is impossible now; empty if it
    /// was pressed.
    QString submit();

Q_SIGNALS:
    void allocationRequested();  ///< which trial would get which device, and when
    void problemActivated(const PlacedProblem &problem);
    void cancelRequested();  ///< of changes to an existing sweep

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void followRoom();
    QString whyNotHandedOver(bool isStart) const;
    void followTarget();
    void followState();
    void enable(QPushButton *button, bool on);
    void followDetails();

    QListWidget *m_list;
    QLabel *m_trials;
    QLabel *m_details;
    QLabel *m_reason;
    QToolButton *m_allocation;
    QPushButton *m_start;
    QPushButton *m_apply;
    QPushButton *m_cancel;
    QWidget *m_end;  ///< the reason and the buttons
    QPushButton *m_hadKeys = nullptr;
    std::vector<Entry> m_problems;
    std::optional<Target> m_target;
    QString m_hindrance;
    std::optional<sweep::SweepSpec> m_spec;  ///< nullopt while there are no trials
    std::optional<int> m_atOnce;
    QString m_time;
    bool m_checked = false;
};

/// "12 trials", "1 trial".
QString trialsText(std::uint64_t trials);
/// "2 ranks each · 1 at once"; without a plan the limit of the sweep: "2 ranks each · at most 4 at once".
QString detailsText(const sweep::SweepSpec &spec, std::optional<int> atOnce);

}  // namespace sweepscope::ui

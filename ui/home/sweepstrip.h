#pragma once

#include "series/energy.h"
#include "sweep/records.h"
#include "ui/models/probereader.h"
#include "ui/models/sweepsummary.h"

#include <QWidget>

#include <string>
#include <vector>

#include <optional>

class QLabel;
class QPushButton;

namespace sweepscope::ui {

class FittingButtons;
class IconLabel;

class SweepBar;

/// The state of the selected sweep, always visible: state, progress, time left, best trial, and Stop.
class SweepStrip : public QWidget {
    Q_OBJECT

public:
    explicit SweepStrip(QWidget *parent = nullptr);

    void showSweep(const sweep::SweepRecord &sweep, const SweepSummary &summary, WallNs now);
    /// For a probe; shown in place of the best trial.
    void setSuggestion(const std::optional<ProbeSuggestion> &suggestion) { m_suggestion = suggestion; }
    /// Metrics found in output that is not read; empty: none.
    void setPrinted(const QStringList &metrics) { m_printed = metrics; }
    /// Of all attempts for which it is known; shown next to the time.
    void setEnergy(const std::optional<series::Energy> &energy) { m_energy = energy; }
    /// By the factors of the user; empty if unknown. Shown next to the energy.
    void setCost(const QString &cost) { m_cost = cost; }
    void setReadOnly(bool readOnly) { m_readOnly = readOnly; }  ///< disables stopping
    /// Until the engine answers, what is shown may be outdated.
    void setEngineSilent(bool silent) { m_engineSilent = silent; }
    /// A sweep that has not started. `isFirst`: of this workspace.
    void showDraft(bool isFirst);

Q_SIGNALS:
    void stopRequested();
    void pauseRequested();
    void resumeRequested();
    void exportRequested();
    void trialRequested(int trialNumber);            ///< the best one
    void objectiveRequested(const QString &metric);  ///< in place of an objective that no trial reported
    void printedRequested();                         ///< to report the metrics that are printed
    void failuresRequested();                        ///< which trials failed, and why
    void probeRequested();                           ///< to apply the suggestion of a probe

private:
    void showWarnings(const QStringList &warnings);
    void offerObjectives(const QStringList &metrics);
    void showPause(sweep::SweepState state);
    void showBest(const sweep::SweepRecord &sweep, const SweepSummary &summary);
    void showTime(const sweep::SweepRecord &sweep, const SweepSummary &summary, WallNs now);

    IconLabel *m_icon;
    QLabel *m_name;
    QLabel *m_number;
    QLabel *m_state;
    SweepBar *m_bar;
    QLabel *m_counts;
    QPushButton *m_failures;
    QLabel *m_time;
    QPushButton *m_best;
    IconLabel *m_warningIcon;
    QLabel *m_warnings;
    QPushButton *m_objective;
    QStringList m_offered;  ///< by m_objective
    QPushButton *m_plotPrinted;
    QStringList m_printed;
    std::optional<series::Energy> m_energy;
    QString m_cost;
    QPushButton *m_pause;
    QPushButton *m_stop;
    QPushButton *m_export;
    FittingButtons *m_fitting;
    int m_bestTrial = 0;
    std::optional<ProbeSuggestion> m_suggestion;
    bool m_isProbe = false;
    bool m_pauses = true;  ///< the button pauses; otherwise it resumes
    bool m_readOnly = false;
    bool m_engineSilent = false;
};

}  // namespace sweepscope::ui

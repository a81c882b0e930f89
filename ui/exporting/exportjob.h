#pragma once

#include "exporting/sweepexport.h"
#include "sweep/trialhistory.h"

#include <QString>
#include <QStringList>
#include <QThread>

#include <atomic>
#include <filesystem>
#include <vector>

namespace sweepscope::ui {

/// What to write and where. Files with an empty name are not written.
struct ExportOrder {
    WorkspaceLayout workspace;
    sweep::SweepRecord sweep;
    std::vector<sweep::TrialRecord> trials;
    std::filesystem::path trialsFile;
    std::filesystem::path curvesFile;
    std::filesystem::path reportFile{};
    std::filesystem::path htmlFile{};
    std::filesystem::path tensorBoardFolder{};
    std::filesystem::path optunaFile{};
    exporting::ColumnChoice columns{};
    exporting::CurvesChoice curves{};
    bool readBack = false;  ///< into text(), for the clipboard
};

/// Writes the files on its own thread, from its own copy of the records. The result is available after `finished`.
class ExportJob : public QThread {
    Q_OBJECT

public:
    explicit ExportJob(ExportOrder order, QObject *parent = nullptr);
    ~ExportJob() override;

    /// The history of exporting::reportedTrial(), for reports. Call before start().
    void setHistory(int trial, sweep::TrialHistory history);
    void cancel();
    bool wasCancelled() const;
    const QStringList &writtenFiles() const { return m_written; }
    /// The written text, if `readBack` was set.
    const QString &text() const { return m_text; }
    const QString &problem() const { return m_problem; }  ///< empty on success

Q_SIGNALS:
    void progressed(int permille);

protected:
    void run() override;

private:
    void readBack();

    ExportOrder m_order;
    int m_reported = 0;
    sweep::TrialHistory m_history;
    std::atomic<bool> m_cancelled = false;
    QStringList m_written;
    QString m_problem;
    QString m_text;
};

}  // namespace sweepscope::ui

#pragma once

#include "exporting/sweepexport.h"

#include <QString>
#include <QStringList>
#include <QThread>

#include <atomic>
#include <filesystem>
#include <vector>

namespace sweepscope::ui {

/// What to write and where. A file that is empty is not written.
struct ExportOrder {
    WorkspaceLayout workspace;
    sweep::SweepRecord sweep;
    std::vector<sweep::TrialRecord> trials;
    std::filesystem::path trialsFile;
    std::filesystem::path curvesFile;
    exporting::ColumnChoice columns{};
    exporting::CurvesChoice curves{};
    bool readBack = false;  ///< into text(), for the clipboard
};

/// Writes the files on a thread of its own, from its own copy of the records. After `finished` ask for the outcome.
class ExportJob : public QThread {
    Q_OBJECT

public:
    explicit ExportJob(ExportOrder order, QObject *parent = nullptr);
    ~ExportJob() override;

    void cancel();
    bool wasCancelled() const;
    const QStringList &writtenFiles() const { return m_written; }
    /// What was written, where it was wanted back.
    const QString &text() const { return m_text; }
    const QString &problem() const { return m_problem; }  ///< empty: all went well

Q_SIGNALS:
    void progressed(int permille);

protected:
    void run() override;

private:
    void readBack();

    ExportOrder m_order;
    std::atomic<bool> m_cancelled = false;
    QStringList m_written;
    QString m_problem;
    QString m_text;
};

}  // namespace sweepscope::ui

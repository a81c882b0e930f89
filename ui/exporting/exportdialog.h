#pragma once

#include "protocol/engineclient.h"
#include "ui/base/exportchoice.h"
#include "ui/exporting/exportjob.h"

#include <QDialog>
#include <QElapsedTimer>

#include <memory>
#include <utility>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QSettings;
class QTemporaryDir;
class QVBoxLayout;

namespace sweepscope::ui {

/// Exports a sweep's trials and curves as CSV or JSON, a report as PDF or HTML, and results for TensorBoard and Optuna; shows
/// progress and result. Keeps the sweep it was opened for
/// when the window selects another.
class ExportDialog : public QDialog {
    Q_OBJECT

public:
    ExportDialog(protocol::EngineClient *client, qint64 sweepId, QSettings *settings, QWidget *parent = nullptr);
    ~ExportDialog() override;

    qint64 sweepId() const { return m_sweepId; }
    bool isWriting() const { return m_job != nullptr; }
    void setFolder(const QString &folder);
    /// Sets what the window shows, to export only that.
    void setScope(const ExportScope &scope);

Q_SIGNALS:
    void exported(const QStringList &files);
    void copied();

public Q_SLOTS:
    void reject() override;  ///< cancels a running export

private:
    void buildLayout();
    void fit();
    void nameFiles();
    void chooseFolder();
    void check();
    void start();
    void write();
    void copy();
    ExportOrder orderOf(const sweep::SweepRecord &record) const;
    void run(ExportOrder order);
    void startWithHistory();
    QString folderProblem() const;
    void offerSeries();
    void showProgress(int permille);
    void finish();
    void keepChoices();
    void setRunning(bool running);
    void showMessage(const QString &text, bool bad);
    QString ending() const;
    QString pathWith(const QString &rest) const;
    std::vector<std::pair<const QCheckBox *, QString>> outputs() const;
    bool isAnyChosen() const;
    bool isOneTableChosen() const;
    QStringList existingFiles() const;

    protocol::EngineClient *m_client;
    qint64 m_sweepId;
    QSettings *m_settings;
    QString m_baseName;
    QCheckBox *m_trials;
    QCheckBox *m_curves;
    QCheckBox *m_report;
    QCheckBox *m_html;
    QCheckBox *m_tensorBoard;
    QCheckBox *m_optuna;
    QComboBox *m_format;
    ExportChoice *m_choice;
    QLabel *m_trialsNote;
    QLabel *m_curvesNote;
    QLabel *m_reportNote;
    QLabel *m_othersNote;
    QScrollArea *m_area;
    QVBoxLayout *m_choices = nullptr;
    QLineEdit *m_folder;
    QPushButton *m_choose;
    QPushButton *m_openFolder;
    QPushButton *m_copy;
    QPushButton *m_export;
    QPushButton *m_close;
    QProgressBar *m_progress;
    QLabel *m_message;
    bool m_showsProblem = false;
    std::unique_ptr<ExportJob> m_job;
    quint64 m_history = 0;                        // the request that the job waits for
    QElapsedTimer m_clock;                        // since the start of the export
    std::unique_ptr<QTemporaryDir> m_copyFolder;  ///< exists while a copy is made
};

}  // namespace sweepscope::ui

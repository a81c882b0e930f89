#pragma once

#include "client/engineclient.h"
#include "ui/exporting/exportjob.h"

#include <QDialog>

#include <memory>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSettings;

namespace sweepscope::ui {

/// Writes a sweep's trials and curves as CSV or JSON: which, where, how far, and what came of it.
class ExportDialog : public QDialog {
    Q_OBJECT

public:
    ExportDialog(client::EngineClient *client, qint64 sweepId, QSettings *settings, QWidget *parent = nullptr);
    ~ExportDialog() override;

    void setFolder(const QString &folder);

Q_SIGNALS:
    void exported(const QStringList &files);

public Q_SLOTS:
    void reject() override;  ///< while it writes: cancels

private:
    void buildLayout();
    void nameFiles();
    void chooseFolder();
    void check();
    void start();
    void write();
    void finish();
    void setRunning(bool running);
    void showMessage(const QString &text, bool bad);
    QString ending() const;
    QString trialsPath() const;
    QString curvesPath() const;
    QStringList existingFiles() const;

    client::EngineClient *m_client;
    qint64 m_sweepId;
    QSettings *m_settings;
    QString m_baseName;
    QCheckBox *m_trials;
    QCheckBox *m_curves;
    QComboBox *m_format;
    QLabel *m_trialsNote;
    QLabel *m_curvesNote;
    QLineEdit *m_folder;
    QPushButton *m_choose;
    QPushButton *m_openFolder;
    QPushButton *m_export;
    QPushButton *m_close;
    QProgressBar *m_progress;
    QLabel *m_message;
    std::unique_ptr<ExportJob> m_job;
};

}  // namespace sweepscope::ui

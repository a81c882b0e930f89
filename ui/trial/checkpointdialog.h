#pragma once

#include "protocol/engineclient.h"

#include <QDialog>
#include <QProcess>
#include <QTimer>

#include <filesystem>
#include <functional>

class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace sweepscope::ui {

/// Says where the last checkpoint of a trial is and how large, and copies it into a folder of this machine. `sweepctl
/// checkpoint` does both, also over ssh. A copy that was interrupted is resumed by another one into the same folder.
class CheckpointDialog : public QDialog {
    Q_OBJECT

public:
    /// `sweepctl`: the program.
    CheckpointDialog(const protocol::EngineClient &client, const sweep::SweepRecord &sweep, int trial,
                     const std::filesystem::path &sweepctl, QWidget *parent = nullptr);
    ~CheckpointDialog() override;

private:
    void run(const QStringList &more, const std::function<void(const QByteArray &output)> &finished);
    void endProgram();
    void showPlace(const QByteArray &json);
    void copy();
    void showProgress();
    void choose();
    void setProblem(const QString &problem);
    void fit();

    QStringList m_arguments;
    QString m_host;      ///< of a workspace on another machine; else empty
    qint64 m_bytes = 0;  ///< of the checkpoint
    QProcess m_program;
    QTimer m_progressTimer;
    QLabel *m_place;
    QLineEdit *m_folder;
    QPushButton *m_browse;
    QProgressBar *m_progress;
    QLabel *m_copied;
    QLabel *m_problem;
    QPushButton *m_copy;
    QPushButton *m_open;
    QPushButton *m_close;
};

}  // namespace sweepscope::ui

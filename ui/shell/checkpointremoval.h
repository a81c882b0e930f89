#pragma once

#include "protocol/engineclient.h"

#include <QDialog>
#include <QProcess>
#include <QTimer>

#include <filesystem>

class QLabel;
class QPushButton;
class QSpinBox;

namespace sweepscope::ui {

/// Removes the checkpoints of all trials of a sweep but the best, and says before how many bytes that frees. `sweepctl
/// checkpoint --keep-best` does both, also over ssh.
class CheckpointRemoval : public QDialog {
    Q_OBJECT

public:
    /// `sweepctl`: the program.
    CheckpointRemoval(const protocol::EngineClient &client, const sweep::SweepRecord &sweep,
                      const std::filesystem::path &sweepctl, QWidget *parent = nullptr);
    ~CheckpointRemoval() override;

private:
    void run(bool removes);
    void showAnswer(const QByteArray &json);
    void setProblem(const QString &problem);

    QStringList m_arguments;
    QProcess m_program;
    QTimer m_preview;  ///< a moment after the last change of the number
    QSpinBox *m_keep;
    QLabel *m_size;
    QLabel *m_problem;
    QPushButton *m_remove;
    QPushButton *m_close;
};

}  // namespace sweepscope::ui

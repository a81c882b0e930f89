#pragma once

#include <QObject>
#include <QProcess>

#include <filesystem>

class QWidget;

namespace sweepscope::ui {

/// Translates the definition of another program's sweep: W&B, Hydra or Optuna. `sweepctl import` does this in a separate
/// process, because a Python file is executed.
class SweepImport : public QObject {
    Q_OBJECT

public:
    /// `parent`: of the file dialog.
    SweepImport(const std::filesystem::path &sweepctl, QWidget *parent);
    ~SweepImport() override;

    void chooseFile();
    void read(const QString &file);

Q_SIGNALS:
    /// `file` was imported as the sweep file `toml`.
    void imported(const QString &file, const QString &toml);
    void failed(const QString &reason);

private:
    void finish(const QString &file, bool isGood);

    QWidget *m_window;
    QProcess m_program;
};

}  // namespace sweepscope::ui

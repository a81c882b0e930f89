#pragma once

#include "base/checkrow.h"
#include "remote/machines.h"

#include <QDialog>

#include <filesystem>
#include <optional>

class QDialogButtonBox;
class QFrame;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QScrollArea;
class QSpinBox;
class QVBoxLayout;

namespace sweepscope::ui {

class MachineCheck;

/// Adds a machine to machines.toml or edits it there, and checks it.
class MachineDialog : public QDialog {
    Q_OBJECT

public:
    /// `machine`: the one to edit; without a name, a new one, which may have an address.
    MachineDialog(std::filesystem::path machinesFile, remote::Machine machine, QWidget *parent);

    void propose(const std::string &name);
    /// Checks what the fields say, saved or not.
    void check();

Q_SIGNALS:
    void saved(const QString &name);

private:
    QWidget *buildForm();
    QLayout *buildChecks();
    Expected<remote::Machine> machine() const;
    void follow();
    void fit();
    void addRow(const CheckRow &row);
    void noteEnd(bool canRunTrials);
    void save();
    void noteChange();

    std::filesystem::path m_file;
    remote::Machine m_before;
    QLineEdit *m_name;
    QLineEdit *m_address;
    QLineEdit *m_folder;
    QPlainTextEdit *m_setup;
    QLineEdit *m_container;
    QLineEdit *m_python;
    QPlainTextEdit *m_data;
    QLineEdit *m_rankAddress;
    QSpinBox *m_concurrent;
    QLineEdit *m_lostAfter;
    QLabel *m_problem;
    QPushButton *m_checkButton;
    QLabel *m_checkState;
    QScrollArea *m_area;  ///< all but the buttons
    QVBoxLayout *m_inside;
    QFrame *m_results;
    QWidget *m_rows;  ///< of the last check
    QDialogButtonBox *m_buttons;
    MachineCheck *m_check;
    std::optional<remote::Machine> m_checked;  ///< the settings of the last check
    QString m_conclusion;                      ///< of it
};

}  // namespace sweepscope::ui

#pragma once

#include <QStringList>
#include <QWidget>

namespace sweepscope::ui {

/// Check boxes for the machines that trials may use: all, this one, the others of the workspace, and those that only the
/// sweep names.
class MachineChoice : public QWidget {
    Q_OBJECT

public:
    explicit MachineChoice(QWidget *parent = nullptr);

    /// Names of the other machines of the workspace.
    void setKnown(const QStringList &names);
    /// As the sweep file has them; empty: only this one.
    void show(const QStringList &machines);
    /// In the order that was shown, because trials take the first that has room; empty: only this one.
    QStringList machines() const { return m_machines; }
    /// Whether there is a choice.
    bool hasOthers() const;

Q_SIGNALS:
    void edited();

private:
    void build();
    void change(const QString &name, bool isWanted);

    QStringList m_known;
    QStringList m_machines;
};

}  // namespace sweepscope::ui

#pragma once

#include <QMenu>
#include <QString>
#include <QStringList>

class QSettings;

namespace sweepscope::ui {

/// File > Connect to machine: opens a window on the workspace of another machine, a recent one or a new one.
class MachineMenu : public QMenu {
    Q_OBJECT

public:
    explicit MachineMenu(QSettings *settings, QWidget *parent);

    /// Addresses that a window was opened for, the last first.
    static QStringList recent(const QSettings &settings);
    static void remember(QSettings &settings, const QString &address);

    /// Asks for an address.
    void ask();

Q_SIGNALS:
    /// `address`: "ssh://user@host…", well-formed.
    void chosen(const QString &address);

private:
    void fill();
    void choose(const QString &text);

    QSettings *m_settings;
};

}  // namespace sweepscope::ui

#pragma once

#include <QWidget>

class QLineEdit;

namespace sweepscope::ui {

/// The path of a folder, typed or chosen in a dialog.
class FolderLine : public QWidget {
    Q_OBJECT

public:
    explicit FolderLine(const QString &dialogTitle, QWidget *parent = nullptr);

    QLineEdit *line() const { return m_line; }
    /// Sets where relative paths and the dialog start.
    void setBaseFolder(const QString &folder) { m_baseFolder = folder; }

private:
    void pick();

    QString m_title;
    QString m_baseFolder;
    QLineEdit *m_line;
};

}  // namespace sweepscope::ui

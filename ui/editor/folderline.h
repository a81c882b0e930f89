#pragma once

#include <QWidget>

class QLineEdit;

namespace sweepscope::ui {

/// A folder's path, typed or picked.
class FolderLine : public QWidget {
    Q_OBJECT

public:
    explicit FolderLine(const QString &dialogTitle, QWidget *parent = nullptr);

    QLineEdit *line() const { return m_line; }
    /// Where relative paths start, and the dialog with them.
    void setBaseFolder(const QString &folder) { m_baseFolder = folder; }

private:
    void pick();

    QString m_title;
    QString m_baseFolder;
    QLineEdit *m_line;
};

}  // namespace sweepscope::ui

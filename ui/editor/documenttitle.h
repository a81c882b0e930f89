#pragma once

#include <QLabel>

namespace sweepscope::ui {

/// What is being edited, in a line that ends with … where there is no room; the tool tip has all of it.
class DocumentTitle : public QLabel {
    Q_OBJECT

public:
    explicit DocumentTitle(QWidget *parent = nullptr);

    void showNewSweep(const QString &filePath, bool isModified);
    void showWords(const QString &text, const QString &details);
    void showSweep(qint64 sweepId, const QString &name, bool isChanged);

protected:
    void paintEvent(QPaintEvent *event) override;
};

}  // namespace sweepscope::ui

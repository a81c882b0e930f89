#pragma once

#include <QLabel>

namespace sweepscope::ui {

/// A one-line label that elides its text; the tooltip has the full text.
class ElidedLabel : public QLabel {
public:
    explicit ElidedLabel(QWidget *parent = nullptr);

    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
};

}  // namespace sweepscope::ui

#pragma once

#include <QLabel>

namespace sweepscope::ui {

/// One line that ends with … where there is no room for it; its tool tip has it whole.
class ElidedLabel : public QLabel {
public:
    explicit ElidedLabel(QWidget *parent = nullptr);

    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
};

}  // namespace sweepscope::ui

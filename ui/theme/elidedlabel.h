#pragma once

#include <QLabel>

namespace sweepscope::ui {

/// One line that ends with … where there is no room for it.
class ElidedLabel : public QLabel {
public:
    explicit ElidedLabel(QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;
};

}  // namespace sweepscope::ui

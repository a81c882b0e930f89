#pragma once

#include <QLabel>

namespace sweepscope::ui {

/// A label whose links follow the theme: QLabel keeps the color of links that it had when its text was set.
class LinkLabel : public QLabel {
    Q_OBJECT

public:
    using QLabel::QLabel;

protected:
    void changeEvent(QEvent *event) override;
};

}  // namespace sweepscope::ui

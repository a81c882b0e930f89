#pragma once

#include <QPushButton>

namespace sweepscope::ui {

/// A flat button that elides its text when there is little room.
class ElidedButton : public QPushButton {
public:
    explicit ElidedButton(QWidget *parent = nullptr);

    QSize minimumSizeHint() const override;

protected:
    void initStyleOption(QStyleOptionButton *option) const override;
};

}  // namespace sweepscope::ui

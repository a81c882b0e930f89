#pragma once

#include "ui/theme/spacing.h"

#include <QIcon>
#include <QLabel>

namespace sweepscope::ui {

/// A label that shows an icon, which follows the text size and the colors of the theme.
class IconLabel : public QLabel {
public:
    /// `size`: of the icon, in pixels at the desktop's text size.
    explicit IconLabel(QWidget *parent = nullptr, int size = spacing::iconSize);

    void setIcon(const QIcon &icon);

private:
    void draw();

    QIcon m_icon;
    int m_size;
};

}  // namespace sweepscope::ui

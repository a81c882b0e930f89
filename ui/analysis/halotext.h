#pragma once

#include "ui/plot/qcustomplotheader.h"

namespace sweepscope::ui {

/// Text with an outline, which is readable on lines, points and colours without hiding them behind a box.
class HaloText : public QCPItemText {
    Q_OBJECT

public:
    using QCPItemText::QCPItemText;

    void setHalo(const QColor &halo) { m_halo = halo; }

protected:
    void draw(QCPPainter *painter) override;

private:
    QColor m_halo;
};

}  // namespace sweepscope::ui

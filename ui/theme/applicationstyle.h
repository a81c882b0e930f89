#pragma once

#include <QProxyStyle>

namespace sweepscope::ui {

/// Fusion with a calmer look: dialogs have our symbols, mnemonics are underlined only while Alt is held, table cells
/// have padding, check boxes and radio buttons have an outline that is visible on dark backgrounds, and the focus frame
/// appears only for keyboard users.
class ApplicationStyle : public QProxyStyle {
    Q_OBJECT

public:
    ApplicationStyle();

    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                  QStyleHintReturn *result) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override;
    QIcon standardIcon(StandardPixmap which, const QStyleOption *option, const QWidget *widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const override;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void setAltHeld(bool held);
    static void calmButtons();

    bool m_altHeld = false;
};

}  // namespace sweepscope::ui

#pragma once

#include <QIconEngine>
#include <QPalette>
#include <QString>

namespace sweepscope::ui {

/// Draws a one-coloured SVG (strokes and fills "currentColor") in the application palette's colour at the time of
/// painting: that of Breeze if it is installed, else ours.
class SymbolIconEngine : public QIconEngine {
public:
    SymbolIconEngine(QString name, QPalette::ColorRole role);

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) override;
    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override;
    QPixmap scaledPixmap(const QSize &size, QIcon::Mode mode, QIcon::State state, qreal scale) override;
    QIconEngine *clone() const override;
    QString key() const override;

private:
    QString m_name;
    QPalette::ColorRole m_role;
};

}  // namespace sweepscope::ui

#pragma once

#include "ui/plot/colorkey.h"

#include <QObject>

#include <optional>
#include <vector>

class QLabel;
class QLayout;
class QToolButton;

namespace sweepscope::ui {

/// Shows a color key. A gradient is text; each value of the others is a button that isolates its curves.
class ColorKeyRow : public QObject {
    Q_OBJECT

public:
    /// Adds its widgets to `layout`, the layout of `parent`.
    ColorKeyRow(QLayout *layout, QWidget *parent);

    /// The value stays isolated while the key has it.
    void setKey(const ColorKey &key);
    const ColorKey &key() const { return m_key; }
    /// The color of the isolated curves; nullopt: all curves are equal.
    std::optional<QRgb> isolated() const;

    static constexpr std::size_t mostButtons = 8;

Q_SIGNALS:
    void isolatedChanged();

private:
    void isolate(std::size_t entry, bool on);
    void describe();

    QLabel *m_text;
    std::vector<QToolButton *> m_buttons;
    ColorKey m_key;
    QString m_isolated;
};

}  // namespace sweepscope::ui

#pragma once

#include "ui/models/devicereadings.h"

#include <QFrame>

#include <memory>

class QGridLayout;
class QLabel;

namespace sweepscope::ui {

class SparkAxis;
class Sparkline;

/// Memory, swap, disk and network of the machine.
class HostCard : public QFrame {
    Q_OBJECT

public:
    explicit HostCard(QWidget *parent = nullptr);

    void showReadings(const std::shared_ptr<const DeviceReadings> &readings);
    /// Engines of earlier versions do not read them.
    bool hasReadings() const { return m_hasReadings; }

private:
    struct Row {
        QLabel *title;
        Sparkline *line;
        QLabel *value;
    };
    Row addRow(QGridLayout *grid, const QString &name, const QString &title, const QString &quantity,
               QString (*valueText)(double));
    static void hideRow(const Row &row, bool isHidden);
    static void showRate(const Row &row, const DeviceReadings &readings, const char *quantity);

    Row m_memory;
    Row m_swap;
    Row m_disk;
    Row m_received;
    Row m_sent;
    SparkAxis *m_axis;
    bool m_hasReadings = false;
};

}  // namespace sweepscope::ui

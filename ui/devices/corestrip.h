#pragma once

#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

namespace sweepscope::ui {

struct CoreLoad {
    int index = 0;
    std::optional<double> percent;  ///< empty if unknown
    QStringList holders;
};

/// A bar per core for its utilisation, its number below, and a frame around the cores assigned to trials. Cores without a value
/// have no bar.
class CoreStrip : public QWidget {
    Q_OBJECT

public:
    explicit CoreStrip(QWidget *parent = nullptr);

    void setCores(const std::vector<CoreLoad> &cores);
    /// Returns the tooltip at `position`; empty if there is no core.
    QString textAt(const QPoint &position) const;

    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    int columns(int width) const;
    int cellWidth() const;
    /// A bar with its number.
    int rowHeight() const;
    QRect cell(std::size_t core) const;

    std::vector<CoreLoad> m_cores;
};

}  // namespace sweepscope::ui

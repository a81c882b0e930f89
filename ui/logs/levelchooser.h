#pragma once

#include "ui/logs/levelcounts.h"

#include <QComboBox>

#include <optional>

namespace sweepscope::ui {

/// Chooses the least level of the lines that are shown. Its list has the number of messages of each.
class LevelChooser : public QComboBox {
    Q_OBJECT

public:
    explicit LevelChooser(QWidget *parent = nullptr);

    LogLevel least() const;
    void setLeast(LogLevel level);
    /// nullopt if they are unknown.
    void setCounts(const std::optional<LevelCounts> &counts);
    void showPopup() override;

Q_SIGNALS:
    void countsWanted();
};

}  // namespace sweepscope::ui

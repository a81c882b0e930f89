#pragma once

#include <QLabel>
#include <QTimer>

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

/// Covers its parent until the first state of the workspace arrives: what is shown before would be replaced a moment
/// later. Says so if that takes long.
class LoadingCover : public QLabel {
    Q_OBJECT

public:
    LoadingCover(protocol::EngineClient *client, QWidget *parent);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QTimer m_slow;
};

}  // namespace sweepscope::ui

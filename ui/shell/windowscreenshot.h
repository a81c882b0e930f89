#pragma once

#include "protocol/engineclient.h"

#include <QImage>
#include <QObject>
#include <QSize>
#include <QString>
#include <QTimer>

namespace sweepscope::ui {

class MainWindow;

struct ScreenshotRequest {
    QString file;  ///< its extension decides the format
    QString page;  ///< one of MainWindow::pageNames()
    QSize size{1280, 800};
    QString sweep;  ///< name or number; empty: the window chooses
    int trial = 0;  ///< 0: the window chooses
};

/// Shows a page of the window, waits until it no longer changes, and writes a picture of it. A page that keeps
/// changing, because a trial runs, is captured after a few seconds.
class WindowScreenshot : public QObject {
    Q_OBJECT

public:
    WindowScreenshot(MainWindow *window, protocol::EngineClient *client, ScreenshotRequest request,
                     QObject *parent = nullptr);

Q_SIGNALS:
    void saved();
    void failed(const QString &reason);

private:
    void arrange();
    QString chooseSweep();
    void capture();
    void write();

    MainWindow *m_window;
    protocol::EngineClient *m_client;
    ScreenshotRequest m_request;
    QTimer m_patience;  ///< for the engine, then for the page
    QTimer m_captureTimer;
    QImage m_last;
    int m_same = 0;
    bool m_arranged = false;
};

}  // namespace sweepscope::ui

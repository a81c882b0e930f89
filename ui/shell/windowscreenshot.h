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
    QString file;  ///< its ending says the format
    QString page;  ///< one of MainWindow::pageNames()
    QSize size{1280, 800};
    QString sweep;  ///< name or number; empty: the one that the window chooses
    int trial = 0;  ///< 0: the one that the window chooses
};

/// Shows a page of the window, waits until nothing moves on it any more and writes a picture of it. A page that always
/// moves, because something runs, is taken after a few seconds.
class WindowScreenshot : public QObject {
    Q_OBJECT

public:
    WindowScreenshot(MainWindow *window, protocol::EngineClient *client, ScreenshotRequest request,
                     QObject *parent = nullptr);

Q_SIGNALS:
    void taken();
    void failed(const QString &reason);

private:
    void arrange();
    QString chooseSweep();
    void look();
    void write();

    MainWindow *m_window;
    protocol::EngineClient *m_client;
    ScreenshotRequest m_request;
    QTimer m_patience;  ///< for the engine, then for the page
    QTimer m_look;
    QImage m_last;
    int m_same = 0;
    bool m_arranged = false;
};

}  // namespace sweepscope::ui

#include "ui/shell/windowscreenshot.h"

#include "ui/shell/mainwindow.h"

#include <QGuiApplication>
#include <QPixmap>
#include <QStyleHints>
#include <QWidget>

#include <algorithm>
#include <chrono>

namespace sweepscope::ui {
using namespace std::chrono_literals;

namespace {

constexpr auto patienceForEngine = 30s;
constexpr auto patienceForPage = 8s;
constexpr auto captureInterval = 250ms;
constexpr int capturesAlike = 3;

}  // namespace

WindowScreenshot::WindowScreenshot(MainWindow *window, protocol::EngineClient *client, ScreenshotRequest request,
                                   QObject *parent)
    : QObject(parent), m_window(window), m_client(client), m_request(std::move(request))
{
    QGuiApplication::styleHints()->setCursorFlashTime(0);
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        if (m_arranged)
            write();
        else
            Q_EMIT failed(m_client->errorText().isEmpty() ? tr("the engine does not respond") : m_client->errorText());
    });
    m_captureTimer.setInterval(captureInterval);
    connect(&m_captureTimer, &QTimer::timeout, this, &WindowScreenshot::capture);
    // The window handles the state first and chooses what to show.
    connect(m_client, &protocol::EngineClient::connected, this, &WindowScreenshot::arrange, Qt::QueuedConnection);
    m_patience.start(patienceForEngine);
}

void WindowScreenshot::arrange()
{
    if (m_arranged)
        return;
    m_arranged = true;
    m_window->resize(m_request.size);
    if (const QString missing = chooseSweep(); !missing.isEmpty()) {
        m_patience.stop();
        Q_EMIT failed(missing);
        return;
    }
    m_window->showPage(m_request.page);
    m_patience.start(patienceForPage);
    m_captureTimer.start();
}

/// Returns what does not exist; empty on success.
QString WindowScreenshot::chooseSweep()
{
    const std::vector<sweep::SweepRecord> &sweeps = m_client->sweeps();
    if (!m_request.sweep.isEmpty()) {
        // Of several with this name, the newest.
        const auto found = std::find_if(sweeps.rbegin(), sweeps.rend(), [this](const sweep::SweepRecord &sweep) {
            return m_request.sweep == QString::fromStdString(sweep.name)
                   || m_request.sweep == QString::number(sweep.id);
        });
        if (found == sweeps.rend())
            return tr("no sweep “%1” in this workspace").arg(m_request.sweep);
        m_window->selection().selectSweep(found->id);
    }
    if (m_request.trial == 0)
        return {};
    const auto &trials = m_client->trials(m_window->selection().current().sweepId);
    if (std::ranges::find(trials, m_request.trial, &sweep::TrialRecord::number) == trials.end())
        return tr("the sweep has no trial %1").arg(m_request.trial);
    m_window->selection().selectTrial(m_window->selection().current().sweepId, m_request.trial);
    return {};
}

void WindowScreenshot::capture()
{
    QImage image = m_window->grab().toImage();
    // What a thread draws changes only when it is done.
    const QList<QWidget *> widgets = m_window->findChildren<QWidget *>();
    const bool isBusy = std::ranges::any_of(
        widgets, [](const QWidget *widget) { return widget->isVisible() && widget->property("busy").toBool(); });
    m_same = image == m_last && !isBusy ? m_same + 1 : 0;
    m_last = std::move(image);
    if (m_same >= capturesAlike)
        write();
}

void WindowScreenshot::write()
{
    m_patience.stop();
    m_captureTimer.stop();
    if (m_window->grab().save(m_request.file))
        Q_EMIT saved();
    else
        Q_EMIT failed(tr("cannot write picture %1: its name must end in .png, .jpg or .bmp").arg(m_request.file));
}

}  // namespace sweepscope::ui

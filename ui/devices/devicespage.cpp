#include "ui/devices/devicespage.h"

#include "base/workspacelayout.h"
#include "ui/devices/devicecards.h"
#include "ui/home/emptyview.h"
#include "ui/live/noticebanner.h"
#include "ui/models/valuetext.h"
#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

/// A reading comes each second; one that is late does not end the present.
constexpr double liveSeconds = 5;
constexpr auto copiedStays = 4s;

}  // namespace

DevicesPage::DevicesPage(client::EngineClient *client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_watcher(new DeviceWatcher(this)),
      m_readings(std::make_shared<DeviceReadings>()),
      m_stateIcon(new QLabel),
      m_state(new QLabel),
      m_copied(new QLabel),
      m_note(new NoticeBanner),
      m_cards(new DeviceCards),
      m_empty(new EmptyView(u"devices"_s)),
      m_stack(new QStackedWidget)
{
    setObjectName(u"devicesPage"_s);
    m_state->setObjectName(u"devicesState"_s);
    m_copied->setObjectName(u"devicesCopied"_s);
    m_copied->setTextFormat(Qt::PlainText);
    m_copied->setForegroundRole(QPalette::PlaceholderText);
    m_note->setObjectName(u"devicesNote"_s);
    auto *head = new QHBoxLayout;
    head->setSpacing(spacing::small);
    head->addWidget(m_stateIcon);
    head->addWidget(m_state);
    head->addStretch(1);
    head->addWidget(m_copied);
    auto *page = new QWidget;
    auto *pageLayout = new QVBoxLayout(page);
    pageLayout->setContentsMargins(spacing::large, spacing::medium, spacing::large, spacing::medium);
    pageLayout->setSpacing(spacing::small);
    pageLayout->addLayout(head);
    pageLayout->addWidget(m_note);
    pageLayout->addWidget(m_cards, 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(page);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);

    m_refresh.setSingleShot(true);
    m_refresh.setInterval(0ms);
    connect(&m_refresh, &QTimer::timeout, this, &DevicesPage::refresh);
    const auto later = [this] { m_refresh.start(); };
    connect(client, &client::EngineClient::connected, this, later);
    connect(client, &client::EngineClient::disconnected, this, later);
    connect(client, &client::EngineClient::devicesChanged, this, later);
    connect(m_watcher, &DeviceWatcher::readingsReady, this,
            [this](const std::shared_ptr<const DeviceReadings> &readings) {
                m_readings = readings;
                refresh();
            });
    connect(m_cards, &DeviceCards::holderClicked, this, &DevicesPage::goTo);
    connect(m_cards, &DeviceCards::copied, this, [this](const QString &text) {
        m_copied->setText(tr("Copied: %1").arg(text));
        QTimer::singleShot(copiedStays, m_copied, &QLabel::clear);
    });
    refresh();
}

void DevicesPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
    m_watcher->setActive(true);
}

void DevicesPage::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_watcher->setActive(false);
}

void DevicesPage::refresh()
{
    if (!m_client->workspace().isEmpty())
        m_watcher->setFile(WorkspaceLayout{std::filesystem::path(m_client->workspace().toStdString())}.devicesFeed());
    std::vector<std::string> gpus;
    for (const client::DeviceStatus &device : m_client->devices()) {
        if (device.gpu)
            gpus.push_back(device.id.toStdString());
    }
    m_watcher->setGpus(gpus);
    if (m_client->devices().empty()) {
        m_empty->setMessage(tr("No devices are known yet"),
                            m_client->isConnected()
                                ? tr("The engine has not told which GPUs and cores this machine has.")
                                : tr("They appear here as soon as the engine of this workspace answers."));
        m_stack->setCurrentIndex(0);
        return;
    }
    m_stack->setCurrentIndex(1);
    const WallNs now = wallNow();
    const bool live = m_readings->newest > 0 && toSeconds(now - m_readings->newest) < liveSeconds;
    showState(now, live);
    m_cards->showDevices(m_client->devices(), *m_readings, live);
}

void DevicesPage::showState(WallNs now, bool live)
{
    QString text;
    if (live)
        text = tr("Live, read every second");
    else if (m_readings->newest == 0)
        text = tr("Nothing was read yet: the devices are read while a sweep runs");
    else
        text = tr("As of %1: the devices are read while a sweep runs").arg(momentText(m_readings->newest, now));
    m_state->setText(text);
    m_stateIcon->setPixmap(symbolIcon(live ? u"live"_s : u"time"_s, QPalette::WindowText).pixmap(spacing::iconSize));
    const QString problem = QString::fromStdString(m_readings->problem);
    const QString note = problem.isEmpty() ? m_client->devicesNote() : problem;
    m_note->setNotice(problem.isEmpty() ? NoticeBanner::Kind::Note : NoticeBanner::Kind::Problem,
                      symbolIcon(u"about"_s, QPalette::WindowText), note);
}

/// Holders are told in words: "digits-mlp trial 3".
void DevicesPage::goTo(const QString &holder)
{
    static const QRegularExpression pattern(u"^(.*) trial (\\d{1,9})$"_s);
    const QRegularExpressionMatch match = pattern.match(holder);
    if (!match.hasMatch())
        return;
    const std::string name = match.captured(1).toStdString();
    const int number = match.captured(2).toInt();
    // Of several sweeps of one name, the one whose trial has something.
    const auto holds = [&](const sweep::SweepRecord &record) {
        return record.name == name
               && std::ranges::any_of(m_client->trials(record.id), [number](const sweep::TrialRecord &trial) {
                      return trial.number == number && !sweep::isFinal(trial.state) && trial.attempts > 0;
                  });
    };
    const auto found = std::ranges::find_if(m_client->sweeps(), holds);
    if (found != m_client->sweeps().end())
        Q_EMIT trialRequested(found->id, number);
}

}  // namespace sweepscope::ui

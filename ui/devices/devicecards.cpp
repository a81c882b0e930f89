#include "ui/devices/devicecards.h"

#include "ui/base/taborder.h"
#include "ui/devices/connectionscard.h"
#include "ui/devices/corescard.h"
#include "ui/devices/devicecard.h"
#include "ui/devices/devicemenu.h"
#include "ui/devices/deviceoverview.h"
#include "ui/devices/devicewatcher.h"
#include "ui/devices/hostcard.h"
#include "ui/theme/itemfocus.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QEvent>
#include <QGridLayout>
#include <QPainter>

#include <algorithm>

namespace sweepscope::ui {

namespace {

constexpr int smallestCard = 400;
constexpr int usualCardHeight = 228;

}  // namespace

DeviceCards::DeviceCards(const DeviceWatcher *watcher, QWidget *parent)
    : QScrollArea(parent),
      m_watcher(watcher),
      m_inside(new QWidget),
      m_grid(new QGridLayout(m_inside)),
      m_overview(new DeviceOverview(m_inside)),
      m_connections(new ConnectionsCard(m_inside)),
      m_cores(new CoresCard(m_inside)),
      m_host(new HostCard(m_inside)),
      m_ranks(new RanksCard(m_inside))
{
    setObjectName(QStringLiteral("deviceCards"));
    setFrameShape(QFrame::NoFrame);
    setViewportMargins(1, 1, 1, 1);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(spacing::medium);
    m_overview->hide();
    m_connections->hide();
    m_cores->hide();
    m_host->hide();
    m_ranks->hide();
    setWidget(m_inside);
    connect(watcher, &DeviceWatcher::readingsReady, m_cores, &CoresCard::showReadings);
    connect(watcher, &DeviceWatcher::readingsReady, m_overview, &DeviceOverview::showReadings);
    connect(watcher, &DeviceWatcher::readingsReady, this, [this](const auto &readings) {
        m_host->showReadings(readings);
        if (m_host->hasReadings() == m_host->isHidden()) {
            m_host->setHidden(!m_host->hasReadings());
            arrangeAll();
        }
    });
    connect(m_ranks, &RanksCard::trialActivated, this, &DeviceCards::holderClicked);
    connect(m_cores, &CoresCard::holderClicked, this, &DeviceCards::holderClicked);
    connect(m_overview, &DeviceOverview::currentChanged, this, [this] {
        if (m_isOverview)
            arrangeAll();
    });
    connect(m_overview, &DeviceOverview::rowChosen, this, &DeviceCards::goToCard);
    connect(m_overview, &DeviceOverview::menuRequested, this,
            [this](int row, const QPoint &place) { m_gpus[static_cast<std::size_t>(row)]->menu()->popup(place); });
}

/// The cards cover the viewport, so the focus frame is drawn around it.
bool DeviceCards::event(QEvent *event)
{
    const bool done = QScrollArea::event(event);
    if (event->type() == QEvent::Paint) {
        QPainter painter(this);
        paintWidgetFocus(&painter, this);
    }
    return done;
}

void DeviceCards::showDevices(const std::vector<protocol::DeviceStatus> &devices)
{
    std::vector<protocol::DeviceStatus> gpus;
    std::vector<protocol::DeviceStatus> cores;
    for (const protocol::DeviceStatus &device : devices)
        (device.gpu ? gpus : cores).push_back(device);
    m_connections->showDevices(gpus);
    const bool otherCards = gpus.size() != m_gpus.size() || cores.empty() != m_cores->isHidden()
                            || hasConnections() == m_connections->isHidden();
    for (; m_gpus.size() > gpus.size(); m_gpus.pop_back())
        delete m_gpus.back();
    while (m_gpus.size() < gpus.size())
        addCard();
    m_overview->showDevices(gpus);
    for (std::size_t i = 0; i < gpus.size(); ++i)
        m_gpus[i]->showDevice(gpus[i]);
    m_cores->showCores(cores);
    m_cores->setHidden(cores.empty());
    m_connections->setHidden(!hasConnections());
    if (otherCards)
        arrangeAll();
}

void DeviceCards::showRunning(const std::vector<RunningAttempt> &attempts)
{
    m_ranks->showAttempts(attempts);
    if (m_ranks->isEmpty() == m_ranks->isHidden())
        return;
    m_ranks->setHidden(m_ranks->isEmpty());
    arrangeAll();
}

void DeviceCards::addCard()
{
    auto *card = new DeviceCard(m_inside);
    card->showReadings(m_watcher->readings());
    connect(m_watcher, &DeviceWatcher::readingsReady, card, &DeviceCard::showReadings);
    connect(card, &DeviceCard::holderClicked, this, &DeviceCards::holderClicked);
    connect(card, &DeviceCard::copied, this, &DeviceCards::copied);
    connect(card, &DeviceCard::changeRequested, this,
            [this, card](sweep::GpuListChange change) { Q_EMIT changeRequested(card->deviceId(), change); });
    connect(card, &DeviceCard::choiceRequested, this, &DeviceCards::choiceRequested);
    m_gpus.push_back(card);
}

void DeviceCards::setView(DeviceView view)
{
    m_view = view;
    arrange();
}

void DeviceCards::showSweep(const SweepGpus &shown)
{
    for (DeviceCard *card : m_gpus)
        card->showSweep(shown);
    m_overview->showSweep(shown);
}

bool DeviceCards::hasConnections() const
{
    return m_connections->hasConnections();
}

void DeviceCards::goToGpu(const QString &deviceId)
{
    const auto card = std::ranges::find(m_gpus, deviceId, &DeviceCard::deviceId);
    if (card == m_gpus.end())
        return;
    const int row = static_cast<int>(card - m_gpus.begin());
    m_overview->setCurrent(row);
    goToCard(row);
}

void DeviceCards::goToConnections()
{
    ensureWidgetVisible(m_connections, 0, spacing::large);
}

void DeviceCards::resizeEvent(QResizeEvent *event)
{
    QScrollArea::resizeEvent(event);
    arrange();
}

int DeviceCards::columnsThatFit() const
{
    return std::max(1, (viewport()->width() + spacing::medium) / (textScaled(smallestCard) + spacing::medium));
}

bool DeviceCards::wantsOverview() const
{
    if (!hasOverview() || m_view != DeviceView::AsFits)
        return hasOverview() && m_view == DeviceView::Overview;
    const int rows = (viewport()->height() + spacing::medium) / (textScaled(usualCardHeight) + spacing::medium);
    return static_cast<int>(m_gpus.size()) > columnsThatFit() * rows;
}

std::vector<QWidget *> DeviceCards::shownCards() const
{
    std::vector<QWidget *> cards(m_gpus.begin(), m_gpus.end());
    if (m_isOverview)
        cards = {m_overview, m_gpus[static_cast<std::size_t>(std::max(0, m_overview->current()))]};
    if (!m_cores->isHidden())
        cards.push_back(m_cores);
    if (!m_host->isHidden())
        cards.push_back(m_host);
    if (!m_ranks->isHidden())
        cards.push_back(m_ranks);
    // This card takes a whole row, so the cards that share rows come before it.
    if (!m_connections->isHidden())
        cards.insert(m_isOverview ? cards.end() : std::ranges::find(cards, m_cores), m_connections);
    return cards;
}

void DeviceCards::goToCard(int row)
{
    DeviceCard *card = m_gpus[static_cast<std::size_t>(row)];
    ensureWidgetVisible(card, 0, spacing::large);
    card->focusMenu();
}

void DeviceCards::arrangeAll()
{
    m_columns = 0;
    arrange();
}

void DeviceCards::arrange()
{
    const int columns = columnsThatFit();
    const bool isOverview = wantsOverview();
    if (columns == m_columns && isOverview == m_isOverview)
        return;
    const bool isOtherView = isOverview != m_isOverview;
    m_columns = columns;
    m_isOverview = isOverview;
    while (QLayoutItem *item = m_grid->takeAt(0))
        delete item;
    for (int column = 0; column < m_grid->columnCount(); ++column)
        m_grid->setColumnStretch(column, column < columns ? 1 : 0);
    for (int row = 0; row < m_grid->rowCount(); ++row)
        m_grid->setRowStretch(row, 0);
    const std::vector<QWidget *> cards = shownCards();
    int at = 0;
    for (QWidget *card : cards) {
        const bool isWide = card == m_connections || card == m_overview || card == m_ranks;
        if (isWide)
            at = (at + columns - 1) / columns * columns;
        m_grid->addWidget(card, at / columns, at % columns, 1, isWide ? columns : 1);
        m_grid->setColumnStretch(at % columns, 1);
        card->setVisible(true);
        at += isWide ? columns : 1;
    }
    m_overview->setVisible(m_isOverview);
    for (DeviceCard *card : m_gpus)
        card->setVisible(std::ranges::find(cards, card) != cards.end());
    m_grid->setRowStretch(m_grid->rowCount(), 1);
    orderTabs(this);  // the set of cards has changed
    if (isOtherView)
        Q_EMIT viewChanged();
}

}  // namespace sweepscope::ui

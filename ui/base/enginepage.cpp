#include "ui/base/enginepage.h"

#include "ui/base/emptyview.h"
#include "ui/theme/spacing.h"

#include <QHBoxLayout>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace sweepscope::ui {

EnginePage::EnginePage(protocol::EngineClient *client, SelectionModel *selection, const QString &iconName,
                       std::chrono::milliseconds gather, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_selection(selection),
      m_content(new QVBoxLayout),
      m_empty(new EmptyView(iconName)),
      m_stack(new QStackedWidget)
{
    auto *page = new QWidget;
    page->setLayout(m_content);
    m_content->setContentsMargins(spacing::large, spacing::medium, spacing::large, spacing::medium);
    m_content->setSpacing(spacing::small);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(page);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);

    m_refresh.setSingleShot(true);
    m_refresh.setInterval(gather);
    connect(&m_refresh, &QTimer::timeout, this, [this] {
        if (isVisible())
            refresh();
    });
    connect(client, &protocol::EngineClient::connected, this, &EnginePage::refreshLater);
    connect(client, &protocol::EngineClient::disconnected, this, &EnginePage::refreshLater);
    connect(client, &protocol::EngineClient::sweepsChanged, this, &EnginePage::refreshLater);
    connect(client, &protocol::EngineClient::devicesChanged, this, &EnginePage::refreshLater);
    connect(client, &protocol::EngineClient::trialsChanged, this, [this](qint64 sweepId) {
        if (concerns(sweepId))
            refreshLater();
    });
    connect(selection, &SelectionModel::changed, this, [this](const Selection &now, const Selection &before) {
        if (isVisible())
            followSelection(now.sweepId != before.sweepId);
    });
}

QHBoxLayout *EnginePage::addRow()
{
    auto *row = new QHBoxLayout;
    row->setSpacing(spacing::small);
    m_content->addLayout(row);
    return row;
}

void EnginePage::addParts(Qt::Orientation orientation, QWidget *first, QWidget *second, const QList<int> &sizes)
{
    auto *splitter = new QSplitter(orientation);
    splitter->addWidget(first);
    splitter->addWidget(second);
    const int whole = sizes[0] + sizes[1];
    splitter->setStretchFactor(0, 100 * sizes[0] / whole);
    splitter->setStretchFactor(1, 100 * sizes[1] / whole);
    splitter->setSizes(sizes);
    splitter->setChildrenCollapsible(false);
    m_content->addWidget(splitter, 1);
}

void EnginePage::showContent()
{
    m_stack->setCurrentIndex(1);
}

void EnginePage::showEmpty(const QString &title, const QString &hint, const QString &action)
{
    m_empty->setMessage(title, hint, action);
    showEmpty();
}

void EnginePage::showEmpty()
{
    m_stack->setCurrentIndex(0);
}

void EnginePage::refreshLater()
{
    if (isVisible() && !m_refresh.isActive())
        m_refresh.start();
}

void EnginePage::followSelection(bool)
{
    refresh();
}

void EnginePage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
}

}  // namespace sweepscope::ui

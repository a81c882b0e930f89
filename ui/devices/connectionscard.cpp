#include "ui/devices/connectionscard.h"

#include "ui/devices/connectionmodel.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int narrowestCell = 56;

}  // namespace

ConnectionsCard::ConnectionsCard(QWidget *parent)
    : QFrame(parent),
      m_model(new ConnectionModel(this)),
      m_table(new QTableView(this)),
      m_simulated(new QLabel(tr("simulated"), this)),
      m_legend(new QLabel(this))
{
    setObjectName(u"connectionsCard"_s);
    setProperty("card", true);
    setAccessibleName(tr("GPU connections"));
    auto *title = new QLabel(tr("Connections"), this);
    setTextRole(title, TextRole::Emphasis);
    m_simulated->setObjectName(u"connectionsSimulated"_s);
    m_simulated->setToolTip(tr("Simulated by a fake driver"));
    m_simulated->setProperty("chip", true);
    setTextRole(m_simulated, TextRole::Small);
    m_simulated->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_table->setObjectName(u"connectionsTable"_s);
    m_table->setAccessibleName(tr("Connections between GPUs"));
    m_table->setModel(m_model);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setTabKeyNavigation(false);
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setWordWrap(false);
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    QHeaderView *names = m_table->horizontalHeader();
    names->setSectionResizeMode(QHeaderView::Fixed);
    names->setSectionsClickable(false);
    names->setHighlightSections(false);
    names->setStretchLastSection(true);
    m_legend->setObjectName(u"connectionsLegend"_s);
    m_legend->setWordWrap(true);
    m_legend->setTextFormat(Qt::PlainText);
    m_legend->setForegroundRole(QPalette::PlaceholderText);
    setTextRole(m_legend, TextRole::Small);

    auto *head = new QHBoxLayout;
    head->setSpacing(spacing::small);
    head->addWidget(title);
    head->addWidget(m_simulated);
    head->addStretch(1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::large, spacing::medium, spacing::large, spacing::medium);
    layout->setSpacing(spacing::small);
    layout->addLayout(head);
    layout->addWidget(m_table);
    layout->addWidget(m_legend);
    connect(m_model, &ConnectionModel::modelReset, this, &ConnectionsCard::fit);
    followTextSize(this, [this] { fit(); });
}

void ConnectionsCard::showDevices(const std::vector<protocol::DeviceStatus> &devices)
{
    m_model->setDevices(devices);
    m_simulated->setVisible(std::ranges::any_of(
        devices, [](const protocol::DeviceStatus &device) { return device.gpu && device.simulated; }));
    m_legend->setText(m_model->legend().join(u"  ·  "_s));
}

bool ConnectionsCard::hasConnections() const
{
    return m_model->rowCount() > 1;
}

/// Shows all rows: the page scrolls, the table does not.
void ConnectionsCard::fit()
{
    const QAbstractItemView *view = m_table;
    const QHeaderView *names = m_table->horizontalHeader();
    const int height = names->sizeHint().height();
    m_table->verticalHeader()->setDefaultSectionSize(height);
    for (int column = 0; column + 1 < m_model->columnCount(); ++column)
        m_table->setColumnWidth(column, std::max({textScaled(narrowestCell), names->sectionSizeHint(column),
                                                  view->sizeHintForColumn(column)}));
    int wanted = view->sizeHintForColumn(m_model->columnCount() - 1);
    for (int column = 0; column + 1 < m_model->columnCount(); ++column)
        wanted += m_table->columnWidth(column);
    const bool scrolls = wanted > m_table->width();
    const int scrollBar = scrolls ? m_table->style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, m_table) : 0;
    m_table->setFixedHeight((m_model->rowCount() + 1) * height + 2 * m_table->frameWidth() + scrollBar);
}

void ConnectionsCard::resizeEvent(QResizeEvent *event)
{
    QFrame::resizeEvent(event);
    fit();
}

void ConnectionsCard::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_table->viewport()->update();  // its tints depend on the palette
}

}  // namespace sweepscope::ui

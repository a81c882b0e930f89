#include "ui/devices/corescard.h"

#include "ui/devices/corestrip.h"
#include "ui/devices/linklabel.h"
#include "ui/devices/sparkaxis.h"
#include "ui/devices/sparkline.h"
#include "ui/devices/subtlelabel.h"
#include "ui/models/devicenames.h"
#include "ui/models/devicewords.h"
#include "ui/theme/iconlabel.h"
#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/textsize.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>

#include <map>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype mostHolders = 12;

}  // namespace

DeviceReadings::Trace meanOf(const std::vector<const DeviceReadings::Trace *> &traces)
{
    struct Sum {
        double value = 0;
        std::size_t count = 0;
    };
    constexpr WallNs second = 1'000'000'000;
    std::map<WallNs, Sum> sums;  // cores are read one after the other, within a second
    for (const DeviceReadings::Trace *trace : traces) {
        for (const TimedValue &point : *trace) {
            Sum &sum = sums[point.time / second];
            sum.value += point.value;
            ++sum.count;
        }
    }
    DeviceReadings::Trace means;
    for (const auto &[at, sum] : sums)
        means.push_back({at * second, sum.value / static_cast<double>(sum.count)});
    return means;
}

CoresCard::CoresCard(QWidget *parent)
    : QFrame(parent),
      m_readings(std::make_shared<DeviceReadings>()),
      m_name(subtleLabel({}, this)),
      m_useIcon(new IconLabel(this)),
      m_use(new QLabel(this)),
      m_line(new Sparkline(this)),
      m_axis(new SparkAxis(this)),
      m_value(new QLabel(this)),
      m_cores(new CoreStrip(this)),
      m_holders(new LinkLabel(this)),
      m_cost(subtleLabel({}, this))
{
    setProperty("card", true);
    setAccessibleName(tr("CPU"));
    auto *title = new QLabel(tr("CPU"), this);
    setTextRole(title, TextRole::Emphasis);
    m_name->setTextFormat(Qt::PlainText);
    m_name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_use->setObjectName(u"coresUse"_s);
    m_value->setObjectName(u"coresUtilization"_s);
    m_value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_value->setAccessibleName(tr("Utilization"));
    m_cores->setObjectName(u"coreStrip"_s);
    m_cores->setAccessibleName(tr("Load per core"));
    m_holders->setWordWrap(true);
    m_holders->setObjectName(u"coresHolders"_s);
    m_holders->setTextInteractionFlags(Qt::TextBrowserInteraction);
    setTextRole(m_cost, TextRole::Small);
    connect(m_holders, &QLabel::linkActivated, this, [this](const QString &link) {
        if (const int at = link.toInt(); at >= 0 && at < std::ssize(m_holderNames))
            Q_EMIT holderClicked(m_holderNames[static_cast<std::size_t>(at)]);
    });

    auto *head = new QHBoxLayout;
    head->setSpacing(spacing::small);
    head->addWidget(title);
    head->addWidget(m_name, 1);
    head->addWidget(m_useIcon);
    head->addWidget(m_use);
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(spacing::large, spacing::medium, spacing::large, spacing::medium);
    grid->setHorizontalSpacing(spacing::medium);
    grid->setVerticalSpacing(spacing::small);
    grid->setColumnStretch(1, 1);
    grid->addLayout(head, 0, 0, 1, 3);
    grid->addWidget(subtleLabel(tr("Utilization"), this), 1, 0);
    grid->addWidget(m_line, 1, 1);
    grid->addWidget(m_value, 1, 2);
    grid->addWidget(m_axis, 2, 1);
    grid->addWidget(subtleLabel(tr("Per core"), this), 3, 0, Qt::AlignTop);
    grid->addWidget(m_cores, 3, 1, 1, 2);
    grid->addWidget(subtleLabel(tr("Used by"), this), 4, 0, Qt::AlignTop);
    grid->addWidget(m_holders, 4, 1, 1, 2);
    grid->addWidget(m_cost, 5, 0, 1, 3);
    grid->setRowStretch(6, 1);
    m_line->setWords(tr("Utilization"), [](double percent) { return percentText(percent); });
}

void CoresCard::showCores(const std::vector<protocol::DeviceStatus> &cores)
{
    m_devices = cores;
    if (cores.empty())
        return;
    m_name->setText(cores.front().name);
    m_name->setToolTip(cores.front().name);
    showLoads();
    showHolders();
}

void CoresCard::showReadings(const std::shared_ptr<const DeviceReadings> &readings)
{
    m_readings = readings;
    showLoads();
}

void CoresCard::showLoads()
{
    std::vector<CoreLoad> loads;
    std::vector<const DeviceReadings::Trace *> traces;
    for (const protocol::DeviceStatus &core : m_devices) {
        const std::string id = core.id.toStdString();
        if (const DeviceReadings::Trace *trace = m_readings->find(id, "utilization"))
            traces.push_back(trace);
        loads.push_back({core.index, m_readings->now(id, "utilization"), holderTexts(core.holders)});
    }
    const DeviceReadings::Trace mean = meanOf(traces);
    const bool live = m_readings->isLive();
    m_line->setTrace(mean, m_readings->newest, 100);
    m_line->setQuiet(!live);
    m_axis->setEnd(m_readings->newest, live);
    m_value->setText(mean.empty() ? tr("unknown") : percentText(mean.back().value));
    m_value->setForegroundRole(mean.empty() || !live ? QPalette::PlaceholderText : QPalette::WindowText);
    m_cores->setCores(loads);
    const std::optional<double> cost = m_readings->now("monitor", "cpu");
    m_cost->setText(cost ? tr("Monitoring overhead: %1% of a core").arg(*cost, 0, 'f', 1) : QString());
}

void CoresCard::showHolders()
{
    m_holderNames.clear();
    int taken = 0;
    for (const protocol::DeviceStatus &core : m_devices) {
        taken += core.holders.empty() ? 0 : 1;
        for (const protocol::DeviceHolder &holder : core.holders) {
            if (std::ranges::find(m_holderNames, holder) == m_holderNames.end())
                m_holderNames.push_back(holder);
        }
    }
    const bool recorded = !m_devices.empty() && m_devices.front().recorded;
    if (recorded)
        m_use->setText(tr("Unknown"));
    else
        m_use->setText(taken == 0 ? tr("No trials") : tr("%1 of %2 cores in use").arg(taken).arg(m_devices.size()));
    m_useIcon->setIcon(taken == 0 ? symbolIcon(u"remove"_s, QPalette::PlaceholderText)
                                  : stateIcon(sweep::TrialState::Running));
    QStringList links;
    const qsizetype all = std::ssize(m_holderNames);
    for (qsizetype i = 0; i < std::min(all, mostHolders); ++i)
        links << u"<a href=\"%1\">%2</a>"_s.arg(i).arg(
            holderText(m_holderNames[static_cast<std::size_t>(i)]).toHtmlEscaped());
    if (all > mostHolders)
        links << tr("%1 more").arg(all - mostHolders);
    m_holders->setText(recorded ? tr("unknown") : links.isEmpty() ? u"–"_s : links.join(u", "_s));
    // Tab stops only if there are links.
    m_holders->setFocusPolicy(!recorded && !links.isEmpty() ? Qt::StrongFocus : Qt::ClickFocus);
    m_holders->setForegroundRole(links.isEmpty() ? QPalette::PlaceholderText : QPalette::WindowText);
}

}  // namespace sweepscope::ui

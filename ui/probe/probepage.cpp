#include "ui/findings/probepanel.h"

#include "ui/findings/probeplot.h"
#include "ui/models/valuetext.h"
#include "ui/theme/spacing.h"

#include <QLabel>
#include <QVBoxLayout>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

ProbePanel::ProbePanel(protocol::EngineClient *client, QWidget *parent)
    : QWidget(parent), m_reader(client, ProbeReader::When::WhileRunning), m_sentence(new QLabel), m_plot(new ProbePlot)
{
    setObjectName(u"probePanel"_s);
    m_sentence->setObjectName(u"probeSentence"_s);
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::small);
    layout->addWidget(m_sentence);
    layout->addWidget(m_plot, 1);
    connect(&m_reader, &ProbeReader::changed, this, &ProbePanel::showProbe);
    hide();
}

void ProbePanel::showProbe()
{
    const std::optional<diagnosis::BatchProbe> &probe = m_reader.probe();
    setVisible(probe.has_value());
    if (!probe)
        return;
    QString sentence = sentenceText(QString::fromStdString(probe->sentence));
    if (probe->simulated)
        sentence += u' ' + tr("(simulated GPUs)");
    m_sentence->setText(sentence);
    m_plot->setProbe(*probe);
}

}  // namespace sweepscope::ui

#include "ui/analysis/modelpanel.h"

#include "ui/analysis/modelcontent.h"
#include "ui/models/newestjob.h"
#include "ui/theme/elidedlabel.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScopedValueRollback>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <chrono>
#include <functional>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

ModelPanel::ModelPanel(QWidget *parent)
    : QWidget(parent),
      m_x(new QComboBox),
      m_y(new QComboBox),
      m_value(new QComboBox),
      m_stack(new QStackedWidget),
      m_plot(new ModelPlot),
      m_message(new QLabel),
      m_others(new ElidedLabel),
      m_job(new NewestJob(0ms, this))
{
    m_x->setObjectName(u"modelX"_s);
    m_x->setAccessibleName(tr("Horizontal parameter"));
    m_x->setToolTip(tr("Horizontal parameter"));
    m_y->setObjectName(u"modelY"_s);
    m_y->setAccessibleName(tr("Vertical parameter"));
    m_y->setToolTip(tr("Vertical parameter"));
    m_value->setObjectName(u"modelValue"_s);
    m_value->setAccessibleName(tr("Prediction"));
    m_value->setToolTip(
        tr("What a Gaussian process, fitted to the results, predicts: the value or its standard deviation"));
    m_value->addItems({tr("Mean"), tr("Uncertainty")});
    m_plot->setAccessibleName(tr("Predicted value over two parameters"));
    m_message->setObjectName(u"modelMessage"_s);
    m_message->setWordWrap(true);
    m_message->setAlignment(Qt::AlignCenter);
    m_message->setForegroundRole(QPalette::PlaceholderText);
    m_message->setMargin(spacing::medium);
    m_others->setObjectName(u"modelOthers"_s);
    m_others->setForegroundRole(QPalette::PlaceholderText);
    setTextRole(m_others, TextRole::Small);
    buildLayout();
    connect(m_x, &QComboBox::currentIndexChanged, this, [this] { chooseParameter(m_x, m_y); });
    connect(m_y, &QComboBox::currentIndexChanged, this, [this] { chooseParameter(m_y, m_x); });
    connect(m_value, &QComboBox::currentIndexChanged, this, &ModelPanel::showSurface);
    setData(nullptr, nullptr, {});
}

ModelPanel::~ModelPanel() = default;

void ModelPanel::buildLayout()
{
    auto *choosers = new QHBoxLayout;
    choosers->setContentsMargins(spacing::small, spacing::tiny, spacing::small, 0);
    choosers->setSpacing(spacing::tiny);
    choosers->addWidget(m_x);
    choosers->addWidget(new QLabel(u"×"_s));
    choosers->addWidget(m_y);
    choosers->addStretch(1);
    choosers->addWidget(m_value);
    for (QComboBox *chooser : {m_x, m_y})
        chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto *plot = new QWidget;
    auto *plotLayout = new QVBoxLayout(plot);
    plotLayout->setContentsMargins(0, 0, 0, 0);
    plotLayout->setSpacing(0);
    plotLayout->addLayout(choosers);
    plotLayout->addWidget(m_plot, 1);
    plotLayout->addWidget(m_others);
    m_others->setContentsMargins(spacing::small, 0, spacing::small, spacing::tiny);
    m_stack->addWidget(plot);
    m_stack->addWidget(m_message);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
}

bool ModelPanel::isBusy() const
{
    return m_job->isPending();
}

bool ModelPanel::hasPlot() const
{
    return m_stack->currentIndex() == 0;
}

void ModelPanel::resetParameters()
{
    m_hasChosen = false;
}

void ModelPanel::setData(FigurePtr figure, analysis::SurrogatePtr surrogate, std::vector<char> within)
{
    const bool isOther = m_surrogate != surrogate;
    m_figure = std::move(figure);
    m_surrogate = std::move(surrogate);
    m_within = std::move(within);
    offerParameters();
    m_stack->setCurrentIndex(m_figure && m_surrogate && m_x->count() >= 2 ? 0 : 1);
    m_message->setText(messageText());
    if (hasPlot()) {
        if (isOther || !m_surface)
            requestSurface();
        showSurface();
        return;
    }
    m_job->drop();
    m_surface.reset();
    m_plot->setContent({});
}

QString ModelPanel::messageText() const
{
    if (!m_figure)
        return {};
    if (!m_surrogate)
        return tr("A model needs at least %1 finished trials with a value.").arg(analysis::fewestResults);
    return tr("A model needs two parameters that vary.");
}

/// Keeps the parameters that the user chose, if there are still both.
void ModelPanel::offerParameters()
{
    if (!m_figure || !m_surrogate)
        return;
    const QScopedValueRollback filling(m_filling, true);
    const std::vector<std::string> offered = analysis::surfaceParameters(*m_surrogate);
    QStringList names;
    for (const std::string &name : offered)
        names << QString::fromStdString(name);
    const bool isKept = m_hasChosen && names.contains(m_shown.first) && names.contains(m_shown.second);
    const std::vector<std::string> first = firstParameters(*m_figure, offered);
    if (!isKept && !first.empty())
        m_shown = {QString::fromStdString(first[0]), QString::fromStdString(first[1])};
    for (const auto &[chooser, name] : {std::pair(m_x, m_shown.first), std::pair(m_y, m_shown.second)}) {
        QStringList before;
        for (int i = 0; i < chooser->count(); ++i)
            before << chooser->itemText(i);
        if (before != names) {
            chooser->clear();
            chooser->addItems(names);
        }
        chooser->setCurrentText(name);
    }
    if (m_surface
        && (m_shown.first.toStdString() != m_surface->x.parameter.name
            || m_shown.second.toStdString() != m_surface->y.parameter.name))
        m_surface.reset();
}

/// If the user chooses the parameter of the other axis, the axes are exchanged.
void ModelPanel::chooseParameter(QComboBox *changed, QComboBox *other)
{
    if (m_filling)
        return;
    const QScopedValueRollback filling(m_filling, true);
    m_hasChosen = true;
    if (changed->currentText() == other->currentText())
        other->setCurrentText(changed == m_x ? m_shown.first : m_shown.second);
    m_shown = {m_x->currentText(), m_y->currentText()};
    m_surface.reset();
    requestSurface();
}

void ModelPanel::requestSurface()
{
    m_job->request([this, surrogate = m_surrogate, x = m_shown.first.toStdString(), y = m_shown.second.toStdString()] {
        return std::function<void()>([this, surface = analysis::modelSurface(*surrogate, x, y)] {
            m_surface = surface;
            showSurface();
        });
    });
}

void ModelPanel::showSurface()
{
    if (!m_surface || !m_figure || !hasPlot())
        return;
    const ModelValue value = m_value->currentIndex() == 0 ? ModelValue::Mean : ModelValue::Uncertainty;
    m_plot->setMap(modelMap(*m_figure, *m_surface, value), modelPoints(*m_figure, *m_surface, m_within));
    m_others->setText(othersText(*m_surface));
    m_others->setVisible(!m_others->text().isEmpty());
}

PictureSheet ModelPanel::sheet(const QString &title) const
{
    const QString others = m_others->text();
    return titledSheet(*m_plot, others.isEmpty() ? title : title + u" · "_s + others, m_plot->size(),
                       [plot = m_plot](QCPPainter &painter) { plot->paintPicture(&painter); });
}

}  // namespace sweepscope::ui

#include "ui/devices/gpuchoicedialog.h"

#include "ui/theme/spacing.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

GpuChoiceDialog::GpuChoiceDialog(const SweepGpus &gpus, int ranks, QWidget *parent) : QDialog(parent)
{
    setObjectName(u"gpuChoiceDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("GPUs for %1").arg(gpus.name));
    auto *question =
        new QLabel(ranks > 1 ? tr("Select the GPUs for %1. A trial has %2 ranks.").arg(gpus.name).arg(ranks)
                             : tr("Select the GPUs for %1.").arg(gpus.name),
                   this);
    question->setTextFormat(Qt::PlainText);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(spacing::medium);
    layout->addWidget(question);
    for (std::size_t place = 0; place < gpus.machine.size(); ++place) {
        const sweep::GpuIdentity &gpu = gpus.machine[place];
        const sweep::GpuRule rule = sweep::gpuRule(gpus.devices, gpu);
        const QString name = tr("GPU %1  %2").arg(gpu.index).arg(QString::fromStdString(gpu.name));
        auto *box = new QCheckBox(tr("%1 · %2").arg(name, gpus.uses[place]), this);
        box->setObjectName(u"gpuChoice%1"_s.arg(gpu.index));
        box->setToolTip(QString::fromStdString(gpu.id));
        box->setChecked(rule == sweep::GpuRule::None || rule == sweep::GpuRule::Pinned);
        m_boxes.push_back(box);
        layout->addWidget(box);
    }
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    QPushButton *ok = buttons->button(QDialogButtonBox::Ok);
    ok->setObjectName(u"gpuChoiceOk"_s);
    ok->setText(tr("Continue…"));  // the engine describes the effect first
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    // If trials share GPUs, the ranks of a trial may share them, too.
    const int fewest = gpus.devices.perGpu > 1 ? 1 : std::max(1, ranks * gpus.devices.perRank);
    auto *why = new QLabel(this);
    why->setObjectName(u"gpuChoiceWhy"_s);
    layout->insertWidget(layout->count() - 1, why);
    const auto follow = [this, ok, why, fewest] {
        const bool isEnough = std::cmp_greater_equal(chosen().size(), fewest);
        ok->setEnabled(isEnough);
        why->setText(isEnough      ? QString()
                     : fewest == 1 ? tr("Select at least one GPU.")
                                   : tr("Select at least %1 GPUs. A trial needs that many.").arg(fewest));
    };
    for (const QCheckBox *box : m_boxes)
        connect(box, &QCheckBox::toggled, this, follow);
    follow();
}

std::vector<std::size_t> GpuChoiceDialog::chosen() const
{
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < m_boxes.size(); ++place) {
        if (m_boxes[place]->isChecked())
            places.push_back(place);
    }
    return places;
}

}  // namespace sweepscope::ui

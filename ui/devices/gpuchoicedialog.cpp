#include "ui/devices/gpuchoicedialog.h"

#include "ui/theme/spacing.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

GpuChoiceDialog::GpuChoiceDialog(const SweepGpus &gpus, int ranks, QWidget *parent) : QDialog(parent)
{
    setObjectName(u"gpuChoiceDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("GPUs of %1").arg(gpus.name));
    auto *question = new QLabel(ranks > 1 ? tr("Which GPUs may %1 use? A trial has %2 ranks.").arg(gpus.name).arg(ranks)
                                          : tr("Which GPUs may %1 use?").arg(gpus.name),
                                this);
    question->setTextFormat(Qt::PlainText);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(spacing::medium);
    layout->addWidget(question);
    for (const sweep::GpuIdentity &gpu : gpus.machine) {
        const sweep::GpuRule rule = sweep::gpuRule(gpus.devices, gpu);
        auto *box = new QCheckBox(tr("GPU %1  %2").arg(gpu.index).arg(QString::fromStdString(gpu.name)), this);
        box->setObjectName(u"gpuChoice%1"_s.arg(gpu.index));
        box->setToolTip(QString::fromStdString(gpu.id));
        box->setChecked(rule == sweep::GpuRule::None || rule == sweep::GpuRule::Pinned);
        m_boxes.push_back(box);
        layout->addWidget(box);
    }
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    QPushButton *ok = buttons->button(QDialogButtonBox::Ok);
    ok->setObjectName(u"gpuChoiceOk"_s);
    ok->setText(tr("Continue…"));  // the engine says first what that would do
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    const auto follow = [this, ok] {
        ok->setEnabled(!chosen().empty());
        ok->setToolTip(ok->isEnabled() ? QString() : tr("Choose at least one"));
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

#include "ui/editor/limitssection.h"

#include "ui/editor/keyfield.h"

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

LimitsSection::LimitsSection(QWidget *parent) : FormSection(tr("Limits"), QString(), parent)
{
    FieldGrid *pruning = addGrid();
    m_method = addKey(pruning, "prune.method");
    m_method->addNone(tr("Off"));
    for (const sweep::Key &key : sweep::keysOf("prune"))
        if (key.path() != "prune.method")
            m_ofPruning.push_back(addKey(pruning, key.path()));
    FieldGrid *budget = addGrid();
    for (const sweep::Key &key : sweep::keysOf("budget"))
        addKey(budget, key.path());
    connect(m_method, &KeyField::edited, this, &LimitsSection::followMethod);
    followMethod();
}

void LimitsSection::followMethod()
{
    const QString method = m_method->text();
    for (KeyField *field : m_ofPruning) {
        field->setEnabled(!method.isEmpty());
        if (field->key().name == "every")
            field->setVisible(method != "halving"_L1);
        else if (field->key().name == "factor")
            field->setVisible(method == "halving"_L1);
    }
}

void LimitsSection::display(const SweepDraft &draft)
{
    FormSection::display(draft);
    followMethod();
}

}  // namespace sweepscope::ui

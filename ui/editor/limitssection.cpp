#include "ui/editor/limitssection.h"

#include "ui/editor/keyfield.h"

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

LimitsSection::LimitsSection(QWidget *parent) : FormSection(tr("Limits"), QString(), parent)
{
    FieldGrid *pruning = addGrid();
    m_method = addKey(pruning, "prune.method");
    m_method->addNone(tr("Off"));
    m_more = addFoldedGrid(u"prune.more"_s, tr("More pruning settings"));
    for (const sweep::Key &key : sweep::keysOf("prune"))
        if (key.path() != "prune.method")
            m_ofPruning.push_back(addKey(key.isUsual ? pruning : m_more, key.path()));
    FieldGrid *budget = addGrid();
    for (const char *section : {"budget", "stop"})
        for (const sweep::Key &key : sweep::keysOf(section))
            addKey(budget, key.path());
    connect(m_method, &KeyField::edited, this, &LimitsSection::followMethod);
    followMethod();
}

void LimitsSection::followMethod()
{
    const std::string method = m_method->text().toStdString();
    setFoldVisible(m_more, !method.empty());
    for (KeyField *field : m_ofPruning) {
        const std::vector<std::string> &methods = field->key().methods;
        field->setVisible(!method.empty() && (methods.empty() || std::ranges::find(methods, method) != methods.end()));
    }
}

void LimitsSection::display(const SweepDraft &draft)
{
    FormSection::display(draft);
    followMethod();
}

}  // namespace sweepscope::ui

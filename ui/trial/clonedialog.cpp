#include "ui/trial/clonedialog.h"

#include "ui/models/valuetext.h"

#include <QLineEdit>

#include <map>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

CloneDialog::CloneDialog(protocol::EngineClient *client, qint64 sweepId, const sweep::TrialRecord &trial,
                         QWidget *parent)
    : PointDialog(client, u"clone"_s,
                  tr("Adds one trial to the sweep. It starts when devices are free. Values outside the "
                     "sweep's ranges are allowed. Leave a parameter empty if its condition is not met."),
                  fieldsOf(trial), tr("Add trial"), parent),
      m_sweepId(sweepId)
{
    setWindowTitle(tr("Clone trial %1 with changes").arg(trial.number));
}

std::vector<CloneDialog::Field> CloneDialog::fieldsOf(const sweep::TrialRecord &trial)
{
    std::vector<Field> fields;
    for (const auto &[name, value] : trial.parameters)
        fields.push_back({name, exactText(value)});
    return fields;
}

std::uint64_t CloneDialog::request()
{
    std::map<std::string, std::string> point;
    for (const auto &[name, field] : fields()) {
        const QString value = field->text().trimmed();
        if (!value.isEmpty() || !field->isModified())
            point.emplace(name, value.toStdString());
    }
    return client()->enqueueTrial(m_sweepId, point);
}

}  // namespace sweepscope::ui

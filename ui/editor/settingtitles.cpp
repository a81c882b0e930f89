#include "ui/editor/settingtitles.h"

#include <QCoreApplication>
#include <QHash>
#include <QSet>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("SettingTitles", text);
}

}  // namespace

QString settingLabel(const QString &name)
{
    const QHash<QString, QString> labels{
        {u"dataset"_s, tr("Da&ta set")},
        {u"data_folder"_s, tr("Data folder")},
        {u"model"_s, tr("Model")},
        {u"epochs"_s, tr("&Epochs")},
        {u"batch_size"_s, tr("&Batch size per rank")},
        {u"optimizer"_s, tr("Optimi&zer")},
        {u"lr"_s, tr("&Learning rate")},
        {u"momentum"_s, tr("Momentum")},
        {u"weight_decay"_s, tr("Weight decay")},
        {u"hidden"_s, tr("Hidden units (mlp)")},
        {u"layers"_s, tr("Hidden layers (mlp)")},
        {u"dropout"_s, tr("Dropout")},
        {u"validation_fraction"_s, tr("Share for validation")},
        {u"test_fraction"_s, tr("Share for the test")},
        {u"train_samples"_s, tr("Training samples")},
        {u"threads"_s, tr("Threads per rank")},
    };
    if (labels.contains(name))
        return labels.value(name);
    QString label = name;
    label.replace(u'_', u' ');
    return label.isEmpty() ? label : label.front().toUpper() + label.sliced(1);
}

bool isUsualSetting(const QString &name)
{
    static const QSet<QString> usual{u"dataset"_s, u"model"_s, u"epochs"_s, u"batch_size"_s, u"optimizer"_s, u"lr"_s};
    return usual.contains(name);
}

}  // namespace sweepscope::ui

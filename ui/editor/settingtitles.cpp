#include "ui/editor/settingtitles.h"

#include <QCoreApplication>
#include <QHash>
#include <QSet>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
namespace {

struct SettingTitlesWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::SettingTitles)
};

}  // namespace

QString settingLabel(const QString &name)
{
    const QHash<QString, QString> labels{
        {u"dataset"_s, SettingTitlesWords::tr("Da&ta set")},
        {u"data_folder"_s, SettingTitlesWords::tr("Data folder")},
        {u"model"_s, SettingTitlesWords::tr("Model")},
        {u"epochs"_s, SettingTitlesWords::tr("&Epochs")},
        {u"batch_size"_s, SettingTitlesWords::tr("&Batch size per rank")},
        {u"optimizer"_s, SettingTitlesWords::tr("Optimi&zer")},
        {u"lr"_s, SettingTitlesWords::tr("&Learning rate")},
        {u"momentum"_s, SettingTitlesWords::tr("Momentum")},
        {u"weight_decay"_s, SettingTitlesWords::tr("Weight decay")},
        {u"hidden"_s, SettingTitlesWords::tr("Hidden units (mlp)")},
        {u"layers"_s, SettingTitlesWords::tr("Hidden layers (mlp)")},
        {u"dropout"_s, SettingTitlesWords::tr("Dropout")},
        {u"validation_fraction"_s, SettingTitlesWords::tr("Share for validation")},
        {u"test_fraction"_s, SettingTitlesWords::tr("Share for the test")},
        {u"train_samples"_s, SettingTitlesWords::tr("Training samples")},
        {u"threads"_s, SettingTitlesWords::tr("Threads per rank")},
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

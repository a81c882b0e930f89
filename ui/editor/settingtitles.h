#pragma once

#include <QString>

namespace sweepscope::ui {

/// A built-in setting's name as a form's label, with mnemonic: "batch_size" -> "&Batch size per rank".
QString settingLabel(const QString &name);

/// Whether most people want to see it: the others are behind "More settings".
bool isUsualSetting(const QString &name);

}  // namespace sweepscope::ui

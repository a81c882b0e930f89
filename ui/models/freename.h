#pragma once

#include <QString>
#include <QStringList>

namespace sweepscope::ui {

/// Returns a name for a copy: "digits-mlp 2" for "digits-mlp", "digits-mlp 3" for "digits-mlp 2", and so on until one
/// is not `taken`. At most 100 bytes, like names of sweeps.
QString freeName(const QString &name, const QStringList &taken);

}  // namespace sweepscope::ui

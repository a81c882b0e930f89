#pragma once

#include <QString>
#include <QStringList>

namespace sweepscope::ui {

/// For another one of the same kind: "digits-mlp 2" for "digits-mlp", "digits-mlp 3" for "digits-mlp 2", counting up to
/// the first that is not `taken`. At most 100 bytes long, as names of sweeps are.
QString freeName(const QString &name, const QStringList &taken);

}  // namespace sweepscope::ui

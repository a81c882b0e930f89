#pragma once

#include <QString>
#include <QStringList>

namespace sweepscope::client {

/// One device as the engine sees it, for views.
struct DeviceStatus {
    QString id;
    QString name;
    bool gpu = false;
    bool simulated = false;
    double memoryBytes = 0;
    QStringList holders;  ///< what runs on it: "digits-mlp trial 3"
};

}  // namespace sweepscope::client

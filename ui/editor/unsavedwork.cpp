#include "ui/editor/unsavedwork.h"

#include "launch/agentprocess.h"

#include <QCoreApplication>
#include <QSettings>
#include <QStringList>
#include <QSysInfo>

#include <sys/types.h>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
namespace {

constexpr auto group = "unsaved"_L1;

/// "machine.pid.start", because several machines may share the settings.
QString keyOfThisProcess()
{
    const auto pid = static_cast<pid_t>(QCoreApplication::applicationPid());
    return u"%1.%2.%3"_s.arg(QSysInfo::machineHostName()).arg(pid).arg(launch::processStartTime(pid).value_or(0));
}

/// Whether the window of this key ran on this machine and has ended.
bool isLeftBehind(const QString &key)
{
    const QStringList parts = key.split(u'.');
    if (parts.size() < 3 || parts.first(parts.size() - 2).join(u'.') != QSysInfo::machineHostName())
        return false;
    return !launch::isAlive({static_cast<pid_t>(parts[parts.size() - 2].toInt()), parts.back().toULongLong()});
}

}  // namespace

UnsavedWork::UnsavedWork(QSettings *settings) : m_settings(settings), m_key(keyOfThisProcess()) {}

UnsavedWork::~UnsavedWork()
{
    drop();
}

void UnsavedWork::keep(const Work &work)
{
    if (m_kept == work)
        return;
    m_kept = work;
    m_settings->beginGroup(group + u'/' + m_key);
    m_settings->setValue("toml"_L1, work.toml);
    m_settings->setValue("file"_L1, work.filePath);
    m_settings->setValue("folder"_L1, work.baseFolder);
    m_settings->setValue("workspace"_L1, work.workspace);
    m_settings->setValue("sweep"_L1, work.sweepId);
    m_settings->endGroup();
    m_settings->sync();
}

void UnsavedWork::drop()
{
    if (!m_kept)
        return;
    m_kept.reset();
    m_settings->remove(group + u'/' + m_key);
    m_settings->sync();
}

std::optional<UnsavedWork::LeftBehind> UnsavedWork::leftBehind() const
{
    m_settings->beginGroup(group);
    const QStringList keys = m_settings->childGroups();
    m_settings->endGroup();
    for (const QString &key : keys) {
        if (!isLeftBehind(key))
            continue;
        const auto value = [this, &key](QLatin1StringView name) {
            return m_settings->value(group + u'/' + key + u'/' + name);
        };
        return LeftBehind{key,
                          {value("toml"_L1).toString(), value("file"_L1).toString(), value("folder"_L1).toString(),
                           value("workspace"_L1).toString(), value("sweep"_L1).toLongLong()}};
    }
    return std::nullopt;
}

void UnsavedWork::remove(const LeftBehind &left)
{
    m_settings->remove(group + u'/' + left.key);
    m_settings->sync();
}

}  // namespace sweepscope::ui

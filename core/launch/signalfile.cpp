#include "launch/signalfile.h"

#include "base/files.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <string>
#include <string_view>
#include <utility>

namespace sweepscope::launch {

namespace {

constexpr std::size_t mostBytes = 64 * 1024;
constexpr std::array<std::pair<std::string_view, int>, 5> signalNames{
    {{"TERM", SIGTERM}, {"QUIT", SIGQUIT}, {"USR2", SIGUSR2}, {"TSTP", SIGTSTP}, {"CONT", SIGCONT}}};

}  // namespace

/// The file is opened anew each time, because that is when NFS asks for what other machines have written.
std::vector<int> SignalFile::poll()
{
    const std::string text = readFile(m_file, mostBytes).value_or(std::string());
    std::vector<int> signals;
    for (std::size_t end = 0; m_read < text.size() && (end = text.find('\n', m_read)) != std::string::npos;
         m_read = end + 1) {
        const std::string_view name = std::string_view(text).substr(m_read, end - m_read);
        const auto found = std::ranges::find(signalNames, name, &std::pair<std::string_view, int>::first);
        if (found != signalNames.end())
            signals.push_back(found->second);
    }
    return signals;
}

}  // namespace sweepscope::launch

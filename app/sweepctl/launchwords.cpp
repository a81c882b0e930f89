#include "launchwords.h"

#include "base/printable.h"

namespace sweepscope::ctl {

std::string joined(const std::vector<std::string> &words, const std::string &separator)
{
    std::string text;
    for (const std::string &word : words)
        text += (text.empty() ? "" : separator) + word;
    return text;
}

std::string commandInWords(const std::vector<std::string> &argv)
{
    std::vector<std::string> words;
    for (const std::string &argument : argv) {
        const bool plain =
            !argument.empty() && argument.find_first_of(" \t\n'\"\\$`*?;&|<>(){}[]#~") == std::string::npos;
        std::string quoted;
        for (const char letter : argument)
            quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
        words.push_back(plain ? argument : "'" + quoted + "'");
    }
    return joined(words, " ");
}

std::string revisionInWords(const sweep::SourceState &source)
{
    if (source.revision.empty())
        return "not a git repository";
    return source.revision + (source.branch.empty() ? "" : " (" + source.branch + ")")
           + (source.isChanged ? ", with uncommitted changes" : "");
}

std::string snapshotInWords(const sweep::SourceState &source)
{
    return source.tree.empty() ? "none: " + printable(source.problem) : source.tree;
}

}  // namespace sweepscope::ctl

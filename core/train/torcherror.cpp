#include "train/torcherror.h"

#include <array>
#include <new>
#include <string_view>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

std::string textOf(const std::exception &error)
{
    const auto *torchError = dynamic_cast<const c10::Error *>(&error);
    return torchError != nullptr ? torchError->what_without_backtrace() : error.what();
}

std::string lineAt(const std::string &text, std::size_t start)
{
    return text.substr(start, text.find('\n', start) - start);
}

/// "model.py, line 8" of the last frame before `end`: '  File "model.py", line 8, in forward'. Empty without one.
std::string placeBefore(const std::string &text, std::size_t end)
{
    constexpr std::string_view mark = "  File \"";
    const std::size_t at = text.rfind(mark, end);
    if (at == std::string::npos)
        return {};
    const std::string frame = lineAt(text, at + mark.size());
    const std::size_t quote = frame.find('"');
    const std::size_t in = frame.rfind(", in ");
    if (quote == std::string::npos || in == std::string::npos || in < quote)
        return {};
    return frame.substr(0, quote) + frame.substr(quote + 1, in - quote - 1);
}

}  // namespace

bool isOutOfMemory(const std::exception &error)
{
    const std::string text = textOf(error);
    return dynamic_cast<const std::bad_alloc *>(&error) != nullptr || text.find("out of memory") != std::string::npos
           || text.find("can't allocate memory") != std::string::npos
           || text.find("DefaultCPUAllocator") != std::string::npos;
}

std::string torchSentence(const std::string &text)
{
    constexpr std::array<std::string_view, 2> marks{"\nRuntimeError: ", "\ntorch.jit.Error: "};
    if (text.starts_with("The following operation failed in the TorchScript interpreter")) {
        for (const std::string_view mark : marks) {
            const std::size_t at = text.rfind(mark);
            if (at == std::string::npos)
                continue;
            const std::string place = placeBefore(text, at);
            return lineAt(text, at + mark.size()) + (place.empty() ? "" : " (" + place + ")");
        }
    }
    return lineAt(text, 0);
}

std::string sentenceOf(const std::exception &error)
{
    const std::string sentence = torchSentence(textOf(error));
    return isOutOfMemory(error)
               ? "out of memory (" + sentence + "); use a smaller batch_size, and raise accumulate to compensate"
               : sentence;
}

std::string stackOf(const std::exception &error)
{
    return error.what();
}

}  // namespace sweepscope::train

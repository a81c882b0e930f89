#include "train/errorfile.h"

#include "base/files.h"

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace sweepscope::train {

void writeErrorFile(const std::string &message, const std::string &stack)
{
    const char *path = std::getenv("TORCHELASTIC_ERROR_FILE");
    std::error_code error;
    if (path == nullptr || *path == '\0' || std::filesystem::exists(path, error))
        return;
    const nlohmann::json content{
        {"message",
         {{"message", message},
          {"extraInfo", {{"py_callstack", stack}, {"timestamp", std::to_string(std::time(nullptr))}}}}}};
    // A rank that cannot say why it failed must still fail; its log has the sentence, too.
    static_cast<void>(
        writeFileAtomically(path, content.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
}

}  // namespace sweepscope::train

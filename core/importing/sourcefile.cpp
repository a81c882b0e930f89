#include "importing/sourcefile.h"

#include "importing/wandbsweep.h"
#include "importing/yamlvalue.h"

namespace sweepscope::importing {

ImportedSweep importYaml(std::string_view text, const std::string &name)
{
    const auto yaml = parseYaml(text);
    ImportedSweep imported;
    if (!yaml)
        imported.problems.push_back(yaml.error());
    else if (isWandbSweep(*yaml))
        imported = importWandbSweep(*yaml, name);
    else
        imported.problems.push_back({{}, "is not a sweep of W&B: it needs method and parameters"});
    return imported;
}

}  // namespace sweepscope::importing

#include "importing/sourcefile.h"

#include "importing/hydrasweep.h"
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
    else if (isHydraSweep(*yaml))
        imported = importHydraSweep(*yaml, name);
    else
        imported.problems.push_back(
            {{}, "is neither a sweep of W&B, with method and parameters, nor one of Hydra, with hydra.sweeper.params"});
    return imported;
}

}  // namespace sweepscope::importing

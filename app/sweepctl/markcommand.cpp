#include "argumentchecks.h"
#include "enginerequest.h"
#include "subcommand.h"
#include "sweepselection.h"
#include "workspaceoption.h"

#include "protocol/engineclient.h"

#include <memory>

namespace sweepscope::ctl {

namespace {

struct MarkOptions {
    std::string workspace;
    std::string sweep;
    sweep::Control control;
    std::string note;
    bool star = false;
    bool noStar = false;
};

}  // namespace

Subcommand makeMarkCommand(CLI::App &app)
{
    auto options = std::make_shared<MarkOptions>();
    options->control.action = sweep::Control::Action::Mark;
    CLI::App *command = app.add_subcommand("mark", "Mark a sweep or its trials with a star, tags or a note");
    addSweepOption(*command, options->sweep);
    command->add_option("--trial,-t", options->control.trials, "Mark these trials instead of the sweep")
        ->type_name("N")
        ->check(atLeast(1));
    const CLI::Option *star = command->add_flag("--star", options->star, "Add a star");
    const CLI::Option *noStar = command->add_flag("--no-star", options->noStar, "Remove the star");
    allowOneOf(*command, {star, noStar});
    command->add_option("--tag", options->control.mark.addedTags, "Add this tag")->type_name("TAG");
    command->add_option("--no-tag", options->control.mark.removedTags, "Remove this tag")->type_name("TAG");
    CLI::Option *note = command->add_option("--note", options->note, "Replace the note; an empty text removes it");
    note->type_name("TEXT");
    addWorkspaceOption(*command, options->workspace);
    command->footer("Marks do not affect how anything runs. The window shows, edits and searches them, and "
                    "trials.csv contains those of trials.\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl mark 3 --tag cifar --note 'before the new augmentation'\n"
                    "  sweepctl mark 3 --trial 7 --star --tag baseline\n"
                    "  sweepctl mark digits-mlp -t 7 -t 9 --note 'lr too high'");
    return {command, [options, note] {
                sweep::MarkChange &change = options->control.mark;
                if (options->star || options->noStar)
                    change.starred = options->star;
                if (note->count() != 0)
                    change.note = options->note;
                return requestOfEngine(options->workspace, options->sweep, Wanted::Any,
                                       [&](protocol::EngineClient &client, const sweep::SweepRecord &sweep) {
                                           client.control(sweep.id, options->control);
                                       });
            }};
}

}  // namespace sweepscope::ctl

#include "atleast.h"
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
    CLI::App *command = app.add_subcommand("mark", "Write a star, tags or a note beside trials");
    addSweepOption(*command, options->sweep);
    command->add_option("--trial,-t", options->control.trials, "Beside these trials")
        ->type_name("N")
        ->required()
        ->check(atLeast(1));
    CLI::Option *star = command->add_flag("--star", options->star, "Give them a star");
    command->add_flag("--no-star", options->noStar, "Take their star away")->excludes(star);
    command->add_option("--tag", options->control.mark.addedTags, "A word to find them by")->type_name("TAG");
    command->add_option("--no-tag", options->control.mark.removedTags, "Take this tag away")->type_name("TAG");
    CLI::Option *note = command->add_option("--note", options->note, "In place of the note they have; empty: none");
    note->type_name("TEXT");
    addWorkspaceOption(*command, options->workspace);
    command->footer(
        "Nothing about how trials run changes by it. The window shows and edits the same, and trials.csv has "
        "it.\n\n"
        "Examples:\n  sweepctl mark 3 --trial 7 --star --tag baseline\n"
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

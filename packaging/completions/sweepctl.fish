# Completion of sweepctl in fish. sweepctl itself knows the candidates: options, names of sweeps, numbers of trials.
function __sweepctl_complete
    set -l words (commandline --cut-at-cursor --tokenize)
    set -l last (commandline --cut-at-cursor --current-token)
    for line in (sweepctl __complete $words[2..] "$last" 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path "$last"
            case :folders
                __fish_complete_directories "$last" ""
            case '*'
                echo $line
        end
    end
end
complete --command sweepctl --no-files --arguments '(__sweepctl_complete)'

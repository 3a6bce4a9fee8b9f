# treescore info --completion for fish: treescore info --completion fish | source
function __treescore_candidates
    set -l words (commandline -opc) (commandline -ct | string collect --allow-empty)
    set -l candidates ($words[1] info --complete $words[2..-1] 2>/dev/null)
    printf '%s\n' $candidates
    if test (count $words) -eq 2 -o (count $candidates) -eq 0
        __fish_complete_path $words[-1]
    end
end
complete -c treescore -f -a '(__treescore_candidates)'

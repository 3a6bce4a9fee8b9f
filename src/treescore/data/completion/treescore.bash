# treescore info --completion for bash: eval "$(treescore info --completion bash)"
_treescore() {
    local IFS=$'\n' words=("${COMP_WORDS[@]:1:COMP_CWORD}")
    COMPREPLY=($("${COMP_WORDS[0]/#\~/$HOME}" info --complete "${words[@]}" 2>/dev/null | cut -f 1))
    if [[ $COMP_CWORD -eq 1 || ${#COMPREPLY[@]} -eq 0 ]]; then
        COMPREPLY+=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]#=}"))
    fi
}
complete -o filenames -F _treescore treescore

#compdef treescore
# treescore info --completion for zsh: eval "$(treescore info --completion zsh)"
_treescore() {
    local tab=$'\t'
    local -a candidates=("${(@f)$("${(Q)words[1]/#\~/$HOME}" info --complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    candidates=(${${candidates//:/\\:}/$tab/:})
    if (( $#candidates )); then
        _describe -o treescore candidates
    fi
    if (( CURRENT == 2 || ! $#candidates )); then
        _files
    fi
}
if [[ $funcstack[1] == _treescore ]]; then
    _treescore "$@"  # the file itself is the function that zsh has just loaded
else
    compdef _treescore treescore
fi

/**
 * What each shell is told: to ask `vexil complete` for every word, so that it knows what the program of today knows.
 * The last line of an answer is `:files` where names of files count as well.
 */
export const scripts: Readonly<Record<string, string>> = {
  bash: `# vexil completion for bash: source <(vexil completion bash)
_vexil() {
  local words=() word line current i
  # Bash takes "=" and ":" for words of their own.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if ((\${#words[@]} > 0)) && [[ "$word" == [=:]* || "\${COMP_WORDS[i-1]}" == *[=:] ]]; then
      words[\${#words[@]}-1]+="$word"
    else
      words+=("$word")
    fi
  done
  current="\${words[\${#words[@]}-1]}"
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :files) COMPREPLY+=($(compgen -f -- "\${current##*=}")); compopt -o filenames 2>/dev/null ;;
      *) COMPREPLY+=("\${line#"\${current%"\${current##*[=:]}"}"}") ;;
    esac
  done < <(vexil complete bash -- "\${words[@]}" 2>/dev/null)
  if ((\${#COMPREPLY[@]} == 1)) && [[ "\${COMPREPLY[0]}" == *= ]]; then compopt -o nospace 2>/dev/null; fi
  return 0
}
complete -F _vexil vexil
`,
  zsh: `#compdef vexil
# vexil completion for zsh: vexil completion zsh > "\${fpath[1]}/_vexil"
_vexil() {
  local line
  local -a values
  local files=0
  for line in "\${(@f)$(vexil complete zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case "$line" in
      :files) files=1 ;;
      ?*) values+=("$line") ;;
    esac
  done
  ((\${#values} > 0)) && _describe 'vexil' values
  ((files)) && _files
}
if [ "$funcstack[1]" = "_vexil" ]; then _vexil "$@"; else compdef _vexil vexil; fi
`,
  fish: `# vexil completion for fish: vexil completion fish > ~/.config/fish/completions/vexil.fish
function __vexil_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  for line in (vexil complete fish -- $words[2..-1] "$current" 2>/dev/null)
    switch $line
      case ':files'
        __fish_complete_path "$current"
      case '*'
        echo $line
    end
  end
end
complete -c vexil -f -a '(__vexil_complete)'
`,
}

export const shells: readonly string[] = Object.keys(scripts)

import type { Command } from 'commander'
import { CommandError, type ExitCode, exitCode } from '../exit-code.ts'
import type { Host } from '../host.ts'

/** `vexil completion SHELL`: a script made from the commands and options as they are. */
export async function runCompletion(host: Host, shell: string, program: Command): Promise<ExitCode> {
  const commands = program.commands.map(command => ({
    name: command.name(),
    words: command.description(),
    options: command.options.flatMap(option => (option.long ? [option.long] : [])),
  }))
  const script = scripts[shell]
  if (!script)
    throw new CommandError(`"${shell}" is no shell this knows; take bash, zsh or fish`, exitCode.usage)
  host.stdout.write(script(commands))
  return exitCode.done
}

interface Completed {
  readonly name: string
  readonly words: string
  readonly options: readonly string[]
}

const scripts: Readonly<Record<string, (commands: readonly Completed[]) => string>> = { bash, zsh, fish }

function bash(commands: readonly Completed[]): string {
  const cases = commands.map(({ name, options }) => `    ${name}) words="${options.join(' ')}" ;;`)
  return `# vexil completion for bash: source <(vexil completion bash)
_vexil() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands.map(({ name }) => name).join(' ')}"
  else
    case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    esac
  fi
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); else COMPREPLY=($(compgen -f -- "$current")); fi ;;
  esac
}
complete -F _vexil vexil
`
}

function zsh(commands: readonly Completed[]): string {
  const rows = commands.map(({ name, words }) => `    '${name}:${quoted(words)}'`)
  const cases = commands.map(
    ({ name, options }) => `    ${name}) compadd -- ${options.join(' ')} ; _files ;;`,
  )
  return `#compdef vexil
# vexil completion for zsh: vexil completion zsh > "\${fpath[1]}/_vexil"
_vexil() {
  local -a commands=(
${rows.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  case "$words[2]" in
${cases.join('\n')}
  esac
}
_vexil "$@"
`
}

function fish(commands: readonly Completed[]): string {
  const rows = commands.flatMap(({ name, words, options }) => [
    `complete -c vexil -n __fish_use_subcommand -f -a ${name} -d '${quoted(words)}'`,
    ...options.map(
      option => `complete -c vexil -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`,
    ),
  ])
  return `# vexil completion for fish: vexil completion fish > ~/.config/fish/completions/vexil.fish\n${rows.join('\n')}\n`
}

/** Text inside single quotes of a shell. */
function quoted(text: string): string {
  return text.replaceAll("'", '').replaceAll(':', ' ')
}

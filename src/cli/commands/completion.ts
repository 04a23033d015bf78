import type { Command } from 'commander'
import { CommandError, type ExitCode, exitCode } from '../exit-code.ts'
import type { Host } from '../host.ts'

/** `vexil completion SHELL`: a script made from the commands and options as they are. */
export async function runCompletion(host: Host, shell: string, program: Command): Promise<ExitCode> {
  const script = Object.entries(scripts).find(([name]) => name === shell)?.[1]
  if (!script) {
    throw new CommandError(`"${shell}" is no shell this knows; take bash, zsh or fish`, exitCode.usage)
  }
  host.stdout.write(script(program.commands.map(completed)))
  return exitCode.done
}

interface Completed {
  readonly name: string
  readonly words: string
  readonly options: readonly CompletedOption[]
  /** What the arguments can be, where that is a short list. */
  readonly arguments: readonly string[]
}

interface CompletedOption {
  /** `--prune` */
  readonly flag: string
  readonly takesValue: boolean
  readonly choices: readonly string[]
}

function completed(command: Command): Completed {
  return {
    name: command.name(),
    words: command.description(),
    options: command.options.flatMap(({ long, required, optional, argChoices = [] }) =>
      long ? [{ flag: long, takesValue: required || optional, choices: argChoices }] : [],
    ),
    arguments: command.name() === 'completion' ? Object.keys(scripts) : [],
  }
}

const scripts: Readonly<Record<string, (commands: readonly Completed[]) => string>> = { bash, zsh, fish }

function bash(commands: readonly Completed[]): string {
  const options = commands.map(
    command => `    ${command.name}) words="${command.options.map(({ flag }) => flag).join(' ')}" ;;`,
  )
  const values = valueLists(commands).map(
    ({ command, flag, choices }) => `    ${command}:${flag}) words="${choices.join(' ')}" ;;`,
  )
  const lists = commands
    .filter(command => command.arguments.length > 0)
    .map(command => `    ${command.name}) words="${command.arguments.join(' ')}" ;;`)
  return `# vexil completion for bash: source <(vexil completion bash)
_vexil() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} help" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}:$previous" in
${values.join('\n')}
  esac
  case "$words:$current" in
    :-*) case "\${COMP_WORDS[1]}" in
${options.join('\n')}
    esac ;;
    :*) case "\${COMP_WORDS[1]}" in
${lists.join('\n')}
    esac ;;
  esac
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _vexil vexil
`
}

function zsh(commands: readonly Completed[]): string {
  const rows = commands.map(({ name, words }) => `    '${name}:${quoted(words)}'`)
  const cases = commands.map(
    command =>
      `    ${command.name}) compadd -- ${[...command.options.map(({ flag }) => flag), ...command.arguments].join(' ')} ; _files ;;`,
  )
  const values = valueLists(commands).map(
    ({ command, flag, choices }) => `    ${command}:${flag}) compadd -- ${choices.join(' ')} ; return ;;`,
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
  case "$words[2]:$words[CURRENT-1]" in
${values.join('\n')}
  esac
  case "$words[2]" in
${cases.join('\n')}
  esac
}
_vexil "$@"
`
}

function fish(commands: readonly Completed[]): string {
  const rows = commands.flatMap(command => [
    `complete -c vexil -n __fish_use_subcommand -f -a ${command.name} -d '${quoted(command.words)}'`,
    ...command.options.map(({ flag, takesValue, choices }) => {
      const value = choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : takesValue ? ' -r' : ''
      return `complete -c vexil -n '__fish_seen_subcommand_from ${command.name}' -l ${flag.slice(2)}${value}`
    }),
    ...(command.arguments.length > 0
      ? [
          `complete -c vexil -n '__fish_seen_subcommand_from ${command.name}' -f -a '${command.arguments.join(' ')}'`,
        ]
      : []),
  ])
  return `# vexil completion for fish: vexil completion fish > ~/.config/fish/completions/vexil.fish\n${rows.join('\n')}\n`
}

function valueLists(commands: readonly Completed[]) {
  return commands.flatMap(({ name: command, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(({ flag, choices }) => ({ command, flag, choices })),
  )
}

/** Text inside single quotes of a shell. */
function quoted(text: string): string {
  return text.replaceAll("'", '').replaceAll(':', ' ')
}

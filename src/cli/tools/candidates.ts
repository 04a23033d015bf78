import type { Argument, Command, Option } from 'commander'

/** Something that a word can become, with what a shell may show beside it. */
export interface Candidate {
  readonly value: string
  readonly doc?: string
}

/** What is offered for the last word. `files`: names of files count as well. */
export interface Completion {
  readonly candidates: readonly Candidate[]
  readonly files: boolean
}

/** Looks values up that only the repository or the interface knows. */
export type FindValues = (
  source: Exclude<Source, 'files' | 'free'>,
  line: Line,
) => Promise<readonly Candidate[]>

/** What is known of a line before its last word. */
export interface Line {
  /** The word that is completed; for `--option=wo` the part after the sign. */
  readonly word: string
  /** The values of options so far, by attribute name: `chdir`, `env`. */
  readonly options: Readonly<Record<string, string>>
  /** The arguments of the command so far. */
  readonly arguments: readonly string[]
}

/**
 * What the last word of a line can become.
 *
 * | the last word                              | offered                                        |
 * |--------------------------------------------|------------------------------------------------|
 * | follows an option that takes a value       | the values of that option                      |
 * | `--option=...`                             | the same, behind the sign                      |
 * | begins with a dash, before any `--`        | the options of the command                     |
 * | where a command is due                     | the commands                                   |
 * | otherwise                                  | the values of the argument that is due         |
 */
export async function complete(
  program: Command,
  words: readonly string[],
  find: FindValues,
): Promise<Completion> {
  const word = words.at(-1) ?? ''
  const read = readLine(program, words.slice(0, -1))
  const line = { word, options: read.options, arguments: read.arguments }
  const valuesOf = (choices: readonly string[] | undefined, source: Source, partial: Line) =>
    choices
      ? offer(
          choices.map(value => ({ value })),
          partial.word,
        )
      : look(find, source, partial)
  if (read.waiting) return valuesOf(read.waiting.argChoices, optionSource(read.waiting), line)
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
  const named = flag !== undefined && !read.isEnded && optionOf(read.command, flag)
  if (named && value !== undefined) {
    const { candidates, files } = await valuesOf(named.argChoices, optionSource(named), {
      ...line,
      word: value,
    })
    return { files, candidates: candidates.map(each => ({ ...each, value: `${flag}=${each.value}` })) }
  }
  if (word.startsWith('-') && !read.isEnded) return offer(optionsOf(read.command), word)
  const commands = commandsOf(read.command)
  if (commands.length > 0) return offer(commands, word)
  const due = argumentDue(read.command, read.arguments.length)
  return due ? valuesOf(due.argChoices, argumentSource(due), line) : { candidates: [], files: false }
}

interface ReadLine {
  readonly command: Command
  readonly options: Readonly<Record<string, string>>
  readonly arguments: readonly string[]
  /** The option whose value comes next. */
  readonly waiting?: Option
  /** Whether `--` has ended the options. */
  readonly isEnded: boolean
}

function readLine(program: Command, words: readonly string[]): ReadLine {
  let command = program
  let waiting: Option | undefined
  let isEnded = false
  const options: Record<string, string> = {}
  const given: string[] = []
  for (const word of words) {
    if (waiting) {
      options[waiting.attributeName()] = word
      waiting = undefined
    } else if (isEnded) given.push(word)
    else if (word === '--') isEnded = true
    else if (word.startsWith('-')) {
      const [flag = word, value] = word.split(/=(.*)/s)
      const option = optionOf(command, flag)
      if (option && takesValue(option)) {
        if (value === undefined) waiting = option
        else options[option.attributeName()] = value
      }
    } else {
      const below = command.commands.find(each => each.name() === word || each.aliases().includes(word))
      if (below && given.length === 0) command = below
      else given.push(word)
    }
  }
  return { command, options, arguments: given, isEnded, ...(waiting ? { waiting } : {}) }
}

function optionOf(command: Command, flag: string): Option | undefined {
  return command.options.find(({ long, short }) => flag === long || flag === short)
}

/** What an option can be; one that was never thought of would be offered nothing, so a test wants each named. */
function optionSource(option: Option): Source {
  return optionSources[option.flags] ?? optionSources[option.attributeName()] ?? 'free'
}

function argumentSource(argument: Argument): Source {
  return argumentSources[argument.name()] ?? 'free'
}

export function takesValue({ required, optional }: Option): boolean {
  return required || optional
}

function argumentDue(command: Command, given: number): Argument | undefined {
  const all = command.registeredArguments
  const last = all.at(-1)
  return all[given] ?? (last?.variadic ? last : undefined)
}

function commandsOf(command: Command): Candidate[] {
  const shown = command.createHelp().visibleCommands(command)
  return shown.map(each => ({ value: each.name(), doc: each.description() }))
}

function optionsOf(command: Command): Candidate[] {
  const shown = command.createHelp().visibleOptions(command)
  return shown.flatMap(({ long, description }) => (long ? [{ value: long, doc: description }] : []))
}

async function look(find: FindValues, source: Source, line: Line): Promise<Completion> {
  if (source === 'files' || source === 'free') return { candidates: [], files: source === 'files' }
  return offer(await find(source, line), line.word)
}

function offer(candidates: readonly Candidate[], word: string): Completion {
  return { candidates: candidates.filter(({ value }) => value.startsWith(word)), files: false }
}

/**
 * Where the values of a word come from. `files`: the shell knows them; `free`: nobody does.
 */
type Source =
  | 'addresses'
  | 'allowances'
  | 'assignments'
  | 'environments'
  | 'files'
  | 'flags'
  | 'free'
  | 'holds'
  | 'kinds'
  | 'locks'
  | 'operations'
  | 'owners'
  | 'parts'
  | 'profiles'
  | 'quirks'
  | 'runs'
  | 'schemas'
  | 'sdks'
  | 'scopes'
  | 'shells'

/**
 * By the name that commander gives an option, for all commands that have it. One with choices of its own needs none; one that takes
 * something else in one command is there as it is written.
 */
export const optionSources: Readonly<Record<string, Source>> = {
  '--allow <hold>': 'holds',
  '--to <percentage>': 'free',
  allow: 'allowances',
  allowHost: 'free',
  apiKey: 'free',
  app: 'free',
  base: 'free',
  baseUrl: 'free',
  body: 'files',
  chdir: 'files',
  condition: 'free',
  data: 'files',
  days: 'free',
  deviceId: 'free',
  directory: 'files',
  distinctId: 'free',
  env: 'environments',
  expires: 'free',
  fault: 'free',
  from: 'environments',
  fromState: 'files',
  group: 'free',
  groupProperty: 'free',
  host: 'free',
  in: 'files',
  kind: 'kinds',
  maxCount: 'free',
  metrics: 'files',
  minCoverage: 'free',
  organization: 'free',
  out: 'files',
  report: 'files',
  owner: 'owners',
  package: 'free',
  parallelism: 'free',
  planJson: 'files',
  port: 'free',
  profile: 'profiles',
  project: 'free',
  property: 'free',
  provider: 'free',
  query: 'free',
  quirk: 'quirks',
  reason: 'free',
  redact: 'parts',
  reviewed: 'files',
  scope: 'scopes',
  sdk: 'sdks',
  show: 'addresses',
  stack: 'files',
  target: 'addresses',
  terraformPlan: 'files',
  to: 'environments',
  value: 'free',
  var: 'free',
  world: 'files',
}

/** By the name of an argument, for all commands that have it. */
export const argumentSources: Readonly<Record<string, Source>> = {
  address: 'addresses',
  arguments: 'assignments',
  directory: 'files',
  file: 'files',
  flag: 'flags',
  from: 'environments',
  lock: 'locks',
  more: 'addresses',
  name: 'schemas',
  operation: 'operations',
  plan: 'files',
  run: 'runs',
  shell: 'shells',
  to: 'environments',
}

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

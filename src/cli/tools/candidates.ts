import type { Argument, Command, Option } from 'commander'

/** A completion of a word, with a description that shells may show. */
export interface Candidate {
  readonly value: string
  readonly doc?: string
}

/** The completions of the last word. `files`: whether file names are valid too. */
export interface Completion {
  readonly candidates: readonly Candidate[]
  readonly files: boolean
}

/** Finds values in the repository or the API description. */
export type FindValues = (source: FoundSource, line: Line) => Promise<readonly Candidate[]>

/** A command line and the word to complete. */
export interface Line {
  /** The word to complete; for `--option=wo`, the part after the sign. */
  readonly word: string
  /** The values of options so far, by attribute name: `chdir`, `env`. */
  readonly options: Readonly<Record<string, string>>
  /** The arguments of the command so far. */
  readonly arguments: readonly string[]
}

/**
 * The completions for the last word of a line.
 *
 * | the last word                        | offered                         |
 * |--------------------------------------|---------------------------------|
 * | follows an option that takes a value | the values of that option       |
 * | `--option=...`                       | the same, after the sign        |
 * | begins with a dash, before any `--`  | the options of the command      |
 * | is in the place of a command         | the commands                    |
 * | anything else                        | the values of the next argument |
 */
export async function complete(
  program: Command,
  words: readonly string[],
  find: FindValues,
): Promise<Completion> {
  const word = words.at(-1) ?? ''
  const read = readLine(program, words.slice(0, -1))
  const line = { word, options: read.options, arguments: read.arguments }
  const valuesOf = async ({ argChoices }: Option | Argument, source: Source | undefined, of: Line) => {
    if (argChoices)
      return offer(
        argChoices.map(value => ({ value })),
        of.word,
      )
    if (source === undefined || source === 'files') return { candidates: [], files: source === 'files' }
    return offer(await find(source, of), of.word)
  }
  if (read.waiting) return valuesOf(read.waiting, optionSource(read.waiting), line)
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
  const named = flag !== undefined && !read.isEnded && optionOf(read.command, flag)
  if (named && value !== undefined) {
    const { candidates, files } = await valuesOf(named, optionSource(named), { ...line, word: value })
    return { files, candidates: candidates.map(each => ({ ...each, value: `${flag}=${each.value}` })) }
  }
  if (word.startsWith('-') && !read.isEnded) return offer(optionsOf(read.command), word)
  const commands = commandsOf(read.command)
  if (commands.length > 0) return offer(commands, word)
  const due = argumentDue(read.command, read.arguments.length)
  return due ? valuesOf(due, sources[due.name()], line) : { candidates: [], files: false }
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

/** The source of values for an option, by its name or by the value word in its help. */
function optionSource(option: Option): Source | undefined {
  return sources[option.long ?? ''] ?? sources[valueWord(option)]
}

/** `file` of `-o, --out <file>`. */
export function valueWord({ flags }: Option): string {
  return /<(.+)>$/.exec(flags)?.[1] ?? ''
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

function offer(candidates: readonly Candidate[], word: string): Completion {
  return { candidates: candidates.filter(({ value }) => value.startsWith(word)), files: false }
}

/**
 * The sources of values, by the word in help, or by option if the word has several uses. The shell completes
 * files. Other words have no values.
 */
const sourceTable = {
  '--body': 'files',
  '--env': 'environments',
  '--owner': 'owners',
  '--profile': 'profiles',
  '--quirk': 'quirks',
  '--scope': 'scopes',
  '--sdk': 'sdks',
  address: 'addresses',
  arguments: 'assignments',
  dir: 'files',
  directory: 'files',
  environment: 'environments',
  file: 'files',
  flag: 'flags',
  'flag=value': 'flags',
  'folder|name': 'files',
  from: 'environments',
  hold: 'holds',
  'kind...': 'kinds',
  lock: 'locks',
  more: 'addresses',
  operation: 'operations',
  'part,...': 'parts',
  path: 'files',
  plan: 'files',
  'rule[=address]': 'allowances',
  run: 'runs',
  schema: 'schemas',
  shell: 'shells',
  to: 'environments',
} as const

type Source = (typeof sourceTable)[keyof typeof sourceTable]
export type FoundSource = Exclude<Source, 'files'>

export const sources: Readonly<Record<string, Source | undefined>> = sourceTable

/**
 * The script of each shell. It calls `vexil complete` for each word, so it matches the installed version. The
 * last line of an answer is `:files` if file names are valid too.
 */
export const scripts: Readonly<Record<string, string>> = {
  bash: `# vexil completion for bash: source <(vexil completion bash)
_vexil() {
  local words=() word line current i
  # Bash treats "=" and ":" as separate words.
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

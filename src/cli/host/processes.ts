import { readFile, readlink } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { type Redact, Secrets } from '../../api/redact.ts'
import { isSettingError, keyFromEnvironment } from '../../api/settings.ts'
import type { Processes } from '../../core/apply/locks.ts'
import { Redaction } from '../../core/redaction.ts'
import { isRedactedPart, redactedPartNames } from '../../model/field.ts'
import { codeOf } from '../../model/files.ts'
import { readJsonIfAny } from '../../model/text/json-text.ts'
import { meantHint } from '../../model/text/names.ts'
import { escapeLines } from '../../model/text/printable.ts'
import { isOwnColour } from '../../report/line-text.ts'
import { CommandError, exitCode } from './exit-code.ts'
import type { Host, Output, ProcessHost, Stream } from './host.ts'
import { Log } from './log.ts'
import { Stores } from './stores.ts'

/** The process with guarded streams, which never print keys or control codes. */
export function guardHost(outside: ProcessHost): Host {
  const secrets = new Secrets()
  const { ask, runtime, env } = outside
  const isDebugging = !['', '0', undefined].includes(env[debugVariable])
  const isRead = isOnRunner(env)
  const guarded = (stream: Stream) => guardStream(stream, secrets.hide, isRead && !stream.isFile)
  const hide: Redact = text => (isRead ? withoutCommands(secrets.hide(text)) : secrets.hide(text))
  const log = new Log(guarded(outside.stderr), { hide, runtime, isDebugging })
  return {
    ...outside,
    secrets,
    redaction: new Redaction(() => outside.runtime.uniqueId()),
    stores: new Stores(outside.runtime),
    keysOfCommands: new Map(),
    stdout: guarded(outside.stdout),
    stderr: log.output,
    log,
    ask: ask && ((question, signal) => ask(escapeLines(secrets.hide(question)), signal)),
  }
}

/** Any value except 0 shows all requests, and stack traces of internal errors. */
const debugVariable = 'VEXIL_DEBUG'

function guardStream(stream: Stream, hide: Redact, isRead: boolean): Output {
  let hasColours = false
  const escaped = (text: string) => (hasColours ? escapeBetweenColours(text) : escapeLines(text))
  return {
    isTerminal: stream.isTerminal,
    allowColours() {
      hasColours = true
    },
    write(text, kind = 'text') {
      if (kind === 'own') return stream.write(text)
      const hidden = hide(text)
      const safe = isRead ? withoutCommands(hidden) : hidden
      if (kind === 'text' || stream.isTerminal) return stream.write(escaped(safe))
      if (safe !== hidden && readJsonIfAny(hidden) === undefined) throw new CommandError(commandInside)
      stream.write(safe)
    },
  }
}

/** Whether a pipeline runner reads commands from this output: GitHub, Gitea and Forgejo, Azure, TeamCity. */
function isOnRunner({ GITHUB_ACTIONS, GITEA_ACTIONS, TF_BUILD, TEAMCITY_VERSION }: Host['env']): boolean {
  return [GITHUB_ACTIONS, GITEA_ACTIONS, TF_BUILD, TEAMCITY_VERSION].some(value => value)
}

/**
 * Escapes runner commands in a text, keeping its JSON values: `::` at a line start, also after blanks,
 * and `##[` or `##name[` anywhere.
 */
function withoutCommands(text: string): string {
  return text.replace(/^([^\S\r\n]*):(?=:)/gm, '$1\\u003a').replace(/##(?=\w*\[)/g, '#\\u0023')
}

const commandInside =
  'this output has a line that the runner would read as a command; write it to a file, as in `> flags.yaml`'

/** Escapes control characters, except the colours of Vexil. */
export function escapeBetweenColours(text: string): string {
  // With a group in the pattern, every second part is a separator.
  return text
    .split(/(\u001b\[\d+m)/)
    .map((part, index) => (index % 2 === 1 && isOwnColour(part) ? part : escapeLines(part)))
    .join('')
}

/**
 * Learns all keys in these variables, and in files that they name, before any message could show one.
 * Problems with a key are reported when it is used.
 */
export async function learnKeys(host: Host, names: readonly string[]): Promise<void> {
  for (const name of names) {
    if (!host.env[name]) continue
    try {
      host.secrets.add((await keyFromEnvironment(host.env, [name], host.directory))?.apiKey)
    } catch (error) {
      if (!isSettingError(error)) throw error
    }
  }
}

/** Learns the passwords of proxies and of the store, which their errors may quote. */
export function learnPasswords({ env, secrets }: Host): void {
  secrets.add(env.PGPASSWORD)
  for (const name of [...proxyVariables.flatMap(one => [one, one.toUpperCase()]), 'VEXIL_STORE']) {
    const address = env[name]
    if (address === undefined || !URL.canParse(address)) continue
    const { password, searchParams } = new URL(address)
    // An address of PostgreSQL may have it as a parameter.
    const given = [password, decoded(password), ...searchParams.getAll('password')]
    for (const secret of given) secrets.add(secret)
  }
}

const proxyVariables = ['https_proxy', 'http_proxy', 'all_proxy']

/** The decoded password; undefined if its encoding is not valid. */
export function decoded(password: string): string | undefined {
  try {
    return decodeURIComponent(password)
  } catch {
    return undefined
  }
}

/** Hides the values that an option names, in addition to the settings. */
export function redactAsAsked({ redaction }: Host, given: readonly string[] = [], option = '--redact'): void {
  const names = redactedPartNames()
  for (const part of given.flatMap(value => value.split(',')).map(part => part.trim())) {
    if (!isRedactedPart(part)) {
      const hint = meantHint(part, names, `there are: ${names.join(', ')}`)
      throw new CommandError(`${option}: "${part}" is not a part of an object; ${hint}`, exitCode.usage)
    }
    redaction.add([part])
  }
}

export interface SystemOptions {
  readonly pid: number
  readonly platform: NodeJS.Platform
  /** Throws an error of the system if the process cannot be signalled. The signal 0 only checks this. */
  readonly kill: (pid: number, signal: 0) => unknown
}

/**
 * The processes of this system. On Linux, the start of a process consists of the boot id and clock ticks;
 * elsewhere `ps` shows the second. Otherwise the start is unknown.
 */
export function processesOf({ pid, platform, kill }: SystemOptions): Processes {
  const startOf = async (id: number) => {
    if (!exists(id, kill)) return null
    return platform === 'linux' ? startOnLinux(id) : startByPs(id)
  }
  return {
    async own() {
      const started = await startOf(pid)
      const system = platform === 'linux' ? await systemOnLinux() : ''
      return {
        user: systemUser() ?? 'somebody',
        host: hostname(),
        system,
        pid,
        ...(started ? { started } : {}),
      }
    },
    startOf,
  }
}

/** A process of another user cannot be signalled, but exists. */
function exists(pid: number, kill: SystemOptions['kill']): boolean {
  try {
    kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error, '') !== 'ESRCH'
  }
}

/** The user of the operating system; in a container it may have no name. */
export function systemUser(): string | undefined {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}

/** Containers share the boot id of their machine, but not process ids. */
async function systemOnLinux(): Promise<string> {
  const machine = await readFile('/etc/machine-id', 'utf8').catch(() => '')
  const ids = await readlink('/proc/self/ns/pid').catch(() => '')
  return `${machine.trim()} ${ids}`.trim()
}

async function startOnLinux(pid: number): Promise<string | null | undefined> {
  const [stat, boot] = await Promise.all(
    [`/proc/${pid}/stat`, '/proc/sys/kernel/random/boot_id'].map(path =>
      readFile(path, 'utf8').catch(() => undefined),
    ),
  )
  if (stat === undefined || boot === undefined) return undefined
  // The second field is the program name in brackets, which may contain any characters.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state] = fields
  // A zombie: it has ended, but its parent has not read its result yet.
  if (state === 'Z' || state === 'X') return null
  const ticks = fields[19]
  return ticks === undefined ? undefined : `${boot.trim()} ${ticks}`
}

async function startByPs(pid: number): Promise<string | undefined> {
  try {
    // Loaded here, because the start of other commands does not need them.
    const [{ execFile }, { promisify }] = await Promise.all([
      import('node:child_process'),
      import('node:util'),
    ])
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], {
      // The output is compared as text.
      env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/bin:/usr/bin' },
    })
    return stdout.trim() || undefined
  } catch {
    return undefined
  }
}

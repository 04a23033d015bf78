import { execFile } from 'node:child_process'
import { access, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The folder in which git runs, and its environment. */
export interface GitFolder {
  readonly directory: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** How long to wait for git, or for a remote. */
  readonly longestMs?: number
  /** Ends git early. */
  readonly signal?: AbortSignal
}

export type GitAnswer<Answer = { readonly text: string }> =
  | ({ readonly is: 'done' } & Answer)
  /** Git ended with an error. `words`: the first line of its message. */
  | { readonly is: 'refused'; readonly code: number; readonly words: string; readonly errors: string }
  /** There is no git, it took too long, its output was too long, or the signal ended it. */
  | { readonly is: 'failed'; readonly why: 'no_git' | 'too_slow' | 'too_long' | 'stopped' }

const nothingRun = ['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'] as const

const usualLongestMs = 20_000
const mostRead = 16 * 1024 * 1024

/**
 * Runs one git command, without a shell. It asks no questions, waits for no locks and prints English. It gets
 * only a part of the environment. No commands in the repository's settings run, since the folder may be
 * untrusted. For filters see `filtersOff`.
 */
export async function runGit(place: GitFolder, ...words: readonly string[]): Promise<GitAnswer> {
  const answer = await askGit(place, words)
  return answer.is === 'done' ? { is: 'done', text: answer.bytes.toString('utf8') } : answer
}

export interface GitQuestion {
  /** Its standard input. */
  readonly input?: string
  /** Longer output is `too_long`. */
  readonly mostBytes?: number
  /**
   * Whether it uses a remote of the repository: with the usual protocols, the settings of the remote, and the
   * variables for ssh and credential helpers.
   */
  readonly isFar?: boolean
  /** Variables of git that replace those of the environment. */
  readonly variables?: Readonly<Record<string, string>>
}

/** The same, with options for input, output and remotes. */
export function askGit(
  { directory, env, longestMs = usualLongestMs, signal }: GitFolder,
  words: readonly string[],
  { input = '', mostBytes = mostRead, isFar = false, variables = {} }: GitQuestion = {},
): Promise<GitAnswer<{ readonly bytes: Buffer }>> {
  if (signal?.aborted) return Promise.resolve({ is: 'failed', why: 'stopped' })
  return new Promise(resolve => {
    const stop = () => asked.kill()
    signal?.addEventListener('abort', stop)
    const asked = execFile(
      'git',
      [...nothingRun, ...words],
      {
        cwd: directory,
        env: { ...environmentOf(env, isFar), ...variables },
        timeout: longestMs,
        maxBuffer: mostBytes,
        windowsHide: true,
        encoding: 'buffer',
      },
      (error, stdout, stderr) => {
        signal?.removeEventListener('abort', stop)
        if (!error) return resolve({ is: 'done', bytes: stdout })
        if (signal?.aborted) return resolve({ is: 'failed', why: 'stopped' })
        if (typeof error.code === 'number') {
          const errors = String(stderr)
          return resolve({ is: 'refused', code: error.code, words: firstLine(errors), errors })
        }
        resolve({ is: 'failed', why: failureOf(error) })
      },
    )
    // If git ends before it has read all input, its exit code shows why.
    asked.stdin?.on('error', () => {})
    asked.stdin?.end(input)
  })
}

function failureOf(error: { readonly code?: unknown; readonly killed?: boolean }) {
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'too_long'
  return error.killed ? 'too_slow' : 'no_git'
}

const passedOn = /^(?:GIT_.*|PATH|PATHEXT|HOME|USERPROFILE|XDG_CONFIG_HOME|SYSTEMROOT|TMPDIR|TEMP|TMP)$/i

/**
 * Variables for ssh, proxies, keyrings, system users, and the tokens for credential helpers of GitHub and
 * GitLab. Keys of the service are not passed.
 */
const passedOnFar =
  /^(?:SSH_.*|(?:HTTPS?|ALL|NO)_PROXY|DBUS_SESSION_BUS_ADDRESS|XDG_RUNTIME_DIR|DISPLAY|WAYLAND_DISPLAY|USER|LOGNAME|USERNAME|USERDOMAIN|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES|COMSPEC|KRB5.*|GH_TOKEN|GH_HOST|GITHUB_TOKEN|GITLAB_TOKEN)$/i

function environmentOf(env: GitFolder['env'], isFar: boolean): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(
    ([name]) => passedOn.test(name) || (isFar && passedOnFar.test(name)),
  )
  return { ...Object.fromEntries(kept), ...always, ...(isFar ? far : {}) }
}

const always = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  // Prevents a partial clone from fetching missing objects by commands in its settings. Older versions of git
  // do not know the first variable.
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: '',
} as const

/** Addresses that are commands (`ext::`) stay off. */
const far = { GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh' } as const

function firstLine(text: string): string {
  return (text.split('\n').find(line => line.trim() !== '') ?? '').trim()
}

/** Options that switch off all filters in git's settings, or why this is impossible. */
export type FiltersOff =
  | { readonly words: readonly string[] }
  | { readonly unstoppable: string }
  | { readonly answer: Exclude<GitAnswer, { is: 'done' }> }

/**
 * A filter is a command in the settings that rewrites files before git compares them; a file of the
 * repository selects it. No filter runs, not even the user's own, because a repository can replace its
 * command. Without filters, a file with the recorded time and size still counts as unchanged.
 */
export async function filtersOff(place: GitFolder): Promise<FiltersOff> {
  const answer = await runGit(place, 'config', '-z', '--name-only', '--get-regexp', String.raw`^filter\.`)
  if (answer.is !== 'done') return answer.is === 'refused' && answer.code === 1 ? { words: [] } : { answer }
  const names = new Set(answer.text.split('\0').flatMap(nameIn))
  // In `-c`, a "=" in the name would begin the value.
  const unstoppable = [...names].find(name => name.includes('='))
  if (unstoppable !== undefined) return { unstoppable }
  return {
    words: [...names].flatMap(name => settings.flatMap(setting => ['-c', `filter.${name}.${setting}`])),
  }
}

/** `required`, because a required filter without a command is an error. */
const settings = ['clean=', 'smudge=', 'process=', 'required=false'] as const

function nameIn(key: string): string[] {
  const [, name] = /^filter\.(.+)\.[^.]*$/s.exec(key) ?? []
  return name === undefined ? [] : [name]
}

/** Whether git may find a work tree, by `.git` here or above, or a variable: avoids starting git. */
export async function seemsRepository({ directory, env }: GitFolder): Promise<boolean> {
  if (env.GIT_DIR) return true
  try {
    // Uses the real path of the folder, like git.
    return await isAtOrAbove(await realpath(directory))
  } catch {
    return false
  }
}

async function isAtOrAbove(folder: string): Promise<boolean> {
  const found = await access(join(folder, '.git')).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  )
  const above = dirname(folder)
  return found || (above !== folder && (await isAtOrAbove(above)))
}

/** The user in git's settings: `Ada Lovelace <ada@example.com>`, or the known part. */
export async function readGitUser(place: GitFolder): Promise<string | undefined> {
  const answer = await runGit(place, 'config', '-z', '--get-regexp', String.raw`^user\.(name|email)$`)
  if (answer.is !== 'done') return undefined
  // Later settings override earlier ones.
  const known = new Map(answer.text.split('\0').map(entry => splitAt(entry, '\n')))
  const name = known.get('user.name')
  const email = known.get('user.email')
  if (!name || !email) return name || email || undefined
  return `${name} <${email}>`
}

function splitAt(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

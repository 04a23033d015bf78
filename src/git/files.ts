import {
  askGit,
  type FiltersOff,
  filtersOff,
  type GitAnswer,
  type GitFolder,
  runGit,
  seemsRepository,
} from './run.ts'

export interface CommitFile {
  /** The object name of its content. */
  readonly blob: string
  /** Its path from the top of the repository, for its line ends in git. */
  readonly path: string
  readonly isLink: boolean
}

/** The files of one folder at a commit, by their names relative to the folder, with "/". */
export type CommitFolder = ReadonlyMap<string, CommitFile>

/**
 * Lists the files of a folder in a commit, without a checkout.
 *
 * | at the commit                                           | answer                                   |
 * |---------------------------------------------------------|------------------------------------------|
 * | the folder exists                                       | its files                                |
 * | it does not, and one folder contains `marker`           | the files of that folder: it was renamed |
 * | it does not, and no or several folders contain `marker` | none                                     |
 * | git fails                                               | undefined                                |
 *
 * `marker`: names of files, one of which is in the folder.
 */
export async function listCommitFolder(
  place: GitFolder,
  commit: string,
  marker: readonly string[],
): Promise<CommitFolder | undefined> {
  const prefix = await readPrefix(place)
  if (prefix === undefined) return undefined
  const here = await listBelow(place, commit, prefix)
  if (here === undefined || prefix === '' || here.size > 0) return here
  const all = await listBelow(place, commit, '')
  if (all === undefined) return undefined
  const marked = [...all.keys()].flatMap(path =>
    marker.flatMap(name => (path === name || path.endsWith(`/${name}`) ? [path.slice(0, -name.length)] : [])),
  )
  const [before, ...others] = new Set(marked)
  return before === undefined || others.length > 0 ? here : listBelow(place, commit, before)
}

/** The path of the folder from the top of its repository, with "/" at its end; empty at the top. */
export async function readPrefix(place: GitFolder): Promise<string | undefined> {
  const answer = await runGit(place, 'rev-parse', '--show-prefix')
  return answer.is === 'done' ? answer.text.replace(/\n$/, '') : undefined
}

async function listBelow(
  place: GitFolder,
  commit: string,
  prefix: string,
): Promise<CommitFolder | undefined> {
  const path = prefix === '' ? [] : ['--', prefix]
  const answer = await askGit(place, ['ls-tree', '-r', '-z', '--full-tree', commit, ...path])
  if (answer.is !== 'done') return undefined
  const files = new Map<string, CommitFile>()
  for (const row of answer.bytes.toString('utf8').split('\0')) {
    const [, mode = '', type = '', blob = '', path = ''] = /^(\d+) (\w+) ([0-9a-f]+)\t(.*)$/s.exec(row) ?? []
    if (!path.startsWith(prefix)) continue
    const name = path.slice(prefix.length)
    if (type === 'blob') files.set(name, { blob, path, isLink: mode === '120000' })
  }
  return files
}

export interface ContentReading {
  readonly place: GitFolder
  /** A random separator that no content can contain. */
  readonly mark: string
  /** The size limit of a file in bytes; larger files are skipped. */
  readonly mostBytes: number
}

/** The limit for all files together. */
const mostTogether = 256 * 1024 * 1024

/**
 * The contents of files in commits, by path, with the line ends of the work tree, by two processes. Files are
 * skipped if they are missing in the clone, too large, or have a line break in their name. Undefined if git
 * fails.
 */
export async function readContents(
  { place, mark, mostBytes }: ContentReading,
  files: readonly CommitFile[],
): Promise<ReadonlyMap<string, Buffer> | undefined> {
  const named = files.filter(({ path }) => !path.includes('\n'))
  if (named.length === 0) return new Map()
  const off: FiltersOff = await filtersOff(place)
  if (!('words' in off)) return undefined
  const present = await readSizes(place, named)
  const asked = named.filter(({ blob }) => (present?.get(blob) ?? Number.POSITIVE_INFINITY) <= mostBytes)
  if (present === undefined) return undefined
  const links = asked.filter(({ isLink }) => isLink)
  const texts = asked.filter(({ isLink }) => !isLink)
  // Links are read separately: their targets have no line ends to convert.
  const [shared, read] = await Promise.all([
    readBatch(place, [...off.words, 'cat-file', `--batch=${mark} %(objectname)`], mark, links, false),
    readBatch(
      place,
      [...off.words, 'cat-file', `--batch=${mark} %(objectname)`, '--filters'],
      mark,
      texts,
      true,
    ),
  ])
  return shared && read && new Map([...shared, ...read])
}

/** The size of each content that the clone has. */
async function readSizes(
  place: GitFolder,
  files: readonly CommitFile[],
): Promise<ReadonlyMap<string, number> | undefined> {
  const answer = await askGit(place, ['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    input: files.map(({ blob }) => `${blob}\n`).join(''),
  })
  if (answer.is !== 'done') return undefined
  const rows = answer.bytes.toString('utf8').split('\n')
  return new Map(
    rows.flatMap(row => {
      const [blob = '', size = ''] = row.split(' ')
      return /^\d+$/.test(size) ? [[blob, Number(size)] as const] : []
    }),
  )
}

/**
 * Reads all contents by one process. Git reports the size before it converts line ends, so only the mark
 * shows where the next content begins.
 */
async function readBatch(
  place: GitFolder,
  words: readonly string[],
  mark: string,
  files: readonly CommitFile[],
  hasPath: boolean,
): Promise<[string, Buffer][] | undefined> {
  if (files.length === 0) return []
  const answer = await askGit(place, words, {
    input: files.map(({ blob, path }) => `${blob}${hasPath ? ` ${path}` : ''}\n`).join(''),
    mostBytes: mostTogether,
  })
  if (answer.is !== 'done') return undefined
  const { bytes } = answer
  const contents: [string, Buffer][] = []
  let at = 0
  for (const [index, file] of files.entries()) {
    const head = `${mark} ${file.blob}\n`
    if (bytes.subarray(at, at + head.length).toString('latin1') !== head) return undefined
    const start = at + head.length
    const isLast = index === files.length - 1
    const end = isLast ? bytes.length - 1 : bytes.indexOf(`\n${mark} `, start, 'latin1')
    if (end < start) return undefined
    contents.push([file.path, bytes.subarray(start, end)])
    at = end + 1
  }
  return contents
}

/** The files that git lists in a folder. */
export type ListedFiles =
  | { readonly paths: readonly string[] }
  /** `note`: why git failed although there seems to be a repository; one line. */
  | { readonly paths: undefined; readonly note?: string }

/** The files below a folder that git tracks or would add, relative to it, without ignored ones. */
export async function listFiles(place: GitFolder): Promise<ListedFiles> {
  if (!(await seemsRepository(place))) return { paths: undefined }
  const answer = await runGit(
    place,
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--',
    '.',
  )
  if (answer.is !== 'done') return { paths: undefined, ...noteOf(answer) }
  // Git lists a file with a conflict once for each side.
  return { paths: [...new Set(answer.text.split('\0').filter(path => path !== ''))] }
}

/** The top folder of the work tree; undefined if there is none. */
export async function findTopFolder(place: GitFolder): Promise<string | undefined> {
  if (!(await seemsRepository(place))) return undefined
  const answer = await runGit(place, 'rev-parse', '--show-toplevel')
  return answer.is === 'done' ? answer.text.replace(/\r?\n$/, '') : undefined
}

function noteOf(answer: Exclude<GitAnswer, { is: 'done' }>): { readonly note?: string } {
  if (answer.is === 'refused')
    return /not a git repository|must be run in a work tree/.test(answer.words)
      ? {}
      : {
          note: `git could not list the files ("${answer.words}"); .gitignore files are read without git`,
        }
  if (answer.why === 'no_git') return {}
  const why = answer.why === 'too_slow' ? 'git took too long' : 'git lists too many files'
  return { note: `${why}; .gitignore files are read without git` }
}

/** A line, and the commit that last changed it. */
export interface AuthoredLine {
  readonly text: string
  readonly commit: string
  readonly author: string
  /** When it was written, in milliseconds since 1970. */
  readonly at: number
  /** Whether the known history ends at this commit, so that an earlier one may have written the line. */
  readonly isBoundary: boolean
}

/**
 * Who last changed each line of a file in a commit; undefined if git fails. Only committed content is read,
 * without filters and converters of the repository.
 */
export async function lineAuthors(
  place: GitFolder,
  commit: string,
  file: string,
): Promise<readonly AuthoredLine[] | undefined> {
  const answer = await runGit(place, 'blame', '--porcelain', '--no-textconv', commit, '--', file)
  return answer.is === 'done' ? authoredLines(answer.text) : undefined
}

const mostCommits = 50_000

/** The position of each commit in a history: 0 for the head, and less than that of its parents. */
export async function commitOrder(place: GitFolder, head: string): Promise<ReadonlyMap<string, number>> {
  const answer = await runGit(place, 'rev-list', '--topo-order', `--max-count=${mostCommits}`, head)
  const commits = answer.is === 'done' ? answer.text.split('\n') : []
  return new Map(commits.map((commit, index) => [commit, index]))
}

/** Whether a clone is shallow; undefined if git fails. */
export async function isShallow(place: GitFolder): Promise<boolean | undefined> {
  const answer = await runGit(place, 'rev-parse', '--is-shallow-repository')
  return answer.is === 'done' ? answer.text.trim() === 'true' : undefined
}

/** Parses `blame --porcelain`: the data of a commit comes only with its first line. Content follows a tab. */
function authoredLines(text: string): AuthoredLine[] {
  const commits = new Map<string, { author: string; at: number; isBoundary: boolean }>()
  const lines: AuthoredLine[] = []
  let [commit, current] = ['', { author: '', at: 0, isBoundary: false }]
  for (const row of text.split('\n')) {
    const [, hash] = /^([0-9a-f]{40,64}) \d+ \d+(?: \d+)?$/.exec(row) ?? []
    if (row.startsWith('\t')) lines.push({ text: row.slice(1), commit, ...current })
    else if (hash !== undefined) {
      commit = hash
      current = commits.get(hash) ?? { author: '', at: 0, isBoundary: false }
      commits.set(hash, current)
    } else if (row.startsWith('author ')) current.author = row.slice('author '.length)
    else if (row.startsWith('author-time ')) current.at = Number(row.slice('author-time '.length)) * 1000
    else if (row === 'boundary') current.isBoundary = true
  }
  return lines
}

/** A ref of a remote on which clones share small files, which are written once and never changed. */
export interface SharedRef {
  readonly place: GitFolder
  /** The name of a configured remote, never an address. */
  readonly remote: string
  /** Its full name, the same in this clone. */
  readonly ref: string
}

export interface SharedFile {
  readonly path: string
  /** The object name of its content. */
  readonly blob: string
  readonly bytes: number
}

/** The answer of git, or why it failed, in one line. */
export type Shared<Answer> = ({ readonly is: 'done' } & Answer) | { readonly is: 'not'; readonly why: string }

/** The commit of the ref; undefined if it does not exist yet. */
export interface Tip {
  readonly tip: string | undefined
}

/**
 * Fetches only the ref: no tags, branches or submodules. The work tree, the index, HEAD and FETCH_HEAD stay
 * unchanged. A shallow clone stays shallow, since the ref has no commits of branches.
 */
export async function fetchShared({ place, remote, ref }: SharedRef): Promise<Shared<Tip>> {
  const words = [...quiet, 'fetch', ...onlyThis, remote, `+${ref}:${ref}`]
  const answer = await askGit(place, words, { isFar: true })
  if (answer.is === 'refused' && /couldn't find remote ref/i.test(answer.errors))
    return { is: 'done', tip: undefined }
  if (answer.is !== 'done') return not(answer)
  return { is: 'done', tip: await tipOf({ place, ref }) }
}

const quiet = ['-c', 'gc.auto=0', '-c', 'maintenance.auto=false'] as const
const onlyThis = [
  '--quiet',
  '--no-tags',
  '--no-prune',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  // A partial clone would fetch contents later on demand, which is switched off.
  '--no-filter',
] as const

/** The commit of the ref in this clone. */
export async function tipOf({ place, ref }: Pick<SharedRef, 'place' | 'ref'>): Promise<string | undefined> {
  const answer = await runGit(place, 'rev-parse', '--verify', '--quiet', `${ref}^{commit}`)
  return answer.is === 'done' ? answer.text.trim() : undefined
}

/** The regular files of a commit of the ref. */
export async function listShared(
  place: GitFolder,
  tip: string,
): Promise<Shared<{ readonly files: SharedFile[] }>> {
  const answer = await askGit(place, ['ls-tree', '-r', '-z', '-l', '--full-tree', tip], {
    mostBytes: mostListed,
  })
  if (answer.is !== 'done') return not(answer)
  const rows = answer.bytes.toString('utf8').split('\0')
  const files = rows.flatMap(row => {
    const [, blob = '', bytes, path = ''] = /^100644 blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(row) ?? []
    return bytes === undefined ? [] : [{ path, blob, bytes: Number(bytes) }]
  })
  return { is: 'done', files }
}

const mostListed = 64 * 1024 * 1024
const mostSharedTogether = 64 * 1024 * 1024

/** The largest file that is read from a shared ref, in bytes. */
export const largestShared = 32 * 1024 * 1024

/** Reads the contents of files in batches. Throws if git fails. */
export async function* readShared(
  place: GitFolder,
  files: readonly SharedFile[],
): AsyncGenerator<{ readonly path: string; readonly content: Buffer }> {
  for (const group of groupsOf(files)) {
    const answer = await askGit(place, ['cat-file', '--batch'], {
      input: group.map(({ blob }) => `${blob}\n`).join(''),
      mostBytes: mostSharedTogether * 2,
    })
    if (answer.is !== 'done') throw new Error(not(answer).why)
    let at = 0
    for (const { path, blob, bytes } of group) {
      const head = `${blob} blob ${bytes}\n`
      if (answer.bytes.subarray(at, at + head.length).toString('latin1') !== head)
        throw new Error(`git does not show ${path}`)
      const start = at + head.length
      yield { path, content: answer.bytes.subarray(start, start + bytes) }
      at = start + bytes + 1
    }
  }
}

function groupsOf(files: readonly SharedFile[]): SharedFile[][] {
  const groups: SharedFile[][] = []
  let together = Number.POSITIVE_INFINITY
  for (const file of files) {
    if (together + file.bytes > mostSharedTogether) {
      groups.push([])
      together = 0
    }
    groups.at(-1)?.push(file)
    together += file.bytes
  }
  return groups
}

export interface Sharing {
  /** The commit of the ref when it was last fetched. */
  readonly tip: string | undefined
  /** The absolute paths of files, by path on the ref. */
  readonly files: ReadonlyMap<string, string>
  readonly message: string
  /** The path of a new index file, in its own folder. */
  readonly index: string
}

/**
 * Commits files to the ref and pushes it, with plumbing commands and without hooks. HEAD, the index and the
 * work tree stay unchanged.
 *
 * | the remote                          | result                        |
 * |-------------------------------------|-------------------------------|
 * | accepts the push                    | done                          |
 * | refuses it, and its ref has changed | `moved`: fetch, and try again |
 * | refuses it for another reason       | the reason                    |
 */
export async function pushShared(
  shared: SharedRef,
  sharing: Sharing,
): Promise<Shared<object> | { readonly is: 'moved' }> {
  const { place, remote, ref } = shared
  const commit = await commitOf(place, sharing)
  if (commit.is !== 'done') return commit
  const words = [...quiet, 'push', ...asItIs, remote, `${commit.name}:${ref}`]
  const pushed = await askGit(place, words, { isFar: true })
  if (pushed.is === 'done') {
    await runGit(place, 'update-ref', ref, commit.name)
    return { is: 'done' }
  }
  // A remote that does not answer gets no second request.
  if (pushed.is === 'failed') return not(pushed)
  const now = await fetchShared(shared)
  return now.is === 'done' && now.tip !== sharing.tip ? { is: 'moved' } : not(pushed)
}

const asItIs = [
  '--quiet',
  '--no-verify',
  '--no-signed',
  '--no-follow-tags',
  '--recurse-submodules=no',
] as const

async function commitOf(
  place: GitFolder,
  { tip, files, message, index }: Sharing,
): Promise<Shared<{ readonly name: string }>> {
  const variables = { GIT_INDEX_FILE: index }
  const ask = async (words: readonly string[], input = ''): Promise<Shared<{ readonly name: string }>> => {
    const answer = await askGit(place, [...ownIndex, ...words], { input, variables })
    return answer.is === 'done' ? { is: 'done', name: answer.bytes.toString('utf8').trim() } : not(answer)
  }
  const sources = [...files.values()]
  const hashed = await ask(
    ['hash-object', '-w', '--no-filters', '--stdin-paths'],
    sources.map(source => `${source}\n`).join(''),
  )
  if (hashed.is !== 'done') return hashed
  const blobs = hashed.name.split('\n')
  if (tip !== undefined) {
    const read = await ask(['read-tree', tip])
    if (read.is !== 'done') return read
  }
  const rows = [...files.keys()].map((path, at) => `100644 ${blobs[at]}\t${path}\n`)
  const added = await ask(['update-index', '--add', '--index-info'], rows.join(''))
  if (added.is !== 'done') return added
  const tree = await ask(['write-tree'])
  if (tree.is !== 'done') return tree
  const words = [
    'commit-tree',
    '--no-gpg-sign',
    tree.name,
    ...(tip === undefined ? [] : ['-p', tip]),
    '-m',
    message,
  ]
  const commit = await ask(words)
  if (commit.is === 'done') return commit
  // Pipeline runners seldom have a user name for commits.
  const named = await askGit(place, words, { variables: { ...variables, ...anyName } })
  return named.is === 'done' ? { is: 'done', name: named.bytes.toString('utf8').trim() } : not(named)
}

const ownIndex = ['-c', 'core.splitIndex=false', '-c', 'index.sparse=false'] as const

const anyName = {
  GIT_AUTHOR_NAME: 'vexil',
  GIT_AUTHOR_EMAIL: 'vexil@localhost',
  GIT_COMMITTER_NAME: 'vexil',
  GIT_COMMITTER_EMAIL: 'vexil@localhost',
}

/** The remote of the branch, else `origin`, else the only one; undefined if there is none. */
export async function remoteOf(place: GitFolder): Promise<string | undefined> {
  const listed = await runGit(place, 'remote')
  if (listed.is !== 'done') return undefined
  const names = listed.text.split('\n').filter(isRemoteName)
  if (names.length < 2) return names[0]
  const head = await runGit(place, 'symbolic-ref', '--quiet', '--short', 'HEAD')
  const branch = head.is === 'done' ? head.text.trim() : ''
  const set = branch === '' ? head : await runGit(place, 'config', '--get', `branch.${branch}.remote`)
  const own = branch !== '' && set.is === 'done' ? set.text.trim() : ''
  if (names.includes(own)) return own
  return names.includes('origin') ? 'origin' : undefined
}

/** The `sourceUrl` of a folder at a commit, from the remote of its repository; undefined if it has none. */
export async function readSourceUrl(place: GitFolder, commit: string): Promise<string | undefined> {
  const remote = await remoteOf(place)
  if (remote === undefined) return undefined
  const [address, folder] = await Promise.all([runGit(place, 'remote', 'get-url', remote), readPrefix(place)])
  if (address.is !== 'done' || folder === undefined) return undefined
  return sourceUrl(address.text.trim(), commit, folder)
}

/**
 * Where a code host shows the files of a folder at a commit, with `{file}` and `{line}` for a place in them.
 *
 * | remote                                       | address of `flags/`                                            |
 * |----------------------------------------------|----------------------------------------------------------------|
 * | `https://USER:TOKEN@github.com/acme/web.git` | `https://github.com/acme/web/blob/COMMIT/flags/{file}#L{line}` |
 * | another host, or a folder                    | undefined                                                      |
 *
 * An address may contain a password: only its host and its path are kept.
 */
export function sourceUrl(remote: string, commit: string, folder: string): string | undefined {
  const [, login, path] = /^([^/\\\s]+):([^/\s].*)$/.exec(remote) ?? []
  const written = login === undefined || remote.includes('://') ? remote : `ssh://${login}/${path}`
  if (!URL.canParse(written)) return undefined
  const { protocol, hostname, port, pathname } = new URL(written)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  if (!isWeb && protocol !== 'ssh:' && protocol !== 'git:') return undefined
  const host = isWeb ? `${hostname}${port && ':'}${port}` : hostname.replace(/^(?:ssh|altssh)\./, '')
  const repository = pathname.replace(/^\/+|(?:\.git)?\/*$/g, '')
  const [, before, line] = codeHosts.find(([isHost]) => isHost.test(hostname)) ?? []
  if (before === undefined || !/^[\w.~-]+(?:\/[\w.~-]+)+$/.test(repository)) return undefined
  const base = `${protocol === 'http:' ? 'http' : 'https'}://${host}/${repository}/${before}/${commit}`
  return `${base}/${folder.split('/').map(encodeURIComponent).join('/')}{file}#${line}{line}`
}

const codeHosts = [
  [/(?:^|\.)github\.|\.ghe\.com$/, 'blob', 'L'],
  [/(?:^|\.)gitlab\./, '-/blob', 'L'],
  [/(?:^|\.)bitbucket\.org$/, 'src', 'lines-'],
] as const

/** Whether a text is the name of a remote, and not an option or an address. */
function isRemoteName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(text)
}

function not(answer: Exclude<GitAnswer, { is: 'done' }>): { readonly is: 'not'; readonly why: string } {
  return { is: 'not', why: explainFailure(answer) }
}

/** Why git failed, in one line. It may quote the address of a remote. */
export function explainFailure(answer: Exclude<GitAnswer, { is: 'done' }>): string {
  if (answer.is === 'failed') return failures[answer.why]
  const lines = answer.errors.split('\n').map(line => line.trim())
  const telling =
    lines.find(line => /fatal:|error:|rejected|denied|not permitted/i.test(line)) ?? answer.words
  return `git reports "${telling}"`
}

/** Why git gave no answer. */
export const failures = {
  no_git: 'there is no git here',
  too_slow: 'git got no answer in time',
  too_long: 'git printed more than Vexil reads',
  stopped: 'git was stopped',
} as const

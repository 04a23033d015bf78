import {
  askGit,
  type FiltersOff,
  filtersOff,
  type GitAnswer,
  type GitFolder,
  runGit,
  seemsRepository,
} from './run.ts'

/** A file of a commit. */
export interface CommitFile {
  /** The name of its content, as git knows it. */
  readonly blob: string
  /** Its path from the top of the repository, by which git knows its line ends. */
  readonly path: string
  readonly isLink: boolean
}

/** The files of one folder at a commit, by their names relative to the folder, with "/". */
export type CommitFolder = ReadonlyMap<string, CommitFile>

/**
 * The files of a folder in a commit, by listing it without a checkout.
 *
 * | at the commit                                              | answer                                     |
 * |------------------------------------------------------------|--------------------------------------------|
 * | the folder is there                                        | its files                                  |
 * | it is not, and one folder alone holds `marker`             | the files of that one: it was renamed      |
 * | it is not, and no folder or several hold `marker`          | none                                       |
 * | git cannot list them                                       | undefined                                  |
 *
 * `marker`: names of files. The right folder has one of them.
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
async function readPrefix(place: GitFolder): Promise<string | undefined> {
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

/** How contents are read: with every filter off, and separated by a mark that no content can hold. */
export interface ContentReading {
  readonly place: GitFolder
  /** No file may contain it: random, made for this reading. */
  readonly mark: string
  /** The most bytes of one file; one of more is left out. */
  readonly mostBytes: number
}

/** The limit for all of them together. */
const mostTogether = 256 * 1024 * 1024

/**
 * The contents of files in commits, by their paths, with the line ends of the work tree. Two processes for
 * all of them. Files are skipped if the clone does not have them, if they are too large, or if their name has
 * a line break. Undefined if git gives no answer.
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
  // The target of a link is no text of a file, and its line ends do not count.
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
 * One process reads all of them. Git reports the size of a content before it converts its line ends to those
 * of the work tree, so only the mark shows the beginning of the next one.
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

/** The files of a folder by git. */
export type ListedFiles =
  | { readonly paths: readonly string[] }
  /** `note`: why git gave no answer although there seems to be a repository; one line. */
  | { readonly paths: undefined; readonly note?: string }

/**
 * The files below a folder that git tracks or would add, relative to the folder. `.gitignore`,
 * `.git/info/exclude` and `core.excludesFile` can exclude files.
 */
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
  // A file with a conflict is listed once for each side.
  return { paths: [...new Set(answer.text.split('\0').filter(path => path !== ''))] }
}

/** The folder of the work tree that a folder belongs to; undefined if there is none. */
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
          note: `git could not list the files ("${answer.words}"); what .gitignore files say is read without it`,
        }
  if (answer.why === 'no_git') return {}
  const why = answer.why === 'too_slow' ? 'git took too long' : 'git lists too many files'
  return { note: `${why}; what .gitignore files say is read without it` }
}

/** A line in its state after the commit that last changed it. */
export interface AuthoredLine {
  readonly text: string
  readonly commit: string
  readonly author: string
  /** When it was written, in milliseconds since 1970. */
  readonly at: number
  /** Whether the known history ends there, so that an earlier commit may have written it. */
  readonly isBoundary: boolean
}

/**
 * Who last changed each line of a file in a commit; undefined if git cannot find out. Only committed content
 * is read: no filter and no converter of the repository runs.
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

/** The position of each commit in a history: 0 for its head, and less than its parents. Unknown ones are last. */
export async function commitOrder(place: GitFolder, head: string): Promise<ReadonlyMap<string, number>> {
  const answer = await runGit(place, 'rev-list', '--topo-order', `--max-count=${mostCommits}`, head)
  const commits = answer.is === 'done' ? answer.text.split('\n') : []
  return new Map(commits.map((commit, index) => [commit, index]))
}

/** Whether a clone lacks the beginning of its history; undefined if git cannot find out. */
export async function isShallow(place: GitFolder): Promise<boolean | undefined> {
  const answer = await runGit(place, 'rev-parse', '--is-shallow-repository')
  return answer.is === 'done' ? answer.text.trim() === 'true' : undefined
}

/** Reads `blame --porcelain`: the facts of a commit are at its first line only, and each line follows a tab. */
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

/** A ref of a remote on which clones share files: small ones, written once and never changed. */
export interface SharedRef {
  readonly place: GitFolder
  /** The name of a remote that the repository has, never an address. */
  readonly remote: string
  /** Its full name; it is the same in this clone. */
  readonly ref: string
}

/** A file on a shared ref. */
export interface SharedFile {
  readonly path: string
  /** The name of its content, as git knows it. */
  readonly blob: string
  readonly bytes: number
}

/** The answer of git, or the reason for its absence in one line. */
export type Shared<Answer> = ({ readonly is: 'done' } & Answer) | { readonly is: 'not'; readonly why: string }

/** The commit of the ref when it was last read; undefined if it does not exist yet. */
export interface Tip {
  readonly tip: string | undefined
}

/**
 * Fetches the ref, and nothing else: no tag, no other branch, no submodule. The work tree, its index, HEAD and
 * FETCH_HEAD are not touched. Its history shares nothing with the branches, so a shallow clone stays shallow.
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
  // A clone without contents would fetch them one by one later, which is switched off.
  '--no-filter',
] as const

/** The commit of the ref in this clone. */
export async function tipOf({ place, ref }: Pick<SharedRef, 'place' | 'ref'>): Promise<string | undefined> {
  const answer = await runGit(place, 'rev-parse', '--verify', '--quiet', `${ref}^{commit}`)
  return answer.is === 'done' ? answer.text.trim() : undefined
}

/** The files of a commit of the ref: plain ones only, even if somebody has put others there. */
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

/** The contents of files, some at a time. Throws if git cannot read them. */
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
  /** By their paths on the ref, the absolute paths of files. */
  readonly files: ReadonlyMap<string, string>
  readonly message: string
  /** A file that does not exist yet, in a folder of its own. */
  readonly index: string
}

/**
 * Adds files to the ref by a commit of its own, and pushes it, only with plumbing commands: hooks are off,
 * and neither HEAD nor the index nor the work tree is touched.
 *
 * | the remote                                | result                                   |
 * |-------------------------------------------|------------------------------------------|
 * | takes it                                  | done                                     |
 * | does not, and its ref has moved meanwhile | `moved`: fetch, and add to the new state |
 * | does not otherwise                        | the reason                               |
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
  // A silent remote gets no second request.
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
  // Runners seldom have a user name for commits.
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

/** The remote that a branch goes to, else `origin`, else the only one; undefined if there is none of them. */
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

/** Whether a text can only be the name of a remote: no option of git, and no address. */
function isRemoteName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(text)
}

function not(answer: Exclude<GitAnswer, { is: 'done' }>): { readonly is: 'not'; readonly why: string } {
  if (answer.is === 'failed') return { is: 'not', why: failures[answer.why] }
  const lines = answer.errors.split('\n').map(line => line.trim())
  const telling =
    lines.find(line => /fatal:|error:|rejected|denied|not permitted/i.test(line)) ?? answer.words
  return { is: 'not', why: `git says "${telling}"` }
}

/** Why git gave no answer. */
export const failures = {
  no_git: 'there is no git here',
  too_slow: 'git got no answer in time',
  too_long: 'git printed more than Vexil reads',
} as const

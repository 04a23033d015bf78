import { askGit, type GitAnswer, type GitFolder, runGit } from './run.ts'

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
const mostTogether = 64 * 1024 * 1024

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
      mostBytes: mostTogether * 2,
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
    if (together + file.bytes > mostTogether) {
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

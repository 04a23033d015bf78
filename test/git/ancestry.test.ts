import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forkOf, readAncestry, rememberingAncestry } from '../../src/git/commits.ts'
import { folderOfTest, inFolder, writeFiles } from '../support/folder.ts'
import { rounds } from '../support/rounds.ts'
import { type HistoryShape, makeHistory } from './a-history.ts'
import { git, gitEnv } from './repository.ts'

const placeAt = (directory: string) => ({ directory, env: gitEnv })

/** Each commit with up to three parents among those before it; one without is a beginning of its own. */
const shapes: fc.Arbitrary<HistoryShape> = fc
  .array(fc.uniqueArray(fc.nat(1000), { maxLength: 3 }), { minLength: 2, maxLength: 14 })
  .map(rows => rows.map((row, at) => [...new Set(at === 0 ? [] : row.map(one => one % at))]))

/** The same as is told of git, by the shape alone. */
function relationIn(shape: HistoryShape, head: number, commit: number): string {
  const leadsTo = (from: number, to: number): boolean =>
    from === to || (shape[from] ?? []).some(parent => leadsTo(parent, to))
  if (head === commit) return 'same'
  if (leadsTo(head, commit)) return 'ancestor'
  return leadsTo(commit, head) ? 'descendant' : 'diverged'
}

describe('how commits stand to the head', () => {
  it('is what their parents say, in any history and for any of its commits at once', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, fc.nat(), fc.infiniteStream(fc.boolean()), (shape, place, chosen) =>
        inFolder({}, async folder => {
          const commits = await makeHistory(folder, shape)
          const head = place % shape.length
          const asked = commits.flatMap((commit, at) => (chosen.next().value ? [{ commit, at }] : []))
          const { relationOf, isShallow } = await readAncestry(
            placeAt(folder),
            commits[head] ?? '',
            asked.map(({ commit }) => commit),
          )
          expect(isShallow).toBe(false)
          expect(asked.map(({ commit }) => relationOf(commit))).toEqual(
            asked.map(({ at }) => relationIn(shape, head, at)),
          )
        }),
      ),
      { numRuns: rounds(10) },
    )
  })

  it('is told the same by one that remembers, in whatever order and however often it is asked', async () => {
    await fc.assert(
      fc.asyncProperty(
        shapes,
        fc.nat(),
        fc.array(fc.array(fc.nat(), { maxLength: 4 })),
        (shape, place, questions) =>
          inFolder({}, async folder => {
            const commits = await makeHistory(folder, shape)
            const head = place % shape.length
            const ask = rememberingAncestry(placeAt(folder), commits[head] ?? '')
            for (const question of questions) {
              const asked = question.map(at => at % shape.length)
              const { relationOf } = await ask(asked.map(at => commits[at] ?? ''))
              expect(asked.map(at => relationOf(commits[at] ?? ''))).toEqual(
                asked.map(at => relationIn(shape, head, at)),
              )
            }
          }),
      ),
      { numRuns: rounds(20) },
    )
  })

  it('is not known of a commit that is no whole name, and of one that was not asked for', async () => {
    const folder = await folderOfTest({})
    const [first = '', second = ''] = await makeHistory(folder, [[], [0]])
    const { relationOf } = await readAncestry(placeAt(folder), second, ['HEAD', '--all', first.slice(0, 10)])
    expect(['HEAD', '--all', first.slice(0, 10), first].map(relationOf)).toEqual(Array(4).fill('unknown'))
  })

  it('asks git nothing where all of them are the head', async () => {
    const head = 'a'.repeat(40)
    const { relationOf } = await readAncestry({ directory: '/nowhere', env: {} }, head, [head, head])
    expect(relationOf(head)).toBe('same')
  })

  it('is missing for what a whole clone lacks, be it a blob of that name', async () => {
    const folder = await folderOfTest({ 'a.yaml': 'a' })
    const [head = ''] = await makeHistory(folder, [[]])
    const blob = await git(folder, 'hash-object', '-w', 'a.yaml')
    const gone = 'a'.repeat(40)
    const { relationOf } = await readAncestry(placeAt(folder), head, [gone, blob])
    expect([relationOf(gone), relationOf(blob)]).toEqual(['missing', 'missing'])
  })

  it('is missing after the other line was squashed, its branch deleted and the clone pruned', async () => {
    const folder = await folderOfTest({ 'a.yaml': 'a' })
    await git(folder, 'init', '--quiet')
    await git(folder, 'add', '--all')
    await git(folder, 'commit', '--quiet', '-m', 'one')
    await git(folder, 'checkout', '--quiet', '-b', 'branch')
    await writeFiles(folder, { 'a.yaml': 'b' })
    await git(folder, 'commit', '--quiet', '-am', 'two')
    const branch = await git(folder, 'rev-parse', 'HEAD')
    await git(folder, 'checkout', '--quiet', 'main')
    await git(folder, 'merge', '--quiet', '--squash', 'branch')
    await git(folder, 'commit', '--quiet', '-m', 'squashed')
    const head = await git(folder, 'rev-parse', 'HEAD')
    const relation = async () => (await readAncestry(placeAt(folder), head, [branch])).relationOf(branch)
    expect(await relation()).toBe('diverged')
    await git(folder, 'branch', '-D', 'branch')
    await git(folder, 'reflog', 'expire', '--expire=now', '--all')
    await git(folder, 'gc', '--quiet', '--prune=now')
    expect(await relation()).toBe('missing')
  })

  it('is told from a work tree of its own, and from a repository of SHA-256', async () => {
    const folder = await folderOfTest({ 'sha/a.yaml': 'a' })
    const commits = await makeHistory(folder, [[], [0], [0]])
    const [first = '', second = '', third = ''] = commits
    const tree = join(folder, 'tree')
    await git(folder, 'worktree', 'add', '--quiet', '--detach', tree, second)
    const { relationOf } = await readAncestry(placeAt(tree), second, [first, third])
    expect([relationOf(first), relationOf(third)]).toEqual(['ancestor', 'diverged'])
    const long = join(folder, 'sha')
    await git(long, 'init', '--quiet', '--object-format=sha256')
    await git(long, 'add', 'a.yaml')
    await git(long, 'commit', '--quiet', '-m', 'one')
    await git(long, 'commit', '--quiet', '-m', 'two', '--allow-empty')
    const [head = '', before = ''] = (await git(long, 'log', '--format=%H')).split('\n')
    expect(head).toMatch(/^[0-9a-f]{64}$/)
    const there = await readAncestry(placeAt(long), head, [before, first])
    expect([there.relationOf(before), there.relationOf(first)]).toEqual(['ancestor', 'missing'])
  })
})

describe('a shallow clone', () => {
  /** Two lines from one beginning, and a clone of the newest commit of each with one more before it. */
  async function shallow(depth: number) {
    const folder = await folderOfTest({ 'origin/a': '' })
    const origin = join(folder, 'origin')
    const commits = await makeHistory(origin, [[], [0], [1], [2], [0]])
    for (const at of [0, 1, 2]) await git(origin, 'update-ref', '-d', `refs/heads/c${at}`)
    await git(
      folder,
      'clone',
      '--quiet',
      '--no-single-branch',
      '--branch',
      'c3',
      '--depth',
      `${depth}`,
      `file://${origin}`,
      'clone',
    )
    return { clone: join(folder, 'clone'), commits }
  }

  it('tells what its commits show, and says of no other that it is missing or diverged', async () => {
    const { clone, commits } = await shallow(2)
    const [first = '', second = '', third = '', fourth = '', other = ''] = commits
    const { relationOf, isShallow } = await readAncestry(placeAt(clone), fourth, commits)
    // `c0` is there, before the newest of the other line; nothing shows that the head leads to it.
    expect([first, second, third, fourth, other].map(relationOf)).toEqual([
      'unknown',
      'unknown',
      'ancestor',
      'same',
      'unknown',
    ])
    expect(isShallow).toBe(true)
    const newer = await readAncestry(placeAt(clone), third, [fourth])
    expect(newer.relationOf(fourth)).toBe('descendant')
  })

  it('tells everything once it is whole', async () => {
    const { clone, commits } = await shallow(1)
    await git(clone, 'fetch', '--quiet', '--unshallow')
    const { relationOf, isShallow } = await readAncestry(placeAt(clone), commits[3] ?? '', commits)
    expect(commits.map(relationOf)).toEqual(['ancestor', 'ancestor', 'ancestor', 'same', 'diverged'])
    expect(isShallow).toBe(false)
  })
})

describe('where two lines part', () => {
  it('is their newest common commit; nothing where there is none, or no such commit', async () => {
    const folder = await folderOfTest({})
    const [first, , third, other, alone] = await makeHistory(folder, [[], [0], [1], [0], []])
    const fork = (left = '', right = '') => forkOf(placeAt(folder), left, right)
    expect(await fork(third, other)).toBe(first)
    expect(await fork(third, alone)).toBeUndefined()
    expect(await fork(third, 'a'.repeat(40))).toBeUndefined()
    await rm(join(folder, '.git'), { recursive: true })
    expect(await fork(third, other)).toBeUndefined()
  })
})

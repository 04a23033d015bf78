import { describe, expect, it } from 'vitest'
import type { ComparedPast } from '../../../src/cli/past/compared-past.ts'
import { declaredBefore, mostLookedAt } from '../../../src/cli/past/declared-before.ts'
import { pathspecs } from '../../../src/cli/past/past-declarations.ts'
import type { Base } from '../../../src/core/live-edits/verdict.ts'
import { commitsTouching } from '../../../src/git/commits.ts'
import { git, gitEnv } from '../../git/repository.ts'
import { folderOfTest, writeFiles } from '../../support/folder.ts'

const address = 'feature_flag.a'
const asked = { address, field: 'active', digest: 'wanted' }

/** The base of the asked field, of a run that ended at this second. */
const baseAt = (second: number): Base => ({
  [address]: {
    ensure: 'present',
    fields: { active: { digest: 'wanted' } },
    origin: { run: 'run', at: second * 1000 },
  },
})

/** A line of commits, one for each digest that the field is declared with, the oldest first. */
async function line(digests: readonly string[]) {
  const folder = await folderOfTest({})
  await git(folder, 'init', '--quiet')
  const byCommit = new Map<string, string>()
  for (const [second, digest] of digests.entries()) {
    await writeFiles(folder, { 'flags.yaml': `${second}` })
    await git(folder, 'add', '--all')
    await git(folder, 'commit', '--quiet', '-m', `${second}`)
    byCommit.set(await git(folder, 'rev-parse', 'HEAD'), digest)
  }
  return { folder, byCommit }
}

async function answerTo(digests: readonly string[], second: number, unreadable: string[] = []) {
  const { folder, byCommit } = await line(digests)
  const read: string[] = []
  const wasDeclared = await declaredBefore([asked], {
    base: baseAt(second),
    head: [...byCommit.keys()].at(-1) ?? '',
    commits: (line, most) => commitsTouching({ directory: folder, env: gitEnv }, line, pathspecs([]), most),
    read: async commit => {
      const digest = byCommit.get(commit) ?? ''
      read.push(digest)
      const state: ComparedPast = {
        addresses: [address],
        digestsOf: one => (one === address ? { active: digest } : undefined),
        valueOf: () => undefined,
        baseOf: () => ({}),
        grantListsOf: () => ({}),
      }
      return unreadable.includes(digest) ? undefined : state
    },
  })
  return { is: wasDeclared(address, 'active', 'wanted'), read }
}

const future = Date.now() / 1000 + 1_000_000

describe('whether the planned line declared a field so before', () => {
  it('is so where one of its commits did, and no older one is looked at then', async () => {
    expect(await answerTo(['old', 'wanted', 'now'], 0)).toEqual({ is: true, read: ['now', 'wanted'] })
  })

  it('is not so where the one before the run did not, and no older one is looked at then', async () => {
    expect(await answerTo(['wanted', 'other', 'now'], future)).toEqual({ is: false, read: ['now'] })
  })

  it('is not so where none of all commits did', async () => {
    expect(await answerTo(['old', 'now'], 0)).toEqual({ is: false, read: ['now', 'old'] })
  })

  it('is not known where one of them cannot be read', async () => {
    expect(await answerTo(['wanted', 'broken', 'now'], 0, ['broken'])).toEqual({
      is: undefined,
      read: ['now', 'broken'],
    })
  })

  it('is not known beyond as many commits as are looked at', async () => {
    const digests = ['wanted', ...Array.from({ length: mostLookedAt }, (_, at) => `d${at}`)]
    const { is, read } = await answerTo(digests, 0)
    expect([is, read.length]).toEqual([undefined, mostLookedAt])
  })
})

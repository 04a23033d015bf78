import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lastWrittenBy } from '../../../src/core/record/last-written.ts'
import { readLastWritten, updateLastWritten } from '../../../src/core/record/last-written-index.ts'
import type { RunEntry, RunRecord } from '../../../src/core/record/run.ts'
import { recordPath, runName, writeRecord } from '../../../src/core/record/run-folder.ts'
import type { Target } from '../../../src/core/target.ts'
import { aFlag, declare, declaredFlag, planned } from '../../support/builders.ts'
import { rounds } from '../../support/rounds.ts'

const here: Target = { baseUrl: 'https://flags.example.com', projectId: '1', profile: 'documented' }
const there: Target = { ...here, projectId: '2' }

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vexil-left-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

/** One change of a flag, by what is declared of it. */
function changeOf(key: string, fields: object, ensure: 'present' | 'absent' = 'present') {
  const live = aFlag({ key, name: 'Before', active: false, tags: ['before'] })
  const [change] = planned(declare([declaredFlag(key, { ...fields }, { ensure })]), [live]).changes
  if (!change) throw new Error('nothing to change')
  return change
}

const entry: fc.Arbitrary<RunEntry> = fc
  .record({
    change: fc.oneof(
      fc
        .record({
          key: fc.constantFrom('a', 'b', 'c'),
          fields: fc.constantFrom({ name: 'x' }, { name: 'y', active: true }, { tags: ['t'] }),
        })
        .map(({ key, fields }) => changeOf(key, fields)),
      fc.constantFrom('a', 'b').map(key => changeOf(key, {}, 'absent')),
    ),
    outcome: fc.constantFrom('done' as const, 'already' as const, 'failed' as const, 'skipped' as const),
    isOpen: fc.boolean(),
    isLost: fc.boolean(),
  })
  .map(({ change, outcome, isOpen, isLost }) => ({
    change,
    outcome,
    ...(outcome === 'failed' && isOpen ? { maybeWritten: true as const } : {}),
    ...(outcome === 'done' && isLost && 'tags' in change.after ? { notKept: ['tags'] } : {}),
  }))

interface Step {
  readonly startedAt: number | 'in order'
  readonly lasts: number
  readonly target: Target
  readonly entries: readonly RunEntry[]
  readonly next: 'nothing' | 'update' | 'remove the oldest'
}

/** Runs that overlap, and of which some come in behind those that an index is made of already. */
const step: fc.Arbitrary<Step> = fc.record({
  startedAt: fc.oneof(
    { weight: 49, arbitrary: fc.constant('in order' as const) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 60_000 }) },
  ),
  lasts: fc.integer({ min: 0, max: 30_000 }),
  target: fc.constantFrom(here, here, there),
  entries: fc.array(entry, { maxLength: 2 }),
  next: fc.oneof(
    { weight: 60, arbitrary: fc.constant('nothing' as const) },
    { weight: 38, arbitrary: fc.constant('update' as const) },
    { weight: 2, arbitrary: fc.constant('remove the oldest' as const) },
  ),
})

function recordOf({ startedAt: at, lasts, target, entries }: Step, index: number): RunRecord {
  const startedAt = at === 'in order' ? index * 1000 : at
  return {
    run: runName(startedAt, String(index).padStart(8, '0')),
    target,
    startedAt,
    finishedAt: startedAt + lasts,
    blocked: [],
    notTargeted: [],
    unchanged: 0,
    isComplete: true,
    entries,
  }
}

describe('what runs left behind', () => {
  it('is the same with an index and without one, whatever came when', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 22, maxLength: 60 }), async steps => {
        await rm(join(folder, '.vexil'), { recursive: true, force: true })
        const kept = new Map<string, RunRecord>()
        for (const [index, each] of steps.entries()) {
          const record = recordOf(each, index)
          await writeRecord(folder, record)
          kept.set(record.run, record)
          if (each.next === 'update') await updateLastWritten(folder, { ...record, target: here })
          if (each.next === 'remove the oldest') {
            const oldest = [...kept.keys()].sort()[0] as string
            await rm(recordPath(folder, oldest))
            kept.delete(oldest)
          }
        }
        const all = [...kept.keys()].sort().map(run => kept.get(run) as RunRecord)
        const ours = all.filter(({ target }) => target === here)
        expect(await readLastWritten(folder, here)).toEqual(lastWrittenBy(ours))
      }),
      { numRuns: rounds(25) },
    )
  })

  const manyRuns = async () => {
    const records = Array.from({ length: 60 }, (_, index) =>
      recordOf(
        {
          startedAt: index * 1000,
          lasts: 10,
          target: here,
          entries: [{ change: changeOf(`f${index % 7}`, { name: `n${index}` }), outcome: 'done' }],
          next: 'nothing',
        },
        index,
      ),
    )
    for (const record of records) await writeRecord(folder, record)
    await updateLastWritten(folder, records.at(-1) as RunRecord)
    return records
  }

  it('is made anew when many records are newer, or a run ended before what it is made of', async () => {
    const records = await manyRuns()
    const [name = ''] = await readdir(join(folder, '.vexil/left'))
    const through = async () => JSON.parse(await readFile(join(folder, '.vexil/left', name), 'utf8')).through
    const runs = (lasts: number, count: number) =>
      Array.from({ length: count }, () => {
        const step: Step = { startedAt: 'in order', lasts, target: here, entries: [], next: 'nothing' }
        records.push(recordOf(step, records.length))
        return records.at(-1) as RunRecord
      })
    const first = await through()
    for (const record of runs(10, 20)) {
      await writeRecord(folder, record)
      await updateLastWritten(folder, record)
      expect(await through()).toBe(first)
    }
    for (const record of [...runs(10, 1), ...runs(-60_000, 1)]) {
      await writeRecord(folder, record)
      await updateLastWritten(folder, record)
      expect(await through()).toBe(record.run)
    }
  })

  it('takes no reading of the records that the index is made of', async () => {
    const records = await manyRuns()
    const left = lastWrittenBy(records)
    expect(await readLastWritten(folder, here)).toEqual(left)
    for (const { run } of records) await writeFile(recordPath(folder, run), 'not read')
    expect(await readLastWritten(folder, here)).toEqual(left)
  })

  it('is read from the records where the index is broken or gone', async () => {
    const left = lastWrittenBy(await manyRuns())
    const [name = ''] = await readdir(join(folder, '.vexil/left'))
    for (const text of [
      '',
      '{',
      '[]',
      '{"through":"z","names":"","base":[],"notKept":{}}',
      '{"through":"z"}',
    ]) {
      await writeFile(join(folder, '.vexil/left', name), text)
      expect(await readLastWritten(folder, here)).toEqual(left)
    }
    await rm(join(folder, '.vexil/left'), { recursive: true })
    expect(await readLastWritten(folder, here)).toEqual(left)
  })
})

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { leftByRuns, readLeft, updateLeft } from '../../../../src/core/live-edits/base-index.ts'
import type { RunOnRecord } from '../../../../src/core/live-edits/base-of-runs.ts'
import { type RunEntry, type RunRecord, runText } from '../../../../src/core/record/run.ts'
import {
  type DeclaredDigests,
  type DeclaredObject,
  declaredName,
  journalPath,
  recordPath,
  runName,
  writeDeclared,
  writeRecord,
} from '../../../../src/core/record/run-folder.ts'
import type { Target } from '../../../../src/core/target.ts'
import { aFlag, declare, declaredFlag, planned } from '../../../support/builders.ts'
import { folderOfTest } from '../../../support/folder.ts'
import { rounds } from '../../../support/rounds.ts'

const here: Target = { baseUrl: 'https://flags.example.com', projectId: '1', profile: 'documented' }
const there: Target = { ...here, projectId: '2' }

let folder: string
beforeEach(async () => {
  folder = await folderOfTest({})
})

/** One change of a flag, by what is declared of it. */
function changeOf(key: string, fields: object, ensure: 'present' | 'absent' = 'present') {
  const live = aFlag({ key, name: 'Before', active: false, tags: ['before'] })
  const [change] = planned(declare([declaredFlag(key, { ...fields }, { ensure })]), [live]).changes
  if (!change) throw new Error('nothing to change')
  return change
}

const changes = [
  ...['a', 'b', 'c'].flatMap(key =>
    [{ name: 'x' }, { name: 'y', active: true }, { tags: ['t'] }].map(fields => changeOf(key, fields)),
  ),
  ...['a', 'b'].map(key => changeOf(key, {}, 'absent')),
]

const entry: fc.Arbitrary<RunEntry> = fc
  .record({
    change: fc.constantFrom(...changes),
    outcome: fc.constantFrom(
      'done' as const,
      'already' as const,
      'failed' as const,
      'pending' as const,
      'skipped' as const,
    ),
    isOpen: fc.boolean(),
    isLost: fc.boolean(),
  })
  .map(({ change, outcome, isOpen, isLost }) => ({
    change,
    outcome,
    ...(outcome === 'pending' ? { changeRequest: 'cr' } : { id: '7' }),
    ...(outcome === 'failed' && isOpen ? { maybeWritten: true as const } : {}),
    ...(outcome === 'done' && isLost && 'tags' in change.after ? { notKept: ['tags'] } : {}),
  }))

const digest = fc.constantFrom('one', 'two')
const address = fc.constantFrom('feature_flag.a', 'feature_flag.b', 'feature_flag.c')

const declaredObject: fc.Arbitrary<DeclaredObject> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ ensure: 'absent' as const }) },
  {
    weight: 5,
    arbitrary: fc.record(
      {
        fields: fc.record({ name: digest, active: digest, tags: digest }, { requiredKeys: ['name'] }),
        id: fc.constant('7'),
        ignore: fc.constant(['/name/x']),
      },
      { requiredKeys: ['fields'] },
    ),
  },
)

interface Step
  extends Pick<RunRecord, 'command' | 'target' | 'entries' | 'held' | 'blocked' | 'notTargeted'> {
  /** Whether it knew of the runs before it. */
  readonly knows: boolean
  readonly startedAt: number | 'in order'
  readonly lasts: number
  readonly table: DeclaredDigests | undefined
  /** Whether only its journal is left, and says nothing of any change. */
  readonly isCutOff: boolean
  readonly next: 'nothing' | 'update' | 'remove the oldest'
}

const stepDefaults = {
  command: 'apply' as const,
  table: undefined,
  knows: true,
  isCutOff: false,
  held: [],
  blocked: [],
  notTargeted: [],
  next: 'nothing' as const,
}

/** Runs that overlap, and of which some come in behind those that an index is made of already. */
const step: fc.Arbitrary<Step> = fc.record({
  command: fc.constantFrom(
    'apply' as const,
    'apply' as const,
    'undo' as const,
    'disable' as const,
    'claim' as const,
  ),
  startedAt: fc.oneof(
    { weight: 49, arbitrary: fc.constant('in order' as const) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 60_000 }) },
  ),
  lasts: fc.integer({ min: 0, max: 30_000 }),
  knows: fc.oneof({ weight: 29, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  target: fc.constantFrom(here, here, there),
  table: fc.option(fc.dictionary(address, declaredObject), { nil: undefined }),
  isCutOff: fc.oneof(
    { weight: 19, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  entries: fc.uniqueArray(entry, { maxLength: 2, selector: ({ change }) => change.address }),
  held: fc.array(
    fc.record({ address, fields: fc.subarray(['name', 'active', 'tags', 'exists'], { minLength: 1 }) }),
    { maxLength: 1 },
  ),
  blocked: fc.array(fc.record({ address, rule: fc.constant('rollout_step' as const) }), { maxLength: 1 }),
  notTargeted: fc.array(address, { maxLength: 1 }),
  next: fc.oneof(
    { weight: 60, arbitrary: fc.constant('nothing' as const) },
    { weight: 38, arbitrary: fc.constant('update' as const) },
    { weight: 2, arbitrary: fc.constant('remove the oldest' as const) },
  ),
})

function recordOf(
  { startedAt: at, lasts, table, isCutOff: _, next: __, knows, ...told }: Step,
  index: number,
  before: readonly RunOnRecord[] = [],
): RunRecord {
  const startedAt = at === 'in order' ? index * 1000 : at
  return {
    ...told,
    run: runName(startedAt, String(index).padStart(8, '0')),
    startedAt,
    after: knows ? leftByRuns(before).heads : [],
    finishedAt: startedAt + lasts,
    unchanged: 0,
    isComplete: true,
    ...(table === undefined ? {} : { declared: declaredName(table) }),
  }
}

/** Puts a run on record, and answers with what is to be read of it. */
async function keep(step: Step, index: number, before: readonly RunOnRecord[]): Promise<RunOnRecord> {
  const ours = before.filter(({ record }) => record.target === step.target)
  const whole = recordOf(step, index, ours)
  if (step.table) await writeDeclared(folder, step.table, whole.run)
  const declared = step.table ? { declared: step.table } : {}
  if (!step.isCutOff) {
    await writeRecord(folder, whole)
    return { record: whole, ...declared }
  }
  const { finishedAt: _, entries, ...head } = whole
  const changes = entries.map(({ change }) => change)
  const text = `${runText({ ...head, changes }, new Date(head.startedAt).toISOString())}\n`
  await mkdir(join(folder, '.vexil/runs'), { recursive: true })
  await writeFile(journalPath(folder, whole.run), text)
  const skipped = changes.map(change => ({ change, outcome: 'skipped' as const }))
  return { record: { ...head, isComplete: false, entries: skipped }, ...declared }
}

describe('what runs left behind', () => {
  it('is the same with an index and without one, whatever came when', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 22, maxLength: 60 }), async steps => {
        await rm(join(folder, '.vexil'), { recursive: true, force: true })
        const kept = new Map<string, RunOnRecord>()
        for (const [index, each] of steps.entries()) {
          const run = await keep(each, index, [...kept.values()])
          const { record } = run
          kept.set(record.run, run)
          if (each.next === 'update') await updateLeft(folder, { ...record, target: here })
          if (each.next === 'remove the oldest') {
            const oldest = [...kept.keys()].sort()[0] as string
            const isCutOff = kept.get(oldest)?.record.isComplete === false
            await rm((isCutOff ? journalPath : recordPath)(folder, oldest))
            kept.delete(oldest)
          }
        }
        const all = [...kept.keys()].sort().map(run => kept.get(run) as RunOnRecord)
        const ours = all.filter(({ record }) => record.target === here)
        expect((await readLeft(folder, here)).left).toEqual(leftByRuns(ours))
      }),
      { numRuns: rounds(20) },
    )
  })

  const manyRuns = async () => {
    const records: RunRecord[] = []
    for (let index = 0; index < 60; index++) {
      const change = changeOf(`f${index % 7}`, { name: `n${index}` })
      const step: Step = {
        ...{ ...stepDefaults, startedAt: index * 1000, lasts: 10, target: here },
        entries: [{ change, outcome: 'done' }],
      }
      records.push(
        recordOf(
          step,
          index,
          records.slice(-1).map(record => ({ record })),
        ),
      )
    }
    for (const record of records) await writeRecord(folder, record)
    await updateLeft(folder, records.at(-1) as RunRecord)
    return records
  }

  it('is made anew when many records are newer, or a run knew nothing of what it is made of', async () => {
    const records = await manyRuns()
    const [name = ''] = await readdir(join(folder, '.vexil/left'))
    const through = async () => JSON.parse(await readFile(join(folder, '.vexil/left', name), 'utf8')).through
    const runs = (knows: boolean, count: number) =>
      Array.from({ length: count }, () => {
        const step: Step = {
          ...{ ...stepDefaults, startedAt: 'in order', lasts: 10, target: here },
          ...{ entries: [], knows },
        }
        records.push(
          recordOf(
            step,
            records.length,
            records.slice(-1).map(record => ({ record })),
          ),
        )
        return records.at(-1) as RunRecord
      })
    const first = await through()
    for (const record of runs(true, 20)) {
      await writeRecord(folder, record)
      await updateLeft(folder, record)
      expect(await through()).toBe(first)
    }
    for (const record of [...runs(true, 1), ...runs(false, 1)]) {
      await writeRecord(folder, record)
      await updateLeft(folder, record)
      expect(await through()).toBe(record.run)
    }
  })

  it('takes no reading of the records that the index is made of', async () => {
    const records = await manyRuns()
    const left = leftByRuns(records.map(record => ({ record })))
    expect((await readLeft(folder, here)).left).toEqual(left)
    for (const { run } of records) await writeFile(recordPath(folder, run), 'not read')
    expect((await readLeft(folder, here)).left).toEqual(left)
  })

  it('is made beside a journal of format 1, which never said what was to be changed', async () => {
    await mkdir(join(folder, '.vexil/journal'), { recursive: true })
    const name = `${runName(0, 'abcdefgh')}.jsonl`
    await writeFile(join(folder, '.vexil/journal', name), '{"type":"change_start","address":"a"}\n')
    const records = await manyRuns()
    expect(await readdir(join(folder, '.vexil/left'))).toHaveLength(1)
    const left = leftByRuns(records.map(record => ({ record })))
    expect(await readLeft(folder, here)).toEqual({ left, unread: [] })
  })

  it('is read from the records where the index is broken or gone', async () => {
    const left = leftByRuns((await manyRuns()).map(record => ({ record })))
    const [name = ''] = await readdir(join(folder, '.vexil/left'))
    for (const text of [
      '',
      '{',
      '[]',
      '{"through":"z","names":"","base":[],"notKept":{}}',
      '{"through":"z"}',
    ]) {
      await writeFile(join(folder, '.vexil/left', name), text)
      expect((await readLeft(folder, here)).left).toEqual(left)
    }
    await rm(join(folder, '.vexil/left'), { recursive: true })
    expect((await readLeft(folder, here)).left).toEqual(left)
  })
})

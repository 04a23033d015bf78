import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { ServiceError } from '../../../src/api/index.ts'
import type { ApplyEvent } from '../../../src/core/apply/apply-event.ts'
import { openJournal, readJournal } from '../../../src/core/record/journal.ts'
import { type Run, runFromJson } from '../../../src/core/record/run.ts'
import { readRun } from '../../../src/core/record/run-folder.ts'
import { validateAgainst } from '../../../src/schema/validate-against.ts'
import { aFlag, declare, declaredFlag, planned } from '../../support/builders.ts'
import { folderOfTest } from '../../support/folder.ts'
import { testRuntime } from '../../support/test-runtime.ts'

const address = 'feature_flag.checkout'
const requestLine = 'PATCH /api/projects/1/feature_flags/7'
const refused = new ServiceError({
  requestLine,
  status: 400,
  type: 'validation_error',
  code: 'unique',
  attr: 'key',
})
const lookRefused = new ServiceError({ requestLine: 'GET /api/projects/1/feature_flags/7', status: 403 })
const events: ApplyEvent[] = [
  { type: 'change_start', address, action: 'update' },
  {
    type: 'change_attempt',
    address,
    requestLine,
    endpoint: 'update',
    id: '7',
  },
  {
    type: 'change_done',
    address,
    action: 'update',
    id: '7',
    already: false,
    notKept: ['tags'],
    elapsedMs: 12.4,
  },
  { type: 'change_failed', address, action: 'update', error: refused },
  { type: 'change_failed', address, action: 'update', error: new Error('broken') },
  { type: 'change_stale', address, action: 'update', reason: 'it is gone' },
  { type: 'change_skipped', address, action: 'create', reason: 'the run was stopped', cause: 'stopped' },
  { type: 'change_pending', address, action: 'update', reason: 'Ask first.', changeRequest: 'cr-1' },
]

/** A run that turns a flag off, as it is known before it begins. */
const run: Run = {
  run: '20260101T000000000Z-1f2e3d4c',
  command: 'apply',
  target: { baseUrl: 'https://flags.example.com', projectId: '1', profile: 'documented' },
  revision: { commit: '0123456789abcdef0123456789abcdef01234567', dirty: false },
  who: { name: 'ada', from: 'GITHUB_ACTOR' },
  startedAt: Date.UTC(2026, 0, 1),
  changes: planned(declare([declaredFlag('checkout', { active: false })]), [aFlag()]).changes,
  blocked: [{ address: 'feature_flag.held', rule: 'protected' }],
  notTargeted: [],
  unchanged: 2,
}

let folder: string
beforeEach(async () => {
  folder = await folderOfTest({})
})

describe('a journal', () => {
  it('has one line per event that fits its schema, readable by its owner alone', async () => {
    const journal = await openJournal(join(folder, 'a/b.jsonl'), run, testRuntime())
    for (const event of events) await journal.append(event)
    await journal.close()
    const lines = (await readFile(journal.path, 'utf8'))
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.map(({ type }) => type)).toEqual(['run', ...events.map(({ type }) => type)])
    expect(lines.flatMap(line => validateAgainst('journal', line))).toEqual([])
    expect(runFromJson(lines[0])).toEqual(run)
    expect(lines[0].changes).toMatchObject([{ before: { active: true }, after: { active: false } }])
    expect(lines[1]).toEqual({
      at: '2026-01-01T00:00:00.000Z',
      type: 'change_start',
      address,
      action: 'update',
    })
    expect(lines[4]).toMatchObject({ status: 400, code: 'unique', attr: 'key' })
    expect((await stat(journal.path)).mode & 0o777).toBe(0o600)
  })

  it('has a line in the file as soon as its append is over, in order, however many are written at once', async () => {
    const journal = await openJournal(join(folder, 'c.jsonl'), run, testRuntime())
    const addresses = Array.from({ length: 200 }, (_, index) => `feature_flag.f${index}`)
    await Promise.all(
      addresses.map(async each => {
        await journal.append({ type: 'change_start', address: each, action: 'create' })
        expect(await readFile(journal.path, 'utf8')).toContain(`"${each}"`)
      }),
    )
    await journal.close()
    const lines = (await readFile(journal.path, 'utf8'))
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).address)
    expect(lines.slice(1)).toEqual(addresses)
  })

  it('is never written over', async () => {
    const path = join(folder, 'd.jsonl')
    await (await openJournal(path, run, testRuntime())).close()
    await expect(openJournal(path, run, testRuntime())).rejects.toThrow('EEXIST')
  })
})

/** The text of a journal with the given events. */
async function journalOf(...given: readonly ApplyEvent[]): Promise<string> {
  const journal = await openJournal(join(folder, 'read.jsonl'), run, testRuntime())
  for (const event of given) await journal.append(event)
  await journal.close()
  return readFile(journal.path, 'utf8')
}

describe('a journal without a record', () => {
  const [start, attempt, done] = events as [ApplyEvent, ApplyEvent, ApplyEvent]
  const { changes, ...head } = run
  const [change] = changes
  const open = { outcome: 'failed', maybeWritten: true, brokeOff: true }
  const cutOff = (entry: object) => ({
    record: { ...head, isComplete: false, entries: [{ change, ...entry }] },
  })

  it.each<[string, readonly ApplyEvent[], object]>([
    ['nothing', [], { outcome: 'skipped' }],
    ['that it was begun', [start], { outcome: 'skipped' }],
    ['that a request was about to leave', [start, attempt], open],
    ['that it was done', [start, attempt, done], { outcome: 'done', id: '7', notKept: ['tags'] }],
    ['that its first request was refused', [start, attempt, events[3] as ApplyEvent], { outcome: 'failed' }],
    [
      'that the look after its request was refused',
      [start, attempt, { type: 'change_failed', address, action: 'update', error: lookRefused }],
      { outcome: 'failed', maybeWritten: true },
    ],
    [
      'that a later request was refused',
      [start, attempt, attempt, events[3] as ApplyEvent],
      { outcome: 'failed', maybeWritten: true },
    ],
    [
      'that it failed without an answer',
      [start, attempt, events[4] as ApplyEvent],
      { outcome: 'failed', maybeWritten: true },
    ],
    [
      'that its request waits for approval',
      [start, attempt, events[7] as ApplyEvent],
      { outcome: 'pending', changeRequest: 'cr-1' },
    ],
    [
      'that a later request waits for approval',
      [start, attempt, attempt, events[7] as ApplyEvent],
      { outcome: 'pending', changeRequest: 'cr-1', maybeWritten: true },
    ],
    [
      'that it was stale after a request',
      [start, attempt, events[5] as ApplyEvent],
      { outcome: 'stale', maybeWritten: true },
    ],
  ])('that says of a change %s is a run that was cut off there', async (_, given, entry) => {
    expect(readJournal(await journalOf(...given))).toEqual(cutOff(entry))
  })

  it('can be read wherever in its last line it ends', async () => {
    const text = await journalOf(start, attempt)
    const before = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1)
    for (let length = before.length; length < text.length - 1; length++) {
      expect(readJournal(text.slice(0, length))).toEqual(cutOff({ outcome: 'skipped' }))
    }
    for (const whole of [text.slice(0, -1), text]) {
      expect(readJournal(whole)).toEqual(cutOff(open))
    }
  })

  it('can be read where its last line ends within a character', async () => {
    const text = await journalOf(start, attempt)
    const line = Buffer.from(JSON.stringify({ type: 'change_failed', address, error: 'é🙂' }))
    const path = join(folder, 'cut-off.jsonl')
    for (let length = 0; length < line.length; length++) {
      await writeFile(path, Buffer.concat([Buffer.from(text), line.subarray(0, length)]))
      const file = { run: run.run, path, isJournal: true }
      expect(await readRun(file)).toEqual({ file, ...cutOff(open) })
    }
  })

  it('is of no use when its first line is not whole, wherever that ends', async () => {
    const text = await journalOf()
    for (let length = 0; length < text.length; length += 7) {
      expect(readJournal(text.slice(0, length))).toEqual({
        unreadable: 'its first line does not describe a run: it is not JSON, or was cut off',
      })
    }
  })

  it('is of no use when a line in its middle is broken, or is of another format', async () => {
    const [first, ...rest] = (await journalOf(start, attempt)).trimEnd().split('\n') as [string, string]
    expect(readJournal([first, '{"type":"change_st', ...rest, ''].join('\n'))).toEqual({
      unreadable: 'line 2 is broken: it is not JSON, or was cut off',
    })
    const later = first.replace('"format_version":"1.0"', '"format_version":"5.0"')
    expect(readJournal([later, ...rest, ''].join('\n'))).toHaveProperty('unreadable')
    expect(readJournal([...rest, ''].join('\n'))).toHaveProperty('unreadable')
  })
})

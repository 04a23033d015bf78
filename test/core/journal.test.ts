import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ServiceError } from '../../src/api/index.ts'
import type { ApplyEvent } from '../../src/core/apply.ts'
import { openJournal } from '../../src/core/journal.ts'
import { validateJournalLine } from '../../src/derive/validate.ts'
import { testWorld } from '../support/test-world.ts'

const address = 'feature_flag.checkout'
const refused = new ServiceError({
  requestLine: 'PATCH /x',
  status: 400,
  type: 'validation_error',
  code: 'unique',
  attr: 'key',
})
const events: ApplyEvent[] = [
  { type: 'change_start', address, action: 'update' },
  {
    type: 'change_attempt',
    address,
    requestLine: 'PATCH /api/projects/1/feature_flags/7',
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
  { type: 'change_skipped', address, action: 'create', reason: 'the run was stopped' },
]

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vexil-journal-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

describe('a journal', () => {
  it('has one line per event that fits its schema, readable by its owner alone', async () => {
    const journal = await openJournal(join(folder, 'a/b.jsonl'), testWorld())
    for (const event of events) await journal.append(event)
    await journal.close()
    const lines = (await readFile(journal.path, 'utf8'))
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.map(({ type }) => type)).toEqual(events.map(({ type }) => type))
    expect(lines.flatMap(validateJournalLine)).toEqual([])
    expect(lines[0]).toEqual({
      at: '2026-01-01T00:00:00.000Z',
      type: 'change_start',
      address,
      action: 'update',
    })
    expect(lines[3]).toMatchObject({ status: 400, code: 'unique', attr: 'key' })
    expect((await stat(journal.path)).mode & 0o777).toBe(0o600)
  })

  it('has a line in the file as soon as its append is over, in order, however many are written at once', async () => {
    const journal = await openJournal(join(folder, 'c.jsonl'), testWorld())
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
    expect(lines).toEqual(addresses)
  })

  it('is never written over', async () => {
    const path = join(folder, 'd.jsonl')
    await (await openJournal(path, testWorld())).close()
    await expect(openJournal(path, testWorld())).rejects.toThrow('EEXIST')
  })
})

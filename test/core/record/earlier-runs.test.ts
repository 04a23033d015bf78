import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inTodaysFormat } from '../../../src/core/record/earlier-runs.ts'
import { readJournal } from '../../../src/core/record/read-journal.ts'
import { recordFromJson, recordToJson } from '../../../src/core/record/run-json.ts'
import { isJsonObject, type JsonObject } from '../../../src/model/json/json.ts'
import { readJson } from '../../../src/model/json/json-text.ts'

/*
 * `format-2` holds what was written before actions and members were renamed: `adopt`, `apply` and `release` of three
 * flags, one of them soft-deleted, each with its record and its journal.
 */
const folder = join(import.meta.dirname, 'format-2')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const names = ['adopt', 'apply', 'release'] as const
const today = {
  adopt: { command: 'claim', actions: ['claim'] },
  apply: { command: 'apply', actions: ['create', 'restore', 'update'] },
  release: { command: 'unclaim', actions: ['update'] },
} as const

const objectIn = (text: string): JsonObject => {
  const value = readJson(text)
  if (!isJsonObject(value)) throw new Error('a fixture is no object')
  return value
}

describe('a run of format 2', () => {
  it('has a fixture of each command', () => {
    expect(readdirSync(folder).sort()).toEqual(names.flatMap(name => [`${name}.json`, `${name}.jsonl`]))
  })

  it.each(names)('is read with the words of today, from its record and its journal: %s', name => {
    const record = recordFromJson(readJson(read(`${name}.json`)))
    const journal = readJournal(read(`${name}.jsonl`))
    if (typeof record === 'string' || !('record' in journal)) throw new Error('it was not read')
    expect(record.command).toBe(today[name].command)
    expect(journal.record.command).toBe(today[name].command)
    const changes = record.entries.map(({ change }) => change)
    expect(changes.map(({ action }) => action).sort()).toEqual(today[name].actions)
    for (const { action, summary, fingerprint } of changes) {
      expect(summary.length, action).toBeGreaterThan(0)
      if (action !== 'create') expect(fingerprint).toMatch(/^sha256:/)
    }
    expect(journal.record.entries.map(({ change }) => change)).toEqual(
      expect.arrayContaining(changes.map(change => expect.objectContaining(change) as unknown)),
    )
  })

  it.each(names)('is written anew in the format of today, which is read as it stands: %s', name => {
    const record = recordFromJson(readJson(read(`${name}.json`)))
    if (typeof record === 'string') throw new Error(record)
    const written = recordToJson(record)
    expect(JSON.stringify(written)).not.toMatch(/"(?:words|base|revive|adopt|release)"/)
    expect(inTodaysFormat(written)).toBe(written)
    expect(recordFromJson(written)).toEqual(record)
  })

  it.each(names)('keeps all that was not renamed: %s', name => {
    const old = objectIn(read(`${name}.json`))
    const same = ({ command: _, entries: __, ...rest }: JsonObject) => rest
    expect(same(inTodaysFormat(old))).toEqual(same(old))
  })
})

it('leaves a broken run as broken as it is', () => {
  const broken: JsonObject[] = [
    {},
    { format_version: 2 },
    { format_version: '2.0', entries: [null, {}], changes: [1] },
  ]
  for (const run of broken) expect(inTodaysFormat(run)).toEqual(run)
})

import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { isFull } from '../suites.ts'
import { describeLife, type Sections } from './describe-calls.ts'
import { type Engine, recordLife } from './life-of-flags.ts'
import { callsFile, enginesForCalls, parseCalls, renderCalls } from './provider-calls.ts'

const text = await readFile(callsFile, 'utf8')
const calls = parseCalls(text)
const here = isFull() ? enginesForCalls() : []
const found = here.filter(({ title }) => calls.has(title))
const absent = [...calls.keys()].filter(title => !here.some(engine => engine.title === title))

it('the table of calls is short, and nobody has edited its columns', () => {
  expect(renderCalls(calls)).toBe(text)
  expect(text.split('\n').length).toBeLessThan(400)
})

describe.runIf(isFull())('the provider is called as the table has it', { timeout: 600_000 }, () => {
  it.skip.each(absent)('by %s, which is neither on the PATH nor built by npm run engines', () => {})

  it.each(found)('by $title', async engine => {
    expect(await callsBy(engine)).toEqual(inTable(engine))
  })

  it.each(found.slice(0, 1))('by $title, if the provider runs already', async engine => {
    expect(await callsBy(engine, true)).toEqual(inTable(engine))
  })
})

async function callsBy(engine: Engine, isAttached = false) {
  return asObject(describeLife(await recordLife(engine, isAttached)))
}

function inTable({ title }: Engine) {
  return asObject(calls.get(title) ?? new Map())
}

function asObject(sections: Sections) {
  return Object.fromEntries(sections)
}

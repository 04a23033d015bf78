import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isJsonArray, isJsonObject, type Json } from '../../src/model/json/json.ts'
import { canonicalFilters } from '../../src/targeting/index.ts'
import { loadRepository } from '../../src/yaml/index.ts'

const example = join(import.meta.dirname, '../../examples/gitops')
/** The same flags without the language of repositories. */
const inFilters = join(import.meta.dirname, 'in-filters')

/** Each value with the way that leads to it. */
function leavesOf(value: Json, way: string): (readonly [way: string, leaf: Json])[] {
  if (isJsonArray(value) && value.length > 0)
    return value.flatMap((element, index) => leavesOf(element, `${way}/${index}`))
  if (isJsonObject(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([name, member]) => leavesOf(member, `${way}/${name}`))
  return [[way, value]]
}

/** Everything that is declared, value by value: filters in their canonical form, which says what they mean. */
async function declaredIn(directory: string, environment: string): Promise<ReadonlyMap<string, Json>> {
  const { declarations } = await loadRepository({ directory, environment, env: {} })
  const leaves = declarations.desired.flatMap(
    ({ address, ensure, fields: { filters, ...others }, protect = false, ignore = [], files = {} }) => [
      ...leavesOf({ ensure, ...others, protect, ignore: [...ignore], files }, address),
      ...(filters === undefined ? [] : leavesOf(canonicalFilters(filters), `${address}/filters`)),
    ],
  )
  return new Map(leaves.toSorted(([left], [right]) => (left < right ? -1 : 1)))
}

describe.each(['staging', 'production'])('examples/gitops in %s', environment => {
  it('means what it meant in filters, value by value', async () => {
    const [now, before] = [await declaredIn(example, environment), await declaredIn(inFilters, environment)]
    expect(now.size).toBeGreaterThan(200)
    expect(now).toEqual(before)
  })
})

/** The blocks of the README that show one change in both forms. */
async function changesInReadme(): Promise<readonly string[]> {
  const text = await readFile(join(example, 'README.md'), 'utf8')
  return [...text.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, block = '']) => block)
}

/** The example, or its form in filters, with the override of a block of the README. */
async function withChange(directory: string, block: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vexil-change-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await cp(directory, folder, { recursive: true })
  const file = join(folder, 'flags/checkout.yaml')
  const override = block.slice(block.indexOf('    environments:'))
  const text = await readFile(file, 'utf8')
  const changed = text.replace('    ensure_experience_continuity: true\n', `$&${override}`)
  expect(changed).not.toBe(text)
  await writeFile(file, changed)
  return folder
}

it('changes the same by one line as by the twenty of the README', async () => {
  const [long = '', short = '', ...others] = await changesInReadme()
  expect(others).toEqual([])
  expect(long.split('\n').length).toBeGreaterThan(20)
  expect(short.split('\n').length).toBeLessThan(6)
  const now = await declaredIn(await withChange(example, short), 'staging')
  expect(now).toEqual(await declaredIn(await withChange(inFilters, long), 'staging'))
  expect(now).not.toEqual(await declaredIn(example, 'staging'))
})

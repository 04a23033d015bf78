import { join } from 'node:path'
import { globSync } from 'tinyglobby'
import { afterEach, describe, expect, it } from 'vitest'
import {
  onEachService,
  onlyInFull,
  plainSuite,
  serviceFiles,
  servicesOfRun,
  suiteVariable,
  testFiles,
  tools,
  withoutVariable,
} from '../suites.ts'

const root = join(import.meta.dirname, '../..')
const everyTest = globSync('test/**/*.test.ts', { cwd: root }).sort()
const variables = [suiteVariable, withoutVariable]
const before = variables.map(name => process.env[name])

afterEach(() => {
  variables.forEach((name, index) => {
    const value = before[index]
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  })
})

function filesWith(suite: string, without: readonly string[]): string[] {
  process.env[suiteVariable] = suite
  process.env[withoutVariable] = without.join(',')
  return Object.values(testFiles()).flat().sort()
}

describe('the files of a test run', () => {
  it('are all there are where every tool is found, each once', () => {
    expect(filesWith('', [])).toEqual(everyTest)
  })

  it.each(tools)('leave out what is only tested with $name', ({ name, files }) => {
    const only = files.length === 0 ? [] : globSync([...files], { cwd: root })
    expect(only.length).toBeGreaterThanOrEqual(files.length)
    expect(filesWith('', [name])).toEqual(everyTest.filter(file => !only.includes(file)))
  })

  it('leave out for `npm test` what it says, and for a full run nothing', () => {
    const said = onlyInFull.flatMap(({ files = [] }) => {
      const found = globSync([...files], { cwd: root })
      expect(found.length).toBeGreaterThanOrEqual(files.length)
      return found
    })
    expect(said.length).toBeGreaterThan(5)
    expect(filesWith(plainSuite, [])).toEqual(everyTest.filter(file => !said.includes(file)))
    expect(servicesOfRun()).toEqual(['posthog-2026'])
    expect(filesWith('full', [])).toEqual(everyTest)
    expect(servicesOfRun()).toEqual(['posthog', 'posthog-2026'])
  })

  it('are some of them for `unit`', () => {
    const unit = filesWith('unit', [])
    expect(unit.length).toBeGreaterThan(50)
    expect(unit.length).toBeLessThan(everyTest.length)
    expect(unit.filter(file => !everyTest.includes(file))).toEqual([])
  })

  it('are more on each service for `full`, and some in any run', () => {
    const onService = (suite: string) => {
      process.env[suiteVariable] = suite
      return Object.values(serviceFiles()).flat().sort()
    }
    const [plain, some, all] = [onService(plainSuite), onService(''), onService('full')]
    expect(plain).toEqual(expect.arrayContaining([...onEachService.startingInPlain]))
    expect(plain.length).toBeGreaterThan(onEachService.startingInPlain.length)
    expect(some.filter(file => !plain.includes(file)).length).toBeGreaterThan(0)
    expect(some).toEqual(expect.arrayContaining(plain))
    expect(all.filter(file => !some.includes(file)).length).toBeGreaterThanOrEqual(4)
    expect(all).toEqual(expect.arrayContaining(some))
  })
})

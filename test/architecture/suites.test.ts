import { join } from 'node:path'
import { globSync } from 'tinyglobby'
import { afterEach, describe, expect, it } from 'vitest'
import { enginesVariable } from '../engines/engines.ts'
import {
  deeper,
  engineFiles,
  enginesOfRun,
  leftOut,
  onEachService,
  serviceFiles,
  servicesOfRun,
  suiteVariable,
  testFiles,
  tools,
  withoutVariable,
} from '../suites.ts'
import { rounds } from '../support/rounds.ts'

const root = join(import.meta.dirname, '../..')
const everyTest = globSync('test/**/*.test.ts', { cwd: root }).sort()
const variables = [suiteVariable, withoutVariable, enginesVariable]
const before = variables.map(name => process.env[name])

afterEach(() => {
  variables.forEach((name, index) => {
    const value = before[index]
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  })
})

function inSuite(suite: string, without = ''): void {
  process.env[suiteVariable] = suite
  process.env[withoutVariable] = without
}

function filesOf(groups: object): string[] {
  return Object.values(groups).flat().sort()
}

describe('the files of a test run', () => {
  it.each(['ci', 'full', ''])('are all there are where every tool is found, each once: %j', suite => {
    inSuite(suite)
    expect(filesOf(testFiles())).toEqual(everyTest)
  })

  it.each(tools)('leave out what is only tested with $name', ({ name, files }) => {
    const only = files.length === 0 ? [] : globSync([...files], { cwd: root })
    expect(only.length).toBeGreaterThanOrEqual(files.length)
    inSuite('ci', name)
    expect(filesOf(testFiles())).toEqual(everyTest.filter(file => !only.includes(file)))
  })

  it('leave out for `npm test` what it says', () => {
    const said = deeper.ci.flatMap(({ files = [] }) => {
      const found = globSync([...files], { cwd: root })
      expect(found.length).toBeGreaterThanOrEqual(files.length)
      return found
    })
    expect(said.length).toBeGreaterThan(5)
    inSuite('plain')
    expect(filesOf(testFiles())).toEqual(everyTest.filter(file => !said.includes(file)))
  })

  it.each(['unit', 'laws'])('are some of them for `%s`', suite => {
    inSuite(suite)
    const some = filesOf(testFiles())
    expect(some.length).toBeGreaterThan(50)
    expect(some.length).toBeLessThan(everyTest.length)
    expect(some.filter(file => !everyTest.includes(file))).toEqual([])
  })
})

describe('what a test run does without', () => {
  it.each([
    ['plain', [...deeper.ci, ...deeper.full]],
    ['ci', deeper.full],
    ['full', []],
  ])('is said by `%s`', (suite, said) => {
    inSuite(suite)
    expect(leftOut()).toEqual(said)
  })
})

describe('what runs on each service', () => {
  it('is each story that differs, in CI on two services more, and in full more files', () => {
    const today = [...onEachService.files, ...onEachService.filesOfToday].sort()
    const stories = today.filter(file => !onEachService.filesOfToday.includes(file))
    expect(globSync(today, { cwd: root }).sort()).toEqual(today)
    inSuite('plain')
    expect(servicesOfRun()).toEqual([])
    inSuite('ci')
    expect(servicesOfRun()).toEqual(['posthog', 'posthog-2026'])
    expect(servicesOfRun().map(name => filesOf(serviceFiles(name)))).toEqual([stories, today])
    inSuite('full')
    const inFull = globSync(onEachService.filesInFull, { cwd: root })
    expect(filesOf(serviceFiles('posthog'))).toEqual([...today, ...inFull].sort())
    inSuite('unit')
    expect(servicesOfRun()).toEqual([])
  })
})

describe('what runs on each engine', () => {
  it('is fourteen files, on the engines that are built, and none in `npm test`', () => {
    expect(globSync(engineFiles, { cwd: root })).toHaveLength(14)
    inSuite('plain')
    expect(enginesOfRun()).toEqual([])
    inSuite('ci', 'engines')
    expect(enginesOfRun()).toEqual([])
    inSuite('ci')
    process.env[enginesVariable] = '/nowhere'
    expect(enginesOfRun()).toEqual([])
  })
})

describe('how often a law is tried', () => {
  it.each([
    ['unit', 75, 4],
    ['plain', 75, 4],
    ['ci', 300, 15],
    ['full', 1000, 50],
    ['laws', 10_000, 500],
    ['', 300, 15],
  ])('is the matter of the suite: %j', (suite, times, costly) => {
    inSuite(suite)
    expect([rounds(), rounds(20)]).toEqual([times, costly])
  })
})

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { globSync } from 'tinyglobby'
import { describe, expect, it } from 'vitest'
import { type Profile, profiles } from '../../src/model/connection.ts'
import { quirkRows } from '../quirk/quirk-rows.ts'
import { onEachService } from '../suites.ts'
import { type TodayRow, todayRows } from './today-rows.ts'

const root = join(import.meta.dirname, '../..')
const repeated = new Set(
  globSync([...onEachService.files, ...onEachService.filesOfToday, ...onEachService.filesInFull], {
    cwd: root,
  }),
)
const matrix = 'test/quirk/matrix.test.ts'
const publicServices: readonly Profile[] = onEachService.services

/** The first cells of the last table of the page. */
function rowsOfPage(): string[] {
  const page = readFileSync(join(root, 'docs/service-facts.md'), 'utf8')
  const [, ...rows] = page.slice(page.lastIndexOf('\n## ')).matchAll(/^\| (?!-)(.+?) \| .+ \|$/gm)
  return rows.map(([, cell = '']) => cell)
}

function testsOf({ tests }: TodayRow) {
  return tests.map(test =>
    typeof test === 'string' ? { quirk: test, file: matrix } : { file: test[0], name: test[1] },
  )
}

/** The services that the tests of a file talk to in a full run. */
function servicesOf(file: string): readonly Profile[] {
  const text = readFileSync(join(root, file), 'utf8')
  if (/each\((?:isFull\(\) \? )?profiles\b/.test(text)) return profiles
  const named = profiles.filter(profile => text.includes(`'${profile}'`))
  if (named.length > 0) return named
  return repeated.has(file) ? profiles : ['documented']
}

describe('what serves the services of every age', () => {
  it('has a row for each row of the page', () => {
    expect(todayRows.map(({ was }) => was)).toEqual(rowsOfPage())
  })

  it.each(todayRows)('has tests: $was', row => {
    for (const test of testsOf(row)) {
      expect(existsSync(join(root, test.file)), test.file).toBe(true)
      if ('quirk' in test) expect(Object.keys(quirkRows)).toContain(test.quirk)
      else expect(readFileSync(join(root, test.file), 'utf8')).toContain(`'${test.name}'`)
    }
  })

  it.each(todayRows)('is tested on the services that it is about: $was', row => {
    const { on = publicServices } = row
    const tested = new Set(testsOf(row).flatMap(({ file }) => servicesOf(file)))
    expect(on.filter(profile => !tested.has(profile))).toEqual([])
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agreeOn } from '../../src/services/agreements.ts'
import { behaviourOf } from '../../src/services/differences.ts'
import { rulesOf } from '../../src/services/engines.ts'
import { libraryFacts } from '../../src/services/libraries.ts'
import { type SdkRule, sdkRules } from '../../src/services/sdk-rules.ts'
import { type Sdk, sdks } from '../../src/services/sdks.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/who-evaluates.md'), 'utf8')
const rules = Object.entries<SdkRule>(sdkRules)
const service = new Map<string, unknown>(Object.entries(behaviourOf('posthog-2026')))
const differences = Object.entries<Sdk>(sdks).flatMap(([sdk, { ranges }]) =>
  ranges.flatMap(range =>
    Object.entries(rulesOf(range))
      .filter(([rule, value]) => value !== service.get(rule))
      .map(([rule, value]) => ({ sdk, from: range.from, rule, value: String(value) })),
  ),
)

describe('the page of those who evaluate', () => {
  it('has each value of each SDK that is not that of the service', () => {
    const known = (rule: string, value: string) => rules.find(([name]) => name === rule)?.[1].sdks[value]
    expect(differences.filter(({ rule, value }) => known(rule, value) === undefined)).toEqual([])
    const lines = (rule: string) => page.split(`\n## ${rule}\n`)[1]?.split('\n## ')[0] ?? ''
    const missing = differences.filter(
      ({ sdk, rule, value }) =>
        !lines(rule)
          .split('\n')
          .some(line => line.includes(`\`${sdk}\``) && line.endsWith(`: ${known(rule, value)}`)),
    )
    expect(missing).toEqual([])
  })

  it.each(rules)('has a rule on which an SDK differs: %s', rule => {
    expect(differences.some(each => each.rule === rule)).toBe(true)
    const [, anchor] = /#(\w+)\)$/.exec(agreeOn(rule as keyof typeof sdkRules)) ?? []
    expect(page).toContain(`\n## ${anchor}\n`)
  })

  it.each([
    ['truth_values', '`posthog-node` before 5.52.5, `posthog-python` before 7.59.0: checks'],
    ['number_comparison', '`posthog-python` 7.73.2 and later: compares'],
  ])('names the versions: %s', (rule, start) => {
    expect(page.split(`\n## ${rule}\n`)[1]?.split('\n## ')[0]).toContain(`\n- ${start}`)
  })
})

describe('what libraries make of flags', () => {
  it.each(libraryFacts)('is shown by a script: $library, $finding', ({ library, version, finding }) => {
    const script = readFileSync(join(import.meta.dirname, `../../findings/${finding}.sh`), 'utf8')
    const lib = readFileSync(join(import.meta.dirname, '../../findings/lib.sh'), 'utf8')
    expect([script, lib].some(text => text.includes(library) && text.includes(version))).toBe(true)
  })
})

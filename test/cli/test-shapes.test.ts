import { expect, it } from 'vitest'
import type { Json } from '../../src/model/text/json.ts'
import { everySort, placeIn, placesIn, withOther } from '../support/json-places.ts'
import { useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({
  'vexil.yaml': 'version: 1\nenvironments: { production: {} }\n',
  'flags.yaml': `feature_flags:
  checkout:
    active: true
    release: { germans: { properties: { country: DE } } }
`,
})
const { vexil, write } = workspace

/** Persons, groups and tests that stand apart from their flags. */
const file: Json = {
  persons: { ada: { distinct_id: 'ada', properties: { country: 'DE' }, groups: { '0': 'acme' } } },
  groups: { '0': { acme: { plan: 'enterprise' } } },
  tests: { checkout: [{ person: 'ada', expect: true, because: 'germans', env: ['production'] }] },
}

/** What may be missing, a key of YAML with nothing below it, another name, and properties, which may be anything. */
const isFree = (place: string) =>
  /^(groups|tests)(\.\w+)*? = (undefined|null|\{\}|\[\])$/.test(place) ||
  /^persons\.ada\.(distinct_id|groups(\.0)?) = (undefined|"other"|\{\})$/.test(place) ||
  /^groups\.0\.acme(\.plan = | = \{"a":1\}$)/.test(place) ||
  // Conditions have numbers as well.
  /\.because = 1$|\.env = undefined$/.test(place)

it('reads tests that stand apart whole or refuses them, whatever stands in any place of them', async () => {
  const told = async (json: Json) => {
    await write({ 'tests.yaml': JSON.stringify(json) })
    return vexil('test --json')
  }
  const { code, stderr, stdout } = await told(file)
  expect({ code, stderr, tests: JSON.parse(stdout).tests.length }).toEqual({ code: 0, stderr: '', tests: 1 })
  const less: string[] = []
  for (const path of placesIn(file))
    for (const other of everySort) {
      const place = `${path.join('.')} = ${JSON.stringify(other)}`
      if (isFree(place) || JSON.stringify(placeIn(file, path)) === JSON.stringify(other)) continue
      const said = await told(withOther(file, path, other))
      const isTold = said.code === 1 && said.stderr + said.stdout !== ''
      if (!isTold || /unexpected|\bbug\b|Cannot read/.test(said.stderr))
        less.push(`${place}: ${said.code} ${said.stderr}`)
    }
  expect(less).toEqual([])
})

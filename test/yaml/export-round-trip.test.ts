import fc from 'fast-check'
import { expect, it } from 'vitest'
import { numberFrom } from '../../src/hcl/json.ts'
import { declarableKind } from '../../src/kinds/index.ts'
import { canonicalValue } from '../../src/model/json/canonical.ts'
import type { Json, JsonObject } from '../../src/model/json/json.ts'
import { checkFilters } from '../../src/targeting/check/check-filters.ts'
import { anyText } from '../support/any-text.ts'
import { aNumberText } from '../support/number-texts.ts'
import { rounds } from '../support/rounds.ts'
import { exportYaml } from './export-yaml.ts'
import { readBack } from './read-back.ts'

const traps = [
  ...[
    'no',
    'yes',
    'on',
    'null',
    '~',
    'true',
    '1e3',
    '0x1F',
    '012',
    '1.0',
    '.5',
    '1_000',
    '2020-01-01',
    '12:30:45',
  ],
  ...[
    'a: b',
    '- a',
    '# a',
    'a #b',
    '@a',
    '`a',
    '&a',
    '*a',
    '!a',
    '|',
    '>',
    '%a',
    '?',
    '<<',
    '=',
    '[a',
    '{a',
    ', a',
  ],
  ...[
    ' a',
    'a ',
    '\ta',
    'a\nb',
    'a\r\nb\n\n',
    '\n',
    '',
    '"',
    "'",
    '\\',
    '😀',
    '\u0007',
    '\u2028',
    '\ufeffa',
    '\u00a0',
  ],
  ...[`$\{a}`, `$\{env:HOME}`, `$$\{env:HOME}`, `$$$\{`, '$', '$$'],
]
const text = fc.oneof(fc.constantFrom(...traps), anyText({ maxLength: 40 }))
const name = text
  .map(one => one.trim())
  .filter(one => one !== '' && !['__proto__', 'constructor', 'prototype'].includes(one))
const number = fc.oneof(
  fc
    .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
    .map(one => numberFrom(String(one))),
  aNumberText.map(numberFrom),
)
const json = fc.letrec<{ json: Json }>(tie => ({
  json: fc.oneof(
    { maxDepth: 2 },
    fc.constant(null),
    fc.boolean(),
    number,
    text,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(name, tie('json'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).json

const property = fc.record(
  {
    key: name,
    value: json,
    operator: fc.constantFrom('exact', 'is_set', 'regex'),
    type: fc.constant('person'),
    label: json,
  },
  { requiredKeys: ['key', 'type'] },
)
const condition = fc.record(
  {
    properties: fc.oneof(fc.array(property, { maxLength: 3 }), fc.constant(null)),
    rollout_percentage: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constant(null)),
    variant: fc.constantFrom(null, 'a'),
  },
  { requiredKeys: [] },
)
const anyFilters: fc.Arbitrary<Json> = fc.record(
  {
    groups: fc.oneof(fc.array(condition, { maxLength: 3 }), fc.constant(null)),
    multivariate: fc.constantFrom(
      null,
      { variants: [] },
      { variants: [{ key: 'a', name: '', rollout_percentage: 100 }] },
    ),
    payloads: fc.constantFrom<Json>({}, { a: '"x"' }, { a: '' }, { a: '{"b":[1, 2]}' }),
    aggregation_group_type_index: fc.constant(null),
  },
  { requiredKeys: [] },
)
/** The service can hold what it would refuse today; the one who exports that has to mend it first. */
const filters = anyFilters.filter(one => checkFilters(one).every(({ severity }) => severity === 'warning'))
const flagFields: fc.Arbitrary<JsonObject> = fc.record(
  {
    name: text,
    active: fc.boolean(),
    filters,
    ensure_experience_continuity: fc.oneof(fc.boolean(), fc.constant(null)),
    rollback_conditions: fc.oneof(fc.constant(null), fc.constant([]), fc.constant([{ threshold: 1.5 }])),
    tags: fc.array(
      text.filter(one => one.trim() !== ''),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: ['active', 'filters'] },
)
const pluginFields: fc.Arbitrary<JsonObject> = fc.record(
  {
    plugin_type: fc.constantFrom('source', null),
    description: fc.oneof(text, fc.constant(null)),
    config_schema: fc.oneof(
      fc.dictionary(name, json, { noNullPrototype: true }),
      fc.array(json),
      fc.constant(null),
    ),
    is_global: fc.boolean(),
  },
  { requiredKeys: [] },
)

it.each([
  ['feature_flag', 'in the short form', {}, flagFields],
  ['feature_flag', 'as filters', { isRaw: true }, flagFields],
  ['plugin', 'whatever it says', {}, pluginFields],
])(
  'a %s that was exported %s declares the same canonical fields',
  async (kindName, _, options, arbitrary) => {
    const kind = declarableKind(kindName)
    const objects = fc.uniqueArray(fc.tuple(name, arbitrary), {
      selector: ([one]) => one,
      minLength: 1,
      maxLength: 5,
    })
    await fc.assert(
      fc.asyncProperty(objects, async entries => {
        const live = entries.map(([identity, fields], index) => ({
          kind: kindName,
          identity,
          id: `${index}`,
          fields,
        }))
        const declarations = await readBack(exportYaml(live, options).files)
        const declared = new Map(declarations.desired.map(desired => [desired.identity, desired.fields]))
        // What is not declared is not compared: it was at its default, and stays with the service.
        for (const { identity, fields } of live) {
          for (const [field, value] of Object.entries(fields)) {
            const form = (given: Json | undefined) => canonicalValue(kind.fields[field]!, given ?? null)
            expect(form(declared.get(identity)?.[field])).toEqual(form(value))
          }
        }
      }),
      { numRuns: rounds(5) },
    )
  },
)

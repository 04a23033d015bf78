import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/model/text/json.ts'
import { canonicalFilters } from '../../src/targeting/canonical-filters.ts'
import { checkFilters } from '../../src/targeting/check/check-filters.ts'
import { expandShort } from '../../src/targeting/short/expand-short.ts'
import { writeYaml } from '../../src/yaml/write/split-files.ts'
import { rounds } from '../support/rounds.ts'
import { shortFilters } from '../targeting/short/some-short.ts'
import { load, settings } from './a-repository.ts'
import { conditional, error, expectOneProblem, type ProblemCase } from './one-problem.ts'

const checkout = `feature_flags:
  checkout_v2:
    active: true
    release:
      dach: { properties: { country: [DE, AT, CH], plan: plus }, rollout_percentage: 25 }
      rest: { rollout_percentage: 5 }
    variants: { control: 34, one_page: { rollout_percentage: 66, name: One page } }
    payloads: { one_page: { steps: 2 } }
`

async function filtersIn(text: string, environment: string) {
  const { declarations, problems } = await load(
    { 'vexil.yaml': settings, 'flags.yaml': text },
    { environment },
  )
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  return declarations.desired[0]
}

describe('the short form', () => {
  it('declares the filters that it amounts to', async () => {
    const flag = await filtersIn(checkout, 'production')
    expect(flag?.fields).toEqual({
      active: true,
      filters: {
        groups: [
          {
            properties: [
              { key: 'country', type: 'person', operator: 'exact', value: ['DE', 'AT', 'CH'] },
              { key: 'plan', type: 'person', operator: 'exact', value: 'plus' },
            ],
            rollout_percentage: 25,
          },
          { rollout_percentage: 5 },
        ],
        multivariate: {
          variants: [
            { key: 'control', rollout_percentage: 34 },
            { key: 'one_page', rollout_percentage: 66, name: 'One page' },
          ],
        },
        payloads: { one_page: { steps: 2 } },
      },
    })
  })

  it('takes a text as a payload like any other value, which filters tell of', async () => {
    const problemsOf = async (said: string) =>
      (await load({ 'flags.yaml': `feature_flags:\n  image_cdn: { active: true, ${said} }\n` })).problems
    const payloads = 'payloads: { true: https://img.example.com }'
    expect(await problemsOf(`rollout_percentage: 5, ${payloads}`)).toEqual([])
    const inFilters = await problemsOf(`filters: { groups: [{ rollout_percentage: 5 }], ${payloads} }`)
    expect(inFilters).toMatchObject([{ code: 'payload-text', severity: 'warning' }])
  })

  it('is declared as the filters that it means, whatever it says', async () => {
    await fc.assert(
      fc.asyncProperty(shortFilters, async short => {
        const { filters, problems } = expandShort(short)
        fc.pre(problems.length === 0)
        const section = { feature_flags: { flag: { active: true, ...short } } }
        const { declarations, problems: told } = await load({
          'vexil.yaml': settings.replace('  production: { project: "1" }\n', ''),
          'flags.yaml': writeYaml(section, 'none.json'),
        })
        // What is wrong with these is wrong with the filters.
        const filterRules = new Set(checkFilters(filters).map(({ code }) => code))
        const errors = told.filter(({ severity }) => severity === 'error')
        expect(errors.filter(({ code }) => !filterRules.has(code))).toEqual([])
        fc.pre(errors.length === 0)
        const said = declarations.desired[0]?.fields.filters ?? null
        expect(canonicalFilters(said)).toEqual(canonicalFilters(filters))
      }),
      { numRuns: rounds(5) },
    )
  })

  it.each([
    [
      'one percentage',
      '{ release: { rest: { rollout_percentage: 100 } } }',
      { release: { rest: { rollout_percentage: 100 } } },
    ],
    [
      'a condition that is added goes last',
      '{ release: { staff: { rollout_percentage: 50 } } }',
      { release: { staff: { rollout_percentage: 50 } } },
    ],
  ])('merges an override: %s', async (_, override, said: JsonObject) => {
    const flag = await filtersIn(`${checkout}    environments: { staging: ${override} }\n`, 'staging')
    const shared = {
      dach: { properties: { country: ['DE', 'AT', 'CH'], plan: 'plus' }, rollout_percentage: 25 },
      rest: { rollout_percentage: 5 },
    }
    const meant = expandShort({
      release: { ...shared, ...(said.release as JsonObject) },
      variants: { control: 34, one_page: { rollout_percentage: 66, name: 'One page' } },
      payloads: { one_page: { steps: 2 } },
    })
    expect(flag?.fields.filters).toEqual(meant.filters)
    const production = await filtersIn(
      `${checkout}    environments: { staging: ${override} }\n`,
      'production',
    )
    expect(production).toEqual(await filtersIn(checkout, 'production'))
  })

  it('merges properties, replaces lists, and removes what is null', async () => {
    const override = `    environments:
      staging:
        release:
          dach: { properties: { country: [DE], plan: null } }
          rest: null
        variants: { control: 50, one_page: 50 }
        payloads: { one_page: { size: 1 } }
`
    const flag = await filtersIn(checkout + override, 'staging')
    expect(flag?.fields.filters).toEqual({
      groups: [
        {
          properties: [{ key: 'country', type: 'person', operator: 'exact', value: ['DE'] }],
          rollout_percentage: 25,
        },
      ],
      multivariate: {
        variants: [
          { key: 'control', rollout_percentage: 50 },
          { key: 'one_page', rollout_percentage: 50, name: 'One page' },
        ],
      },
      payloads: { one_page: { steps: 2, size: 1 } },
    })
  })

  const tenth = 'feature_flags:\n  a: { active: true, rollout_percentage: 10'

  it.each<[string, string, string, JsonObject]>([
    ['alone', `${tenth} }\n`, 'staging', { groups: [{ rollout_percentage: 10 }] }],
    [
      'another one in an override',
      `${tenth}, environments: { staging: { rollout_percentage: 100 } } }\n`,
      'staging',
      { groups: [{ rollout_percentage: 100 }] },
    ],
    [
      'where another environment has another',
      `${tenth}, environments: { staging: { rollout_percentage: 100 } } }\n`,
      'production',
      { groups: [{ rollout_percentage: 10 }] },
    ],
    [
      'replaced by a release',
      `${tenth}, environments: { staging: { rollout_percentage: null, release: [{ variant: a }] , variants: { a: 100 } } } }\n`,
      'staging',
      {
        groups: [{ variant: 'a' }],
        multivariate: { variants: [{ key: 'a', rollout_percentage: 100 }] },
      },
    ],
    [
      'in place of a release',
      'feature_flags:\n  a: { active: true, release: { x: {} }, environments: { staging: { rollout_percentage: 5, release: null } } }\n',
      'staging',
      { groups: [{ rollout_percentage: 5 }] },
    ],
    [
      'that is in one environment only',
      'feature_flags:\n  a: { active: true, release: [], environments: { staging: { rollout_percentage: 5, release: null } } }\n',
      'production',
      { groups: [] },
    ],
  ])('takes a share of everybody %s', async (_, text, environment, filters) => {
    expect((await filtersIn(text, environment))?.fields.filters).toEqual(filters)
  })

  it('leaves the percentage to the service, and no more', async () => {
    const flag = await filtersIn(`${tenth}, ignore: [rollout_percentage] }\n`, 'production')
    expect(flag?.ignore).toEqual(['/filters/groups/0/rollout_percentage'])
  })

  it('leaves a condition to the service by its name', async () => {
    const flag = await filtersIn(
      `${checkout}    ignore: [release.rest.rollout_percentage, /release/dach/properties/plan, variants.control]\n`,
      'production',
    )
    expect(flag?.ignore).toEqual([
      '/filters/groups/1/rollout_percentage',
      '/filters/groups/0/properties/1',
      '/filters/multivariate/variants/0',
    ])
  })

  it('needs a variable only where what it stands in is used', async () => {
    const text =
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the files write variables so
      'feature_flags:\n  a: { active: true, release: { rest: { rollout_percentage: "${env:SHARE}" } }, environments: { staging: { release: { rest: { variant: null } } } } }\n'
    const { problems } = await load(
      { 'vexil.yaml': settings, 'flags.yaml': text },
      { environment: 'staging' },
    )
    expect(problems.map(({ code }) => code)).toContain('unset-variable')
  })
})

const flag = (members: string) => `feature_flags:\n  a: { active: true, ${members} }`

const problems: ProblemCase[] = [
  [
    'a slip in a condition',
    flag('release: { rest: { ¦rolout_percentage: 5 } }'),
    error(
      'unknown-short-member',
      '"rolout_percentage" is not a member of a condition',
      'did you mean "rollout_percentage"?',
    ),
  ],
  [
    'a percentage out of range',
    flag('release: { rest: { rollout_percentage: ¦101 } }'),
    conditional('percentage-range', '101 is not a percentage', 'write a number from 0 to 100'),
  ],
  [
    'an operator that is none, at its place',
    flag('release: [{ properties: { country: { contains: ¦x } } }]'),
    conditional('unknown-operator', '"contains" is not an operator', 'did you mean "icontains"?'),
  ],
  [
    'a member of an override, where it stands',
    flag(
      'release: { rest: { rollout_percentage: 5 } }, environments: { staging: { release: { rest: { variant: ¦x } } } }',
    ),
    conditional('unknown-variant', '"x" is not a variant of this flag', 'the flag has no variants'),
  ],
  [
    'both forms',
    flag('filters: { groups: [] }, ¦release: []'),
    error(
      'both-forms-member',
      '"release" and "filters" both define who gets the flag',
      'use the same form in all environments',
    ),
  ],
  [
    'filters in an override of the short form',
    flag('¦release: [], environments: { staging: { filters: { groups: [] } } }'),
    error(
      'both-forms-member',
      '"release" and "filters" both define who gets the flag',
      'use the same form in all environments',
    ),
  ],
  [
    'a share beside a release',
    flag('release: [], ¦rollout_percentage: 5'),
    error(
      'both-forms-member',
      '"rollout_percentage" and "release" both define who gets the flag',
      'write one of the two; a share of everybody can also be a condition: rest: { rollout_percentage: 10 }',
    ),
  ],
  [
    'a share beside filters',
    flag('filters: { groups: [] }, ¦rollout_percentage: 5'),
    error(
      'both-forms-member',
      '"rollout_percentage" and "filters" both define who gets the flag',
      'use the same form in all environments',
    ),
  ],
  [
    'a share over a shared release',
    flag(
      'release: { de: { properties: { country: DE } }, rest: { rollout_percentage: 5 } }, environments: { staging: { ¦rollout_percentage: 100 } }',
    ),
    error(
      'both-forms-member',
      '"rollout_percentage" and the shared "release" both define who gets the flag',
      'override a condition, "release: { rest: { rollout_percentage: 100 } }", or   write "release: null" next to it to replace the shared value',
    ),
  ],
  [
    'a share over a shared list',
    flag('release: [{ rollout_percentage: 5 }], environments: { staging: { ¦rollout_percentage: 100 } }'),
    error(
      'both-forms-member',
      '"rollout_percentage" and the shared "release" both define who gets the flag',
      'write "release: null" next to it to replace the shared value',
    ),
  ],
  [
    'a release over a shared share',
    flag('rollout_percentage: 5, environments: { staging: { ¦release: { rest: {} } } }'),
    error(
      'both-forms-member',
      '"release" and the shared "rollout_percentage" both define who gets the flag',
      'write "rollout_percentage: null" next to it to replace the shared value',
    ),
  ],
  [
    'a share with the number forgotten',
    flag('¦rollout_percentage:'),
    error(
      'empty-value',
      '"rollout_percentage" is empty, which would mean everybody',
      'fill it in; in an override, null removes the shared value',
    ),
  ],
  [
    'a share with the number forgotten in an override',
    flag('rollout_percentage: 5, environments: { staging: { ¦rollout_percentage: } }'),
    error(
      'empty-value',
      '"rollout_percentage" is empty, which would mean everybody',
      'fill it in; in an override, null removes the shared value',
    ),
  ],
  [
    'a share that is null',
    flag('rollout_percentage: ¦null'),
    error(
      'removes-nothing',
      'null removes a shared value, and there is no shared value to remove',
      'remove it, or write 100 to mean everybody',
    ),
  ],
  [
    'a share that is taken away',
    flag('rollout_percentage: 5, environments: { staging: { rollout_percentage: ¦null } }'),
    error(
      'missing-release',
      'nothing defines who gets the flag here, which would mean everybody',
      'for everybody, write "rollout_percentage: 100"; for nobody, "release: []"',
    ),
  ],
  [
    'a release that is taken away',
    flag('release: { rest: {} }, environments: { staging: { release: ¦null } }'),
    error(
      'missing-release',
      'nothing defines who gets the flag here, which would mean everybody',
      'for everybody, write "rollout_percentage: 100"; for nobody, "release: []"',
    ),
  ],
  [
    'a share that is a text',
    flag('rollout_percentage: ¦"10"'),
    conditional(
      'percentage-type',
      'the percentage is not a number',
      'write a number such as 25, without % or quotes',
    ),
  ],
  [
    'a share out of range',
    flag('rollout_percentage: ¦110'),
    conditional('percentage-range', '110 is not a percentage', 'write a number from 0 to 100'),
  ],
  [
    'another name of it',
    flag('release: [], ¦rollout: 10'),
    error('unknown-key', '"rollout" is not a field of a flag', 'did you mean "rollout_percentage"?'),
  ],
  [
    'a condition with nothing behind its name',
    flag('release: { ¦rest: }'),
    error(
      'empty-value',
      '"rest" is empty, which would mean everybody',
      'fill it in; in an override, null removes the shared value',
    ),
  ],
  [
    'a null that removes nothing',
    flag(
      'release: { rest: { rollout_percentage: 5 } }, environments: { staging: { release: { rst: ¦null } } }',
    ),
    error(
      'removes-nothing',
      'null removes a shared value, and there is no shared value to remove',
      'remove it',
    ),
  ],
  [
    'variants without a release',
    'feature_flags:\n  a: ¦{ active: true, variants: { a: 100 } }',
    error(
      'missing-release',
      '"variants" without a "release" would mean everybody',
      'for everybody, write "rollout_percentage: 100"; for nobody, "release: []"',
    ),
  ],
  [
    'a place to ignore that is not there',
    flag('release: { rest: {} }, ignore: [¦release.rst.rollout_percentage]'),
    error(
      'unknown-place',
      '"release.rst.rollout_percentage" matches nothing that this flag declares, or several parts',
      'name a condition, a variant, or a member of one',
    ),
  ],
]

describe('a problem in the short form', () => {
  it.each(problems)('is told where it stands: %s', async (_, marked, problem) => {
    await expectOneProblem(marked, problem)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ShownObject } from '../../src/model/problem.ts'
import { getAt } from '../../src/model/text/pointer.ts'
import { expandShort } from '../../src/targeting/short/expand-short.ts'
import { isDeclaredIn, readDeclared, showDeclaration } from '../../src/yaml/index.ts'
import { writeYaml } from '../../src/yaml/write/split-files.ts'
import { type Files, folderOfTest } from '../support/folder.ts'
import { rounds } from '../support/rounds.ts'
import { shortFilters } from '../targeting/short/some-short.ts'
import { load, settings } from './a-repository.ts'

async function shown(files: Files, environment: string, env = {}): Promise<ShownObject[]> {
  const directory = await folderOfTest({ 'vexil.yaml': settings, ...files })
  const { declared } = await readDeclared({ directory, env, environment })
  return declared.flatMap(({ objects }) =>
    objects
      .filter(one => isDeclaredIn(one, { name: environment }))
      .map(one => showDeclaration(one, { name: environment })),
  )
}

/** Each value with where it stands, in short: `/active true flags.yaml:3 declaration`. */
function told({ leaves }: ShownObject): string[] {
  return leaves.map(({ pointer, value, source, by, audience }) =>
    [pointer, JSON.stringify(value), `${source.file}:${source.line}`, by, audience].filter(Boolean).join(' '),
  )
}

describe('showDeclaration', () => {
  it('gives each value the place that it comes from', async () => {
    const [flag] = await shown(
      {
        'flags.yaml': `x-shared: &shared
  active: true
  tags: [one]
feature_flags:
  checkout:
    <<: *shared
    name: Mine
    release:
      dach: { rollout_percentage: 25, properties: { country: [DE] } }
      rest: { rollout_percentage: 5 }
    variants: { a: { rollout_percentage: 50, name: A }, b: 50 }
    environments:
      staging:
        release:
          rest: { rollout_percentage: 100 }
          dach: null
        variants: { a: 10 }
        tags: [two]
`,
      },
      'staging',
    )
    expect(flag?.source).toEqual({ file: 'flags.yaml', line: 5, column: 3 })
    expect(told(flag as ShownObject)).toEqual([
      '/active true flags.yaml:2 declaration',
      '/tags/0 "two" flags.yaml:18 override',
      '/name "Mine" flags.yaml:7 declaration',
      '/release/rest/rollout_percentage 100 flags.yaml:15 override',
      '/variants/a/rollout_percentage 10 flags.yaml:17 override',
      '/variants/a/name "A" flags.yaml:11 declaration',
      '/variants/b 50 flags.yaml:11 declaration',
    ])
  })

  it('tells what audiences say, below their names', async () => {
    const [flag] = await shown(
      {
        'audiences.yaml': `audiences:
  people: { properties: { email: { icontains: "@example.com" } } }
  staff:
    audience: people
    properties: { team: a }
    environments: { staging: { properties: { team: b } } }
`,
        'flags.yaml':
          'feature_flags:\n  a: { active: true, release: { x: { audience: staff }, rest: { rollout_percentage: 5 } } }\n',
      },
      'staging',
    )
    expect(told(flag as ShownObject)).toEqual([
      '/active true flags.yaml:2 declaration',
      '/release/x/audience "staff" flags.yaml:2 declaration',
      '/release/x/audience/email/icontains "@example.com" audiences.yaml:2 audience people',
      '/release/x/audience/team "b" audiences.yaml:6 audience staff',
      '/release/rest/rollout_percentage 5 flags.yaml:2 declaration',
    ])
  })

  it('shows a variable by its name, never by its value', async () => {
    const objects = await shown(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the files write variables so
      { 'flags.yaml': 'feature_flags: { a: { name: "x ${env:NAME}", release: [] } }\n' },
      'staging',
      { NAME: 'hidden-value' },
    )
    expect(JSON.stringify(objects)).not.toContain('hidden-value')
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the files write variables so
    expect(objects[0]?.value).toEqual({ name: 'x ${env:NAME}', release: [] })
  })

  it('gives what the settings say by default its place there, under what is declared', async () => {
    const objects = await shown(
      {
        'vexil.yaml': `${settings}defaults:
  - { files: "**", owner: all, tags: [late], protect: true }
  - files: a.yaml
    owner: payments
    expires: "\${env:DAY}"
    tags:
      - Money
      - eu
    only: [staging]
    allow: [rollout_step]
`,
        'a.yaml': `feature_flags:
  a: { active: true }
  b:
    tags: [money, own]
    owner: null
    environments: { staging: { protect: false } }
  c: { ensure: absent, owner: x, only: [staging, production] }
  d: { tags: [] }
  e: { environments: { staging: { skip: true } } }
plugins:
  geoip: { plugin_type: source }
`,
      },
      'staging',
      { DAY: '2027-01-01' },
    )
    const [protect, only, allow] = [
      '/protect true vexil.yaml:9 default',
      '/only/0 "staging" vexil.yaml:16 default',
      '/allow/0 "rollout_step" vexil.yaml:17 default',
    ]
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the files write variables so
    const expires = '/expires "${env:DAY}" vexil.yaml:12 default'
    const owner = '/owner "payments" vexil.yaml:11 default'
    const tags = ['/tags/0 "Money" vexil.yaml:14 default', '/tags/1 "eu" vexil.yaml:15 default']
    expect(Object.fromEntries(objects.map(object => [object.name, told(object)]))).toEqual({
      a: ['/active true a.yaml:2 declaration', owner, ...tags, protect, expires, only, allow],
      b: [
        '/tags/0 "money" a.yaml:4 declaration',
        '/tags/1 "own" a.yaml:4 declaration',
        '/tags/2 "eu" vexil.yaml:15 default',
        '/owner null a.yaml:5 declaration',
        '/protect false a.yaml:6 override',
        expires,
        only,
        allow,
      ],
      c: [
        '/ensure "absent" a.yaml:7 declaration',
        '/only/0 "staging" a.yaml:7 declaration',
        '/only/1 "production" a.yaml:7 declaration',
        protect,
        allow,
      ],
      d: [...tags, owner, protect, expires, only, allow],
      e: ['/skip true a.yaml:9 override'],
      geoip: ['/plugin_type "source" a.yaml:11 declaration', protect, only, allow],
    })
    expect(objects[1]?.value.tags).toEqual(['money', 'own', 'eu'])
    for (const { value, leaves } of objects)
      for (const leaf of leaves) expect(getAt(value, leaf.pointer)).toEqual(leaf.value)
  })

  it.each([
    ['only elsewhere', '{ active: true, only: [production] }', []],
    ['left alone', '{ active: true, environments: { staging: { skip: true } } }', [{ skip: true }]],
    [
      'declared absent',
      '{ active: true, release: [], environments: { staging: { ensure: absent } } }',
      [{ ensure: 'absent' }],
    ],
    ['without a word', '', [{}]],
  ])('shows of an object that is %s no more than holds', async (_, text, values) => {
    const objects = await shown({ 'flags.yaml': `feature_flags:\n  a: ${text}\n` }, 'staging')
    expect(objects.map(({ value }) => value)).toEqual(values)
  })

  it('shows what is declared, whatever is merged, and each value at a place that has one', async () => {
    let seen = 0
    await fc.assert(
      fc.asyncProperty(shortFilters, shortFilters, async (short, override) => {
        const section = {
          feature_flags: { flag: { active: true, ...short, environments: { staging: override } } },
        }
        const files = { 'flags.yaml': writeYaml(section, 'none.json') }
        const { declarations, problems } = await load(
          { 'vexil.yaml': settings, ...files },
          { environment: 'staging' },
        )
        fc.pre(problems.every(({ severity }) => severity === 'warning'))
        seen += 1
        const [flag] = await shown(files, 'staging')
        const { active, ...merged } = flag?.value ?? {}
        expect(active).toBe(true)
        expect(expandShort(merged).filters).toEqual(declarations.desired[0]?.fields.filters)
        for (const { pointer, value } of flag?.leaves ?? [])
          expect(getAt(flag?.value ?? {}, pointer)).toEqual(value)
      }),
      { numRuns: rounds(5) },
    )
    expect(seen).toBeGreaterThan(rounds(5) / 6)
  })
})

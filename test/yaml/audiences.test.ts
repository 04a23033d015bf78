import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, type Json, type JsonObject } from '../../src/model/text/json.ts'
import type { LoadedRepository } from '../../src/yaml/index.ts'
import { writeYaml } from '../../src/yaml/write/split-files.ts'
import { rounds } from '../support/rounds.ts'
import { shortFilters } from '../targeting/short/some-short.ts'
import { load, settings } from './a-repository.ts'

const audiences = `audiences:
  plus_dach: { audience: dach, properties: { plan: plus } }
  dach: { properties: { country: [DE, AT, CH] } }
`

function person(key: string, value: Json, operator = 'exact'): JsonObject {
  return { key, type: 'person', operator, value }
}

const dach = person('country', ['DE', 'AT', 'CH'])
const plus = person('plan', 'plus')

async function loadFlags(flags: string, shared = audiences, environment = 'production') {
  return load({ 'vexil.yaml': settings, 'audiences.yaml': shared, 'flags.yaml': flags }, { environment })
}

function groupsOf({ declarations, problems }: LoadedRepository, at = 0): Json {
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  const filters = declarations.desired[at]?.fields.filters
  return isJsonObject(filters) ? (filters.groups ?? null) : null
}

function flag(release: string, more = ''): string {
  return `feature_flags:\n  one:\n    active: true\n    release: ${release}\n${more}`
}

/** Problems as people see them: where, what and about what. */
function told({ problems }: LoadedRepository): string[] {
  return problems.map(({ source, severity, code, address = '' }) =>
    [`${source?.file}:${source?.line}:${source?.column}`, severity, code, address].join(' '),
  )
}

describe('audiences', () => {
  it('give a condition their properties, before its own', async () => {
    const release =
      '{ dach: { audience: plus_dach, properties: { email: { icontains: "@x" } }, rollout_percentage: 5 } }'
    expect(groupsOf(await loadFlags(flag(release)))).toEqual([
      { properties: [dach, plus, person('email', '@x', 'icontains')], rollout_percentage: 5 },
    ])
  })

  it('are shared by all files of a repository, and by conditions in a list', async () => {
    expect(
      groupsOf(await loadFlags(flag('[{ audience: plus_dach }, { audience: dach, rollout_percentage: 1 }]'))),
    ).toEqual([{ properties: [dach, plus] }, { properties: [dach], rollout_percentage: 1 }])
  })

  it('mean what they say, whatever conditions say', async () => {
    await fc.assert(
      fc.asyncProperty(shortFilters, fc.infiniteStream(fc.nat(2)), async (short, cuts) => {
        const { release = null } = short
        fc.pre(isJsonObject(release))
        const shared: Record<string, JsonObject> = {}
        const said = Object.entries(release as JsonObject).map(([name, condition]) => {
          const properties = isJsonObject(condition) ? condition.properties : undefined
          if (!isJsonObject(condition) || !isJsonObject(properties)) return [name, condition] as const
          const entries = Object.entries(properties)
          const groups = condition.group_type_index ?? short.group_type_index
          const counted: JsonObject = groups === undefined ? {} : { group_type_index: groups }
          const parts = [0, 1, 2].map(() => [] as [string, Json][])
          let part = 0
          for (const entry of entries) {
            part = Math.min(2, part + (cuts.next().value ?? 0))
            parts[part]?.push(entry)
          }
          const [below = [], above = [], own = []] = parts
          if (below.length === 0) return [name, condition] as const
          shared[`${name}-below`] = { properties: Object.fromEntries(below), ...counted }
          shared[`${name}-above`] = {
            audience: `${name}-below`,
            ...(above.length > 0 ? { properties: Object.fromEntries(above) } : {}),
            ...counted,
          }
          const { properties: _, ...rest } = condition
          const others = own.length > 0 ? { properties: Object.fromEntries(own) } : {}
          return [name, { ...rest, ...others, audience: `${name}-above` }] as const
        })
        const one = 'version: 1\n'
        const written = { feature_flags: { one: { active: true, ...short } } }
        const named = {
          feature_flags: { one: { active: true, ...short, release: Object.fromEntries(said) } },
        }
        const [plain, byName] = await Promise.all([
          load({ 'vexil.yaml': one, 'flags.yaml': writeYaml(written, 'none.json') }),
          load({
            'vexil.yaml': one,
            'flags.yaml': writeYaml(named, 'none.json'),
            'a.yaml': writeYaml({ audiences: shared }, 'none.json'),
          }),
        ])
        expect(byName.hasErrors).toBe(plain.hasErrors)
        expect(byName.declarations.desired[0]?.fields).toEqual(plain.declarations.desired[0]?.fields)
        // A problem is told at the audience or at the flag, and once. That nobody meets a condition is told of one without
        // mistakes, and an audience may have none where the condition has some.
        const unreachable = 'unreachable-condition'
        const hasMistake = plain.problems.some(({ code }) => code !== unreachable)
        const isTold = (code: string) => !hasMistake || code !== unreachable
        const codes = ({ problems }: LoadedRepository) =>
          [...new Set(problems.map(({ code }) => code))].filter(isTold).sort()
        expect(codes(byName)).toEqual(codes(plain))
      }),
      { numRuns: rounds(5) },
    )
  })

  it('can be another one in an override, and none where the condition says who is left', async () => {
    const shared = flag(
      '{ few: { audience: dach, rollout_percentage: 5 } }',
      '    environments: { staging: { release: { few: { audience: null, properties: { plan: plus } } } }, production: { release: { few: { audience: plus_dach } } } }\n',
    )
    expect(groupsOf(await loadFlags(shared, audiences, 'staging'))).toEqual([
      { properties: [plus], rollout_percentage: 5 },
    ])
    expect(groupsOf(await loadFlags(shared))).toEqual([{ properties: [dach, plus], rollout_percentage: 5 }])
  })

  it('may differ in an environment, for flags that say nothing of it', async () => {
    const shared = `audiences:
  staff: { properties: { email: { icontains: "@example.com" } }, environments: { staging: { properties: { plan: plus } } } }
  dach_staff: { audience: staff, properties: { country: DE } }
`
    const flags = flag(
      '{ staff: { audience: dach_staff } }',
      '    environments: { staging: { active: false } }\n',
    )
    const staff = person('email', '@example.com', 'icontains')
    const country = person('country', 'DE')
    expect(groupsOf(await loadFlags(flags, shared))).toEqual([{ properties: [staff, country] }])
    const staging = await loadFlags(flags, shared, 'staging')
    expect(groupsOf(staging)).toEqual([{ properties: [staff, plus, country] }])
    expect(staging.declarations.desired[0]?.fields.active).toBe(false)
  })

  it('of groups are for conditions that count these groups', async () => {
    const shared = 'audiences:\n  big: { group_type_index: 1, properties: { seats: { gt: "100" } } }\n'
    const big = { key: 'seats', type: 'group', group_type_index: 1, operator: 'gt', value: '100' }
    const loaded = await loadFlags(flag('{ big: { audience: big } }', '    group_type_index: 1\n'), shared)
    expect(groupsOf(loaded)).toEqual([{ properties: [big] }])
    expect(told(await loadFlags(flag('{ big: { audience: big } }'), shared))).toEqual([
      'flags.yaml:4:33 error audience-groups feature_flag.one',
    ])
  })

  it('make a file one of declarations', async () => {
    const { problems } = await load({
      'vexil.yaml': 'version: 1\n',
      'a.yaml': audiences,
      'b.yaml': flag('{ a: { audience: plus_dach } }'),
    })
    expect(problems).toEqual([])
  })

  it('are not known to a release that ignores a place of them, and are where it is one', async () => {
    const ignoring = (place: string) =>
      loadFlags(
        flag('{ a: { audience: dach } }', `    ignore: [${place}]\n`),
        'audiences:\n  dach: { properties: { country: DE } }\n',
      )
    const { declarations } = await ignoring('release.a.audience')
    expect(declarations.desired[0]?.ignore).toEqual(['/filters/groups/0/properties/0'])
  })
})

describe('a problem with audiences', () => {
  it.each<[string, string, string, string[]]>([
    [
      'an unknown one',
      'audiences:\n  staff: { properties: { a: b } }\n',
      '{ x: { audience: staf }, y: { audience: staff } }',
      ['flags.yaml:4:31 error unknown-audience feature_flag.one'],
    ],
    [
      'one that builds on an unknown one, told once',
      'audiences:\n  staff: { audience: nobody, properties: { a: b } }\n',
      '{ x: { audience: staff }, y: { audience: staff } }',
      ['audiences.yaml:2:22 error unknown-audience audience.staff'],
    ],
    [
      'a circle',
      'audiences:\n  a: { audience: b }\n  b: { audience: c, properties: { x: y } }\n  c: { audience: a }\n',
      '{ x: { audience: a }, y: { audience: c } }',
      ['audiences.yaml:4:18 error audience-circle audience.c'],
    ],
    [
      'one that builds on itself',
      'audiences:\n  a: { audience: a, properties: { x: y } }\n',
      '{ x: { audience: a } }',
      ['audiences.yaml:2:18 error audience-circle audience.a'],
    ],
    [
      'one that nobody uses, and one that only that one uses',
      'audiences:\n  a: { audience: b }\n  b: { properties: { x: y } }\n',
      '{ x: { rollout_percentage: 5 } }',
      [
        'audiences.yaml:2:3 warning unused-audience audience.a',
        'audiences.yaml:3:3 warning unused-audience audience.b',
      ],
    ],
    [
      'one without properties',
      'audiences:\n  a: {}\n  b: { properties: {} }\n  c: { properties: [] }\n  d:\n',
      '{ a: { audience: a }, b: { audience: b }, c: { audience: c }, d: { audience: d } }',
      ['2', '3', '4', '5'].map(
        (line, at) => `audiences.yaml:${line}:3 error empty-audience audience.${'abcd'[at]}`,
      ),
    ],
    [
      'one whose properties were left empty',
      'audiences:\n  a:\n    properties:\n  b:\n    properties:\n      country:\n',
      '{ a: { audience: a }, b: { audience: b } }',
      ['audiences.yaml:3:5 error empty-value audience.a', 'audiences.yaml:6:7 error empty-value audience.b'],
    ],
    [
      'what is wrong in its properties, told once',
      'audiences:\n  a: { properties: { email: { containss: x } } }\n  b: { audience: a, properties: { z: y } }\n',
      '{ a: { audience: a }, b: { audience: b, rollout_percentage: 3 } }',
      ['audiences.yaml:2:42 warning unknown-operator audience.a'],
    ],
    [
      'a name that is none',
      'audiences:\n  "A b": { properties: { x: y } }\n',
      '{ a: { audience: A b } }',
      ['audiences.yaml:2:3 error audience-name audience.A b'],
    ],
    [
      'a member that is none',
      'audiences:\n  a: { propertys: { x: y }, properties: { x: y } }\n',
      '{ a: { audience: a } }',
      ['audiences.yaml:2:8 error unknown-key '],
    ],
    [
      'a list of audiences',
      'audiences:\n  a: { properties: { x: y } }\n  b: { properties: { x: z } }\n',
      '{ a: { audience: [a, b] }, b: { audience: a }, c: { audience: b } }',
      ['flags.yaml:4:31 error wrong-shape feature_flag.one'],
    ],
    [
      'an audience that was left empty',
      'audiences:\n  a: { properties: { x: y } }\n',
      '{ a: { audience: }, b: { audience: a } }',
      ['flags.yaml:4:21 error empty-value feature_flag.one'],
    ],
    [
      'an environment that is none',
      'audiences:\n  a: { properties: { x: y }, environments: { stagin: { properties: { x: z } } } }\n',
      '{ b: { audience: a } }',
      ['audiences.yaml:2:46 error unknown-environment audience.a'],
    ],
  ])('is told where it is: %s', async (_, shared, release, expected) => {
    expect(told(await loadFlags(flag(release), shared))).toEqual(expected)
  })

  it('names the nearest audience, the circle, and both places of one that is declared twice', async () => {
    const messages = async (shared: string, release: string) => {
      const { problems } = await loadFlags(flag(release), shared)
      return problems.map(({ message, hint }) => `${message}; ${hint}`)
    }
    expect(await messages(audiences, '{ x: { audience: dachh }, y: { audience: plus_dach } }')).toEqual([
      '"dachh" is not an audience; did you mean "dach"?',
    ])
    expect(
      await messages('audiences:\n  a: { audience: b }\n  b: { audience: a }\n', '{ x: { audience: a } }'),
    ).toEqual([
      'audiences build on one another in a circle: "a" -> "b" -> "a"; let one of them declare its properties itself',
    ])
    const twice = await load({
      'vexil.yaml': 'version: 1\n',
      'a.yaml': audiences,
      'b.yaml': audiences,
      'flags.yaml': flag('{ x: { audience: plus_dach } }'),
    })
    expect(twice.problems.map(({ message, source }) => `${source?.file}:${source?.line} ${message}`)).toEqual(
      [
        'b.yaml:2 this audience is also declared at a.yaml:2:3',
        'b.yaml:3 this audience is also declared at a.yaml:3:3',
      ],
    )
  })

  it('keeps what is wrong unless it is live a matter of each flag that has it', async () => {
    const shared = 'audiences:\n  a: { properties: { email: { regex: "(" } } }\n  b: { audience: a }\n'
    const loaded = await loadFlags(flag('{ x: { audience: b } }'), shared)
    expect(told(loaded)).toEqual(['audiences.yaml:2:38 warning pattern audience.a'])
    expect(loaded.declarations.desired[0]?.liveOnly).toMatchObject([
      { problem: { code: 'pattern', severity: 'error', source: { file: 'flags.yaml', line: 4 } } },
    ])
  })

  it('reads numbers as the audience has them', async () => {
    const shared = 'audiences:\n  a: { properties: { version: { semver_gte: 2.10 } } }\n'
    const { problems } = await loadFlags(flag('{ x: { audience: a } }'), shared)
    expect(problems.map(({ code, source }) => `${source?.file} ${code}`)).toContain(
      'audiences.yaml version-not-text',
    )
    expect(problems.filter(({ source }) => source?.file === 'flags.yaml')).toEqual([])
  })

  it('never shows what the environment fills in, in whichever file', async () => {
    const secret = 'pssst('
    const { problems } = await load(
      {
        'vexil.yaml': 'version: 1\n',
        'a.yaml': `audiences:\n  a: { properties: { email: { regex: "\${env:SECRET}" } } }\n`,
        'flags.yaml': flag(
          '{ x: { audience: a, properties: { age: { lt: ten } } } }',
          '    group_type_index: 9\n',
        ),
      },
      { env: { SECRET: secret } },
    )
    expect(problems.length).toBeGreaterThan(0)
    expect(JSON.stringify(problems)).not.toContain(secret)
  })

  it('does not say that an audience is unused where a file cannot be read', async () => {
    const { problems } = await load({
      'vexil.yaml': 'version: 1\n',
      'a.yaml': audiences,
      'flags.yaml': 'feature_flags: { "',
    })
    expect(problems.filter(({ code }) => code === 'unused-audience')).toEqual([])
  })

  it('ends where audiences build on each other without end', async () => {
    const chain = Array.from({ length: 5000 }, (_, at) => `  a${at}: { audience: a${at + 1} }\n`).join('')
    const shared = `audiences:\n${chain}  a5000: { properties: { x: y } }\n`
    const { problems } = await loadFlags(flag('{ x: { audience: a0 } }'), shared)
    expect(problems.map(({ code }) => code)).toContain('audience-chain')
  })
})

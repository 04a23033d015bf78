import { describe, expect, it, onTestFinished } from 'vitest'
import { flagsPath } from '../support/deleted-flags.ts'
import { startService } from '../support/service.ts'
import { aWorkspace, useWorkspace } from '../support/workspace.ts'

const flags = `feature_flags:
  checkout:
    active: true
    filters:
      groups:
        - { properties: [ { key: country, type: person, value: [DE, AT] } ], variant: one_page }
        - { rollout_percentage: 50 }
      multivariate: { variants: [ { key: one_page, rollout_percentage: 50 }, { key: classic, rollout_percentage: 50 } ] }
      payloads: { one_page: { steps: 1 } }
  adults: { active: true, filters: { groups: [ { properties: [ { key: age, type: person, operator: gt, value: "18" } ] } ] } }
  late: { active: true, filters: { groups: [ { properties: [ { key: app, type: person, operator: semver_gt, value: 1.9.0 } ] } ] } }
  waits: { active: true, filters: { groups: [ { properties: [ { key: adults, type: flag, operator: flag_evaluates_to, value: true } ] } ] } }
  companies:
    active: true
    filters:
      aggregation_group_type_index: 0
      groups: [ { properties: [ { key: plan, type: group, group_type_index: 0, value: pro } ] } ]
  off: { active: false, filters: { groups: [ {} ] } }
  theirs: { active: true, name: The conditions are left to the product }
  gone: { ensure: absent }
`
const workspace = useWorkspace({ 'vexil.yaml': 'version: 1\n', 'flags.yaml': flags })
const { write } = workspace

async function told(line: string): Promise<string> {
  const { code, stdout, stderr } = await workspace().vexil(`evaluate ${line}`)
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}

describe('vexil evaluate', () => {
  it.each<[string, string]>([
    [
      'checkout --distinct-id ada --property country=DE',
      'checkout: one_page\n  condition 1: country is DE or AT\n  payload {"steps":1}\n',
    ],
    ['checkout', 'checkout: undecided\n  the property "country" is unknown\n'],
    ['checkout --property country=FR', 'checkout: undecided\n  the distinct id is unknown\n'],
    ['feature_flag.off', 'off: false\n  the flag is off or deleted\n'],
    ['gone', 'gone: false\n  the flag is off or deleted\n'],
    [
      'feature_flag.{of?,g*}',
      'off: false\n  the flag is off or deleted\ngone: false\n  the flag is off or deleted\n',
    ],
    ['theirs', 'theirs: undecided\n  who gets it is not declared here\n'],
    [
      'companies --group 0=acme --group-property 0.plan=pro',
      'companies: true\n  condition 1: group plan is pro\n',
    ],
    ['companies', 'companies: false\n  the flag is for groups, and the person has no group of that type\n'],
    ['adults --property age=20', 'adults: true\n  condition 1: age > 18\n'],
    ['waits --property age=20', 'waits: true\n  condition 1: flag "adults" is on for the person\n'],
  ])('%s', async (line, text) => {
    expect(await told(`${line} --profile posthog-2026`)).toBe(text)
  })

  it('tells who says what where those who evaluate do not agree', async () => {
    expect(await told(`adults --property age="100" --profile posthog-2026`)).toBe(
      [
        'adults: differs',
        '  true by the service',
        '  false by posthog-server 2.3.3',
        '  condition 1: age > 18',
        '',
      ].join('\n'),
    )
    // Of an older service it is not known that anybody differs.
    expect(await told(`adults --property age="100" --profile posthog`)).toBe(
      'adults: false\n  no condition matches\n',
    )
  })

  it('reckons with every service where it is not known which answers', async () => {
    expect(await told(`adults --property age="100" --profile auto`)).toContain(
      [
        'adults: differs',
        '  true by the service with profile posthog-2026',
        '  false by the service with profile documented',
        '  false by the service with profile posthog',
        '',
      ].join('\n'),
    )
    expect(await told('late --property app=2.0.0 --profile auto')).toBe(
      [
        'late: true',
        ...['documented', 'posthog'].map(
          profile =>
            `  undecided by the service with profile ${profile}: only the service knows the operator "semver_gt"`,
        ),
        '  condition 1: app semver_gt 1.9.0',
        '',
      ].join('\n'),
    )
  })

  it('prints a document with every flag that is declared', async () => {
    const printed = JSON.parse(await told('--json --profile documented --distinct-id ada --property age=20'))
    expect(printed.flags.map((flag: { flag: string; verdict: string }) => [flag.flag, flag.verdict])).toEqual(
      [
        ['checkout', 'undecided'],
        ['adults', 'decided'],
        ['late', 'undecided'],
        ['waits', 'decided'],
        ['companies', 'decided'],
        ['off', 'decided'],
        ['theirs', 'undecided'],
        ['gone', 'decided'],
      ],
    )
    expect(printed.flags[1]).toEqual({
      flag: 'adults',
      verdict: 'decided',
      value: true,
      variant: null,
      payload: null,
      reason: 'condition_match',
      condition: { number: 1, summary: 'age > 18' },
      undecided: null,
      by: 'the service',
      others: [],
    })
  })

  it.each(['truth', 'text'] as const)(
    'goes by the version of a project that compares true and false by %s',
    async truth_values => {
      const service = await startService({ profile: 'posthog-2026', quirks: { truth_values } })
      onTestFinished(() => service.close())
      const filters = {
        groups: [{ properties: [{ key: 'beta', type: 'person', operator: 'exact', value: 'false' }] }],
      }
      await service.send('POST', `${flagsPath}/`, { key: 'beta', active: true, filters })
      const { property_matching_version: version } = (await service.get(
        `/flags/definitions?token=${service.sandbox.summary.project_token}`,
      )) as { property_matching_version: number }
      const { vexil, remove } = await aWorkspace(service, {
        'vexil.yaml': 'version: 1\n',
        'flags.yaml': JSON.stringify({ feature_flags: { beta: { active: true, filters } } }),
      })
      onTestFinished(remove)
      const values = new Set<boolean | string>()
      for (const beta of ['false', 'banana', true]) {
        const line = `evaluate beta --property beta=${JSON.stringify(beta)} --profile posthog-2026 --live --json`
        const { stdout } = await vexil(`${line} --property-matching-version ${version}`)
        const [told] = JSON.parse(stdout).flags
        const value = service.sandbox.evaluate('beta', { distinctId: 'ada', properties: { beta } })?.value
        expect([told.value, told.live.value]).toEqual([value, value])
        values.add(told.value)
      }
      expect(values.size).toBe(2)
    },
  )

  it('refuses another version than the two there are', async () => {
    const { code, stderr } = await workspace().vexil('evaluate --property-matching-version 3')
    expect(code).toBe(64)
    expect(stderr).toContain('Allowed choices are 1, 2')
  })

  it('asks no service, and with --live reads the list of flags', async () => {
    const { service, vexil } = workspace()
    const quiet = await service.watch(() => vexil('evaluate adults --property age=20'))
    expect(quiet.requests).toEqual([])
    const missing = await service.watch(() => vexil('evaluate adults --property age=20 --live'))
    expect(missing.requests.map(request => request.split('?')[0])).toEqual([
      'GET /api/projects/1/feature_flags',
    ])
    expect(missing.result.stdout).toBe(
      'adults: true\n  condition 1: age > 18\n  live: the flag does not exist\n',
    )
    await vexil('apply --auto-approve --target adults')
    expect((await vexil('evaluate adults --property age=20 --live')).stdout).toContain('  live: the same\n')
    await write({ 'flags.yaml': flags.replace('value: "18"', 'value: "21"') })
    expect((await vexil('evaluate adults --property age=20 --live')).stdout).toBe(
      'adults: false\n  no condition matches\n  live: true, which differs\n    condition 1: age > 18\n',
    )
    expect((await vexil('evaluate adults --live')).stdout).toContain(
      '  live: undecided\n    the property "age" is unknown\n',
    )
  })

  it.each<[string, string, number]>([
    ['chekout', 'no flag "chekout" is declared here; did you mean "checkout"?', 1],
    ['cart_*', '"cart_*" matches no declared flag', 1],
    ['--property country', '--property takes NAME=VALUE, such as country=DE; not "country"', 64],
    ['--property =DE', '--property takes NAME=VALUE, such as country=DE; not "=DE"', 64],
    ['--group acme', '--group takes TYPE=KEY, such as 0=acme; not "acme"', 64],
    [
      '--group company=acme',
      '--group takes the number of a group type (0 to 4, as in aggregation_group_type_index); not "company"',
      64,
    ],
    [
      '--group 5=acme',
      '--group takes the number of a group type (0 to 4, as in aggregation_group_type_index); not "5"',
      64,
    ],
    [
      '--group-property 1.plan=pro',
      '--group-property names a group of type 1, but no --group has this type; not "1.plan=pro"',
      64,
    ],
    [
      '--group 0=acme --group-property 0=pro',
      '--group-property takes TYPE.NAME=VALUE, such as 0.plan=pro; not "0=pro"',
      64,
    ],
    ['--profile today', '"today" is not a profile', 64],
  ])('refuses %s', async (line, message, exit) => {
    const { code, stdout, stderr } = await workspace().vexil(`evaluate ${line}`)
    expect([code, stdout]).toEqual([exit, ''])
    expect(stderr).toContain(message)
  })
})

it('takes types of groups by the names of the settings, and flags by their audiences', async () => {
  const { vexil } = workspace()
  await write({
    'vexil.yaml': 'version: 1\ngroup_types: { company: 1 }\n',
    'audiences.yaml': 'audiences: { pro: { group_type: company, properties: { plan: pro } } }\n',
    'flags.yaml':
      'feature_flags: { firms: { active: true, group_type: company, release: { pro: { audience: pro } } } }\n',
  })
  const names = await vexil('evaluate firms --group company=acme --group-property company.plan=pro')
  expect(names).toMatchObject({ code: 0, stdout: 'firms: true\n  condition 1: group plan is pro\n' })
  expect(await vexil('evaluate firms --group 1=acme --group-property 1.plan=pro')).toEqual(names)
  expect(await vexil('evaluate firms --group compny=acme')).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('or its name: company; not "compny"'),
  })
})

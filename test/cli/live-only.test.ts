import { describe, expect, it } from 'vitest'
import { anOrganization, isWrite, organization, useWorkspace } from '../support/workspace.ts'

const odd = { groups: [{ properties: [{ key: 'age', type: 'person', operator: 'gte', value: 100 }] }] }
const source = { 'plugin.json': '{"name": "Country"}' }

/** What a service holds from before it checked anything. */
const world = anOrganization({
  plugins: [{ name: 'Geo', plugin_type: 'source', source }],
  projects: [
    {
      id: 1,
      name: 'Production',
      feature_flags: [
        { key: 'old', filters: odd },
        {
          key: 'uneven',
          filters: {
            groups: [{ rollout_percentage: 10 }],
            multivariate: { variants: [{ key: 'a', rollout_percentage: 40 }] },
          },
        },
      ],
    },
    { id: 2, name: 'Staging' },
  ],
})

const workspace = useWorkspace({ 'vexil.yaml': 'version: 1\n' }, { seed: world })
const { vexil, service, write, declareFlags, flag } = workspace
const taken = 'a plan accepts this only if the live object already has it'
const oddFlag = (percent: string) =>
  `  old:
    active: true
    filters:
      groups:
        - { properties: [{ key: age, type: person, operator: gte, value: 100 }]${percent} }`

describe('what the service holds and would not be sent', () => {
  it('is exported, validates with a warning, plans nothing and is not exported again', async () => {
    expect(await vexil('export -d flags')).toMatchObject({ code: 0 })
    const checked = await vexil('validate')
    expect(checked).toMatchObject({ code: 0, stdout: '3 files checked: 3 warnings\n' })
    const lines = checked.stderr.split('\n').filter(line => line.startsWith('flags/'))
    expect(lines).toEqual([
      `flags/feature_flags.yaml:10:18 warning: feature_flag "old": the value of the operator "gte" must be text; write the value in quotes: "100"; ${taken}`,
      `flags/feature_flags.yaml:15:7 warning: feature_flag "uneven": the variants add up to 40%; the variants must add up to 100%; ${taken}`,
      `flags/plugins.yaml:4:3 warning: plugin "Geo": its name differs from the "name" of plugin.json, "Country"; the service uses the value in the file: write the same value in both; ${taken}`,
    ])
    const { result, requests } = await service.watch(() => vexil('plan --detailed-exitcode'))
    expect(result).toMatchObject({ code: 0, stderr: '3 warnings: vexil validate shows them\n' })
    expect(result.stdout).toContain('0 blocked, 3 unchanged')
    expect(requests.filter(isWrite)).toEqual([])
    expect((await vexil('apply --auto-approve')).code).toBe(0)
    expect((await vexil('drift')).code).toBe(0)
    expect((await vexil('export -d again')).stderr).toMatch(/^nothing to write: /)
  })

  it.each(['plan', 'apply --auto-approve', 'drift', 'plan --target feature_flag.new'])(
    'is a problem of anything new, told at its place by %s',
    async line => {
      await declareFlags(oddFlag('').replace('old', 'new'))
      expect((await vexil('validate')).code).toBe(0)
      const { result, requests } = await service.watch(() => vexil(line))
      expect(result).toEqual({
        code: 1,
        stdout: '',
        stderr: `flags.yaml:6:74 feature_flag "new": the value of the operator "gte" must be text; write the value in quotes: "100"
  5 |       groups:
> 6 |         - { properties: [{ key: age, type: person, operator: gte, value: 100 }] }
    |                                                                          ^

vexil: 1 error
`,
      })
      expect(requests.filter(isWrite)).toEqual([])
    },
  )

  it('is among the errors of plan --json', async () => {
    await declareFlags(oddFlag('').replace('old', 'new'))
    const { code, stdout } = await vexil('plan --json')
    expect({ code, errors: JSON.parse(stdout).errors }).toMatchObject({
      code: 1,
      errors: [{ code: 'value-not-text', source: { file: 'flags.yaml', line: 6, column: 74 } }],
    })
  })

  it('is a problem in filters that are changed elsewhere, where the service refuses to be sent it', async () => {
    await declareFlags(oddFlag(', rollout_percentage: 50'))
    const { code, stdout, stderr } = await vexil('plan')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(
      'flags.yaml:6:74 feature_flag "old": the value of the operator "gte" must be text',
    )
  })

  it('may stay while the rest is changed, where the service takes it', async () => {
    await declareFlags(`  uneven:
    active: true
    filters:
      groups: [{ rollout_percentage: 20 }]
      multivariate: { variants: [{ key: a, rollout_percentage: 40 }] }`)
    expect(await vexil('apply --auto-approve')).toMatchObject({ code: 0 })
    expect((await flag('uneven')).filters).toMatchObject({ groups: [{ rollout_percentage: 20 }] })
  })

  it('does not hold up a change of anything but the filters', async () => {
    await declareFlags(oddFlag('').replace('active: true', 'active: false'))
    expect(await vexil('apply --auto-approve')).toMatchObject({ code: 0 })
    expect(await flag('old')).toMatchObject({ active: false, filters: odd })
  })

  it('counts in the layer that is in force alone', async () => {
    const place = (project: number) =>
      `{ base_url: "${service.url}", project: "${project}", organization: ${organization} }`
    await write({
      'vexil.yaml': `version: 1\nenvironments: { production: ${place(1)}, staging: ${place(2)} }\n`,
      'flags.yaml': `feature_flags:\n${oddFlag('')}\n    environments: { staging: { filters: { groups: [] } } }\n`,
    })
    const env = { VEXIL_API_KEY: service.env.VEXIL_API_KEY }
    expect((await vexil('plan --env production --detailed-exitcode', { env })).code).toBe(0)
    expect((await vexil('plan --env staging --detailed-exitcode', { env })).code).toBe(2)
    await write({
      'flags.yaml': `feature_flags:
  old:
    active: true
    filters: { groups: [] }
    environments: { staging: { filters: { groups: [{ rollout_percentage: 150 }] } } }
`,
    })
    expect((await vexil('plan --env production', { env })).code).toBe(0)
    const { code, stderr } = await vexil('plan --env staging', { env })
    expect({ code, place: stderr.split(' ')[0] }).toEqual({ code: 1, place: 'flags.yaml:5:74' })
  })

  it('never shows what the environment filled in', async () => {
    const filters = `{ groups: [{ variant: "$\{env:VARIANT}" }] }`
    await write({ 'flags.yaml': `feature_flags: { new: { active: true, filters: ${filters} } }\n` })
    const { code, stderr } = await vexil('plan', { env: { ...service.env, VARIANT: 'hidden' } })
    expect(code).toBe(1)
    expect(stderr).not.toContain('hidden')
  })

  it('is a problem in a plugin whose own file is to be written', async () => {
    const geo = (text: string) =>
      `plugins:\n  Geo:\n    plugin_type: source\n    source: { plugin.json: '${text}' }\n`
    await write({ 'plugins.yaml': geo('{"name": "Country"}') })
    expect((await vexil('plan --detailed-exitcode')).code).toBe(0)
    await write({ 'plugins.yaml': geo('{"name": "Lands"}') })
    const { code, stderr } = await vexil('plan')
    expect({ code, line: stderr.split('\n')[0] }).toEqual({
      code: 1,
      line: 'plugins.yaml:2:3 plugin "Geo": its name differs from the "name" of plugin.json, "Lands"; the service uses the value in the file: write the same value in both',
    })
  })

  it('is told as data by validate --json', async () => {
    await declareFlags(oddFlag(''))
    const { code, stdout } = await vexil('validate --json')
    expect({ code, problems: JSON.parse(stdout).problems }).toEqual({
      code: 0,
      problems: [
        {
          code: 'value-not-text',
          severity: 'warning',
          message: 'the value of the operator "gte" must be text',
          hint: `write the value in quotes: "100"; ${taken}`,
          source: { file: 'flags.yaml', line: 6, column: 74 },
          address: 'feature_flag.old',
          conditional: true,
        },
      ],
    })
  })
})

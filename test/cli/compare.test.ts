import { describe, expect, it } from 'vitest'
import { anOrganization, isWrite, organization, useWorkspace, type Workspace } from '../support/workspace.ts'

const supportOf = {
  staging: '01900000-0000-0000-0000-0000000000aa',
  production: '01900000-0000-0000-0000-0000000000bb',
} as const

const world = anOrganization({
  roles: [
    { id: supportOf.staging, name: 'Support of staging' },
    { id: supportOf.production, name: 'Support of production' },
  ],
  projects: [
    {
      id: 1,
      name: 'Production',
      feature_flags: [
        {
          key: 'checkout',
          filters: { groups: [{ properties: [], rollout_percentage: 10 }] },
          role_access: ['Support of production'],
        },
        { key: 'new_home' },
      ],
    },
    {
      id: 2,
      name: 'Staging',
      feature_flags: [{ key: 'checkout', role_access: ['Support of staging'] }],
    },
  ],
})

const flags = `feature_flags:
  checkout:
    active: true
    rollout_percentage: 10
    role_access: [support]
    environments: { staging: { rollout_percentage: 100 } }
  search: { active: true, rollout_percentage: 5 }
  legacy: { active: true, release: { de: { properties: { country: DE } } }, only: [staging] }
`

const workspace = useWorkspace({ 'flags.yaml': flags }, { seed: world })
const { vexil, service, write, read } = workspace

/** Each environment has a project, a key and a role of its own. */
async function arrange({ write, service }: Workspace, more = '') {
  const at = (project: number, role: string, key: string) =>
    `{ base_url: "${service.url}", project: "${project}", organization: ${organization}, api_key_env: ${key}, roles: { support: ${role} } }`
  await write({
    'vexil.yaml': `version: 1
environments:
  staging: ${at(2, supportOf.staging, 'STAGING_KEY')}
  production: ${at(1, supportOf.production, 'PRODUCTION_KEY')}
${more}`,
  })
  const key = service.env.VEXIL_API_KEY
  return { env: { STAGING_KEY: key, PRODUCTION_KEY: key } }
}

describe('vexil compare', () => {
  it('shows what is declared, without a key and without a request', async () => {
    await arrange(workspace())
    const { result, requests } = await service.watch(() => vexil('compare staging production', { env: {} }))
    expect(requests).toEqual([])
    expect(result).toEqual({
      code: 0,
      stderr: '',
      stdout: `Comparison: staging -> production, declared objects

                   staging           production
  ~ flag checkout  on, 100%          on, 10%
      condition 1  everyone  100% -> 10%
  ! flag legacy    on, at most 100%  -

1 object differs, 1 only in staging, 0 only in production, 2 equal (--show-equal lists them)
`,
    })
  })

  it('takes roles of one name for the same, whatever their ids are', async () => {
    await arrange(workspace())
    const { stdout } = await vexil('compare staging production --show-equal checkout', { env: {} })
    expect(stdout).toContain('  = grant checkout:support  editor    editor\n')
    const without = await vexil('compare staging production --show-equal --no-grants', { env: {} })
    expect(without.stdout).not.toContain('grant')
  })

  it('shows what is live, with the key of each, and writes nothing', async () => {
    const options = await arrange(workspace())
    const { result, requests } = await service.watch(() =>
      vexil('compare staging production --live --show-equal', options),
    )
    expect(requests.filter(isWrite)).toEqual([])
    expect(result.code).toBe(0)
    expect(
      result.stdout,
    ).toBe(`Comparison: staging (project 2, ${service.url}) -> production (project 1, ${service.url}), live objects

                            staging   production
  ~ flag checkout           on, 100%  on, 10%
      condition 1  everyone  100% -> 10%
  ! flag new_home           -         on, 100%
  = grant checkout:support  editor    editor

1 object differs, 0 only in staging, 1 only in production, 1 equal
`)
  })

  it('names the environment in what goes wrong with one of them', async () => {
    const { env } = await arrange(workspace())
    const line = 'compare staging production --live'
    const noKey = await vexil(line, { env: { STAGING_KEY: env.STAGING_KEY } })
    expect(noKey).toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        'vexil: production: this environment takes its key from PRODUCTION_KEY, which is not set (nor is PRODUCTION_KEY_FILE)\n',
    })
    const wrongKey = await vexil(`${line} --json`, { env: { ...env, PRODUCTION_KEY: 'phx_another-key' } })
    expect(wrongKey.code).toBe(1)
    expect(wrongKey.stderr).toMatch(/^vexil: production: GET .* 401/)
    expect(JSON.parse(wrongKey.stdout).errors).toMatchObject([
      { code: 'service', status: 401, message: expect.stringMatching(/^production: /) },
    ])
    expect(wrongKey.stdout + wrongKey.stderr).not.toContain('phx_another-key')
  })

  it('refuses to take one place for two', async () => {
    const { env } = await arrange(workspace())
    const line = 'compare staging production --live'
    expect(await vexil(line, { env: { ...env, VEXIL_PROJECT_ID: '1' } })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(
        'vexil: staging: an environment variable gives another project than vexil.yaml; unset it to distinguish environments\n',
      ),
    })
    const text = await read('vexil.yaml')
    await write({ 'vexil.yaml': text.replace('project: "2"', 'project: "1"') })
    expect(await vexil(line, { env })).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^vexil: production: it is the same place as "staging": project 1, /),
    })
  })

  it('takes cohorts of one name for the same, whatever their numbers are', async () => {
    await arrange(workspace())
    const text = await read('vexil.yaml')
    const names = { staging: 3, production: 9 }
    const named = Object.entries(names).reduce(
      (all, [name, number]) => all.replace(`${name}: { `, `${name}: { cohorts: { beta: ${number} }, `),
      text,
    )
    await write({
      'vexil.yaml': named,
      'flags.yaml':
        'feature_flags: { a: { active: true, release: { beta: { properties: { cohort: { in: beta } } } } } }\n',
    })
    const { stdout } = await vexil('compare staging production --json', { env: {} })
    expect(JSON.parse(stdout)).toMatchObject({ summary: { equal: 1, differs: 0 } })
    await write({ 'vexil.yaml': text })
    await write({
      'flags.yaml': `feature_flags:
  a:
    active: true
    release: { beta: { properties: { cohort: { in: 9 } } } }
    environments: { staging: { release: { beta: { properties: { cohort: { in: 3 } } } } } }
`,
    })
    const other = await vexil('compare staging production --json', { env: {} })
    expect(JSON.parse(other.stdout)).toMatchObject({ summary: { equal: 0, differs: 1 } })
  })

  it('limits itself to what an owner answers for in any of them', async () => {
    await arrange(workspace())
    await write({
      'flags.yaml': flags
        .replace('search: {', 'search: { owner: payments,')
        .replace('legacy: {', 'legacy: { tags: ["owner:search"],'),
    })
    const paid = await vexil('compare staging production --owner payments --show-equal', { env: {} })
    expect(paid.stdout).toContain('  = flag search  on, 5%   on, 5%\n')
    expect(paid.stdout).not.toContain('legacy')
    const both = await vexil('compare staging production --owner payments --owner search', { env: {} })
    expect(both.stdout).toContain('flag legacy')
    expect(await vexil('compare staging production --owner payment', { env: {} })).toMatchObject({
      code: 64,
      stderr: 'vexil: "payment" owns nothing in any of these environments; did you mean "payments"?\n',
    })
  })

  it('ends in 2 with --detailed-exitcode where anything differs', async () => {
    await arrange(workspace())
    const line = 'compare staging production --detailed-exitcode'
    expect(await vexil(line, { env: {} })).toMatchObject({ code: 2 })
    expect(await vexil(`${line} search`, { env: {} })).toMatchObject({ code: 0 })
  })

  it('gives programs every object, also those that are equal', async () => {
    await arrange(workspace())
    const { stdout } = await vexil('compare staging production --json', { env: {} })
    const document = JSON.parse(stdout)
    expect(document).toMatchObject({
      exit_code: 0,
      of: 'declared',
      environments: [{ name: 'staging' }, { name: 'production' }],
      summary: { equal: 2, differs: 1, only: { staging: 1, production: 0 } },
      errors: [],
    })
    expect(
      document.objects.map((row: { address: string; verdict: string }) => [row.address, row.verdict]),
    ).toEqual([
      ['feature_flag.checkout', 'differs'],
      ['feature_flag.legacy', 'only'],
      ['feature_flag.search', 'equal'],
      ['feature_flag_role_access.checkout:support', 'equal'],
    ])
    expect(document.objects[0].differences[0]).toMatchObject({
      before: { filters: { groups: [{ rollout_percentage: 100 }] } },
      after: { filters: { groups: [{ rollout_percentage: 10 }] } },
    })
  })

  it('takes more than two, and says once what several say', async () => {
    await arrange(workspace(), `  qa: { project: "3", roles: { support: ${supportOf.staging} } }\n`)
    const { stdout } = await vexil('compare staging production qa c* --no-grants', { env: {} })
    expect(stdout).toContain(`
                   staging   production  qa
  ~ flag checkout  on, 100%  on, 10%     on, 10%
      staging -> production, qa:
        condition 1  everyone  100% -> 10%
`)
  })

  it.each([
    ['compare', 'no environment is named, but a comparison needs two: vexil compare staging production'],
    [
      'compare production',
      'only "production" is named, but a comparison needs two: vexil compare production staging',
    ],
    ['compare staging prodution', '"prodution" is not an environment; did you mean "production"?'],
    ['compare staging staging', '"staging" is named twice; compare it with another environment'],
    [
      'compare staging production serch',
      '"serch" is neither an environment nor an object in one of them; did you mean "feature_flag.search"?',
    ],
    ['compare staging production x*', '"x*" matches nothing in any of these environments'],
  ])('says what to do about "%s"', async (line, message) => {
    await arrange(workspace())
    expect(await vexil(line, { env: {} })).toEqual({ code: 64, stdout: '', stderr: `vexil: ${message}\n` })
  })

  it('says so where there are no two environments', async () => {
    await write({ 'vexil.yaml': 'version: 1\n' })
    expect(await vexil('compare staging production', { env: {} })).toMatchObject({
      code: 64,
      stderr:
        'vexil: vexil.yaml has no environments, but a comparison needs two; add them under `environments`\n',
    })
  })
})

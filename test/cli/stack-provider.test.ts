import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../support/workspace.ts'
import { filledIn, flag, flags, synthesized } from './stack-app.ts'

const workspace = useWorkspace({})
const { vexil, service, write } = workspace

describe('the provider block of a stack', () => {
  const stack = (settings: object) =>
    synthesized({ shop: flags({ a: flag('placed') }, { provider: { vexil: [settings] } }) })

  it('wins over the environment, and a flag over it', async () => {
    await write(stack({ project_id: '1' }))
    const env = { ...service.env, VEXIL_PROJECT_ID: '99' }
    const planned = await vexil('plan --stack shop', { env })
    expect(planned).toMatchObject({ code: 0, stderr: '' })
    expect(planned.stdout).toContain('project 1')
    const flagged = await vexil('plan --stack shop --project 98', { env })
    expect(`${flagged.stdout}${flagged.stderr}`).toContain('98')
  })

  it('may hold the key, which is never shown', async () => {
    const { VEXIL_API_KEY: key = '', ...env } = service.env
    const settings = { project_id: '1', api_key: filledIn('var.key') }
    const variable = { key: { type: 'string', sensitive: true } }
    const more = { provider: { vexil: [settings] }, variable }
    await write(synthesized({ shop: flags({ a: flag('keyed') }, more) }))
    const good = await vexil('plan --stack shop --out made.json', {
      env: { ...env, TF_VAR_key: key },
    })
    expect(good).toMatchObject({ code: 0 })
    const bad = await vexil('plan --stack shop', {
      env: { ...env, TF_VAR_key: 'wrong-secret' },
    })
    expect(bad.code).toBe(1)
    expect(JSON.stringify([good, bad])).not.toMatch(new RegExp(`${key}|wrong-secret`))
  })

  it('and an environment that was asked for have to agree', async () => {
    await write({
      ...stack({ project_id: '2' }),
      'vexil.yaml': `version: 1
environments:
  staging: { base_url: "${service.url}", project: "2" }
  production: { base_url: "${service.url}", project: "1" }
`,
    })
    expect(await vexil('plan --stack shop -e production')).toMatchObject({
      code: 1,
      stderr:
        'vexil: the stack has project "2", but the environment "production" has "1"; remove one of them\n',
    })
    const { VEXIL_BASE_URL: _url, VEXIL_PROJECT_ID: _project, ...env } = service.env
    expect((await vexil('validate --stack shop -e staging', { env })).code).toBe(0)
  })

  it('agrees with an environment that spells the same place otherwise', async () => {
    const { VEXIL_BASE_URL: url = '', VEXIL_ORGANIZATION_ID: organization = '', ...env } = service.env
    const settings = { base_url: `${url}/`, organization_id: organization }
    await write({
      ...stack(settings),
      'vexil.yaml': `version: 1
environments:
  production: { base_url: "${url}", project: "1", organization: "${organization.toUpperCase()}" }
`,
    })
    expect(await vexil('plan --stack shop -e production', { env })).toMatchObject({ code: 0 })
  })

  it('is chosen by its alias', async () => {
    const two = flags(
      { a: flag('here'), b: flag('there', { provider: 'vexil.eu' }) },
      { provider: { vexil: [{ project_id: '1' }, { alias: 'eu', project_id: '2' }] } },
    )
    await write(synthesized({ shop: two }))
    const asked = await vexil('plan --stack shop')
    expect(asked.code).toBe(1)
    expect(asked.stderr).toContain('select one with --provider: vexil, vexil.eu')
    const { stdout } = await vexil('plan --stack shop --provider vexil')
    expect(stdout).toContain('+ flag here')
    expect(stdout).not.toContain('there')
    expect(stdout).toContain('Next: vexil apply --stack shop --provider vexil')
  })
})

import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { isWrite, useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, write, edit } = workspace

describe('vexil plan', () => {
  it('says what an apply would do, reads only, and ends in 0', async () => {
    const { result, requests } = await service.watch(() => vexil('plan'))
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(result.stdout.split('\n')[0]).toBe(
      `MEDIUM risk: plan for project 1 from VEXIL_PROJECT_ID, ${service.url}`,
    )
    expect(result.stdout).toMatch(
      /\n3 to create, 0 to change, 0 to delete, 0 blocked, 0 unchanged\nHighest risk: medium\. Next: vexil apply\n$/,
    )
    expect(requests.filter(isWrite)).toEqual([])
  })

  it.each(['--detailed-exitcode', '-detailed-exitcode'])(
    'ends in 2 when changes are pending with %s',
    async flag => {
      expect((await vexil(`plan ${flag}`)).code).toBe(2)
      await vexil('apply --auto-approve')
      expect((await vexil(`plan ${flag}`)).code).toBe(0)
    },
  )

  it('saves the plan for its owner only, also over a file that was there', async () => {
    const { path } = workspace()
    await write({
      'out/plan.json': '{"format_version":"0.9","digest":"an earlier plan, for everybody","changes":[]}',
    })
    const { stdout } = await vexil('plan --out out/plan.json --json')
    expect((await stat(join(path, 'out/plan.json'))).mode & 0o777).toBe(0o600)
    expect(await readFile(join(path, 'out/plan.json'), 'utf8')).toBe(stdout)
  })

  it('prints a document that fits the published schema', async () => {
    await vexil('apply --auto-approve')
    await edit('checkout', { name: 'Somebody else', tags: ['other'] })
    await write({
      'flags.yaml': `feature_flags:
  checkout: { name: Ours, filters: { groups: [ { rollout_percentage: 20 } ] }, role_access: [] }
  dark_mode: { ensure: absent }
plugins: { geoip: { plugin_type: source, source: { index.ts: "export {}" } } }
event_definitions: { paid: { tags: [money] } }
`,
    })
    const { stdout } = await vexil('plan --json')
    const document = JSON.parse(stdout)
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    const schema = JSON.parse(await readFile('schemas/plan.schema.json', 'utf8'))
    expect(ajv.validate(schema, document), ajv.errorsText()).toBe(true)
    expect(document).toMatchObject({
      format_version: '1.0',
      target: { base_url: service.url, project_id: '1' },
      summary: { create: 1, update: 1, delete: 2, blocked: 1, drift: 0, reverted: 1, unchanged: 0 },
    })
  })

  it('names the environment, and asks for one where there are several', async () => {
    await write({
      'vexil.yaml':
        'version: 1\nroles: { support: 01900000-0000-0000-0000-0000000000aa }\nenvironments: { staging: {}, production: {} }\n',
    })
    const undecided = await vexil('plan')
    expect(undecided.code).toBe(1)
    expect(undecided.stderr).toContain(
      'there are 2 environments, and none is selected; select one with --env: staging or production',
    )
    const unknown = await vexil('plan --env prodction')
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('did you mean "production"?') })
    const chosen = await vexil('plan --env production')
    expect(chosen.stdout).toMatch(/^MEDIUM risk: plan for production \(project 1 from VEXIL_PROJECT_ID, /)
    expect(chosen.stdout).toMatch(/Next: vexil apply --env production\n$/)
  })

  it('lists what is as declared with --show-unchanged', async () => {
    await vexil('apply --auto-approve')
    expect((await vexil('plan')).stdout).not.toContain('UNCHANGED')
    expect((await vexil('plan --show-unchanged')).stdout).toContain(
      `UNCHANGED
    feature_flag.checkout
    feature_flag.dark_mode
    feature_flag_role_access.checkout:support
`,
    )
  })

  it('says of what never was that it is absent already, also when the plan is shown again', async () => {
    await vexil('apply --auto-approve')
    await write({
      'more.yaml': 'feature_flags: { never: { ensure: absent } }\nplugins: { gone: { ensure: absent } }\n',
    })
    const counts = '0 to create, 0 to change, 0 to delete, 0 blocked, 3 unchanged, 2 already absent\n'
    const { stdout } = await vexil('plan --show-unchanged --out plan.json')
    expect(stdout).toContain(counts)
    expect(stdout).toContain('    feature_flag.never  already absent\n')
    expect((await vexil('show plan.json')).stdout).toContain(counts)
  })

  it('tells a newcomer what to do where nothing is declared', async () => {
    await write({ 'flags.yaml': '' })
    const { code, stdout, stderr } = await vexil('plan')
    expect({ code, first: stdout.split(':')[0] }).toEqual({ code: 0, first: 'No changes' })
    expect(stderr).toBe(
      'no declarations found: write a file such as flags/checkout.yaml (`vexil init` makes an example), or export the live objects with `vexil export -d flags`\n',
    )
  })

  it('carries the commit that a pipeline runs for, and nothing that only looks like one', async () => {
    const planned = (sha: string) => vexil('plan', { env: { ...service.env, GITHUB_SHA: sha } })
    expect((await planned('0123456789abcdef0123456789abcdef01234567')).stdout.split('\n')[0]).toMatch(
      /, commit 0123456789ab$/,
    )
    expect((await planned('$(reboot)')).stdout).not.toContain('reboot')
  })
})

describe('vexil plan, with guards', () => {
  const widen = {
    'vexil.yaml':
      'version: 1\nroles: { support: 01900000-0000-0000-0000-0000000000aa }\nlimits: { delete: 1, rollout_step: 25 }\nownership: { tag: ours, prune: never }\n',
    'flags.yaml':
      'feature_flags:\n  checkout: { filters: { groups: [ { rollout_percentage: 90 } ] } }\n  dark_mode: { filters: { groups: [ { rollout_percentage: 100 } ] } }\n',
  }

  it('blocks, says how to go on, and is allowed for one address or for all', async () => {
    await vexil('apply --auto-approve')
    await write({
      'vexil.yaml': widen['vexil.yaml'].replace('tag: ours, ', ''),
      'flags.yaml': widen['flags.yaml'],
    })
    const held = await vexil('plan --detailed-exitcode')
    expect(held.code).toBe(0)
    expect(held.stdout).toContain('blocked by rollout_step')
    expect(held.stdout).toContain(
      'to go on: use smaller steps: `vexil ramp feature_flag.checkout --to 35` writes the first one, or --allow rollout_step=feature_flag.checkout',
    )
    expect((await vexil('plan --fail-on-blocked')).code).toBe(3)
    for (const allow of ['rollout_step', 'rollout_step=feature_flag.checkout']) {
      const allowed = await vexil(`plan --detailed-exitcode --fail-on-blocked --allow ${allow}`)
      expect(allowed, allow).toMatchObject({
        code: 2,
        stdout: expect.stringContaining('allowed: rollout_step'),
      })
      expect(allowed.stdout).toContain(`Next: vexil apply --allow ${allow}\n`)
    }
    const other = await vexil('plan --detailed-exitcode --allow rollout_step=dark_mode')
    expect(other).toMatchObject({ code: 0, stdout: expect.stringContaining('1 blocked') })
    expect(await vexil('plan --allow rolout_step')).toEqual({
      code: 64,
      stdout: '',
      stderr: 'vexil: "rolout_step" is not a rule that can be allowed; did you mean "rollout_step"?\n',
    })
  })

  it('prunes only when it is told to, and only what is ours', async () => {
    await write(widen)
    await vexil('apply --auto-approve --allow rollout_step')
    await service.send('POST', '/api/projects/1/feature_flags/', { key: 'somebody_elses', name: '' })
    await write({ 'flags.yaml': 'feature_flags: { checkout: { tags: [] } }\n' })
    const summary = async (line: string) => JSON.parse((await vexil(`${line} --json`)).stdout).summary
    expect(await summary('plan')).toMatchObject({ delete: 0, blocked: 0, drift: 1 })
    expect(await summary('plan --prune owned')).toMatchObject({ delete: 1, blocked: 0 })
    expect(await summary('plan --prune all')).toMatchObject({ delete: 0, blocked: 2 })
    expect(await vexil('plan --prune al')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('Allowed choices are never, owned, all'),
    })
  })
})

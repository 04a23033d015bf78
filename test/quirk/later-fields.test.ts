import { describe, expect, it, onTestFinished } from 'vitest'
import type { Profile, Quirks } from '../../src/sandbox/index.ts'
import { noRecords } from '../support/live-edits.ts'
import { startService } from '../support/service.ts'
import { aWorkspace, flagsPath } from '../support/workspace.ts'
import { type Config, playTerraform } from '../terraform/resources/play.ts'

interface Live {
  readonly [field: string]: unknown
}

/** A service, a folder with declarations, and the bodies of the writes that came in. */
async function sitDown(profile: Profile, quirks: Partial<Quirks> = {}) {
  const writes: string[] = []
  const service = await startService({ profile, quirks }, handle => async (request, connection) => {
    if (request.method === 'GET') return handle(request, connection)
    const body = await request.text()
    const { original_flag, version, ...sent } = JSON.parse(body) as Live
    writes.push(`${request.method} ${JSON.stringify(sent)}`)
    const { method, headers } = request
    return handle(new Request(request.url, { method, headers, body }), connection)
  })
  const workspace = await aWorkspace(service, { 'vexil.yaml': 'version: 1\n' })
  onTestFinished(async () => {
    await service.close()
    await workspace.remove()
  })
  return {
    ...workspace,
    live: (id: number) => service.get(`${flagsPath}/${id}/`) as Promise<Live>,
    async post(body: object) {
      const made = await service.send('POST', `${flagsPath}/`, body)
      writes.length = 0
      return made
    },
    /** The writes since this was asked for last. */
    written: () => writes.splice(0),
    async converges() {
      const again = await workspace.vexil('plan --detailed-exitcode')
      expect(again.code, again.stdout + again.stderr).toBe(0)
    },
  }
}

const condition = 'filters: { groups: [ { rollout_percentage: 10 } ] }'
const everything = `evaluation_runtime: server, evaluation_contexts: [web, docs], bucketing_identifier: device_id,
    is_remote_configuration: true`

describe('the fields of today', () => {
  it('are made, compared, changed, undone and exported', async () => {
    const desk = await sitDown('posthog-2026')
    await desk.post({ key: 'other', filters: { groups: [{}] } })
    await desk.declareFlags(`  checkout: { active: true, ${condition}, ${everything} }`)
    const planned = await desk.vexil('plan')
    for (const words of ['evaluation_runtime: "server"', 'evaluation_contexts: ["web","docs"]'])
      expect(planned.stdout).toContain(words)
    expect((await desk.vexil('apply --auto-approve')).code).toBe(0)
    expect(await desk.live(2)).toMatchObject({
      evaluation_runtime: 'server',
      evaluation_contexts: ['web', 'docs'],
      bucketing_identifier: 'device_id',
      is_remote_configuration: true,
      archived: false,
    })
    await desk.converges()
    desk.written()
    await desk.declareFlags(`  checkout: { active: true, evaluation_runtime: client }`)
    expect((await desk.vexil('plan')).stdout).toContain('evaluation_runtime: "server" -> "client"')
    expect((await desk.vexil('apply --auto-approve')).code).toBe(0)
    expect(desk.written()).toEqual(['PATCH {"evaluation_runtime":"client"}'])
    expect((await desk.vexil('undo last --auto-approve')).code).toBe(0)
    expect(desk.written()).toEqual(['PATCH {"evaluation_runtime":"server"}'])
    const { stdout } = await desk.vexil('export --kind feature_flag')
    expect(stdout).toContain('evaluation_runtime: server')
    expect(stdout).not.toContain('archived')
    await desk.write({ 'flags.yaml': stdout })
    await desk.converges()
  })

  it('stay as they are where nobody declares them', async () => {
    const desk = await sitDown('posthog-2026')
    await desk.post({ key: 'checkout', evaluation_runtime: 'server', evaluation_contexts: ['web'] })
    await desk.declareFlags(`  checkout: { name: Other, active: true, ${condition} }`)
    expect((await desk.vexil('apply --auto-approve')).code).toBe(0)
    expect(desk.written()).toMatchObject([expect.not.stringMatching(/runtime|contexts|archived|remote/)])
    expect(await desk.live(1)).toMatchObject({ evaluation_runtime: 'server', evaluation_contexts: ['web'] })
  })

  it.each(['documented', 'posthog'] as const)(
    'are an error before any write where the service has none: %s',
    async profile => {
      const desk = await sitDown(profile)
      await desk.post({ key: 'other' })
      await desk.declareFlags(`  checkout: { active: true, ${condition}, evaluation_runtime: server }`)
      for (const command of ['plan', 'apply --auto-approve', 'drift']) {
        const { code, stderr } = await desk.vexil(command)
        expect(code).toBe(1)
        expect(stderr).toContain(
          '"evaluation_runtime" is declared, but this service does not have this field: the value would be lost',
        )
        expect(stderr).toContain('flags.yaml:2:3')
      }
      expect(desk.written()).toEqual([])
    },
  )

  it.each(['documented', 'posthog'] as const)(
    'say nothing where they are declared as they are without: %s',
    async profile => {
      const desk = await sitDown(profile)
      await desk.post({ key: 'other' })
      const idle = 'archived: false, evaluation_runtime: all, evaluation_contexts: []'
      await desk.declareFlags(`  checkout: { active: true, ${condition}, ${idle} }`)
      expect((await desk.vexil('apply --auto-approve')).code).toBe(0)
      expect(desk.written()).toMatchObject([expect.not.stringMatching(/runtime|contexts|archived/)])
      await desk.converges()
    },
  )

  it('are told to be lost where nobody could know before', async () => {
    const desk = await sitDown('documented')
    await desk.declareFlags(`  checkout: { active: true, ${condition}, evaluation_runtime: server }`)
    const { stdout } = await desk.vexil('apply --auto-approve')
    expect(stdout).toContain('the service did not store evaluation_runtime')
    expect((await desk.vexil('plan')).stderr).toContain('this service does not have this field')
  })
})

describe('a remote configuration', () => {
  const rollouts = ['kept', 'on_create', 'always'] as const
  const asEveryone = [
    '{}',
    '{ rollout_percentage: 100 }',
    '{ rollout_percentage: null }',
    '{ rollout_percentage: 30 }',
  ]

  it.each(rollouts.flatMap(remote_rollout => asEveryone.map(group => [remote_rollout, group] as const)))(
    'converges where a service has remote_rollout %s, for %s',
    async (remote_rollout, group) => {
      const desk = await sitDown('posthog-2026', { remote_rollout })
      await desk.post({ key: 'other', filters: { groups: [{}] } })
      await desk.declareFlags(
        `  limits: { active: true, is_remote_configuration: true, filters: { groups: [ ${group} ], payloads: { "true": '{"a":1}' } } }`,
      )
      const { code, stdout } = await desk.vexil('apply --auto-approve')
      expect(code).toBe(0)
      expect(stdout).not.toContain('did not keep')
      await desk.converges()
      const percentage = group.includes('30') ? 30 : 100
      const { filters } = (await desk.live(2)) as {
        filters: { groups: { rollout_percentage: number | null }[] }
      }
      expect(filters.groups[0]?.rollout_percentage ?? 100).toBe(percentage)
    },
  )

  it.each([
    '[ { rollout_percentage: 0 } ]',
    '[ { rollout_percentage: 20 }, { rollout_percentage: 0 } ]',
    '[]',
  ])('is not created for nobody, which would be everybody: %s', async groups => {
    const desk = await sitDown('posthog-2026')
    await desk.post({ key: 'other', filters: { groups: [{}] } })
    await desk.declareFlags(
      `  limits: { active: true, is_remote_configuration: true, filters: { groups: ${groups} } }`,
    )
    const said = 'with "is_remote_configuration" the service turns 0% into 100% when it creates this flag'
    expect((await desk.vexil('validate')).stderr).toContain(said)
    expect((await desk.vexil('plan')).stdout).toContain(
      `${said}\n      to go on: declare 100%, with \`active: false\` if nobody should get it`,
    )
    expect((await desk.vexil('apply --auto-approve')).stdout).toContain('1 blocked')
    expect(desk.written()).toEqual([])
    await desk.declareFlags(
      '  limits: { active: false, is_remote_configuration: true, filters: { groups: [ {} ] } }',
    )
    expect((await desk.vexil('apply --auto-approve')).code).toBe(0)
    await desk.converges()
  })

  it.each(['on_create', 'always'] as const)(
    'may be live at 0%, or is told not to be: %s',
    async remote_rollout => {
      const desk = await sitDown('posthog-2026', { remote_rollout })
      await desk.post({ key: 'limits', is_remote_configuration: true, filters: { groups: [{}] } })
      await desk.declareFlags(
        '  limits: { active: true, is_remote_configuration: true, filters: { groups: [ { rollout_percentage: 0 } ] } }',
      )
      const { stdout } = await desk.vexil('apply --auto-approve')
      expect(desk.written()).toHaveLength(1)
      if (remote_rollout === 'on_create') return desk.converges()
      expect(stdout).toContain('the service did not store filters')
      expect((await desk.vexil('plan')).stdout).toContain('update blocked by not_kept')
    },
  )

  it.each<Config>([
    { filters: '{"groups":[{}]}' },
    { release: [{}] },
    { release: [{ rollout_percentage: 100 }] },
  ])('converges in Terraform: %j', async release => {
    const desk = await sitDown('posthog-2026')
    const terraform = await playTerraform(desk.service, { profile: 'posthog-2026' })
    const config = { key: 'limits', active: true, is_remote_configuration: true, ...release }
    const kept = await terraform.apply('feature_flag', config)
    expect(await terraform.replan('feature_flag', config, kept)).toEqual([])
  })

  it('is not created for nobody by Terraform either', async () => {
    const desk = await sitDown('posthog-2026')
    const terraform = await playTerraform(desk.service, { profile: 'posthog-2026' })
    const config = {
      key: 'limits',
      is_remote_configuration: true,
      filters: '{"groups":[{"rollout_percentage":0}]}',
    }
    await expect(terraform.apply('feature_flag', config)).rejects.toThrow('the service turns 0% into 100%')
    expect(desk.written()).toEqual([])
  })
})

describe('an archived flag', () => {
  const archived = { key: 'checkout', active: false, archived: true, filters: { groups: [{}] } }

  it.each([
    ['beside another flag', true],
    ['as the only flag of a service that nobody knows yet', false],
  ])('is told as archived where a condition names it by its key: %s', async (_, isAmongOthers) => {
    const desk = await sitDown('posthog-2026')
    if (isAmongOthers) await desk.post({ key: 'other', filters: { groups: [{}] } })
    await desk.post(archived)
    const property = '{ key: checkout, type: flag, operator: flag_evaluates_to, value: true }'
    const waiting = `  waiting: { active: true, filters: { groups: [ { properties: [ ${property} ] } ] } }`
    await desk.declareFlags(waiting)
    const { stdout } = await desk.vexil('plan')
    expect(stdout).toContain(
      'its conditions name the flag "checkout", which is archived and therefore off: the service refuses that',
    )
    expect(stdout).toContain('to go on: unarchive "checkout" and turn it on, first or in the same plan')
    await desk.declareFlags(`${waiting}\n  checkout: { active: true }`)
    expect((await desk.vexil('apply --auto-approve')).code).toBe(0)
    await desk.converges()
  })

  it('comes back where it is declared like any other', async () => {
    const desk = await sitDown('posthog-2026')
    await desk.post({ key: 'other', filters: { groups: [{}] } })
    await desk.post(archived)
    await desk.declareFlags('  checkout: { active: true }')
    const { stdout } = await desk.vexil('plan')
    expect(stdout).toContain('archived -> live')
    expect(stdout).toContain('active: off -> on')
    expect((await desk.vexil('apply --auto-approve')).code).toBe(0)
    expect(desk.written()).toEqual(['PATCH {"archived":false,"active":true}'])
    await desk.converges()
    expect((await desk.vexil('undo last --auto-approve')).code).toBe(0)
    expect(await desk.live(2)).toMatchObject({ archived: true, active: false })
  })

  it('stays so where that is declared, and is made so', async () => {
    const desk = await sitDown('posthog-2026')
    await desk.post({ key: 'checkout', filters: { groups: [{}] } })
    await desk.declareFlags('  checkout: { active: false, archived: true }')
    expect((await desk.vexil('plan')).stdout).toContain('live -> archived')
    expect((await desk.vexil('apply --auto-approve')).code).toBe(0)
    expect(await desk.live(1)).toMatchObject({ archived: true, active: false })
    await desk.converges()
  })

  it('is read with the others, in one list more, and only where there are such flags', async () => {
    const plan = async (profile: Profile) => {
      const desk = await sitDown(profile)
      await desk.post({ key: 'other', filters: { groups: [{}] } })
      await desk.post(archived)
      await desk.declareFlags('  checkout: { active: false }')
      const { result, requests } = await desk.service.watch(() => desk.vexil('plan'))
      return { read: /read: .*/.exec(result.stdout)?.[0], requests }
    }
    const list = 'GET /api/projects/1/feature_flags'
    expect(await plan('posthog')).toEqual({
      read: 'read: feature_flag 2 of 2, in 1 request',
      requests: [list],
    })
    expect(await plan('posthog-2026')).toEqual({
      read: 'read: feature_flag 2 of 2, in 2 requests',
      requests: [list, list],
    })
  })

  it('is exported as such, and is neither pruned nor taken for what was renamed', async () => {
    const desk = await sitDown('posthog-2026')
    await desk.post({ key: 'other', filters: { groups: [{ rollout_percentage: 3 }] } })
    await desk.post({ ...archived, filters: { groups: [{ rollout_percentage: 7 }] } })
    const { stdout } = await desk.vexil('export --kind feature_flag')
    expect(stdout).toContain('archived: true')
    await desk.write({ 'flags.yaml': stdout })
    await desk.converges()
    await desk.declareFlags('  fresh: { active: false, filters: { groups: [ { rollout_percentage: 7 } ] } }')
    await desk.write({ 'vexil.yaml': 'version: 1\nownership: { prune: all }\n' })
    const planned = await desk.vexil('plan')
    expect(planned.stdout).toContain('1 to create, 0 to change, 1 to delete')
    expect(planned.stdout).toContain('- flag other')
    expect(planned.stdout).not.toContain('checkout')
    await desk.declareFlags('  checkout: { ensure: absent }\n  other: { active: true }')
    expect((await desk.vexil('apply --auto-approve')).code).toBe(0)
    expect(desk.written()).toContain('PATCH {"deleted":true}')
  })

  it('is no reason to read anew where a service does not know the question', async () => {
    const desk = await sitDown('posthog-2026', { flag_fields: '2024' })
    await desk.post({ key: 'other', filters: { groups: [{}] } })
    await desk.declareFlags('  other: { active: true }')
    await desk.write({ 'vexil.yaml': 'version: 1\nownership: { prune: all }\n' })
    const { stdout } = await desk.vexil('plan --profile posthog-2026')
    expect(stdout).toContain('read: feature_flag 1 of 1, in 2 requests')
    expect(stdout).not.toContain('blocked by')
  })

  it('is blocked where it would be on, whoever says so', async () => {
    const desk = await sitDown('posthog-2026')
    await desk.post({ key: 'checkout', filters: { groups: [{}] } })
    await desk.declareFlags(
      '  checkout: { archived: true }\n  fresh: { archived: true, filters: { groups: [] } }',
    )
    const { stdout } = await desk.vexil('plan')
    expect(stdout.match(/an archived flag cannot be on/g)).toHaveLength(2)
    expect(stdout).toContain('declare `active: false` too')
    await desk.vexil('apply --auto-approve')
    expect(desk.written()).toEqual([])
  })
})

describe('a field that the service has no more', () => {
  const declared = `  checkout: { active: true, ${condition}, rollback_conditions: [ { threshold: 5 } ] }`

  it('is told, and neither compared nor sent', async () => {
    const desk = await sitDown('posthog-2026')
    await desk.post({ key: 'checkout', filters: { groups: [{ rollout_percentage: 10 }] } })
    await desk.declareFlags(declared)
    const { stdout, stderr } = await desk.vexil('plan')
    expect(stdout).toContain('No changes')
    expect(stderr).toBe(
      'flags.yaml:2:3 warning: feature_flag "checkout": this service no longer has "rollback_conditions"; it is neither compared nor sent; remove it, or limit it to the environments whose service has it\n',
    )
    await desk.declareFlags(declared.replace('checkout', 'fresh'))
    expect((await desk.vexil('apply --auto-approve')).code).toBe(0)
    expect(desk.written()).toMatchObject([expect.not.stringContaining('rollback')])
  })

  it('is compared and sent where the service has it', async () => {
    const desk = await sitDown('posthog')
    await desk.post({ key: 'checkout', filters: { groups: [{ rollout_percentage: 10 }] } })
    await desk.declareFlags(declared)
    const { stderr } = await desk.vexil('apply --auto-approve')
    expect(stderr).toMatch(noRecords)
    expect(stderr.replace(noRecords, '')).toBe('')
    expect(desk.written()).toEqual(['PATCH {"rollback_conditions":[{"threshold":5}]}'])
  })
})

describe('Terraform', () => {
  it('makes, keeps and changes the fields of today, and unarchives what is not said to be archived', async () => {
    const desk = await sitDown('posthog-2026')
    const terraform = await playTerraform(desk.service, { profile: 'posthog-2026' })
    const config = {
      key: 'checkout',
      active: false,
      evaluation_runtime: 'server',
      evaluation_contexts: ['web'],
    }
    const kept = await terraform.apply('feature_flag', config)
    expect(kept.state).toMatchObject({
      archived: false,
      evaluation_runtime: 'server',
      bucketing_identifier: 'distinct_id',
    })
    expect(await terraform.replan('feature_flag', config, kept)).toEqual([])
    await desk.service.send('PATCH', `${flagsPath}/1/`, { archived: true })
    expect(await terraform.replan('feature_flag', config, kept)).toEqual(['archived'])
    const archived = { ...config, archived: true }
    expect(await terraform.replan('feature_flag', archived, kept)).toEqual([])
  })

  it('refuses them where the service has none', async () => {
    const desk = await sitDown('posthog')
    const terraform = await playTerraform(desk.service, { profile: 'posthog' })
    const config = { key: 'checkout', active: false, evaluation_runtime: 'server' }
    await expect(terraform.apply('feature_flag', config)).rejects.toThrow(
      'the service has no "evaluation_runtime"',
    )
    expect(desk.written()).toEqual([])
  })

  it('tells of what the service has no more, and plans nothing for it', async () => {
    const desk = await sitDown('posthog-2026')
    const terraform = await playTerraform(desk.service, { profile: 'posthog-2026' })
    const config = { key: 'checkout', active: false, rollback_conditions: '[{"threshold":5}]' }
    const { warnings } = await terraform.plan('feature_flag', config, null)
    expect(warnings.map(({ summary }) => summary)).toEqual([
      'this service no longer has "rollback_conditions"; it is neither compared nor sent',
    ])
    // Another run: one that has planned the flag already takes a second one for another resource.
    const run = await playTerraform(desk.service, { profile: 'posthog-2026' })
    const kept = await run.apply('feature_flag', config)
    expect(desk.written()).toMatchObject([expect.not.stringContaining('rollback')])
    expect(await terraform.replan('feature_flag', config, kept)).toEqual([])
  })
})

describe('an encrypted payload', () => {
  const secret = 'k-4711'
  const encrypted = {
    key: 'checkout',
    active: true,
    is_remote_configuration: true,
    has_encrypted_payloads: true,
    filters: { groups: [{ rollout_percentage: 100 }], payloads: { true: JSON.stringify(secret) } },
  }

  it('stays as it is, and no plan, record, export or request has it', async () => {
    const desk = await sitDown('posthog-2026')
    await desk.post(encrypted)
    await desk.declareFlags(`  checkout: { active: true, ${condition} }`)
    const said = [await desk.vexil('plan'), await desk.vexil('plan --json')]
    said.push(await desk.vexil('apply --auto-approve'))
    expect(said.map(({ code }) => code)).toEqual([0, 0, 0])
    await desk.converges()
    const kept = { payloads: encrypted.filters.payloads }
    expect(await desk.live(1)).toMatchObject({ filters: { groups: [{ rollout_percentage: 10 }], ...kept } })
    said.push(await desk.vexil('show last --json'), await desk.vexil('undo last --auto-approve'))
    expect(await desk.live(1)).toMatchObject({ filters: { groups: [{ rollout_percentage: 100 }], ...kept } })
    said.push(await desk.vexil('export --kind feature_flag'))
    const writes = desk.written()
    expect(writes).toHaveLength(2)
    expect(JSON.stringify([said, writes])).not.toContain(secret)
    await desk.write({ 'flags.yaml': said.at(-1)?.stdout ?? '' })
    await desk.converges()
  })

  it('stays when the flag becomes one that has it encrypted', async () => {
    const desk = await sitDown('posthog-2026')
    await desk.post({ ...encrypted, has_encrypted_payloads: false })
    await desk.declareFlags(`  checkout: { active: true, ${condition}, has_encrypted_payloads: true }`)
    expect((await desk.vexil('apply --auto-approve')).code).toBe(0)
    expect(await desk.live(1)).toMatchObject({ filters: { payloads: encrypted.filters.payloads } })
    await desk.converges()
  })

  it.each([
    ['a new flag', false],
    ['a live one', true],
  ])('is not declared: %s', async (_, isLive) => {
    const desk = await sitDown('posthog-2026')
    await desk.post(isLive ? encrypted : { key: 'other', filters: { groups: [{}] } })
    const payloads = 'filters: { groups: [ {} ], payloads: { true: other } }'
    await desk.declareFlags(
      `  checkout: { active: true, is_remote_configuration: true, has_encrypted_payloads: true, ${payloads} }`,
    )
    const { code, stdout } = await desk.vexil('apply --auto-approve --fail-on-blocked')
    expect([code, stdout]).toEqual([3, expect.stringContaining('"filters/payloads" is declared')])
    expect(desk.written()).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { useWorkspace as useBench } from '../support/workspace.ts'

const bench = useBench()

const settings = (more: string) => `version: 1\n${more}\n`
const two = 'feature_flags:\n  a: { name: A }\n  b: { name: B }\n'

/** Applies two flags with our marker, then declares something else. */
async function declareAfterwards(more: string, flags: string, environment = '') {
  const { vexil, write } = bench()
  await write({ 'vexil.yaml': settings(more), 'flags.yaml': two })
  expect((await vexil(`apply --auto-approve${environment}`)).code).toBe(0)
  await write({ 'flags.yaml': flags })
}

describe('what is declared is never taken for undeclared', () => {
  const pruning = 'ownership: { tag: " Ours ", prune: owned }'

  it.each([
    ['leads nowhere', 999],
    ['is that of another flag', 2],
  ])('though its id %s', async (_, id) => {
    await declareAfterwards(pruning, `feature_flags:\n  a: { name: A, id: ${id} }\n  b: { name: B }\n`)
    const { stdout } = await bench().vexil('plan')
    expect(stdout).toContain('0 to delete, 1 blocked')
  })

  it('though it is skipped in this environment', async () => {
    await declareAfterwards(
      `${pruning}\nenvironments: { production: {}, staging: {} }`,
      'feature_flags:\n  a: { name: A, environments: { production: { skip: true } } }\n  b: { name: B }\n',
      ' --env production',
    )
    const { stdout } = await bench().vexil('plan --env production')
    expect(stdout).toMatch(/^No changes/)
  })

  it('though it is not a target', async () => {
    await declareAfterwards('ownership: { tag: ours }', two)
    const { stdout } = await bench().vexil('plan --target a')
    expect(stdout).toMatch(/^No changes/)
    expect(stdout).not.toContain('DRIFT')
    expect((await bench().vexil('drift --target a')).code).toBe(0)
  })

  it('and what is declared nowhere still is', async () => {
    await declareAfterwards(pruning, 'feature_flags:\n  a: { name: A }\n')
    const { stdout } = await bench().vexil('plan')
    expect(stdout).toContain('- flag b')
    expect(stdout).toContain('1 to delete, 0 blocked')
  })
})

describe('where most of the files are missing', () => {
  const settingsText = settings('ownership: { tag: ours, prune: owned }\nlimits: { delete: 50 }')
  const flags = (...keys: readonly string[]) =>
    `feature_flags:\n${keys.map(key => `  ${key}: { active: false, filters: {} }\n`).join('')}`

  it('nothing is pruned, and the plan says how many are declared nowhere', async () => {
    const { vexil, write, flag } = bench()
    await write({ 'vexil.yaml': settingsText, 'flags.yaml': flags('a', 'b', 'c', 'd') })
    expect((await vexil('apply --auto-approve')).stdout).not.toContain('declared nowhere')
    await write({ 'flags.yaml': flags('a') })
    const { stdout } = await vexil('plan --out saved.json')
    expect(stdout).toContain('flag b  delete blocked by undeclared_majority')
    expect(stdout).toContain(
      'pruning would delete 3 objects with the ownership tag, but only 1 is declared: some files may be missing',
    )
    expect(stdout).toContain('\n3 objects have the tag but are not declared\n')
    expect((await vexil('show saved.json')).stdout).toContain(
      '\n3 objects have the tag but are not declared\n',
    )
    expect((await vexil('apply --auto-approve')).code).toBe(3)
    expect((await flag('b')).deleted).toBe(false)
    expect(await vexil('plan --allow undeclared_majority=b')).toMatchObject({
      code: 64,
      stderr:
        'vexil: undeclared_majority is about a whole plan, not about "b"; give --allow undeclared_majority\n',
    })
    expect((await vexil('plan --target a')).stdout).toContain('3 objects have the tag')
    expect((await vexil('claim a --auto-approve')).stdout).not.toContain('declared nowhere')
    expect((await vexil('apply --auto-approve --allow undeclared_majority')).stdout).toContain(
      '3 changes applied.',
    )
  })

  it('half of them may go', async () => {
    const { vexil, write } = bench()
    await write({ 'vexil.yaml': settingsText, 'flags.yaml': flags('a', 'b', 'c', 'd') })
    await vexil('apply --auto-approve')
    await write({ 'flags.yaml': flags('a', 'b') })
    expect((await vexil('plan')).stdout).toContain('2 to delete, 0 blocked')
  })
})

describe('a grant that is the only target', () => {
  it('is blocked while its flag is not there, and says that the flag was not applied', async () => {
    const { vexil } = bench()
    const { stdout } = await vexil('plan --target feature_flag_role_access.checkout:support')
    expect(stdout).toContain('feature_flag.checkout does not exist and is not part of this plan')
    expect(stdout).toContain('to go on: plan feature_flag.checkout too')
  })
})

describe('protect', () => {
  it('holds against an override that says absent', async () => {
    await declareAfterwards(
      'environments: { production: {}, staging: {} }',
      'feature_flags:\n  a: { protect: true, environments: { production: { ensure: absent } } }\n',
      ' --env production',
    )
    const { stdout } = await bench().vexil('plan --env production --allow can_edit')
    expect(stdout).toContain('flag a  delete blocked by protected')
  })
})

describe('several objects of one name', () => {
  it('are pruned under addresses of their own, and each is told', async () => {
    const { vexil, write, service } = bench()
    const plugins = `/api/organizations/${service.env.VEXIL_ORGANIZATION_ID}/plugins/`
    for (const description of ['first', 'second', 'third']) {
      await service.send('POST', plugins, { name: 'geoip', plugin_type: 'source', description })
    }
    await write({
      'vexil.yaml': settings('ownership: { prune: all }'),
      'flags.yaml': 'plugins:\n  geoip: { id: 2, description: Ours }\n',
    })
    const { changes } = JSON.parse((await vexil('plan --json')).stdout)
    expect(
      changes.map(({ action, address }: Record<string, string>) => `${action} ${address}`).sort(),
    ).toEqual(['delete plugin.geoip#1', 'delete plugin.geoip#3', 'update plugin.geoip'])
    expect((await vexil('apply --auto-approve')).stdout).toContain('3 changes applied.')
    expect(await service.get(plugins)).toMatchObject({ count: 1, results: [{ id: 2, description: 'Ours' }] })
  })
})

import { describe, expect, it, onTestFinished } from 'vitest'
import { startService } from '../support/service.ts'
import { aWorkspace, aWorld, flagsPath, isWrite } from '../support/workspace.ts'

const rules = {
  version: 2,
  return_type: 'boolean',
  default_value: false,
  rules: [{ id: 'a', rule_type: 'targeted_release', targeting: { properties: [] }, value: true }],
}

/** A flag whose rules are of version 2, as in a project that tries them. */
async function sitDown() {
  const flag = { id: 7, key: 'ruled', name: 'Ruled', filters: rules }
  const service = await startService({
    profile: 'posthog-2026',
    seed: aWorld({ feature_flags: [flag] }),
  })
  const workspace = await aWorkspace(service, { 'vexil.yaml': 'version: 1\n' })
  onTestFinished(async () => {
    await service.close()
    await workspace.remove()
  })
  return {
    ...workspace,
    live: () => service.get(`${flagsPath}/7/`),
    writes: async (line: string) => {
      const { result, requests } = await service.watch(() => workspace.vexil(line))
      return { ...result, writes: requests.filter(isWrite) }
    },
  }
}

describe('a flag whose rules are of version 2', () => {
  it.each(['name: Other', 'tags: [a]', 'filters: { groups: [ {} ] }', 'active: false, name: Other'])(
    'is left alone, and that is said: %s',
    async fields => {
      const desk = await sitDown()
      await desk.declareFlags(`  ruled: { ${fields} }`)
      const { stdout, writes } = await desk.writes('apply --auto-approve')
      expect(stdout).toContain(
        'its rules have version 2, which this API cannot change: it can only be turned off or deleted',
      )
      expect(writes).toEqual([])
      expect(await desk.live()).toMatchObject({ name: 'Ruled', active: true, filters: rules })
    },
  )

  it('is nothing to do where it is as declared', async () => {
    const desk = await sitDown()
    await desk.declareFlags('  ruled: { name: Ruled, active: true }')
    expect((await desk.vexil('plan')).stdout).toMatch(/^No changes: /)
  })

  it('can be turned off, with the version that it has', async () => {
    const desk = await sitDown()
    await desk.declareFlags('  ruled: { name: Ruled, active: false }')
    expect((await desk.vexil('apply --auto-approve')).code).toBe(0)
    expect(await desk.live()).toMatchObject({ active: false, filters: rules })
    expect((await desk.vexil('plan')).stdout).toMatch(/^No changes: /)
  })

  it('can be deleted, and stays so', async () => {
    const desk = await sitDown()
    await desk.declareFlags('  ruled: { ensure: absent }')
    expect((await desk.vexil('apply --auto-approve')).code).toBe(0)
    expect(await desk.live()).toMatchObject({ deleted: true, active: false })
    await desk.declareFlags('  ruled: { name: Ruled, active: false }')
    const { stdout, writes } = await desk.writes('apply --auto-approve')
    expect(stdout).toContain('its rules have version 2')
    expect(writes).toEqual([])
  })

  it('plans nothing where it was exported', async () => {
    const desk = await sitDown()
    const { stdout } = await desk.vexil('export --kind feature_flag')
    await desk.write({ 'flags.yaml': stdout })
    const planned = await desk.vexil('plan --detailed-exitcode')
    expect(planned.code, planned.stdout + planned.stderr + stdout).toBe(0)
  })

  it('is told by the service where a condition names it', async () => {
    const desk = await sitDown()
    const condition = '{ key: ruled, type: flag, operator: flag_evaluates_to, value: true }'
    await desk.declareFlags(
      `  other: { active: true, filters: { groups: [ { properties: [ ${condition} ] } ] } }`,
    )
    const { stdout, stderr } = await desk.vexil('apply --auto-approve')
    expect(stdout + stderr).toContain('remove the flag with the other rule version from the conditions')
  })
})

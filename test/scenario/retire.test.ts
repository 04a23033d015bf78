import { describe, expect, it } from 'vitest'
import { grantedRoles } from '../support/granted-roles.ts'
import { unversioned } from '../support/unversioned.ts'
import { flagsPath, support, useWorkspace as useBench } from '../support/workspace.ts'

const settings = (more = '') => `version: 1\nroles: { support: ${support} }\n${more}`

const checkout = (line: string) => `  checkout:
${line}    name: New checkout
    active: true
    filters: { groups: [{ rollout_percentage: 30 }] }
    tags: [shop]
    role_access: [support]`

const bench = useBench({ 'vexil.yaml': settings() })

async function apply(line: string) {
  const { declareFlags, vexil } = bench()
  await declareFlags(checkout(line))
  const { code, stdout, stderr } = await vexil('apply --auto-approve')
  expect(code, stdout + stderr).toBe(0)
  expect((await vexil('plan --detailed-exitcode')).code).toBe(0)
}

const read = async (id: number) =>
  (await bench().service.get(`${flagsPath}/${id}/`)) as Record<string, unknown>
const grants = async (id: number) => grantedRoles(bench().service, id)

describe('a flag that is retired by one line', () => {
  it('is deleted with its fields still declared, and comes back as it was when the line goes', async () => {
    const { flag } = bench()
    await apply('')
    const { id } = await flag('checkout')
    const [before, granted] = [await read(id), await grants(id)]
    await apply('    ensure: absent\n')
    expect(await read(id)).toMatchObject({ deleted: true })
    await apply('')
    expect(unversioned(await read(id))).toEqual(unversioned(before))
    expect(await grants(id)).toEqual(granted)
  })

  it('is deleted in one environment alone where only an override says so', async () => {
    const { declareFlags, vexil } = bench()
    await declareFlags(checkout('    environments: { staging: { ensure: absent } }\n'))
    await bench().write({ 'vexil.yaml': settings('environments: { staging: {}, production: {} }\n') })
    const changes = async (environment: string) =>
      JSON.parse((await vexil(`plan --env ${environment} --json`)).stdout).changes.map(
        ({ address }: { address: string }) => address,
      )
    expect(await changes('production')).toEqual([
      'feature_flag.checkout',
      'feature_flag_role_access.checkout:support',
    ])
    expect(await changes('staging')).toEqual([])
  })

  it('is not planned while a field that is not used has a problem', async () => {
    const { declareFlags, vexil } = bench()
    await declareFlags('  checkout: { ensure: absent, actve: true }')
    expect(await vexil('plan')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"actve" is not a field of a flag; did you mean "active"?'),
    })
  })

  it('is held back by "protect: true", which stays in force', async () => {
    const { declareFlags, vexil, flag } = bench()
    await apply('')
    await declareFlags(checkout('    ensure: absent\n    protect: true\n'))
    const { code, stdout } = await vexil('apply --auto-approve --fail-on-blocked')
    expect({ code, stdout }).toMatchObject({ code: 3, stdout: expect.stringContaining('protect') })
    expect((await flag('checkout')).deleted).toBe(false)
  })
})

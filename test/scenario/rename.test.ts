import { describe, expect, it } from 'vitest'
import { grantedRoles } from '../support/granted-roles.ts'
import { support, useWorkspace as useBench } from '../support/workspace.ts'

const bench = useBench({
  'vexil.yaml': `version: 1\nroles: { support: ${support} }\n`,
})

const filters =
  'filters: { groups: [ { properties: [ { key: country, value: [DE], type: person, operator: exact } ], rollout_percentage: 10 } ] }'
const declare = (key: string) =>
  bench().declareFlags(`  ${key}: { name: Checkout, ${filters}, role_access: [support] }`)

describe('a key that is changed in a file', () => {
  it('is noticed, and the command that the plan names makes it a rename', async () => {
    const { vexil, flag, service } = bench()
    await declare('checkout_v2')
    await vexil('apply --auto-approve')
    const { id } = await flag('checkout_v2')
    await declare('checkout_v3')

    const { stdout } = await vexil('plan')
    expect(stdout).toContain(`has the same filters as checkout_v2 (id ${id}), which is not declared\n`)
    const planned = JSON.parse((await vexil('plan --json')).stdout)
    expect(planned.changes[0]).toMatchObject({
      action: 'create',
      rename_of: { $ref: 'feature_flag.checkout_v2', identity: 'checkout_v2', id: String(id) },
    })

    const [, operation, argument, , body] = /`vexil call (\S+) (\S+) (--body) '([^']+)'`/.exec(stdout) ?? []
    expect((await vexil(['call', String(operation), String(argument), '--body', String(body)])).code).toBe(0)
    expect((await vexil('plan')).stdout).toMatch(/^No changes/)
    expect((await flag('checkout_v3')).id).toBe(id)
    expect(await grantedRoles(service, id)).toHaveLength(1)
  })

  it('is no business of a plan of other things', async () => {
    const { vexil } = bench()
    await declare('checkout_v2')
    await vexil('apply --auto-approve')
    await bench().declareFlags('  checkout_v3: { active: false }')
    expect((await vexil('plan')).stdout).not.toContain('the same filters')
  })
})

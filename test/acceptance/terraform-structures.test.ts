import { describe, expect, it } from 'vitest'
import { liveKeys, structures, takenByOpenTofu } from '../stack/structure-cases.ts'
import { isFull } from '../suites.ts'
import { organization } from '../support/workspace.ts'
import { useTerraform } from './support/attached.ts'
import { isOlderThan, productOf, terraform } from './support/binary.ts'

const open = useTerraform()

// What Vexil does with the same cases is in test/stack.
describe.skipIf(!isFull() || !terraform || isOlderThan('1.11'))('a structure in JSON', () => {
  it('is taken or refused by the real Terraform as the cases say', async () => {
    const live = liveKeys.map((key, index) => ({ id: index + 1, key, active: false }))
    const project = { id: 1, name: 'Production', feature_flags: live }
    const stack = await open('', {
      seed: { organizations: [{ id: organization, name: 'Ours', projects: [project] }] },
    })
    const wrong: string[] = []
    const isOpenTofu = productOf(terraform?.command ?? '') === 'OpenTofu'
    for (const [title, json, expected] of structures) {
      await stack.write({ 'main.tf': '', 'cdk.tf.json': json })
      const isTaken = (await stack.run('plan', '-input=false')).code === 0
      if (isTaken !== (expected || (isOpenTofu && takenByOpenTofu.includes(title)))) wrong.push(title)
    }
    expect(wrong).toEqual([])
  }, 240_000)
})

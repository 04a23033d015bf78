import { describe, expect, it } from 'vitest'
import { structures } from '../stack/structure-cases.ts'
import { useTerraform } from './support/attached.ts'
import { isOlderThan, terraform } from './support/binary.ts'

const open = useTerraform()

describe.skipIf(!terraform || isOlderThan('1.7'))('a structure in JSON', () => {
  it('is taken or refused by the real Terraform as the cases say', async () => {
    const stack = await open('')
    const wrong: string[] = []
    for (const [title, json, expected] of structures) {
      await stack.write({ 'main.tf': '', 'cdk.tf.json': json })
      const isTaken = await stack.plan().then(
        () => true,
        () => false,
      )
      if (isTaken !== expected) wrong.push(title)
    }
    expect(wrong).toEqual([])
  }, 240_000)
})

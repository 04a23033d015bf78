import { describe, expect, it } from 'vitest'
import { loadStack } from '../../src/stack/index.ts'
import { inFolder } from '../support/folder.ts'
import { structures } from './structure-cases.ts'

describe('a structure in JSON', () => {
  it.each(structures)('is taken or refused as by the engines: %s', async (_, json, isTaken) => {
    const problems = await inFolder({ 'cdk.tf.json': json }, async folder => {
      const stack = await loadStack({ folder, directory: folder, variables: new Map(), env: {} })
      return stack.problems.filter(({ severity }) => severity === 'error').map(({ message }) => message)
    })
    expect(problems).toEqual(isTaken ? [] : [expect.any(String)])
  })
})

import { describe, expect, it } from 'vitest'
import { useConsumers } from '../support/consumer.ts'

const consumerWith = useConsumers()

describe('the packed command line without the database package', () => {
  it('says how to install it when a sandbox is to keep its data', async () => {
    const consumer = await consumerWith({})
    const told = await consumer.node(
      'node_modules/vexil/dist/vexil.cjs',
      'sandbox',
      '--port',
      '0',
      '--data',
      'kept',
    )
    expect(told).toContain(
      'to keep what the sandbox holds, install its database beside vexil: npm install -D classic-level',
    )
    expect(told).not.toMatch(/ERR_MODULE|at .*:\d+:\d+/)
  })

  it('plays the demo, which keeps nothing', async () => {
    const consumer = await consumerWith({})
    expect(await consumer.vexil(['demo'], {})).toMatch(/^\d+ changes applied\.$/m)
  })
})

import { describe, expect, it } from 'vitest'
import { useConsumers } from '../../support/consumer.ts'

const consumerWith = useConsumers()

describe('the packed command line', () => {
  it('plays the demo in a folder that has nothing but the package', async () => {
    const consumer = await consumerWith({})
    const said = await consumer.vexil(['demo'], {})
    expect(said).toContain('$ vexil apply plan.json --env production')
    expect(said).toMatch(/^\d+ changes applied\.$/m)
    expect(said).toContain('No changes: plan for production ')
  })
})

import { Flag } from 'vexil/cdktn'
import { startSandbox } from 'vexil/testing'
import { describe, expect, it } from 'vitest'
import { shopApp } from './app.ts'
import { growth, support } from './roles.ts'

const production = { stack: 'production' }

/** What was there before the stack: events that were seen, and a flag that somebody made by hand. */
const world = {
  organizations: [
    {
      name: 'Shop',
      projects: [
        {
          id: 1,
          name: 'Production',
          event_definitions: [{ name: 'checkout_paid' }, { name: 'signed_up' }],
          feature_flags: [{ key: 'gift-wrapping' }],
        },
      ],
    },
  ],
}

describe('the shop', () => {
  it('keeps gift messages off', () => {
    expect(shopApp()).toHaveResource(Flag, { key: 'gift_message', active: false })
  })

  it('makes its flags and grants, and deletes nothing', async () => {
    await using sandbox = await startSandbox({ world, roles: [support, growth] })
    await expect(shopApp()).toPlan({ create: 8, update: 2 }, { ...production, on: sandbox })
  })

  it('is done after one apply', async () => {
    await using sandbox = await startSandbox({ world, roles: [support, growth] })
    await sandbox.apply(shopApp(), production)
    await expect(shopApp()).toPlan({}, { ...production, on: sandbox })
  })

  it('gives people at work the new checkout, wherever they are', async () => {
    await using sandbox = await startSandbox({ world, roles: [support, growth] })
    await sandbox.apply(shopApp(), production)
    const ada = { distinctId: 'ada', properties: { email: 'ada@example.com', country: 'FR' } }
    expect(await sandbox.evaluate('checkout_v2', ada)).toBe('one_page')
  })
})

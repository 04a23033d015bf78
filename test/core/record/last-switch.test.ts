import { describe, expect, it } from 'vitest'
import { lastSwitch } from '../../../src/core/record/history.ts'
import { useWorkspace } from '../../support/workspace.ts'

const workspace = useWorkspace({ 'vexil.yaml': 'version: 1\n' })

const asked = { address: 'feature_flag.checkout', field: 'active' }

async function told(isMeant = true) {
  const found = await lastSwitch(workspace().path, asked, () => isMeant)
  return found?.is
}

async function applied(members: string, code = 0) {
  const { declareFlags, vexil } = workspace()
  await declareFlags(`  checkout: { ${members} }`)
  expect(await vexil('apply --auto-approve')).toMatchObject({ code })
}

const filters = 'filters: { groups: [{ rollout_percentage: 10 }] }'

describe('the run that has switched a flag last', () => {
  it('is none where nothing is on record, or nothing of the place', async () => {
    expect(await told()).toBeUndefined()
    await applied(`active: true, ${filters}`)
    expect(await told(false)).toBeUndefined()
  })

  it('is the newest that turned it on or off, or deleted it', async () => {
    const { vexil } = workspace()
    await applied(`active: true, ${filters}`)
    expect(await told()).toBe('on')
    await applied(`active: false, ${filters}`)
    expect(await told()).toBe('off')
    await applied(`active: false, ${filters}, name: x`)
    expect(await told()).toBe('off')
    await vexil('enable checkout --auto-approve')
    expect(await told()).toBe('on')
    await vexil('disable checkout --reason fails --auto-approve')
    expect(await told()).toBe('off')
    await applied('ensure: absent')
    expect(await told()).toBe('deleted')
  })

  it('is not known where nobody knows whether the newest was written', async () => {
    await applied(`active: true, ${filters}`)
    workspace().service.faults('PATCH status=500')
    await applied(`active: false, ${filters}`, 1)
    expect(await told()).toBeUndefined()
  })

  it('is none in a folder that cannot be looked into', async () => {
    expect(await lastSwitch('/nowhere', asked, () => true)).toBeUndefined()
  })
})

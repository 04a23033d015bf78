import { describe, expect, it } from 'vitest'
import { profiles } from '../../src/model/profile.ts'
import { sampleWorld } from '../../src/sandbox/index.ts'
import { startService } from '../support/service.ts'
import { aWorkspace } from '../support/workspace.ts'

const files = {
  'vexil.yaml': 'version: 1\n',
  'declarations.yaml': 'feature_flags:\n  fresh: { name: Fresh, active: false }\n',
}

describe.each(profiles)('a plan for the service %s that nobody named', profile => {
  it('says at its head which it is, and sends what it sends where it was named', async () => {
    const service = await startService({ seed: sampleWorld, profile })
    const workspace = await aWorkspace(service, files)
    const auto = await service.watch(() => workspace.vexil('plan --profile auto'))
    const named = await service.watch(() => workspace.vexil(`plan --profile ${profile}`))
    const found = profile === 'documented' ? '' : `, found to be ${profile}`
    expect(auto.result.stdout.split('\n')[0]).toBe(`${named.result.stdout.split('\n')[0]}${found}`)
    // Those that are sent at the same time arrive in any order.
    expect(auto.requests.toSorted()).toEqual(named.requests.toSorted())
    const { stdout } = await workspace.vexil('plan --profile auto --json')
    expect(JSON.parse(stdout).target.profile).toBe(profile)
    await service.close()
    await workspace.remove()
  })
})

import { Agent } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Service, startService } from '../../support/service.ts'
import { testWorld } from '../../support/test-world.ts'
import { type Player, playTerraform } from './play.ts'

let service: Service
let agent: Agent

beforeEach(async () => {
  service = await startService()
  agent = new Agent()
})
afterEach(async () => {
  await agent.close()
  await service.close()
})

/** A player who is told to stop at the moment in which a request of some method leaves. */
async function stoppedAt(method: string, sleep: () => Promise<void>) {
  const controller = new AbortController()
  let terraform: Player | undefined
  const dispatcher = agent.compose(dispatch => (options, handler) => {
    if (options.method === method) {
      controller.abort(new Error('Terraform asked to stop'))
      terraform?.provider.stop?.()
    }
    return dispatch(options, handler)
  })
  terraform = await playTerraform(service, {}, { dispatcher, world: { ...testWorld(), sleep } })
  return { terraform, signal: controller.signal }
}

const forever = () => new Promise<void>(() => {})
const flag = { key: 'checkout', active: false }

describe('when Terraform asks to stop', () => {
  it('a creation that has begun is brought to its end, and known to the state', async () => {
    const { terraform, signal } = await stoppedAt('POST', forever)
    const planned = await terraform.plan('feature_flag', flag, null)
    const { kept, diagnostics } = await terraform.carryOut('feature_flag', flag, null, planned, signal)
    expect([kept?.state.id, diagnostics]).toEqual(['1', []])
  })

  it('nothing is begun any more', async () => {
    const { terraform, signal } = await stoppedAt('GET', forever)
    const planned = await terraform.plan('feature_flag', flag, null)
    const { kept, diagnostics } = await terraform.carryOut('feature_flag', flag, null, planned, signal)
    expect([kept, diagnostics.map(({ summary }) => summary)]).toEqual([
      null,
      ['cannot create flag "checkout"'],
    ])
    expect(await service.get('/api/projects/1/feature_flags')).toMatchObject({ count: 0 })
  })
})

import { Agent, type Dispatcher } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Service, startService } from '../../support/service.ts'
import { type Config, playTerraform, refusalOf } from './play.ts'

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

const flagOf = (index: number): Config => ({ key: `flag-${index}`, active: false })

/** Counts what is under way at once. */
function counting(): { readonly dispatcher: Dispatcher; most(): number } {
  let underWay = 0
  let most = 0
  const dispatcher = agent.compose(dispatch => (options, handler) => {
    underWay += 1
    most = Math.max(most, underWay)
    const counted: Dispatcher.DispatchHandler = {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onResponseStart: (...given) => handler.onResponseStart?.(...given),
      onResponseData: (...given) => handler.onResponseData?.(...given),
      onResponseEnd: (...given) => {
        underWay -= 1
        handler.onResponseEnd?.(...given)
      },
      onResponseError: (...given) => {
        underWay -= 1
        handler.onResponseError?.(...given)
      },
    }
    return dispatch(options, counted)
  })
  return { dispatcher, most: () => most }
}

describe("the settings of the provider's block", () => {
  it.each([
    ['retry_attempts', { retry_attempts: 3 }, 3],
    ['retry_attempts', { retry_attempts: 1 }, 1],
    ['retry_budget', { retry_budget: 2 }, 3],
    ['retry_budget', { retry_budget: 0 }, 1],
  ])('%s says how often one request is sent: %o', async (_, block, times) => {
    const terraform = await playTerraform(service, block)
    service.faults('GET status=503')
    const { requests } = await service.watch(() =>
      refusalOf(() => terraform.import('feature_flag', 'checkout')),
    )
    expect(requests).toEqual(Array(times).fill('GET /api/projects/1/feature_flags'))
  })

  it('a budget is that of all requests together', async () => {
    const terraform = await playTerraform(service, { retry_budget: 3 })
    service.faults('GET status=503')
    const { requests } = await service.watch(async () => {
      for (const name of ['a', 'b']) await refusalOf(() => terraform.import('feature_flag', name))
    })
    expect(requests).toHaveLength(2 + 3)
  })

  it.each([[{ parallelism: 2 }, 2] as const, [{}, 8] as const])(
    'no more requests are under way at once than %o allows',
    async (block, allowed) => {
      const { dispatcher, most } = counting()
      const terraform = await playTerraform(service, block, { dispatcher })
      const made = await Promise.all(
        Array.from({ length: 20 }, (_, index) => terraform.apply('feature_flag', flagOf(index))),
      )
      expect([made.length, most()]).toEqual([20, allowed])
    },
  )

  it('the environment says how many where the block does not', async () => {
    const { dispatcher, most } = counting()
    const env = { ...service.env, VEXIL_PARALLELISM: '3' }
    const terraform = await playTerraform({ env }, {}, { dispatcher })
    await Promise.all(Array.from({ length: 9 }, (_, index) => terraform.apply('feature_flag', flagOf(index))))
    expect(most()).toBe(3)
  })

  it('a profile follows the ways of the public service', async () => {
    const ways = await startService({ profile: 'posthog' })
    const terraform = await playTerraform(ways, { profile: 'posthog' })
    const kept = await terraform.apply('feature_flag', { ...flagOf(1), tags: ['a'] })
    expect(await terraform.replan('feature_flag', { ...flagOf(1), tags: ['a'] }, kept)).toEqual([])
    await ways.close()
  })
})

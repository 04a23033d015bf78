import { Agent, type Dispatcher } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Service, startService } from '../../support/service.ts'
import { testRuntime } from '../../support/test-runtime.ts'
import { type Player, playTerraform, refusalOf, showDiagnostic } from './play.ts'

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

/** A player who is told to stop at the moment in which a request of some method leaves, or is answered. */
async function stoppedAt(
  method: string,
  sleep: () => Promise<void>,
  moment: 'leaves' | 'is answered' = 'leaves',
) {
  const controller = new AbortController()
  let terraform: Player | undefined
  const dispatcher = agent.compose(dispatch => (options, handler) => {
    const stop = () => {
      controller.abort(new Error('Terraform asked to stop'))
      terraform?.provider.stop?.()
    }
    if (options.method !== method) return dispatch(options, handler)
    if (moment === 'is answered') return dispatch(options, { ...mute(handler), onResponseStart: stop })
    stop()
    return dispatch(options, handler)
  })
  terraform = await playTerraform(service, {}, { dispatcher, runtime: { ...testRuntime(), sleep } })
  return { terraform, signal: controller.signal }
}

/** Begins a request, and loses its answer a moment later. */
function mute(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onResponseData() {},
    onResponseEnd: controller => {
      setImmediate(() => handler.onResponseError?.(controller, new Error('lost')))
    },
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  }
}

const atOnce = async () => {}
const forever = () => new Promise<void>(() => {})
const flag = { key: 'checkout', active: false }

describe('when Terraform asks to stop', () => {
  it('a creation that has begun is brought to its end, and known to the state', async () => {
    const { terraform, signal } = await stoppedAt('POST', forever)
    const planned = await terraform.plan('feature_flag', flag, null)
    const { kept, diagnostics } = await terraform.carryOut('feature_flag', flag, null, planned, signal)
    expect([kept?.state.id, diagnostics]).toEqual(['1', []])
  })

  it('a creation that takes too long is cut off, and says how to import what it may have made', async () => {
    const { terraform, signal } = await stoppedAt('POST', atOnce, 'is answered')
    const planned = await terraform.plan('feature_flag', flag, null)
    const { kept, diagnostics } = await terraform.carryOut('feature_flag', flag, null, planned, signal)
    expect([kept, diagnostics.map(showDiagnostic)]).toEqual([
      null,
      [
        'error: cannot create flag "checkout" | Terraform asked to stop. | Nothing more was written; plan again to see the current state. | The service may have created it, and then the state lacks it. If the next run reports that it already exists, import it with `terraform import vexil_feature_flag.NAME 1/checkout`.',
      ],
    ])
    const next = await playTerraform(service)
    expect(await refusalOf(() => next.apply('feature_flag', flag))).toContain(
      'flag "checkout" already exists',
    )
    const imported = await next.import('feature_flag', '1/checkout')
    expect(await next.replan('feature_flag', flag, imported)).toEqual([])
    expect(await service.get('/api/projects/1/feature_flags')).toMatchObject({ count: 1 })
  })

  it('nothing is begun any more', async () => {
    const planned = await (await playTerraform(service)).plan('feature_flag', flag, null)
    const { terraform, signal } = await stoppedAt('GET', forever)
    const { kept, diagnostics } = await terraform.carryOut('feature_flag', flag, null, planned, signal)
    expect([kept, diagnostics.map(({ summary }) => summary)]).toEqual([
      null,
      ['cannot create flag "checkout"'],
    ])
    expect(await service.get('/api/projects/1/feature_flags')).toMatchObject({ count: 0 })
  })
})

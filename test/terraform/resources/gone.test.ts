import { Agent, type Dispatcher } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Service, startService } from '../../support/service.ts'
import { type Config, type Kept, type Player, playTerraform, showDiagnostic } from './play.ts'

const flags = '/api/projects/1/feature_flags/'
const flagPath = `${flags}1/`
const definitions = '/api/projects/1/event_definitions'
const paid: Config = { name: 'checkout_paid', tags: ['payments'], on_destroy: 'delete' }

let service: Service
let agent: Agent

beforeEach(() => {
  agent = new Agent()
})
afterEach(async () => {
  await agent.close()
  await service.close()
})

/** Answers some requests with another body than the service does. */
function answering(method: string, path: string, body: string): Dispatcher {
  return agent.compose(dispatch => (options, handler) => {
    const isMeant = options.method === method && options.path === path
    return dispatch(options, isMeant ? { ...passing(handler), ...replacing(handler, body) } : handler)
  })
}

function passing(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onResponseStart: (...given) => handler.onResponseStart?.(...given),
    onResponseError: (...given) => handler.onResponseError?.(...given),
  }
}

function replacing(handler: Dispatcher.DispatchHandler, body: string): Dispatcher.DispatchHandler {
  return {
    onResponseData() {},
    onResponseEnd: (controller, trailers) => {
      handler.onResponseData?.(controller, Buffer.from(body))
      handler.onResponseEnd?.(controller, trailers)
    },
  }
}

describe('a flag whose record does not name itself', () => {
  const flag: Config = { key: 'checkout', active: false }
  const said = 'the answer to GET /api/projects/1/feature_flags/1 is not a flag: it has no "id" or no "key".'
  let kept: Kept
  let terraform: Player

  beforeEach(async () => {
    service = await startService()
    kept = await (await playTerraform(service)).apply('feature_flag', flag)
    const dispatcher = answering('GET', flagPath, '{}')
    terraform = await playTerraform(service, {}, { dispatcher })
  })

  it('is not taken for destroyed', async () => {
    const diagnostics = await terraform.destroy('feature_flag', kept)
    expect(diagnostics.map(showDiagnostic).join()).toContain(`cannot destroy flag "checkout" | ${said}`)
    expect(await service.get(flagPath)).toMatchObject({ deleted: false })
  })

  it('is not taken for gone when it is read, nor when it is listed so', async () => {
    await service.send('PATCH', flagPath, { deleted: true })
    await expect(terraform.read('feature_flag', kept)).rejects.toThrow('cannot read flag "checkout"')
    await service.send('PATCH', flagPath, { deleted: false })
    const list = '{"count":1,"next":null,"previous":null,"results":[{"id":1}]}'
    const path = `${flags}?limit=1000`
    const other = await playTerraform(service, {}, { dispatcher: answering('GET', path, list) })
    expect((await other.read('feature_flag', kept))?.state.key).toBe('checkout')
  })

  it('is read once more where the answer to a change is such', async () => {
    const dispatcher = answering('PATCH', flagPath, '{}')
    const other = await playTerraform(service, {}, { dispatcher })
    expect((await other.apply('feature_flag', { ...flag, name: 'New' }, kept)).state.name).toBe('New')
  })
})

describe('an event definition that somebody deleted', () => {
  describe.each(['not_found', 'error'] as const)('where an unknown one gives "%s"', definition_unknown => {
    let kept: Kept
    let terraform: Player

    beforeEach(async () => {
      service = await startService({
        quirks: { definition_unknown },
        seed: {
          organizations: [
            {
              name: 'Example',
              projects: [{ id: 1, name: 'P', event_definitions: [{ name: 'checkout_paid' }] }],
            },
          ],
        },
      })
      terraform = await playTerraform(service)
      kept = await terraform.apply('event_definition', paid)
      await service.send('DELETE', `${definitions}/${kept.state.id}`)
    })

    it('is gone when it is read', async () => {
      expect(await terraform.read('event_definition', kept)).toBeNull()
    })

    it('is destroyed already', async () => {
      expect(await terraform.destroy('event_definition', kept)).toEqual([])
    })

    it('cannot be changed any more', async () => {
      const changed = { ...paid, tags: ['b'] }
      const planned = await terraform.plan('event_definition', changed, kept)
      const { diagnostics } = await terraform.carryOut('event_definition', changed, kept, planned)
      expect(diagnostics.map(showDiagnostic)).toEqual([
        'error: cannot change event "checkout_paid" | It is gone. Nothing was written; plan again to see the current state.',
      ])
    })
  })
})

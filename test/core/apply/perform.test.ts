import { describe, expect, it } from 'vitest'
import { type Client, ServiceError, TransportError } from '../../../src/api/index.ts'
import { perform } from '../../../src/core/apply/perform.ts'
import type { Change } from '../../../src/core/change.ts'
import type { Live } from '../../../src/core/live.ts'
import type { JsonObject } from '../../../src/model/text/json.ts'
import { aFlag, declare, declaredFlag, flagRecord, planned } from '../../support/builders.ts'
import { testRuntime } from '../../support/test-runtime.ts'

const gone = declaredFlag('checkout', {}, { ensure: 'absent' })
const off = declaredFlag('checkout', { active: false })

function changeOf(desired: typeof gone, allow: typeof gone.allow = []): Change {
  const live = aFlag(allow.length > 0 ? { experiment_set: [1] } : {})
  const [change] = planned(declare([{ ...desired, allow }]), [live]).changes
  return change!
}

/** Carries out a change on a service that answers every read with one record, and tells which writes it got. */
async function performOn(
  record: JsonObject,
  change: Change,
  { seen, fails }: { readonly seen?: Live; readonly fails?: Error } = {},
) {
  const writes: string[] = []
  const client = {
    target: { projectId: '1' },
    async call(_kind: string, endpoint: string, options: { body?: JsonObject } = {}) {
      if (endpoint === 'read' && seen) throw new RangeError('it was read a moment ago')
      if (endpoint === 'update' && fails) throw fails
      if (endpoint === 'update') writes.push(JSON.stringify(options.body))
      return { status: 200, body: { ...record, ...options.body }, text: '' }
    },
  }
  return { performed: await performWith(client, change, seen), writes }
}

function performWith(client: object, change: Change, seen?: Live) {
  return perform(change, {
    // Only what `perform` asks of a client.
    client: client as Client,
    runtime: testRuntime(),
    idOf: () => undefined,
    isNew: () => false,
    attempting: async () => {},
    findShadowed: async () => undefined,
    ...(seen ? { seen } : {}),
  })
}

describe('perform', () => {
  it('sends filters with every member that a service would otherwise leave as it is', async () => {
    const old = { groups: [{ properties: [], rollout_percentage: 5 }], payloads: { true: '1' } }
    const live = aFlag({ filters: old })
    const filters = { groups: [{ properties: [], rollout_percentage: 50 }] }
    const [change] = planned(declare([declaredFlag('checkout', { filters })]), [live]).changes
    const { writes } = await performOn(flagRecord({ filters: old }), change!, { seen: live })
    expect(writes).toHaveLength(1)
    expect(JSON.parse(writes[0]!).filters).toEqual({
      ...filters,
      multivariate: null,
      payloads: {},
      aggregation_group_type_index: null,
    })
  })

  it.each([
    ['an experiment', { experiment_set: [1] }, 'an experiment runs on it since the plan was made'],
    ['a survey', { surveys: [{ id: 'a' }] }, 'a survey uses it since the plan was made'],
    [
      'an early access feature',
      { features: [{ id: 'a' }] },
      'it belongs to an early access feature since the plan was made',
    ],
  ])('leaves a flag alone that got %s after the plan', async (_, links, reason) => {
    for (const desired of [gone, off]) {
      expect(await performOn(flagRecord(links), changeOf(desired))).toEqual({
        performed: { is: 'stale', reason },
        writes: [],
      })
    }
  })

  it('goes on where the plan allowed that', async () => {
    const before = flagRecord({ experiment_set: [1] })
    const record = { ...before, active: false }
    expect(await performOn(before, changeOf(off, ['experiment']))).toEqual({
      performed: { is: 'done', id: '7', already: false, notKept: [], record },
      writes: ['{"active":false}'],
    })
  })

  it('answers with the record as it is where nothing had to be written', async () => {
    const record = flagRecord({ active: false })
    expect(await performOn(record, changeOf(off))).toEqual({
      performed: { is: 'done', id: '7', already: true, notKept: [], record },
      writes: [],
    })
  })

  it('answers with what is there in spite of a failure, and whether the write may have arrived', async () => {
    const record = flagRecord()
    for (const [fails, isOpen] of [
      [new TransportError({ requestLine: 'PATCH /', sent: 'no', reason: 'gone' }), false],
      [new TransportError({ requestLine: 'PATCH /', sent: 'maybe', reason: 'gone' }), true],
    ] as const) {
      expect(await performOn(record, changeOf(off), { fails })).toEqual({
        performed: { is: 'failed', error: fails, isOpen, record },
        writes: [],
      })
    }
  })

  it.each([
    ['cannot be looked up', new ServiceError({ requestLine: 'GET /', status: 403 })],
    ['is refused when it is sent again', undefined],
  ])('says of a creation that got no answer and %s that it may be there', async (_, unreadable) => {
    const lost = new TransportError({ requestLine: 'POST /', sent: 'maybe', reason: 'gone' })
    const taken = new ServiceError({ requestLine: 'POST /', status: 400, code: 'unique' })
    const answers = [lost, taken]
    const client = {
      target: { projectId: '1' },
      async call() {
        throw answers.shift() ?? new RangeError('nothing else is sent')
      },
      list() {
        if (unreadable) throw unreadable
        return []
      },
    }
    const [change] = planned(declare([declaredFlag('checkout')]), []).changes
    expect(await performWith(client, change!)).toEqual({
      is: 'failed',
      error: unreadable ?? taken,
      isOpen: true,
    })
  })

  it('reads nothing again that was seen a moment ago', async () => {
    const record = { ...flagRecord(), active: false }
    expect(await performOn(flagRecord(), changeOf(off), { seen: aFlag() })).toEqual({
      performed: { is: 'done', id: '7', already: false, notKept: [], record },
      writes: ['{"active":false}'],
    })
  })

  it.each([
    ['without an id', { ...flagRecord(), id: null }],
    ['without a key', { ...flagRecord(), key: null }],
    ['with nothing in it', {}],
  ])('takes an answer %s for no answer, and not for a flag that is gone', async (_, record) => {
    for (const desired of [gone, off]) {
      expect(await performOn(record as JsonObject, changeOf(desired))).toMatchObject({
        performed: {
          is: 'failed',
          error: {
            message:
              'the answer to GET /api/projects/1/feature_flags/7 is not a flag: it has no "id" or no "key"',
          },
        },
        writes: [],
      })
    }
  })
})

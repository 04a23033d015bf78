import { describe, expect, it } from 'vitest'
import type { Client } from '../../../src/api/index.ts'
import { perform } from '../../../src/core/apply/perform.ts'
import type { Change } from '../../../src/core/change.ts'
import type { Desired } from '../../../src/core/desired.ts'
import type { Live } from '../../../src/core/live.ts'
import { plan } from '../../../src/core/plan/plan.ts'
import type { Shadowed } from '../../../src/core/read/find-soft-deleted.ts'
import { type GuardRule, guardRules } from '../../../src/model/guard-rules.ts'
import type { JsonObject } from '../../../src/model/text/json.ts'
import { aFlag, aPolicy, aSnapshot, declare, declaredFlag, flagRecord } from '../../support/builders.ts'
import { testRuntime } from '../../support/test-runtime.ts'

const renamed = declaredFlag('checkout', { active: false }, { id: '7', renamedTo: ' taken ' })
const softDeleted = { deleted: true }

/** Every change that gives a flag the key `taken`, by the flag that it is made on. */
const writes: readonly (readonly [Change['action'], Desired, JsonObject | undefined])[] = [
  ['create', declaredFlag('taken', { active: false }), undefined],
  ['update', renamed, {}],
  ['restore', renamed, softDeleted],
]

const shadows: readonly (readonly [string, Shadowed])[] = [
  ['a soft-deleted flag', { is: 'deleted', live: aFlag({ id: 9, key: 'taken', deleted: true }) }],
  ['nobody can tell what', { is: 'unknown', reason: 'the activity trail was refused (403)' }],
]

/** Which guard lets what past; nothing lets a creation go over what is there. */
const mayGo = (action: string, shadow: Shadowed, rule: GuardRule | undefined) =>
  shadow.is === 'unknown' ? rule === 'trail_unreadable' : action !== 'create' && rule === 'soft_deleted'

const cases = writes.flatMap(([action, desired, over]) =>
  shadows.flatMap(([behind, shadow]) =>
    [undefined, ...guardRules].map(rule => {
      const isAllowed = mayGo(action, shadow, rule)
      return { action, desired, over, behind, shadow, rule, isAllowed, does: isAllowed ? 'does' : 'does not' }
    }),
  ),
)

const live = (over: JsonObject | undefined): readonly Live[] => (over ? [aFlag(over)] : [])

function planned(desired: Desired, over: JsonObject | undefined, shadowed?: Shadowed) {
  return plan({
    declared: declare([desired]),
    live: aSnapshot(live(over), {
      shadowed: new Map(shadowed ? [['feature_flag.taken', shadowed]] : []),
    }),
    policy: aPolicy(),
  })
}

/** Carries a change out where something stands behind its name by now, and tells what was written. */
async function carriedOut(change: Change, over: JsonObject | undefined, shadowed: Shadowed) {
  const sent: string[] = []
  const record = flagRecord(over)
  const call = async (_: string, endpoint: string, { body }: { body?: JsonObject } = {}) => {
    if (endpoint !== 'read') sent.push(`${endpoint} ${Object.keys(body ?? {}).sort()}`)
    return { status: 200, body: { ...record, ...body }, text: '' }
  }
  const performed = await perform(change, {
    // Only what `perform` asks of a client.
    client: { target: { projectId: '1' }, call } as unknown as Client,
    runtime: testRuntime(),
    idOf: () => undefined,
    isNew: () => false,
    attempting: async () => {},
    findShadowed: async (_, name) => (name === 'taken' ? shadowed : undefined),
  })
  return { is: performed.is, sent }
}

describe('a name behind which something stands', () => {
  it.each(cases)(
    'a $action that gives it, with $behind behind it and the guard $rule allowed, $does go on',
    async ({ action, desired, over, shadow, rule, isAllowed }) => {
      const acknowledging = rule === undefined ? desired : { ...desired, allow: [rule] }
      // A creation over what is known is planned as a restore instead, from the snapshot's own list.
      if (action !== 'create' || shadow.is === 'unknown') {
        const { changes, blocked } = planned(acknowledging, over, shadow)
        const held = shadow.is === 'unknown' ? 'trail_unreadable' : 'soft_deleted'
        expect(changes.map(change => [change.action, change.allowed])).toEqual(
          isAllowed ? [[action, [held]]] : [],
        )
        expect(blocked.map(each => each.rule)).toEqual(isAllowed ? [] : [held])
      }

      const [change] = planned(desired, over).changes
      expect(change?.action).toBe(action)
      const allowed = { ...(change as Change), allowed: rule === undefined ? [] : [rule] }
      const { is, sent } = await carriedOut(allowed, over, shadow)
      expect(is).toBe(isAllowed ? 'done' : 'stale')
      expect(sent.length > 0).toBe(isAllowed)
    },
  )
})

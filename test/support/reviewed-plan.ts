import type { Change } from '../../src/core/change.ts'
import type { JsonObject } from '../../src/model/text/json.ts'
import type { PlanDocument } from '../../src/report/document.ts'
import { aLiveEdit, aLiveEditField, treatments } from './live-edits.ts'
import { richPlan } from './rich-plan.ts'

const property = (key: string, ...value: string[]) => ({ key, value, operator: 'exact', type: 'person' })

const before: JsonObject = {
  name: 'Checkout',
  tags: ['owner:payments'],
  filters: {
    groups: [
      { properties: [property('email', 'ada@example.com')], rollout_percentage: 100 },
      { properties: [property('country', 'DE')], rollout_percentage: 10 },
      { properties: [property('plan', 'team')], rollout_percentage: 50, variant: 'blue' },
    ],
    multivariate: {
      variants: [
        { key: 'control', rollout_percentage: 50 },
        { key: 'blue', rollout_percentage: 50 },
      ],
    },
    payloads: { blue: '{"layout": "one-page"}' },
  },
}

const after: JsonObject = {
  name: 'New checkout',
  tags: ['owner:payments', 'checkout'],
  filters: {
    groups: [
      { properties: [property('email', 'ada@example.com')], rollout_percentage: 100 },
      { properties: [property('country', 'AT')], rollout_percentage: 5 },
      { properties: [property('country', 'DE')], rollout_percentage: 100 },
    ],
    multivariate: {
      variants: [
        { key: 'control', rollout_percentage: 34 },
        { key: 'blue', rollout_percentage: 33 },
        { key: 'green', rollout_percentage: 33 },
      ],
    },
    payloads: { blue: '{"layout": "two-page"}' },
  },
}

const sourceOf = (value: number) =>
  Array.from({ length: 20 }, (_, line) => `export const value${line} = ${line === 9 ? value : line}\n`).join(
    '',
  )

/** A plan with one of everything, and of one flag everything that a flag can have. */
export function reviewedPlan(more: readonly Change[] = []): PlanDocument {
  const plan = richPlan()
  const changes = plan.changes.map(change => {
    if (change.identity === 'checkout') return { ...change, before, after }
    if (change.identity !== 'geoip') return change
    return { ...change, files: { 'index.ts': sourceOf(99) }, filesBefore: { 'index.ts': sourceOf(1) } }
  })
  const edits = treatments.map(treatment => aLiveEdit(`was_${treatment}`, [aLiveEditField({ treatment })]))
  return {
    is: 'plan',
    plan: { ...plan, changes: [...changes, ...more], liveEdits: [...plan.liveEdits, ...edits] },
    meta: {
      environment: 'production',
      commit: '4f2c1ab04f2c1ab04f2c1ab04f2c1ab04f2c1ab0',
      requests: 6,
      now: Date.UTC(2026, 10, 22, 12),
      target: { baseUrl: 'https://flags.example.com', projectId: '2', profile: 'documented' },
    },
    saved: {},
    next: 'vexil apply',
  }
}

/** The same, with the owners of what is left out. */
export function leavingOut(): PlanDocument {
  const document = reviewedPlan()
  const { plan } = document
  const owners = {
    ...plan.owners,
    'feature_flag.was_held': ['payments'],
    'feature_flag.search_ai': ['search'],
  }
  return { ...document, plan: { ...plan, owners } }
}

/** The same, with a new grant on a flag that changes, and all of it declared in one commit. */
export function grantingPlan(): PlanDocument {
  const document = reviewedPlan()
  const changes = document.plan.changes.map(change =>
    change.address === 'feature_flag.beta' ? { ...change, action: 'update' as const } : change,
  )
  const author = { name: 'Ada Lovelace', commit: '4f2c1ab0'.repeat(5), at: Date.UTC(2026, 10, 21) }
  const authors = new Map(changes.map(({ address }) => [address, author]))
  return { ...document, plan: { ...document.plan, changes }, authors }
}

/** So many changes of flags, each like the one above; one of them has a name that no other has. */
export function manyFlags(count: number): readonly Change[] {
  const [like] = reviewedPlan().plan.changes.filter(({ identity }) => identity === 'checkout')
  if (!like) throw new Error('the plan has no such flag')
  return Array.from({ length: count }, (_, index) => {
    const identity = index === count - 2 ? 'needle' : `flag_${index}`
    return {
      ...like,
      identity,
      address: `feature_flag.${identity}`,
      risk: index % 2 === 0 ? 'low' : 'medium',
      source: { file: 'flags/many.yaml', line: index + 1, column: 3 },
    }
  })
}

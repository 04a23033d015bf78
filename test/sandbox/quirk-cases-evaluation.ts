import type { JsonObject } from '../../src/model/text/json.ts'
import type { EvaluationBehaviour } from '../../src/services/differences.ts'
import {
  cohorts,
  groups,
  key,
  person,
  type RuleCases,
  ruleCases,
  type Seen,
} from '../targeting/evaluate/rule-cases.ts'
import { type Door, worldWith } from './door.ts'
import { aFlagPath, type QuirkCase } from './quirk-case.ts'

const seed = worldWith({
  group_types: ['company'],
  cohorts: Object.entries(cohorts).map(([id, properties]) => ({
    id: Number(id),
    name: id,
    properties: properties as JsonObject,
  })),
})

/** Quirks of evaluation: what SDKs are told when they ask, for each case of each rule. */
export const evaluationQuirks = Object.fromEntries(
  Object.entries<RuleCases>(ruleCases).map(([name, { rows }]) => {
    const [first] = rows
    const seen = Object.keys(first!.seen).map(way => [way, rows.map(row => row.seen[way]!)] as const)
    return [name, { seed, probe: (door: Door) => valuesOf(door, rows), seen }]
  }),
  // Each rule has its cases, which have each of its ways.
) as unknown as { readonly [Name in keyof EvaluationBehaviour]: QuirkCase<Name> }

async function valuesOf(door: Door, rows: RuleCases['rows']): Promise<Seen[]> {
  const values: Seen[] = []
  const path = await aFlagPath(door, { key })
  for (const { filters, properties = {} } of rows) {
    const { status } = await door.patch(path, { filters })
    if (status !== 200) throw new Error(`the filters are refused: ${JSON.stringify(filters)}`)
    const { body } = await door.post('/flags/?v=2', {
      token: door.sandbox.summary.project_token,
      distinct_id: person,
      person_properties: properties,
      groups,
    })
    const { enabled, variant, failed } = body.flags[key]
    values.push(failed ? 'open' : (variant ?? enabled))
  }
  return values
}

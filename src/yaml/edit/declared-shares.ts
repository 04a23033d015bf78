import { doubleOf } from '../../hcl/json.ts'

import { isJsonArray, isJsonNumber, isJsonObject, type Json } from '../../model/json/json.ts'
import { pointerOf } from '../../model/json/pointer.ts'
import { targetingField } from '../../model/kind.ts'
import { elementsOf } from '../../targeting/short/short-form.ts'
import type { ObjectDeclaration } from '../declaration.ts'
import { effectiveIn } from '../resolve/effective.ts'
import type { Environment } from '../settings.ts'
import { writtenIn } from './written-members.ts'

/** The share of its people to whom a condition gives a flag, as it is declared. */
export interface DeclaredShare {
  /** The name of the condition, or its number, from 1. */
  readonly name: string
  readonly percent: number
  /** Where it stands, or would stand, among the members of the declaration. */
  readonly pointer: string
}

const share = 'rollout_percentage'

/** Those of all conditions of a flag in an environment, in their order; undefined where nothing is declared of it there. */
export function declaredShares(
  declaration: ObjectDeclaration,
  environment: Environment,
): readonly DeclaredShare[] | undefined {
  const effective = effectiveIn(declaration, environment)
  const field = targetingField(declaration.kind)
  if (effective?.ensure !== 'present' || field === undefined) return undefined
  const written = writtenIn(declaration, environment.name)
  const filters = effective.layer.fields[field] ?? null
  const groups = isJsonObject(filters) && isJsonArray(filters.groups) ? filters.groups : []
  return placesIn(written, field).map(({ name, pointer }, index) => ({
    name,
    pointer,
    percent: percentOf(groups[index] ?? null),
  }))
}

type Place = Omit<DeclaredShare, 'percent'>

function placesIn(written: { readonly [member: string]: Json }, field: string): Place[] {
  if (written[share] !== undefined && written[share] !== null)
    return [{ name: 'everyone', pointer: pointerOf(share) }]
  const { release } = written
  if (release !== undefined)
    return elementsOf(release).map(([step]) => ({
      name: typeof step === 'number' ? String(step + 1) : step,
      pointer: pointerOf('release', step, share),
    }))
  const filters = written[field] ?? null
  const groups = isJsonObject(filters) ? (filters.groups ?? null) : null
  return elementsOf(groups).map((_, index) => ({
    name: String(index + 1),
    pointer: pointerOf(field, 'groups', index, share),
  }))
}

/** A condition that names no share gives the flag to all of its people. */
function percentOf(condition: Json): number {
  const percent = isJsonObject(condition) ? (condition[share] ?? 100) : 100
  return (isJsonNumber(percent) ? doubleOf(percent) : undefined) ?? 100
}

import { isJsonObject, type Json } from '../../model/json/json.ts'
import { alignMoved } from './align-conditions.ts'
import { conditionNames } from './condition-names.ts'
import type { Naming } from './naming.ts'
import { namesWithin } from './shared-short.ts'
import type { ShortForm } from './short-form.ts'
import { conditionsOf, shortOf } from './write-short.ts'

/** A short form that is to mean other filters. */
export interface Rewriting {
  readonly written: ShortForm
  /** What it means. */
  readonly before: Json
  readonly naming?: Naming | undefined
}

/**
 * The short form of filters beside one that is written already: conditions that ask for what a written one asks for are called
 * as that is. Undefined where there is none.
 */
export function rewriteShort(
  filters: Json,
  { written: { release }, before, naming }: Rewriting,
): ShortForm | undefined {
  const options = naming ? { naming } : {}
  if (release === undefined) return shortOf(filters, options)
  const [known, conditions] = [before, filters].map(each => conditionsOf(each, naming))
  if (!known || !conditions) return undefined
  const written = isJsonObject(release) ? Object.keys(release) : []
  const called = written.length === known.length ? written : conditionNames(known)
  const names = namesWithin(conditions, alignMoved(known, conditions), called)
  return shortOf(filters, { ...options, names })
}

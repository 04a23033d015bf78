import { type Profile, profiles } from '../model/connection/profile.ts'

/** A section of a page in docs: `service-behaviour 2.4`. */
export type Source = `${'service-behaviour' | 'service-today'} ${number}`

interface Row<Value> {
  /** What the profile does. One that is left out does as the profile before it. */
  readonly documented: Value
  readonly posthog?: Value
  readonly 'posthog-2026'?: Value
  /** What it decides, in one sentence or two. */
  readonly doc: string
  /** Where it is known from. */
  readonly sources: readonly [Source, ...Source[]]
  /** How sure it is that the newest profile does so; high when absent. */
  readonly certainty?: 'medium' | 'low'
}
interface SwitchDifference extends Row<boolean> {
  readonly type: 'switch'
}
interface NumberDifference extends Row<number> {
  readonly type: 'number'
}
interface ChoiceDifference extends Row<string> {
  readonly type: 'choice'
  readonly of: readonly string[]
}

/** One behaviour in which the services that people meet differ, or which their documents leave open. */
export type Difference = SwitchDifference | NumberDifference | ChoiceDifference

export type Differences = Readonly<Record<string, Difference>>

/** The type of what a profile does in one behaviour. */
export type ValueOf<D extends Difference> = D extends {
  readonly type: 'choice'
  readonly of: readonly (infer Choice)[]
}
  ? Choice
  : D extends { readonly type: 'number' }
    ? number
    : boolean

/** What a profile does: what its row says, or that of the nearest profile before it. */
export function valueIn(difference: Difference, profile: Profile): string | number | boolean {
  const upTo = profiles.slice(0, profiles.indexOf(profile) + 1)
  const said = upTo.findLast(name => difference[name] !== undefined)
  return difference[said ?? 'documented'] ?? difference.documented
}

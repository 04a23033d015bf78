import { withoutEndSlash } from '../../api/base-url.ts'
import { ownersInTags } from '../../core/ownership.ts'
import type { Json } from '../../model/json/json.ts'
import { type DeclarableKind, hasTargeting, switchField, targetingField } from '../../model/kind.ts'
import { type KnownSwitch, valueForAll } from '../../targeting/index.ts'
import {
  type FileDeclarations,
  ignorePointer,
  type Layer,
  type ObjectDeclaration,
} from '../../yaml/declaration.ts'
import { effectiveIn, fieldsFromEnvironment } from '../../yaml/resolve/effective.ts'
import { fieldPointer } from '../../yaml/resolve/short-layers.ts'
import type { Environment } from '../../yaml/settings.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'

/** The declared state of a flag in one environment, as far as it shows whether the flag is stale. */
export interface FlagState {
  readonly key: string
  readonly address: string
  readonly kind: DeclarableKind
  readonly environment: string | undefined
  readonly ensure: 'present' | 'absent'
  readonly declaration: ObjectDeclaration
  readonly layer: Layer
  readonly isPermanent: boolean
  readonly owners: readonly string[]
  /** The declared values, except those that depend on the machine or that the product owns. */
  readonly known: KnownSwitch
  /** The single value for everybody; undefined if it is not certain, or if the flag should be absent. */
  readonly value: boolean | string | undefined
  /**
   * The whole state and its environment as a text. As long as the text is equal, the declaration means
   * the same. Undefined if the declaration alone does not decide what everybody gets.
   */
  readonly meaning: string | undefined
}

/** The flags that are declared in some environments, one state for each environment in which a flag is. */
export function flagStates(
  files: readonly FileDeclarations[],
  environments: readonly Environment[],
): readonly FlagState[] {
  const flags = files.flatMap(({ objects }) => objects.filter(({ kind }) => hasTargeting(kind)))
  return environments.flatMap(environment =>
    flags.flatMap(declaration => {
      const state = stateIn(declaration, environment)
      return state ? [state] : []
    }),
  )
}

function stateIn(declaration: ObjectDeclaration, environment: Environment): FlagState | undefined {
  const effective = effectiveIn(declaration, environment)
  if (!effective) return undefined
  const { identity: key, address, kind, defaults } = declaration
  const { layer, ensure } = effective
  const known = ensure === 'present' ? knownSwitch(declaration, layer, environment) : {}
  const value = ensure === 'present' ? valueForAll(known) : undefined
  const owner = layer.tagMembers?.owner
  return {
    key,
    address,
    kind,
    environment: environment.name,
    ensure,
    declaration,
    layer,
    isPermanent: layer.permanent === true,
    owners: typeof owner === 'string' ? [owner] : ownersInTags(kind, layer.fields, defaults?.tags),
    known,
    value,
    meaning: ensure === 'absent' || value !== undefined ? meaningOf(ensure, value, environment) : undefined,
  }
}

/** The declared switch and filters, without values from the environment or owned by the product. */
function knownSwitch(declaration: ObjectDeclaration, layer: Layer, environment: Environment): KnownSwitch {
  const { kind } = declaration
  const [isOn, targeting] = [switchField(kind) ?? '', targetingField(kind) ?? '']
  const ignored = (layer.ignore ?? []).map(path => fieldPointer(layer, ignorePointer(path)))
  const open = new Set([
    ...ignored.map(pointer => pointer.split('/')[1]),
    ...fieldsFromEnvironment(declaration, layer, environment),
  ])
  const fieldIn = (name: string): Json | undefined => (open.has(name) ? undefined : layer.fields[name])
  const [active, filters] = [fieldIn(isOn), fieldIn(targeting)]
  return { ...(typeof active === 'boolean' ? { active } : {}), ...(filters === undefined ? {} : { filters }) }
}

function meaningOf(
  ensure: FlagState['ensure'],
  value: FlagState['value'],
  { connection: { baseUrl, project, organization } }: Environment,
): string {
  const place = [baseUrl && withoutEndSlash(baseUrl), project, organization]
  return JSON.stringify([ensure, value ?? null, ...place.map(part => part ?? null)])
}

/** A key for a flag in an environment. */
export function stateName({ address, environment }: Pick<FlagState, 'address' | 'environment'>): string {
  return JSON.stringify([environment ?? null, address])
}

/** The start of a current state, and the source if that is known. */
export interface Since {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly from: 'commit' | 'run' | 'trail'
  /** The commit, or the run. */
  readonly name?: string
  /** Whether the state may be older: earlier history is unknown. */
  readonly isAtLeast: boolean
}

/**
 * The later date of git and the records of runs.
 *
 * | git has           | records have                | since                                       |
 * |-------------------|-----------------------------|---------------------------------------------|
 * | a commit          | a run that changed it       | the later one                               |
 * | a commit          | no run that changed it      | the commit                                  |
 * | nothing           | a run that changed it       | the run                                     |
 * | nothing           | runs that found it equal    | at least the oldest of them                 |
 * | nothing           | nothing                     | not known                                   |
 */
export function laterOf(commit: Since | undefined, run: Since | undefined): Since | undefined {
  if (!commit || !run) return commit ?? run
  return run.isAtLeast || commit.at >= run.at ? commit : run
}

/** Whole days from one time to another. */
export function daysBetween(from: number, to: number): number {
  return Math.floor((to - from) / dayMs)
}

export const dayMs = 86_400_000

/** The number of days that an option gives. */
export function daysIn(text: string, least: number): number {
  const days = Number(text)
  if (/^\d{1,5}$/.test(text) && days >= least) return days
  throw new CommandError(`--days is a whole number from ${least} on, not "${text}"`, exitCode.usage)
}

import type { Json, JsonObject } from '../model/json/json.ts'
import { type DeclarableKind, targetingField } from '../model/kind.ts'
import type { FilterProblem } from '../targeting/check/filter-problem.ts'
import type { UsedName } from '../targeting/short/short-context.ts'
import {
  isNamingMember,
  type ShortForm,
  shortMembers,
  type UsedAudience,
} from '../targeting/short/short-form.ts'
import type { DeclarationFile } from './declaration-file.ts'

/** What the short form of a layer amounts to, together with what it is laid over. */
export interface ExpandedLayer {
  /** The field that it amounts to. */
  readonly field: string
  /** What is wrong with the short form itself; pointers lead into the file. */
  readonly problems: readonly FilterProblem[]
  /** Where in the file that stands which is at a pointer inside of the field. */
  placeOf(inside: string): string
  /** Where in the field that is which stands at a pointer inside of the short form; undefined where nothing does. */
  insideOf(pointer: string): string | undefined
  /** Who says what is at a pointer inside of the field, where that is an audience; `placeOf` leads to its name then. */
  sharedAt(inside: string): SharedPlace | undefined
  readonly audiences: readonly UsedAudience[]
  /** What its conditions are called, in their order; in a list they have no names. */
  readonly conditionNames: readonly string[]
  /** The names of cohorts and group types that the layer uses; pointers lead into the file. */
  readonly names: readonly UsedName[]
  /** It is not known what is meant: the problems say why, those of an audience, or a name without a number. */
  readonly isBroken: boolean
  /** The same with other problems besides. */
  with(problems: readonly FilterProblem[]): ExpandedLayer
}

/** A place in an audience. */
export interface SharedPlace {
  /** The audience that the layer names. */
  readonly audience: string
  /** Which of its properties it is about, from 0 on. */
  readonly property: number
  /** The file that says it, which may be that of an audience that this one builds on. */
  readonly file: DeclarationFile
  readonly pointer: string
}

/** Of the members of a layer those in the short form. */
export function shortIn(kind: DeclarableKind, members: JsonObject): ShortForm | undefined {
  if (targetingField(kind) === undefined) return undefined
  let short: Record<string, Json> | undefined
  for (const name of shortMembers) {
    const said = members[name]
    if (said === undefined || !isUsable(said, name)) continue
    short ??= {}
    short[name] = said
  }
  return short
}

/** Whether a member can be read; the schema reports a name that is no text. */
export function isUsable(value: Json, name: string): boolean {
  return !isNamingMember(name) || value === null || typeof value === 'string'
}

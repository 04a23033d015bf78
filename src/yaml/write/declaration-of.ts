import { kindBelow } from '../../kinds/index.ts'
import { isEmptyJson, type Json, type JsonObject } from '../../model/json/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { splitTags } from '../../rules/check-tag-member.ts'
import { asDeclared, namedDefaults } from './as-declared.ts'
import type { Sources } from './export-files.ts'
import type { ExportedGrant, TextFile } from './exported-object.ts'
import type { Named } from './name-objects.ts'

/** What is said of an object in one place. */
export interface Declaration {
  /** Undefined where there can be none. */
  readonly members?: JsonObject
  readonly unnamed?: JsonObject
  readonly reason?: string
  readonly files: readonly TextFile[]
  readonly ignore: readonly string[]
}

/** How the declaration of an object in one place is written. */
interface Writing {
  readonly environment: string | undefined
  readonly sources: Sources
  readonly hasPlainTags: boolean
}

/** The declaration of an object, or why there can be none. */
export function declarationOf(
  kind: DeclarableKind,
  { object, name, isAmbiguous }: Named,
  { environment, sources, hasPlainTags }: Writing,
): Declaration {
  const declared = asDeclared(object)
  if ('reason' in declared) return { ...declared, files: [], ignore: [] }
  const { source, files } = sources(object, name, environment)
  const { grants } = object
  const { fields, unnamed } = hasPlainTags
    ? { fields: declared.fields, unnamed: {} }
    : withTagMembers(kind, declared.fields)
  const members: JsonObject = {
    ...(isAmbiguous ? { id: numeric(object.id) } : {}),
    ...fields,
    ...(grants?.length ? { role_access: roleAccess(kind.name, grants) } : {}),
    ...(declared.ignore.length > 0 ? { ignore: declared.ignore } : {}),
    ...(source ? { source } : {}),
  }
  return {
    members,
    unnamed: {
      ...namedDefaults(kind, object.fields),
      ...unnamed,
      ...(grants?.length === 0 ? { role_access: [] } : {}),
    },
    files,
    ignore: declared.ignore,
  }
}

/** The same fields, with `owner` and its like in place of their tags. Without other tags, none are declared. */
function withTagMembers(
  kind: DeclarableKind,
  fields: JsonObject,
): { readonly fields: JsonObject; readonly unnamed: JsonObject } {
  const { ownedBy } = kind.lifecycle
  if (ownedBy === undefined || fields[ownedBy] === undefined) return { fields, unnamed: {} }
  const { members, tags } = splitTags(kind, fields[ownedBy])
  const { [ownedBy]: _, ...others } = fields
  return isEmptyJson(tags)
    ? { fields: { ...others, ...members }, unnamed: { [ownedBy]: [] } }
    : { fields: { ...fields, [ownedBy]: tags, ...members }, unnamed: {} }
}

/** A list of roles, or a map to their levels where one is not what a list says. */
function roleAccess(kind: string, grants: readonly ExportedGrant[]): Json {
  const below = kindBelow(kind)
  const assumed = below?.fields[below.lifecycle.levels?.field ?? '']?.assumed
  const levels = new Map(
    [...grants]
      .sort((left, right) => compareTexts(left.role, right.role))
      .map(({ role, level }) => [role, level ?? assumed ?? null]),
  )
  const isPlain = [...levels.values()].every(level => level === (assumed ?? null))
  return isPlain ? [...levels.keys()] : Object.fromEntries(levels)
}

function numeric(id: string): Json {
  return /^[1-9]\d*$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : id
}

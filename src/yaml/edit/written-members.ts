import { isJsonObject, type Json, type JsonObject, pickMembers } from '../../model/json/json.ts'
import { getAt, pointerOf } from '../../model/json/pointer.ts'
import { mergeShort } from '../../targeting/short/merge-short.ts'
import type { ObjectDeclaration } from '../declaration.ts'
import { shortIn } from '../expanded-layer.ts'

/**
 * The members of a declaration as its file has them: names are not looked up, and nothing of the environment is filled in.
 * What says for which environments something is, and whom it is tested with, is no part of what is declared for one.
 */
export function writtenShared(declaration: ObjectDeclaration): JsonObject {
  return pickMembers(writtenAt(declaration, ''), (_, name) => !besides.has(name))
}

const besides: ReadonlySet<string> = new Set(['environments', 'only', 'tests'])

/** What its overrides for an environment say, as the file has it. */
export function writtenOverrides(declaration: ObjectDeclaration, environment: string): JsonObject {
  return writtenAt(declaration, pointerOf('environments', environment))
}

/** What it says in an environment, in the words of the file: overrides laid over what is shared. */
export function writtenIn(declaration: ObjectDeclaration, environment: string | undefined): JsonObject {
  const shared = writtenShared(declaration)
  if (environment === undefined) return shared
  const override = writtenOverrides(declaration, environment)
  const { kind } = declaration
  const [below, above] = [shortIn(kind, shared), shortIn(kind, override)]
  const all = { ...shared, ...override }
  if (!below || !above) return all
  const merged = mergeShort([below, above]).value
  const said = pickMembers(all, (_, name) => below[name] === undefined && above[name] === undefined)
  return { ...said, ...merged }
}

function writtenAt({ file, base }: ObjectDeclaration, inside: string): JsonObject {
  const value: Json | undefined = getAt(file.parsed.value ?? null, base.pointer + inside)
  return isJsonObject(value) ? value : {}
}

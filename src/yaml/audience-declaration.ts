import { declarableKinds } from '../kinds/index.ts'
import { isJsonObject, type Json, type JsonObject, pickMembers } from '../model/json/json.ts'
import { pointerOf } from '../model/json/pointer.ts'
import { objectAddress, targetingField } from '../model/kind.ts'
import { audienceMembers } from '../targeting/short/short-form.ts'
import type { Layer, ObjectDeclaration } from './declaration.ts'
import type { DeclarationFile } from './declaration-file.ts'
import { isUsable } from './expanded-layer.ts'

/** The section of a file that has audiences. */
export const audienceSection = 'audiences'

/** The address of an audience in what is told of it; nothing in the service has one like it. */
export function audienceAddress(name: string): string {
  return objectAddress('audience', name)
}

export function isAudienceAddress(address: string): boolean {
  return address.startsWith(audienceAddress(''))
}

/** Those that hold for all conditions of a flag. */
const ofFlag: ReadonlySet<string> = new Set(['group_type', 'group_type_index'])

const condition = pointerOf('release', 'audience')

/**
 * The audiences of a file, each as a flag with one condition: what an audience says is read, merged, expanded and checked as
 * the same words are in a flag.
 */
export function readAudiences(file: DeclarationFile): ObjectDeclaration[] {
  const section = isJsonObject(file.value) ? (file.value[audienceSection] ?? null) : null
  const kind = declarableKinds.find(each => targetingField(each) !== undefined)
  if (!isJsonObject(section) || !kind) return []
  return Object.entries(section).map(([name, written]) => {
    const pointer = pointerOf(audienceSection, name)
    const { environments = null, ...members } = isJsonObject(written) ? written : {}
    return {
      file,
      kind,
      identity: name,
      address: audienceAddress(name),
      base: toLayer(members, pointer),
      environments: new Map(
        (isJsonObject(environments) ? Object.entries(environments) : []).map(
          ([environment, override]) =>
            [
              environment,
              toLayer(
                isJsonObject(override) ? override : {},
                pointer + pointerOf('environments', environment),
              ),
            ] as const,
        ),
      ),
    }
  })
}

function toLayer(members: JsonObject, pointer: string): Layer {
  const isSaid = (value: Json, name: string) => audienceMembers.includes(name) && isUsable(value, name)
  const said = pickMembers(members, (value, name) => isSaid(value, name) && !ofFlag.has(name))
  const above = pickMembers(members, (value, name) => isSaid(value, name) && ofFlag.has(name))
  return {
    pointer,
    members,
    fields: {},
    short: { ...above, release: { audience: said } },
    placeOf: inside =>
      pointer + (inside.startsWith(condition) ? inside.slice(condition.length) : withoutRelease(inside)),
  }
}

function withoutRelease(inside: string): string {
  return inside === pointerOf('release') ? '' : inside
}

/** The name of the audience that a layer builds on, if it says one. */
export function buildsOn({ members }: Layer): Json {
  return members.audience ?? null
}

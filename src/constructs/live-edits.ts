import type { TerraformResource } from 'cdktf'
import type { DeclarableKind } from '../model/kind.ts'
import {
  defaultMember,
  existsField,
  type LiveEditWay,
  liveEditFields,
  liveEditWays,
} from '../model/live-edit-policy.ts'
import { meantHint } from '../model/text/did-you-mean.ts'
import { knownText, members, type Reader } from './arguments/argument.ts'
import { propertyOf } from './engine/names.ts'

/**
 * What happens to fields that were changed in the product: one mode for all of them, or modes by name.
 * `default` is for fields without their own mode, and `exists` is for the object itself.
 */
export type LiveEdits = LiveEditWay | { readonly [field: string]: LiveEditWay }

/** The reader: it maps field names to those of the service. Terraform accepts no reference in a comment. */
export function liveEditsOf(kind: DeclarableKind): Reader<LiveEdits> {
  const fields = [defaultMember, existsField, ...liveEditFields(kind)]
  const names = new Map(fields.map(name => [propertyOf(name), name]))
  return (value, name) => {
    if (typeof value === 'string') return wayOf(value, name)
    const modes = Object.entries(members(value, name)).map(([member, way]) => {
      const field = names.get(member)
      if (field === undefined) {
        const hint = meantHint(member, [...names.keys()], `there are: ${[...names.keys()].join(', ')}`)
        throw new TypeError(`"${name}" names "${member}", which is no field of a ${kind.title}; ${hint}`)
      }
      return [field, wayOf(way, `${name}.${member}`)] as const
    })
    return Object.fromEntries(modes)
  }
}

/** Writes it into the stack for Vexil, as a comment that Terraform ignores. */
export function writeLiveEdits(resource: TerraformResource, liveEdits: LiveEdits | undefined): void {
  if (liveEdits !== undefined) resource.addOverride('//.vexil.live_edits', liveEdits)
}

function wayOf(value: unknown, name: string): LiveEditWay {
  const text = knownText(value, name)
  const way = liveEditWays.find(each => each === text)
  if (way) return way
  const hint = meantHint(
    text,
    liveEditWays,
    `take one of ${liveEditWays.map(each => `"${each}"`).join(', ')}`,
  )
  throw new TypeError(`"${name}" is ${JSON.stringify(text)}, which it cannot be; ${hint}`)
}

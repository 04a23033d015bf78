import type { PayloadMember, PayloadType } from './payload-type.ts'

/** An object in a payload that a language gives a name of its own. */
export interface NamedObject {
  /** The key of the flag, `payload`, and the members that lead to it, with slashes. */
  readonly path: string
  readonly members: readonly PayloadMember[]
}

/** The objects in a type, the inner ones first. */
export function namedObjects(type: PayloadType, path: string): NamedObject[] {
  switch (type.is) {
    case 'list':
    case 'map':
      return namedObjects(type.of, inside(type, path))
    case 'either':
      return type.types.flatMap(each => namedObjects(each, inside(type, path)))
    case 'object':
      return [
        ...type.members.flatMap(member => namedObjects(member.type, `${path}/${member.name}`)),
        { path, members: type.members },
      ]
    default:
      return []
  }
}

/** The path of what a list, a map or one of several types holds: none that a member could have. */
export function inside({ is }: PayloadType, path: string): string {
  switch (is) {
    case 'list':
      return `${path}/item[]`
    case 'map':
      return `${path}/value{}`
    default:
      return `${path}/object|`
  }
}

import { isUuid } from '../../model/text/uuid.ts'
import { knownText, type Reader, text } from '../arguments/argument.ts'
import { listOf, made } from '../arguments/made-here.ts'
import { isReference } from '../terraform-references.ts'

/** A role of the organization, which can be allowed to edit flags. The service's interface only knows roles by their ids. */
export class Role {
  /** The id of the role, a UUID. */
  public readonly id: string
  /** What people call it. */
  public readonly name: string | undefined

  /**
   * A role by its id. A name makes plans readable: with it a grant is called `checkout--support`. It is part of that name,
   * so another one makes another grant.
   */
  public static fromId(id: string, name?: string): Role {
    const role = new Role(
      text(id, 'the id of a role'),
      name === undefined ? name : knownText(name, 'the name of a role'),
    )
    if (!isReference(role.id) && !isUuid(role.id)) {
      const which = name === undefined ? '' : ` "${name}"`
      throw new Error(
        `role${which}: "${id}" is not a UUID; an id looks like 01900000-0000-0000-0000-0000000000aa`,
      )
    }
    return role
  }

  private constructor(id: string, name: string | undefined) {
    this.id = id
    this.name = name
    Object.freeze(this)
  }
}

export const role: Reader<Role> = made('id', 'a role; write Role.fromId(id, name)')

export const roles: Reader<readonly Role[]> = listOf(
  role,
  'a list of roles',
  'give each role: Role.fromId(id, name)',
)

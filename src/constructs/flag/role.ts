import type { Construct } from 'constructs'
import { roleKind } from '../../kinds/index.ts'
import { isUuid } from '../../model/text/uuid.ts'
import { knownText, listOf, made, type Reader, text } from '../arguments/argument.ts'
import { type Readers, readArguments } from '../arguments/read-arguments.ts'
import { inThisEngine } from '../engine/engine.ts'
import { DataVexilRole } from '../generated/data-vexil-role/index.ts'
import { lookUp, type OrganizationLookup, organizationLookup, readName } from '../references/references.ts'
import { isReference } from '../synthesized/templates.ts'

/** Where to look for a role. */
export interface RoleLookup extends OrganizationLookup {
  /** What grants are called after it, where its name is known only once a plan is made. */
  readonly label?: string
}

/** The readers of the properties. */
export const roleLookup: Readers<RoleLookup> = { ...organizationLookup, label: knownText }

/** A role of the organization, which can be allowed to edit flags. */
export class Role {
  /** The id of the role, a UUID. */
  public readonly id: string
  /** What people call it. */
  public readonly name: string | undefined

  /**
   * A role by its id. A name makes plans readable: with it a grant is called `checkout--support`. It is part of that name,
   * so another one makes another grant; a flag that gets the role under two names has one grant, called after the first.
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

  /**
   * A role by its name, which is looked up when a plan is made: in the service's list of roles, which not every service has.
   * A stack looks each up once, and grants are called after the name.
   */
  public static fromName(scope: Construct, name: string, lookup: RoleLookup = {}): Role {
    const { name: given } = readName(roleKind, { name })
    const { label, ...where } = readArguments(lookup, roleLookup, 'the lookup of a role')
    const known = isReference(given) ? undefined : given
    const id = freeId(inThisEngine(scope, 'Role'), `Role ${known ?? ''}`.trim())
    const found = lookUp(scope, id, DataVexilRole, { name: given }, where)
    return new Role(idOf(found), label ?? known)
  }

  private constructor(id: string, name: string | undefined) {
    this.id = id
    this.name = name
    Object.freeze(this)
  }
}

/** A data source has another mark for its id at each call, and two marks look like two roles. */
function idOf(found: DataVexilRole): string {
  const id = ids.get(found) ?? found.id
  ids.set(found, id)
  return id
}

const ids = new WeakMap<DataVexilRole, string>()

/** The same name may be looked for in several organizations. */
function freeId({ node }: Construct, wanted: string): string {
  let id = wanted
  for (let count = 2; node.tryFindChild(id) !== undefined; count += 1) id = `${wanted} ${count}`
  return id
}

export const role: Reader<Role> = made(
  'id',
  'a role; write Role.fromName(scope, name) or Role.fromId(id, name)',
)

export const roles: Reader<readonly Role[]> = listOf(
  role,
  'a list of roles',
  'give each role: Role.fromName(scope, name) or Role.fromId(id, name)',
)

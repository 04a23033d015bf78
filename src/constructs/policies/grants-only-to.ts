import { accessLevels } from '../../policies/check-policy.ts'
import { knownText, listOf, type Reader } from '../arguments/argument.ts'
import { type Readers, readArguments } from '../arguments/read-arguments.ts'
import type { AccessLevel } from '../flag/flag-grants.ts'
import { type Role, role } from '../flag/role.ts'
import { isReference } from '../synthesized/templates.ts'
import { type PolicyProps, policyArguments } from './policy-aspect.ts'
import { RulePolicy } from './rule-policies.ts'

/** The options of a policy of grants. */
export interface GrantsOnlyToProps extends PolicyProps {
  /** The highest level that a grant may give: `none`, `viewer`, `editor` or `manager`; a grant without a level lets edit. */
  readonly atMost?: AccessLevel
}

/** The readers of the properties. */
export const grantsOnlyToArguments: Readers<GrantsOnlyToProps> = { ...policyArguments, atMost: accessLevel }

/**
 * Flags are granted to these roles alone. A role is given as itself, by its id, or by what the app calls it: then every
 * role is meant that is called so, whatever its id.
 *
 * ```ts
 * enforce(app, new GrantsOnlyTo([support, audit]))
 * enforce(production, new GrantsOnlyTo([], { except: ['kill_switch'] }))
 * ```
 */
export class GrantsOnlyTo extends RulePolicy {
  public constructor(roles: readonly (Role | string)[], props: GrantsOnlyToProps = {}) {
    const { atMost, ...others } = readArguments(props, grantsOnlyToArguments, 'GrantsOnlyTo')
    const allowed = rolesOf(roles, 'roles')
    super({ policy: 'GrantsOnlyTo', roles: allowed, ...(atMost === undefined ? {} : { atMost }) }, others)
  }
}

const rolesOf: Reader<readonly string[]> = listOf(
  (value, name) => (typeof value === 'string' ? knownText(value, name) : roleText(role(value, name), name)),
  'a list of roles',
  'give each role: Role.fromId(id, name)',
)

/** A role by its id, or by its name if the id is known only at plan time. */
function roleText({ id, name }: Role, argument: string): string {
  return isReference(id) ? knownText(name ?? id, argument) : id
}

function accessLevel(value: unknown, name: string): AccessLevel {
  const level = knownText(value, name)
  if (!accessLevels.includes(level)) {
    throw new RangeError(`"${name}" is ${JSON.stringify(level)}; there are ${accessLevels.join(', ')}`)
  }
  // It is one of the levels.
  return level as AccessLevel
}

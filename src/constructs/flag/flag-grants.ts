import type { Construct } from 'constructs'
import { type Reader, text } from '../arguments/argument.ts'
import { made } from '../arguments/made-here.ts'
import { grantName } from '../engine/grant-name.ts'
import { escapeText } from '../escape-template.ts'
import { type Declared, findNamed, nameAfter } from '../find-named.ts'
import type { FeatureFlag } from '../generated/feature-flag/index.ts'
import { FeatureFlagRoleAccess } from '../generated/feature-flag-role-access/index.ts'
import { instanceOf, repetitionOf } from '../instance-of.ts'
import { isReference } from '../terraform-references.ts'
import { type Role, role as roleArgument } from './role.ts'

/** The flag that is granted, and the construct under which its grants stand. */
interface Granted {
  readonly scope: Construct
  /** Asked for its id no sooner than that is needed: until then the flag can still be given another logical id. */
  readonly resource: Declared & { readonly id: string }
  readonly key: string
  /** As the generated construct has it. */
  readonly projectId: string | undefined
  readonly provider: Declared['provider']
}

/**
 * Who may edit a flag: `flag.grants.edit(support)`. Where one construct stands for several flags, by `forEach` or
 * `count`, each of them gets the grant.
 */
export class FlagGrants {
  private readonly granted: Granted

  /** The grants of a flag that was made with the generated construct. */
  public static of(resource: FeatureFlag): FlagGrants {
    generatedFlag(resource, 'resource')
    return new FlagGrants({
      scope: resource,
      resource,
      key: text(resource.keyInput ?? '', 'key'),
      projectId:
        resource.projectIdInput === undefined ? undefined : text(resource.projectIdInput, 'projectId'),
      provider: resource.provider,
    })
  }

  /** @internal */
  public constructor(granted: Granted) {
    this.granted = granted
  }

  /** Lets everybody with the role edit the flag. Asking twice makes one grant. */
  public edit(role: Role): FeatureFlagRoleAccess {
    const { scope, resource, key, projectId, provider } = this.granted
    const { id: roleId, name } = roleArgument(role, 'edit')
    const label = name ?? roleId
    if (isReference(label)) {
      throw new Error(
        `flag "${key}": the id of a role is not known yet, so its grant has no name; give one: Role.fromId(id, 'support')`,
      )
    }
    const id = grantName(label)
    const named = { parts: [key, label], place: projectId }
    const before =
      scope.node.tryFindChild(id) ??
      findNamed(scope, { address: FeatureFlagRoleAccess.tfResourceType, provider }, named)
    if (before instanceof FeatureFlagRoleAccess) {
      if (before.roleIdInput === escapeText(roleId)) return before
      throw new Error(`flag "${key}": two roles are called "${label}", ${before.roleIdInput} and ${roleId}`)
    }
    const grant = new FeatureFlagRoleAccess(scope, id, {
      featureFlagId: instanceOf(resource, 'id') ?? resource.id,
      roleId: escapeText(roleId),
      ...(projectId === undefined ? {} : { projectId }),
      ...(provider === undefined ? {} : { provider }),
      ...repetitionOf(resource),
    })
    nameAfter(grant, named)
    return grant
  }
}

/** A flag that was made with the generated construct. */
const generatedFlag: Reader<FeatureFlag> = made('keyInput', 'a flag of the generated construct')

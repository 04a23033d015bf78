import { Construct, type IConstruct } from 'constructs'
import { featureFlag, roleAccess } from '../../kinds/index.ts'
import { knownText, made, type Reader, shown, text } from '../argument.ts'
import { checkOnServices, fieldMessages, requireRightFields } from '../check-fields.ts'
import type { Declared } from '../engine/declared.ts'
import { inThisEngine } from '../engine/engine.ts'
import { grantName } from '../engine/engine-marks.ts'
import { DataVexilFeatureFlag } from '../generated/data-vexil-feature-flag/index.ts'
import type { FeatureFlag } from '../generated/feature-flag/index.ts'
import { FeatureFlagRoleAccess } from '../generated/feature-flag-role-access/index.ts'
import {
  about,
  allOrNothing,
  findNamed,
  instanceOf,
  making,
  nameAfter,
  repetitionOf,
} from '../make-construct.ts'
import { readArguments } from '../read-arguments.ts'
import {
  type GivenName,
  lookUp,
  type ProjectLookup,
  projectLookup,
  type Role,
  readName,
  role as roleArgument,
} from '../references.ts'
import { escapeText, isReference } from '../templates.ts'

/** The flag of the grants, and the construct that contains the grants. */
interface Granted {
  readonly scope: Construct
  /** Its id is read only when needed: until then, the logical id of the flag may change. */
  readonly resource: Declared & { readonly id: string }
  readonly key: string
  /** The same property as in the generated construct. */
  readonly projectId: string | undefined
  readonly provider: Declared['provider']
}

/** What a role may do with a flag, on services that have levels. */
export type AccessLevel = (typeof roleAccess.fields.access_level.oneOf)[number]

/**
 * Who may edit a flag: `flag.grants.edit(support)`, or `flag.grants.give(audit, 'viewer')`. If a construct
 * declares several flags, by `forEach` or `count`, each of them gets the grant.
 */
export class FlagGrants {
  private readonly granted: Granted

  /** The grants of a flag that was created with the generated construct. */
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

  /** Lets everybody with the role edit the flag. A second call for the same role has no effect. */
  public edit(role: Role): FeatureFlagRoleAccess {
    return grantOn(this.granted, roleArgument(role, 'edit'))
  }

  /** Gives everybody with the role a level such as 'viewer', if the service has levels. Twice: one grant. */
  public give(role: Role, accessLevel: AccessLevel): FeatureFlagRoleAccess {
    const given = roleArgument(role, 'give')
    knownText(accessLevel, 'accessLevel')
    about('flag', this.granted.key, this.granted.scope, () => requireRightFields(roleAccess, { accessLevel }))
    return grantOn(this.granted, given, accessLevel)
  }
}

function grantOn(
  { scope, resource, key, projectId, provider }: Granted,
  { id: roleId, name }: Role,
  level?: AccessLevel,
): FeatureFlagRoleAccess {
  const label = name ?? roleId
  if (isReference(label)) {
    throw new Error(
      `flag ${shown(key)}: the name of a role is not known yet, so its grant has no name; write Role.fromId(id, 'support'), or Role.fromName(scope, name, { label: 'support' })`,
    )
  }
  const same = grantsOf(resource).get(sameRole(roleId))
  if (same !== undefined) return withLevel(same, level, key, label)
  const id = grantName(label)
  const named = { parts: [key, label], place: projectId }
  const before =
    scope.node.tryFindChild(id) ??
    findNamed(scope, { address: FeatureFlagRoleAccess.tfResourceType, provider }, named)
  if (before instanceof FeatureFlagRoleAccess) {
    if (before.roleIdInput === escapeText(roleId)) return withLevel(before, level, key, label)
    const which = [before.roleIdInput ?? '', roleId].map(id =>
      isReference(id) ? 'an event definition whose id is looked up' : id,
    )
    throw new Error(`flag ${shown(key)}: two roles have the name "${label}", ${which.join(' and ')}`)
  }
  const grant = new FeatureFlagRoleAccess(scope, id, {
    featureFlagId: instanceOf(resource, 'id') ?? resource.id,
    roleId: escapeText(roleId),
    ...(level === undefined ? {} : { accessLevel: level }),
    ...(projectId === undefined ? {} : { projectId }),
    ...(provider === undefined ? {} : { provider }),
    ...repetitionOf(resource),
  })
  allOrNothing(grant, () => nameAfter(grant, named))
  grantsOf(resource).set(sameRole(roleId), grant)
  checkOnServices(grant, grant, services => fieldMessages(roleAccess, { accessLevel: level }, services))
  return grant
}

/** The existing grant, if its level is the same. */
function withLevel(
  before: FeatureFlagRoleAccess,
  level: AccessLevel | undefined,
  key: string,
  label: string,
): FeatureFlagRoleAccess {
  if (before.accessLevelInput === level) return before
  throw new Error(`flag ${shown(key)}: "${label}" has two levels`)
}

/** The grants of a flag by role; different names of the same role count as one. */
function grantsOf(resource: Declared): Map<string, FeatureFlagRoleAccess> {
  const known = grants.get(resource) ?? new Map<string, FeatureFlagRoleAccess>()
  grants.set(resource, known)
  return known
}

const grants = new WeakMap<Declared, Map<string, FeatureFlagRoleAccess>>()

/** The id of a role, in a normalized spelling if it is known. */
function sameRole(id: string): string {
  return isReference(id) ? id : id.toLowerCase()
}

/** A flag that was created with the generated construct. */
const generatedFlag: Reader<FeatureFlag> = made('keyInput', 'a flag of the generated construct')

/** A flag that is declared elsewhere. */
export class ImportedFlag extends Construct implements IFlag {
  /** The key that code asks for. */
  public readonly key: string
  /** The generated data source that looks it up. */
  public readonly resource: DataVexilFeatureFlag
  /** Who may edit the flag. */
  public readonly grants: FlagGrants

  /** @internal */
  public constructor(scope: Construct, id: string, given: GivenName, lookup: ProjectLookup) {
    super(inThisEngine(scope, id), id)
    const { by, where, resource } = making(featureFlag.title, given.key ?? given.id, this, () => {
      const by = readName(featureFlag, given)
      const where = readArguments(lookup, projectLookup, 'the lookup of a flag')
      return { by, where, resource: lookUp(this, 'Resource', DataVexilFeatureFlag, by, where) }
    })
    this.resource = resource
    this.key = by.key ?? resource.key
    this.grants = new FlagGrants({
      scope: this,
      resource: this.resource,
      key: this.key,
      projectId: this.resource.projectIdInput,
      provider: where.provider,
    })
  }

  /** The id of the flag in the service; known only in a plan. */
  public get id(): string {
    return this.resource.id
  }

  /** The key as a reference, by which a plan looks up the flag. */
  public get keyReference(): string {
    return this.resource.key
  }
}

/** A flag, whether a stack declares it (`new Flag`) or only refers to it (`Flag.fromKey`). */
export interface IFlag extends IConstruct {
  /** The id of the flag in the service; known only in a plan. */
  readonly id: string
  /** The key that code asks for. */
  readonly key: string
  /** The key as a reference: resources that use it depend on the flag. */
  readonly keyReference: string
  /** Who may edit the flag. */
  readonly grants: FlagGrants
}

export const flag: Reader<IFlag> = made('grants', 'a flag; write Flag.fromKey(scope, id, key)')

/** A flag by its construct, or by its key if it is declared elsewhere. */
export const flagKey: Reader<string> = (value, name) =>
  isText(value) ? text(value, name) : text(flag(value, name).keyReference, name)

function isText(value: unknown): boolean {
  return typeof value === 'string' || isReference(value)
}

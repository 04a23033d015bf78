import type { TerraformDataSource, TerraformProvider } from 'cdktf'
import { Construct, type IConstruct } from 'constructs'
import { eventDefinition, pluginKind, roleKind } from '../kinds/index.ts'
import type { Field } from '../model/field.ts'
import { type IdentifiedKind, identityField } from '../model/kind.ts'
import { isUuid } from '../model/text/json-shape.ts'
import { knownText, listOf, made, notA, ownerId, type Reader, text } from './argument.ts'
import { inThisEngine } from './engine/engine.ts'
import { isMarkedNumber } from './engine/engine-marks.ts'
import { DataVexilEventDefinition } from './generated/data-vexil-event-definition/index.ts'
import { DataVexilPlugin } from './generated/data-vexil-plugin/index.ts'
import { DataVexilRole } from './generated/data-vexil-role/index.ts'
import { findNamed, making, nameAfter } from './make-construct.ts'
import { provider, type Readers, readArguments } from './read-arguments.ts'
import { escapeAll, isReference } from './templates.ts'

/** The look-up of an object of a project that is declared elsewhere. */
export interface ProjectLookup {
  /** The project of the object; by default that of the provider. */
  readonly projectId?: string
  /** The provider for the look-up. */
  readonly provider?: TerraformProvider
}

/** The look-up of an object of an organization that is declared elsewhere. */
export interface OrganizationLookup {
  /** The organization of the object; by default that of the provider. */
  readonly organizationId?: string
  /** The provider for the look-up. */
  readonly provider?: TerraformProvider
}

export const projectLookup: Readers<ProjectLookup> = { projectId: ownerId('project'), provider }
export const organizationLookup: Readers<OrganizationLookup> = {
  organizationId: ownerId('organization'),
  provider,
}

/** A generated data source that looks up one object. */
interface Type<Found extends TerraformDataSource> {
  new (scope: Construct, id: string, config: object): Found
  readonly tfResourceType: string
}

/** The identity of an object in a look-up: its id, its key or its name. */
export type LookedUp = { readonly [by in 'id' | 'key' | 'name']?: string }

/** The identity as passed by the app. */
export type GivenName = { readonly [by in 'id' | 'key' | 'name']?: unknown }

/**
 * The data source that looks up an object. A stack looks up each object once, for any number of constructs,
 * if the whole look-up is known during synthesis.
 */
export function lookUp<Found extends TerraformDataSource>(
  scope: Construct,
  id: string,
  type: Type<Found>,
  by: LookedUp,
  where: ProjectLookup & OrganizationLookup,
): Found {
  const { provider, ...place } = where
  const texts = escapeAll({ ...by, ...place })
  const parts = [...(by.id === undefined ? [] : ['id']), ...Object.values(by)]
  const named = { parts, place: place.projectId ?? place.organizationId }
  const before = findNamed(scope, { address: `data.${type.tfResourceType}`, provider }, named)
  if (before instanceof type && looksFor(before, texts)) return before
  const found = new type(scope, id, { ...texts, ...(provider === undefined ? {} : { provider }) })
  // If the name is used, the engine chooses one: flag "a--2", and "a" in project 2, have the same.
  if (before === undefined) nameAfter(found, named)
  return found
}

function looksFor(before: TerraformDataSource, texts: object): boolean {
  const given = new Map<string, unknown>(Object.entries(texts))
  return inputs.every(name => Reflect.get(before, `${name}Input`) === given.get(name))
}

const inputs = ['id', 'key', 'name', 'projectId', 'organizationId']

/** Reads the name in a look-up of an object of a kind. */
export function readName(kind: IdentifiedKind, given: GivenName): LookedUp {
  const read = (by: string) => (by === 'id' ? idOfKind(kind) : nameOfKind(kind))
  return Object.fromEntries(Object.entries(given).map(([by, value]) => [by, read(by)(value, by)]))
}

/** Reads the id of an object of a kind; a number is also accepted if the service numbers them. */
function idOfKind(kind: IdentifiedKind): Reader<string> {
  return (value, name) => {
    const isPlain = typeof value === 'number' && Number.isSafeInteger(value) && !isMarkedNumber(value)
    const id = text(isPlain ? String(value) : value, name)
    if (isReference(id) || fits(id, kind.fields.id)) return id
    const { title } = kind
    throw notA(`the id of ${/^[aeiou]/.test(title) ? 'an' : 'a'} ${title}`, id, name)
  }
}

function fits(id: string, field: Field | undefined): boolean {
  return field?.type === 'integer' ? /^[1-9]\d*$/.test(id) : isUuid(id)
}

/** Reads the text that identifies an object of a kind. */
function nameOfKind(kind: IdentifiedKind): Reader<string> {
  return (value, name) => {
    const given = text(value, name)
    if (given.trim() === '')
      throw new Error(`the ${identityField(kind)} of the ${kind.title} to look up is empty`)
    return given
  }
}

/** A plugin, whether a stack declares it (`new Plugin`) or only refers to it (`Plugin.fromName`). */
export interface IPlugin extends IConstruct {
  /** The id of the plugin in the service; known only in a plan. */
  readonly id: string
  /** Its name; known only in a plan if it is looked up by id. */
  readonly name: string
}

/** A plugin that is declared elsewhere. */
export class ImportedPlugin extends Construct implements IPlugin {
  public readonly name: string
  /** The generated data source that looks it up. */
  public readonly resource: DataVexilPlugin

  /** @internal */
  public constructor(scope: Construct, id: string, given: GivenName, lookup: OrganizationLookup) {
    super(inThisEngine(scope, id), id)
    const { by, resource } = making(pluginKind.title, given.name ?? given.id, this, () => {
      const by = readName(pluginKind, given)
      const where = readArguments(lookup, organizationLookup, 'the lookup of a plugin')
      return { by, resource: lookUp(this, 'Resource', DataVexilPlugin, by, where) }
    })
    this.resource = resource
    this.name = by.name ?? resource.name
  }

  public get id(): string {
    return this.resource.id
  }
}

/** An event definition, whether a stack declares it (`new EventDefinition`) or only refers to it (`EventDefinition.fromName`). */
export interface IEventDefinition extends IConstruct {
  /** The id of the definition in the service; known only in a plan. */
  readonly id: string
  /** The name of the event; known once a plan is made where the definition is found by its id. */
  readonly name: string
}

/** An event definition that is declared elsewhere. */
export class ImportedEventDefinition extends Construct implements IEventDefinition {
  public readonly name: string
  /** The generated data source that looks it up. */
  public readonly resource: DataVexilEventDefinition

  /** @internal */
  public constructor(scope: Construct, id: string, given: GivenName, lookup: ProjectLookup) {
    super(inThisEngine(scope, id), id)
    const { by, resource } = making(eventDefinition.title, given.name ?? given.id, this, () => {
      const by = readName(eventDefinition, given)
      const where = readArguments(lookup, projectLookup, 'the lookup of an event')
      return { by, resource: lookUp(this, 'Resource', DataVexilEventDefinition, by, where) }
    })
    this.resource = resource
    this.name = by.name ?? resource.name
  }

  public get id(): string {
    return this.resource.id
  }
}

/** Where to look for a role. */
export interface RoleLookup extends OrganizationLookup {
  /** What grants are called after it, where its name is known only once a plan is made. */
  readonly label?: string
}

export const roleLookup: Readers<RoleLookup> = { ...organizationLookup, label: knownText }

/** A role of the organization, which can be allowed to edit flags. */
export class Role {
  /** The id of the role, a UUID. */
  public readonly id: string
  /** Its name for people. */
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
  'write each role as Role.fromName(scope, name) or Role.fromId(id, name)',
)

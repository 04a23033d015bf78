import type { TerraformDataSource, TerraformProvider } from 'cdktf'
import type { Construct } from 'constructs'
import type { Field } from '../../model/field.ts'
import { type IdentifiedKind, identityField } from '../../model/kind.ts'
import { isUuid } from '../../model/text/uuid.ts'
import { notA, type Reader, text } from '../arguments/argument.ts'
import { provider } from '../arguments/of-the-engine.ts'
import { ownerId } from '../arguments/owner.ts'
import type { Readers } from '../arguments/read-arguments.ts'
import { isMarkedNumber } from '../engine/engine-marks.ts'
import { findNamed, nameAfter } from '../find-named.ts'
import { escapeAll } from '../synthesized/escape-template.ts'
import { isReference } from '../synthesized/terraform-references.ts'

/** Where to look for something of a project that is declared elsewhere. */
export interface ProjectLookup {
  /** The project it lives in; that of the provider when left out. */
  readonly projectId?: string
  /** The provider that looks for it. */
  readonly provider?: TerraformProvider
}

/** Where to look for something of an organization that is declared elsewhere. */
export interface OrganizationLookup {
  /** The organization it lives in; that of the provider when left out. */
  readonly organizationId?: string
  /** The provider that looks for it. */
  readonly provider?: TerraformProvider
}

/** The readers of the properties. */
export const projectLookup: Readers<ProjectLookup> = { projectId: ownerId('project'), provider }
export const organizationLookup: Readers<OrganizationLookup> = {
  organizationId: ownerId('organization'),
  provider,
}

/** A generated data source that looks for one object. */
interface Type<Found extends TerraformDataSource> {
  new (scope: Construct, id: string, config: object): Found
  readonly tfResourceType: string
}

/** The name of an object in a look-up: its id, its key or its name. */
export type LookedUp = { readonly [by in 'id' | 'key' | 'name']?: string }

/** The same as it was given. */
export type GivenName = { readonly [by in 'id' | 'key' | 'name']?: unknown }

/**
 * The data source that looks for an object. A stack looks each object up once, for any number of constructs,
 * if all of the look-up is known when the stack is made.
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
  // If the name is in use, the engine chooses one: flag "a--2", and "a" in project 2, have the same.
  if (before === undefined) nameAfter(found, named)
  return found
}

function looksFor(before: TerraformDataSource, texts: object): boolean {
  const given = new Map<string, unknown>(Object.entries(texts))
  return inputs.every(name => Reflect.get(before, `${name}Input`) === given.get(name))
}

const inputs = ['id', 'key', 'name', 'projectId', 'organizationId']

/** Reads the name in a look-up for an object of a kind. */
export function readName(kind: IdentifiedKind, given: GivenName): LookedUp {
  const read = (by: string) => (by === 'id' ? idOfKind(kind) : nameOfKind(kind))
  return Object.fromEntries(Object.entries(given).map(([by, value]) => [by, read(by)(value, by)]))
}

/** Reads the id of an object of a kind; a number is accepted too if the service counts them. */
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

/** Reads the text that names an object of a kind. */
function nameOfKind(kind: IdentifiedKind): Reader<string> {
  return (value, name) => {
    const given = text(value, name)
    if (given.trim() === '')
      throw new Error(`the ${identityField(kind)} of the ${kind.title} to look for is empty`)
    return given
  }
}

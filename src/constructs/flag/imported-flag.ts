import { Construct, type IConstruct } from 'constructs'
import { featureFlag } from '../../kinds/index.ts'
import { making } from '../about.ts'
import { made, type Reader, text } from '../arguments/argument.ts'
import { readArguments } from '../arguments/read-arguments.ts'
import { inThisEngine } from '../engine/engine.ts'
import { DataVexilFeatureFlag } from '../generated/data-vexil-feature-flag/index.ts'
import {
  type GivenName,
  lookUp,
  type ProjectLookup,
  projectLookup,
  readName,
} from '../references/references.ts'
import { isReference } from '../synthesized/templates.ts'
import { FlagGrants } from './flag-grants.ts'

/** A flag that is declared elsewhere. */
export class ImportedFlag extends Construct implements IFlag {
  /** What code asks for. */
  public readonly key: string
  /** The generated data source that looks for it. */
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

  /** The id under which the service knows the flag; known once a plan is made. */
  public get id(): string {
    return this.resource.id
  }

  /** The key as a reference, by which a plan looks for the flag. */
  public get keyReference(): string {
    return this.resource.key
  }
}

/** A flag, whether a stack declares it (`new Flag`) or only refers to it (`Flag.fromKey`). */
export interface IFlag extends IConstruct {
  /** The id under which the service knows the flag; known once a plan is made. */
  readonly id: string
  /** What code asks for. */
  readonly key: string
  /** The same as a reference: whoever uses it comes after the flag. */
  readonly keyReference: string
  /** Who may edit the flag. */
  readonly grants: FlagGrants
}

export const flag: Reader<IFlag> = made('grants', 'a flag; write Flag.fromKey(scope, id, key)')

/** A flag by its construct or, if that is elsewhere, by its key. */
export const flagKey: Reader<string> = (value, name) =>
  isText(value) ? text(value, name) : text(flag(value, name).keyReference, name)

function isText(value: unknown): boolean {
  return typeof value === 'string' || isReference(value)
}

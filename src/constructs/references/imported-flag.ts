import { Construct } from 'constructs'
import { featureFlag } from '../../kinds/index.ts'
import { making } from '../about.ts'
import { readArguments } from '../arguments/read-arguments.ts'
import { inThisEngine } from '../engine/engine.ts'
import { FlagGrants } from '../flag/flag-grants.ts'
import type { IFlag } from '../flag/flag-interface.ts'
import { DataVexilFeatureFlag } from '../generated/data-vexil-feature-flag/index.ts'
import { type GivenName, lookUp, type ProjectLookup, projectLookup, readName } from './look-up.ts'

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

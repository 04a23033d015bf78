import type { TerraformProvider } from 'cdktf'
import { Construct } from 'constructs'
import { text } from '../arguments/argument.ts'
import { provider } from '../arguments/of-the-engine.ts'
import { type Readers, readArguments } from '../arguments/read-arguments.ts'
import { inThisEngine } from '../engine/engine.ts'
import { escapeAll } from '../escape-template.ts'
import { findNamed, nameAfter } from '../find-named.ts'
import { DataVexilFeatureFlag } from '../generated/data-vexil-feature-flag/index.ts'
import { FlagGrants } from './flag-grants.ts'
import type { IFlag } from './flag-interface.ts'

/** Where to look for a flag that is declared elsewhere. */
export interface FlagLookup {
  /** The project it lives in; that of the provider when left out. */
  readonly projectId?: string
  /** The provider that looks for it. */
  readonly provider?: TerraformProvider
}

/** How they are read. */
export const lookupArguments: Readers<FlagLookup> = { projectId: text, provider }

/** A flag that is declared elsewhere. A stack looks a key up once, however many constructs ask for it. */
export class ImportedFlag extends Construct implements IFlag {
  /** What code asks for. */
  public readonly key: string
  /** The generated data source that looks for it. */
  public readonly resource: DataVexilFeatureFlag
  /** Who may edit the flag. */
  public readonly grants: FlagGrants

  /** @internal */
  public constructor(scope: Construct, id: string, key: string, lookup: FlagLookup) {
    super(inThisEngine(scope, id), id)
    this.key = text(key, 'key')
    const { projectId, provider } = readArguments(lookup, lookupArguments, 'the lookup of a flag')
    const named = { parts: [this.key], place: projectId }
    const type = { address: `data.${DataVexilFeatureFlag.tfResourceType}`, provider }
    const before = findNamed(this, type, named)
    this.resource =
      before instanceof DataVexilFeatureFlag ? before : this.lookUp({ projectId, provider }, named)
    this.grants = new FlagGrants({
      scope: this,
      resource: this.resource,
      key: this.key,
      projectId: this.resource.projectIdInput,
      provider,
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

  private lookUp(
    lookup: FlagLookup,
    named: { readonly parts: readonly string[]; readonly place: string | undefined },
  ) {
    const resource = new DataVexilFeatureFlag(this, 'Resource', escapeAll({ ...lookup, key: this.key }))
    nameAfter(resource, named)
    return resource
  }
}

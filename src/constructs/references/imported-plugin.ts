import { Construct, type IConstruct } from 'constructs'
import { pluginKind } from '../../kinds/index.ts'
import { making } from '../about.ts'
import { readArguments } from '../arguments/read-arguments.ts'
import { inThisEngine } from '../engine/engine.ts'
import { DataVexilPlugin } from '../generated/data-vexil-plugin/index.ts'
import { type GivenName, lookUp, type OrganizationLookup, organizationLookup, readName } from './look-up.ts'

/** A plugin, whether a stack declares it (`new Plugin`) or only refers to it (`Plugin.fromName`). */
export interface IPlugin extends IConstruct {
  /** The id under which the service knows the plugin; known once a plan is made. */
  readonly id: string
  /** Its name; known once a plan is made where it is found by its id. */
  readonly name: string
}

/** A plugin that is declared elsewhere. */
export class ImportedPlugin extends Construct implements IPlugin {
  public readonly name: string
  /** The generated data source that looks for it. */
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

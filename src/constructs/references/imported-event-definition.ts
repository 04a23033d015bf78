import { Construct, type IConstruct } from 'constructs'
import { eventDefinition } from '../../kinds/index.ts'
import { making } from '../about.ts'
import { readArguments } from '../arguments/read-arguments.ts'
import { inThisEngine } from '../engine/engine.ts'
import { DataVexilEventDefinition } from '../generated/data-vexil-event-definition/index.ts'
import { type GivenName, lookUp, type ProjectLookup, projectLookup, readName } from './look-up.ts'

/** An event definition, whether a stack declares it (`new EventDefinition`) or only refers to it (`EventDefinition.fromName`). */
export interface IEventDefinition extends IConstruct {
  /** The id under which the service knows the definition; known once a plan is made. */
  readonly id: string
  /** The name of the event; known once a plan is made where the definition is found by its id. */
  readonly name: string
}

/** An event definition that is declared elsewhere. */
export class ImportedEventDefinition extends Construct implements IEventDefinition {
  public readonly name: string
  /** The generated data source that looks for it. */
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

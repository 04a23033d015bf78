import type { Exportable } from '../../core/live.ts'
import { declarableKind } from '../../kinds/index.ts'

/** A grant of a live object. */
export type LiveGrant = NonNullable<Exportable['grants']>[number]

/** What resources are called. */
export interface Naming {
  ofObject(object: Exportable): string
  /** `parentName` is what the resource of its flag is called. */
  ofGrant(kind: string, object: Exportable, grant: LiveGrant, parentName: string): string
}

/**
 * What the resources of one configuration are called: the name of the object, in small letters, digits and underscores. Where
 * two would be called alike, the later one has its id behind it.
 */
export class ResourceNames implements Naming {
  readonly #taken = new Set<string>()

  ofObject({ kind, identity, id }: Exportable): string {
    return this.give(kind, identity, id)
  }

  ofGrant(kind: string, _: Exportable, { id, name = id.slice(-12) }: LiveGrant, parentName: string): string {
    return this.give(kind, `${parentName}_${name}`, id)
  }

  /** A name for an object of a kind, which no other one gets. */
  give(kind: string, identity: string, id: string): string {
    const base = identifierOf(kind, identity)
    let name = base
    for (let tries = 0; this.#taken.has(`${kind}.${name}`); tries++)
      name = `${base}_${identifierPart(id)}${tries === 0 ? '' : `_${tries}`}`
    this.#taken.add(`${kind}.${name}`)
    return name
  }

  /** Keeps a name that is given already. */
  keep(kind: string, name: string): void {
    this.#taken.add(`${kind}.${name}`)
  }
}

function identifierOf(kind: string, identity: string): string {
  const part = identifierPart(identity)
  return /^[a-z]/.test(part) ? part : `${identifierPart(declarableKind(kind).title)}_${part}`
}

function identifierPart(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
}

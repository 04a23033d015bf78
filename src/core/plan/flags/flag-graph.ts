import { declarableKind } from '../../../kinds/index.ts'
import { identityField, switchField, targetingField } from '../../../model/kind.ts'
import { isFlagId } from '../../../targeting/index.ts'
import type { Change } from '../../change.ts'
import { type FlagLink, namesIn } from '../../flag-links.ts'

/** A flag of one moment, as conditions see it. */
export interface Flag {
  readonly kind: string
  readonly id?: string
  readonly identity: string
  readonly isOn: boolean
  /** Whether it is archived. */
  readonly isApart?: boolean
  readonly names: readonly string[]
}

/** The flags of one moment, by all that conditions call them. */
export class Flags {
  readonly #byName = new Map<string, Flag>()
  readonly #naming = new Map<string, Flag[]>()
  readonly #links: readonly FlagLink[]

  constructor(links: readonly FlagLink[], living: Iterable<Flag> = links.filter(link => !link.isDeleted)) {
    this.#links = links
    for (const flag of living) {
      const { kind, id, identity, names } = flag
      // A text of digits is always an id.
      if (!isFlagId(identity)) this.#byName.set(`${kind}#${identity}`, flag)
      if (id !== undefined) this.#byName.set(`${kind}#${id}`, flag)
      for (const name of names) {
        const naming = this.#naming.get(`${kind}#${name}`)
        if (naming) naming.push(flag)
        else this.#naming.set(`${kind}#${name}`, [flag])
      }
    }
  }

  /** The same flags when some changes have been made. */
  after(changes: readonly Change[]): Flags {
    const links = new Map(this.#links.map(link => [`${link.kind}#${link.id}`, link]))
    const living = new Map<string, Flag>([...links].filter(([, link]) => !link.isDeleted))
    for (const change of changes) {
      if (targetingField(declarableKind(change.kind)) === undefined) continue
      const at = `${change.kind}#${change.id ?? change.address}`
      if (change.action === 'delete') living.delete(at)
      else living.set(at, afterChange(change, links.get(at)))
    }
    return new Flags(this.#links, living.values())
  }

  find(kind: string, name: string): Flag | undefined {
    return this.#byName.get(`${kind}#${name}`)
  }

  /** The flags that are on and name another. */
  waitingFor({ kind, id, identity }: Change): Flag[] {
    const own = [...(isFlagId(identity) ? [] : [identity]), ...(id === undefined ? [] : [id])]
    const names = own.filter(name => (this.find(kind, name)?.id ?? id) === id)
    const naming = new Set(names.flatMap(name => this.#naming.get(`${kind}#${name}`) ?? []))
    return [...naming].filter(flag => flag.isOn && flag.identity !== identity)
  }

  /** The way on which a flag waits for itself, by names. */
  circleFrom(start: Flag): string[] | undefined {
    const cameFrom = new Map<Flag, Flag>()
    const waiting = [start]
    for (const flag of waiting) {
      for (const name of flag.names) {
        const next = this.find(flag.kind, name)
        if (next === start) {
          const way = [start.identity]
          for (let at: Flag | undefined = flag; at && at !== start; at = cameFrom.get(at))
            way.unshift(at.identity)
          return [start.identity, ...way]
        }
        if (!next || cameFrom.has(next)) continue
        cameFrom.set(next, flag)
        waiting.push(next)
      }
    }
    return undefined
  }
}

function afterChange({ kind: name, id, identity, after }: Change, live: FlagLink | undefined): Flag {
  const kind = declarableKind(name)
  const [turned, key] = [after[switchField(kind) ?? ''], after[identityField(kind)]]
  const apart = after[kind.lifecycle.listedApart?.field ?? '']
  return {
    kind: name,
    ...(id === undefined ? {} : { id }),
    identity: typeof key === 'string' ? key : identity,
    isOn: typeof turned === 'boolean' ? turned : (live?.isOn ?? true),
    isApart: apart === undefined ? live?.isApart === true : apart === true,
    names: (targetingField(kind) ?? '') in after ? namesIn(kind, after) : (live?.names ?? []),
  }
}

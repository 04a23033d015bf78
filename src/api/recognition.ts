import type { Sign } from '../model/connection/observed.ts'
import {
  type Profile,
  type ProfileProof,
  type ProfileSetting,
  profiles,
} from '../model/connection/profile.ts'
import { isJsonArray, isJsonObject, type JsonObject } from '../model/json/json.ts'
import type { Kind, Tell } from '../model/kind.ts'
import { profilesWith } from '../services/index.ts'

/** What the answers have shown of the service, whether or not somebody said which it is. */
export interface Recognized {
  readonly signs: readonly Sign[]
  /** The services that answer so. All of them, as long as nothing was shown. */
  readonly possible: readonly Profile[]
}

/**
 * Which service answers: the one that was said or, with `auto`, the one that the first record of each kind shows. No
 * request is made for it. Until something is shown it is taken for the one that the document describes.
 */
export class Recognition implements Recognized {
  readonly #told: Profile | undefined
  readonly #seen = new Set<Kind>()
  readonly #signs: Sign[] = []
  #left: readonly Profile[] = profiles

  constructor(setting: ProfileSetting) {
    this.#told = setting === 'auto' ? undefined : setting
  }

  /** The earliest of the services that it may be. */
  get profile(): Profile {
    return this.#told ?? this.#left[0] ?? 'documented'
  }

  /** How that is known. What is assumed may yet turn out to be another. */
  get known(): ProfileProof {
    if (this.#told !== undefined) return 'set'
    return this.#left.length === 1 ? 'recognized' : 'assumed'
  }

  get signs(): readonly Sign[] {
    return this.#signs
  }

  get possible(): readonly Profile[] {
    return this.#left
  }

  /** Takes a record as it came. What contradicts an earlier record is left aside. */
  see(kind: Kind, record: JsonObject, requestOf: () => string): void {
    if (this.#seen.has(kind)) return
    for (const { member, behaviour, is } of (kind.tells ?? []).filter(tell => shows(record, tell))) {
      this.#seen.add(kind)
      const possible = profilesWith(behaviour, is)
      const left = this.#left.filter(profile => possible.includes(profile))
      if (left.length === 0) continue
      if (left.length < this.#left.length) {
        this.#signs.push({ request: requestOf(), kind: kind.name, member, behaviour, is })
      }
      this.#left = left
    }
  }
}

function shows(record: JsonObject, { member, as }: Tell): boolean {
  const value = record[member]
  if (as === 'array') return isJsonArray(value)
  return as === 'object' ? isJsonObject(value) : value !== undefined
}

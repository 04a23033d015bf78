import type { Client } from '../../api/index.ts'
import { declarableKinds } from '../../kinds/index.ts'
import { isJsonObject, type Json } from '../../model/json/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import type { InventoryProof } from '../change.ts'
import { keptRecord, type Live, toLive } from '../live.ts'

/** A list of live objects, read whole. */
export interface ReadRows {
  readonly rows: readonly Live[]
  readonly inventory: InventoryProof
}

/** A file of declarations as it was read. */
export interface FileRead {
  readonly value: Json | undefined
  readonly text: string
}

/** In characters; about 200 flags, which are parsed in the time of one request. */
export const longEnough = 100_000

/**
 * Lists that are asked for while files are still being parsed, so that the service works meanwhile. Nothing is asked for
 * that a plan of these files would not ask for: a list is started where a file surely declares an object of its kind.
 * Nor is anything before so much has been read that it takes a while: of a few files it is known at once whether they
 * are right, and where they are not, the service need not be asked.
 */
export class StartedLists {
  readonly #client: Client
  readonly #stop = new AbortController()
  readonly #signal: AbortSignal
  readonly #declared = new Set<DeclarableKind>()
  readonly #lists = new Map<string, Promise<ReadRows>>()
  #length = 0

  constructor(client: Client, signal?: AbortSignal) {
    this.#client = client
    this.#signal = AbortSignal.any([this.#stop.signal, ...(signal ? [signal] : [])])
  }

  /** Told of each file of declarations as it has been read. */
  sawFile({ value, text }: FileRead): void {
    this.#length += text.length
    if (!isJsonObject(value)) return
    for (const kind of declarableKinds) {
      if (!kind.lifecycle.parent && declaresSurely(value[kind.section])) this.#declared.add(kind)
    }
    if (this.#length >= longEnough) for (const kind of this.#declared) this.#start(kind)
  }

  /** Whether any was asked for. */
  get areUnderWay(): boolean {
    return this.#lists.size > 0
  }

  /** The list of a kind, where it was started. */
  of(kind: string): Promise<ReadRows> | undefined {
    return this.#lists.get(kind)
  }

  /** Gives up what nobody is going to ask for. */
  stop(): void {
    this.#stop.abort()
  }

  #start(kind: DeclarableKind): void {
    if (this.#lists.has(kind.name)) return
    const reading = readRows(kind, this.#client, this.#signal)
    // A failure is met by whoever asks for the list; where nobody does, the files were wrong.
    reading.catch(() => {})
    this.#lists.set(kind.name, reading)
  }
}

/** Whether a section has an object that is meant in every environment, whatever else is in it. */
function declaresSurely(section: Json | undefined): boolean {
  if (!isJsonObject(section)) return false
  return Object.values(section).some(
    object => isJsonObject(object) && object.only === undefined && object.environments === undefined,
  )
}

async function readRows(kind: DeclarableKind, client: Client, signal: AbortSignal): Promise<ReadRows> {
  const rows: Live[] = []
  const list = client.list(kind.name, { signal })
  for await (const page of list.pages()) {
    for (const record of page) {
      const live = toLive(kind, record)
      if (live) rows.push({ ...live, record: keptRecord(kind, live.record) })
    }
  }
  const { seen, count, complete } = list.inventory
  return { rows, inventory: { seen, count, complete } }
}

import { setMaxListeners } from 'node:events'
import {
  type Client,
  type ClientOptions,
  createClient,
  isSettingError,
  type ProxyEnvironment,
  type RequestEvent,
  type Secrets,
  wrapClient,
} from '../api/index.ts'
import { defaultPolicy, type Policy } from '../core/policy.ts'
import { mapMembers, type ObjectValue, Unknown, type Value } from '../hcl/values.ts'
import { kindNamed } from '../kinds/index.ts'
import { type Profile, profiles, type Services, servicesOf } from '../model/connection.ts'
import type { Kind, Scope } from '../model/kind.ts'
import type { Runtime } from '../model/runtime.ts'
import type { JsonObject } from '../model/text/json.ts'
import type {
  TerraformAttribute,
  TerraformAttributes,
  TerraformBlock,
} from '../schema/terraform/terraform-attribute.ts'
import {
  type Attribute,
  type Attributes,
  DiagnosticError,
  errorDiagnostic,
  type Presence,
  type Schema,
} from './provider.ts'
import { profileIn, resolve, type Settings, type Surroundings } from './provider-settings.ts'
import { SharedReads } from './shared-reads.ts'

export interface SessionOptions extends Surroundings {
  /** Stores the key as soon as it is known. */
  readonly secrets?: Secrets
  readonly runtime: Runtime
  /** `vexil-terraform/1.2.3` */
  readonly userAgent?: string
  readonly proxyEnvironment?: ProxyEnvironment
  readonly dispatcher?: ClientOptions['dispatcher']
  /** Called for each request that is sent. */
  readonly onRequest?: (event: RequestEvent) => void
}

/** Maps a name to the id of the object with that name, or to a marker for a new object. */
export type Claims = Map<string, string | object>

/** What a provider's resources share. Nothing is opened, or can fail, before its first use. */
export class Session {
  readonly runtime: Runtime
  readonly #options: SessionOptions
  #settings: Settings | undefined
  #validated: string | undefined
  #client: Client | undefined
  #stopping = sharedController()
  #finishing = sharedController()
  readonly #closing = new AbortController()
  #runs = new Map<string, RunClient>()
  #claims: Claims = new Map()
  #inState = new Set<string>()
  #renamed = new Set<string>()

  constructor(options: SessionOptions) {
    this.runtime = options.runtime
    this.#options = options
  }

  /** A later configuration replaces an earlier one and everything that was read with it. */
  async configure(config: ObjectValue): Promise<void> {
    const settings = await resolve(config, this.#options)
    if (typeof settings.apiKey === 'string') this.#options.secrets?.add(settings.apiKey)
    this.#settings = settings
    this.#client = undefined
    this.#runs = new Map()
    this.#claims = new Map()
    this.#inState = new Set()
    this.#renamed = new Set()
    if (this.#stopping.signal.aborted) {
      this.#stopping = sharedController()
      this.#finishing = sharedController()
    }
  }

  /** The object for each name in this run, if it was planned or created. */
  get claims(): Claims {
    return this.#claims
  }

  /** Records an object of a state, before anything is planned for it. */
  noteState({ name }: Kind, id: string): void {
    this.#inState.add(`${name}/${id}`)
  }

  /** Whether a state that Terraform has shown in this run contains the object. */
  isInState({ name }: Kind, id: string): boolean {
    return this.#inState.has(`${name}/${id}`)
  }

  /** Records an object that a plan of this run renames. */
  noteRenamed({ name }: Kind, id: string): void {
    this.#renamed.add(`${name}/${id}`)
  }

  /** Whether a plan so far renames the object. Terraform plans dependencies first. */
  isRenamed({ name }: Kind, id: string): boolean {
    return this.#renamed.has(`${name}/${id}`)
  }

  /** The signal for changes that have begun. They are finished, unless that takes too long. */
  get finishing(): AbortSignal {
    return this.#finishing.signal
  }

  /** Ends the shared reads. The reads of a single call have their own signal. */
  async stop(): Promise<void> {
    const [finishing, reason] = [this.#finishing, new Error('Terraform asked to stop')]
    this.#stopping.abort(reason)
    await this.runtime.sleep(graceMs, this.#closing.signal)
    finishing.abort(reason)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#client?.close()
  }

  /** The default tags; unknown until they are configured. */
  get defaultTags(): readonly string[] | Unknown {
    return this.#settings?.defaultTags ?? []
  }

  /** The permissions in the provider's block; everything else is the reconciler's default policy. */
  get policy(): Policy {
    const rules = this.#settings?.allow ?? []
    return { ...defaultPolicy, allow: rules.map(rule => ({ rule })) }
  }

  /** The profile of the opened client, or the configured profile. */
  get profile(): Profile | undefined {
    const configured = profiles.find(profile => profile === this.#settings?.profile)
    return this.#client?.target.profile ?? configured
  }

  /**
   * The possible services, from the configuration. Resources are validated before the provider is configured,
   * so then the validated block counts.
   */
  get services(): Services {
    return servicesOf([this.#settings ? knownText(this.#settings.profile) : this.#validated])
  }

  /** Stores a block that is only validated. */
  validated(config: ObjectValue): void {
    this.#validated = knownText(profileIn(config, this.#options))
  }

  /** Whether the object's owner and the settings to reach it are known. */
  isKnown({ scope }: Kind, owner: Value): boolean {
    const { baseUrl, apiKey, profile } = this.#settings ?? {}
    const given = [owner ?? this.defaultOwner(scope), baseUrl, apiKey, profile]
    return this.#settings !== undefined && !given.some(value => value instanceof Unknown)
  }

  /** The default project or organization; null if there is none. */
  defaultOwner(scope: Scope): string | Unknown | null {
    const owner = scope === 'project' ? this.#settings?.projectId : this.#settings?.organizationId
    return owner ?? null
  }

  /** The owner for a new object. It must be set, but may still be unknown. */
  requireOwner(scope: Scope): string | Unknown {
    const owner = this.defaultOwner(scope)
    if (owner === null) throw this.#ownerMissing(scope, owner)
    return owner
  }

  /** The client for objects of `owner`, or of the provider's own owner. */
  open({ scope }: Kind, owner: Value = null): RunClient {
    const settled = owner ?? this.defaultOwner(scope)
    const id = typeof settled === 'string' && settled !== '' ? settled : undefined
    if (id === undefined) throw this.#ownerMissing(scope, settled)
    const key = `${scope}/${id}`
    const known = this.#runs.get(key)
    if (known) return known
    const where = scope === 'project' ? { projectId: id } : { organizationId: id }
    const run = openRunClient(this.#opened(), where, () => this.#stopping.signal)
    this.#runs.set(key, run)
    return run
  }

  #opened(): Client {
    this.#client ??= this.#connect()
    return this.#client
  }

  #connect(): Client {
    const { runtime, userAgent, proxyEnvironment, dispatcher, onRequest } = this.#options
    if (!this.#settings) throw new DiagnosticError(errorDiagnostic('the provider was not configured'))
    const { projectId, organizationId, retryAttempts, retryBudget, parallelism } = this.#settings
    const baseUrl = known(this.#settings.baseUrl, 'base_url', 'VEXIL_BASE_URL')
    const apiKey = known(this.#settings.apiKey, 'api_key', 'VEXIL_API_KEY or VEXIL_API_KEY_FILE')
    const { profile } = this.#settings
    if (profile instanceof Unknown) throw notKnownYet('profile')
    try {
      return createClient({
        baseUrl,
        apiKey,
        profile,
        parallelism,
        retry: { attempts: retryAttempts, budget: retryBudget },
        runtime,
        ...(typeof projectId === 'string' ? { projectId } : {}),
        ...(typeof organizationId === 'string' ? { organizationId } : {}),
        userAgent,
        proxyEnvironment,
        dispatcher,
        ...(onRequest && { onRequest }),
      })
    } catch (error) {
      if (!isSettingError(error)) throw error
      const attribute = settingAttributes[error.setting]
      throw new DiagnosticError(
        errorDiagnostic(
          "the provider's configuration cannot be used",
          `${error.message}.${whereToSet(attribute)}`,
        ),
      )
    }
  }

  #ownerMissing(scope: Scope, owner: Value): DiagnosticError {
    if (owner instanceof Unknown) return notKnownYet(`${scope}_id`)
    if (owner === '') {
      const detail = `Remove it, or set it to null, to use the provider's ${scope}.`
      return new DiagnosticError(errorDiagnostic(`\`${scope}_id\` is empty`, detail, [`${scope}_id`]))
    }
    const variable = scope === 'project' ? 'VEXIL_PROJECT_ID' : 'VEXIL_ORGANIZATION_ID'
    return new DiagnosticError(
      errorDiagnostic(
        `no ${scope} is set`,
        `Set \`${scope}_id\` in the provider's block or here, or set the environment variable ${variable}.`,
      ),
    )
  }
}

/** How long changes that have begun may continue after a stop. */
const graceMs = 5000

const settingAttributes: Readonly<Record<string, string>> = { baseUrl: 'base_url', apiKey: 'api_key' }

function whereToSet(attribute: string | undefined): string {
  return attribute ? ` It comes from \`${attribute}\` of the provider's block, or from the environment.` : ''
}

function known(setting: string | Unknown | undefined, attribute: string, variable: string): string {
  if (setting instanceof Unknown) throw notKnownYet(attribute)
  if (setting !== undefined) return setting
  throw new DiagnosticError(
    errorDiagnostic(
      `no \`${attribute}\` is set`,
      `Set the environment variable ${variable}, or \`${attribute}\` in the provider's block.`,
    ),
  )
}

function notKnownYet(attribute: string): DiagnosticError {
  return new DiagnosticError(
    errorDiagnostic(
      `the provider's \`${attribute}\` is not known yet`,
      'It depends on an object that does not exist yet. Create that object first with `-target`, then run this again.',
    ),
  )
}

function knownText(profile: string | Unknown): string | undefined {
  return typeof profile === 'string' ? profile : undefined
}

/** A computed block in the form of the protocol. */
export function blockSchema({ version, description, attributes }: TerraformBlock): Schema {
  return { version, block: { description, attributes: attributesOf(attributes) } }
}

function attributesOf(attributes: TerraformAttributes): Attributes {
  return mapMembers<TerraformAttribute, Attribute>(attributes, attribute => {
    const { description, sensitive } = attribute
    const described = { description, presence: presenceOf(attribute), ...(sensitive ? { sensitive } : {}) }
    return 'type' in attribute
      ? { ...described, type: attribute.type }
      : { ...described, nesting: 'list', attributes: attributesOf(attribute.list) }
  })
}

function presenceOf({ required, optional, computed }: TerraformAttribute): Presence {
  if (required) return 'required'
  if (optional) return computed ? 'optional+computed' : 'optional'
  return 'computed'
}

/** The project or organization to use if the provider's own configuration sets none. */
export interface Owner {
  readonly projectId?: string
  readonly organizationId?: string
}

/** A client for one project and organization, with the shared reads of a run. */
export interface RunClient {
  readonly client: Client
  readonly shared: SharedReads
  /** The names of objects before this run renamed them, by kind and new name. */
  readonly renamed: Map<string, string>
  /** The objects that this run created, restored or adopted, by kind, parent and id. */
  readonly made: Set<string>
}

/**
 * The client for everything of one owner. Each write drops the shared reads before and after it, because a
 * list that was begun during the write may be older or newer than the write.
 */
export function openRunClient(opened: Client, owner: Owner, signal: () => AbortSignal): RunClient {
  const client = wrapClient(opened, {
    target: owner,
    params: ownerParams(owner),
    async around({ kind: name, endpoint, options }, send) {
      const kind = kindNamed(name)
      if (kind.endpoints[endpoint]?.method === 'GET') return send()
      shared.drop()
      try {
        return await send()
      } finally {
        shared.drop()
        // Trails are read only for soft deletions, and only soft deletions add such entries.
        if (deletes(kind, options.body)) shared.dropTrails()
      }
    },
  })
  const shared = new SharedReads(client, signal)
  return { client, shared, renamed: new Map(), made: new Set() }
}

function deletes({ lifecycle }: Kind, body: JsonObject | undefined): boolean {
  const softDelete = lifecycle?.softDelete
  return softDelete !== undefined && body?.[softDelete.field] === softDelete.is
}

function ownerParams({ projectId, organizationId }: Owner): Record<string, string> {
  return {
    ...(projectId === undefined ? {} : { project_id: projectId }),
    ...(organizationId === undefined ? {} : { parent_lookup_organization_id: organizationId }),
  }
}

/** A controller for any number of listeners. By default Node warns of a leak above ten. */
export function sharedController(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}

import { featureFlag } from '../../kinds/index.ts'
import { isJsonArray, isJsonNumber, isJsonObject, type JsonObject } from '../../model/text/json.ts'
import { writeJson } from '../../model/text/json-text.ts'
import {
  describeCondition,
  namedFilters,
  percentText,
  renameFlags,
  type Subject,
} from '../../targeting/index.ts'
import { type Explained, explainerFor } from '../resource/evaluation.ts'
import type { FlagRow, ProjectRow } from '../rows.ts'
import { groupTypesOf, inContainer, tokenOf } from '../store.ts'
import { keyOfUser, type Service } from './admission.ts'
import { type Answer, isJsonType, notFound, parseJson, readBytes, unsupportedMediaType } from './messages.ts'
import { subjectIn } from './sdk-routes.ts'

/** What a sandbox serves beside or instead of the interface. */
export interface Surface {
  readonly page?: SandboxPage
  /** Whether it only answers SDKs and its page, and nothing that manages objects. */
  readonly onlySdks?: boolean
}

/** The page for people, at `/`. */
export interface SandboxPage {
  readonly html: string
  /** The policy for its content, as a header, so that no other page can frame it. */
  readonly policy: string
  /** Whether people may change flags on it. */
  readonly canEdit: boolean
  /** Facts from outside the sandbox, such as mistakes in files. */
  notes?(): PageNotes
}

export interface PageNotes {
  readonly mistakes: readonly { readonly place?: string; readonly message: string }[]
  /** Changes of files, newest last. */
  readonly changes: readonly Pick<PageChange, 'at' | 'flag' | 'what'>[]
  /** Values that somebody gave to everybody on this machine, by flag. */
  readonly set: Readonly<Record<string, string | boolean>>
}

/** One request of an SDK. */
export interface SdkRequest {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly method: string
  readonly path: string
  readonly status: number
  /** The library and its version, as far as it names itself. */
  readonly sdk: string
  /** The person, or the names of the events. */
  readonly about: string
}

export interface PageChange {
  readonly at: number
  readonly who: string
  readonly flag: string
  readonly what: string
}

export interface PageFlag {
  readonly key: string
  readonly name: string
  readonly active: boolean
  readonly tags: readonly string[]
  readonly variants: readonly { readonly key: string; readonly share: string }[]
  readonly conditions: readonly {
    readonly people: string
    readonly share: string
    /** Absent if weights decide. */
    readonly variant?: string
  }[]
}

/** What the page shows. `flags` and `changes` are absent if the page has them already. */
export interface PageState {
  readonly revision: number
  readonly canEdit: boolean
  readonly token: string
  readonly mistakes: PageNotes['mistakes']
  readonly set: PageNotes['set']
  /** Newest first. */
  readonly requests: readonly SdkRequest[]
  readonly flags?: readonly PageFlag[]
  /** Newest first. */
  readonly changes?: readonly PageChange[]
}

/** What one person gets, by flag. */
export type PageEvaluation = Readonly<Record<string, Explained>>

const mostShown = 50

/** The latest requests of SDKs. */
export class SdkLog {
  readonly #requests: SdkRequest[] = []

  add(request: SdkRequest): void {
    this.#requests.unshift(request)
    if (this.#requests.length > mostShown) this.#requests.pop()
  }

  get latest(): readonly SdkRequest[] {
    return this.#requests
  }
}

/** The name of an SDK in its requests: servers send it as their user agent, browsers their version in the query. */
export function sdkNamed({ headers }: Request, url: URL): string {
  const agent = headers.get('user-agent') ?? ''
  if (!agent.startsWith('Mozilla/')) return agent.slice(0, 60)
  const version = url.searchParams.get('ver')
  return version === null ? 'a browser' : `posthog-js/${version.slice(0, 20)}`
}

/**
 * Answers a request for the page, or from it; undefined for every other path. These routes need no key:
 * `isAllowedHost` keeps other pages away, and they may not send JSON without asking first.
 */
export async function pageAnswer(
  service: Service,
  { page, log, ask }: PageContext,
  request: Request,
  url: URL,
): Promise<Answer | undefined> {
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /':
      return { status: 200, headers: headersOf(page), text: page.html }
    case 'GET /_sandbox/page':
      return documentAnswer(stateOf(service, page, log, url.searchParams.get('since')))
    case 'POST /_sandbox/page/evaluate':
      return documentAnswer(evaluationOf(service, subjectIn(await objectOf(request))))
    case 'POST /_sandbox/page/change':
      return page.canEdit ? ask(changeRequest(service, await objectOf(request))) : undefined
    default:
      return undefined
  }
}

interface PageContext {
  readonly page: SandboxPage
  readonly log: SdkLog
  /** Answers a request of the interface. */
  ask(request: Request): Promise<Answer>
}

function headersOf({ policy }: SandboxPage): Answer['headers'] {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  }
}

function documentAnswer(document: PageState | PageEvaluation): Answer {
  return { status: 200, headers: { 'Content-Type': 'application/json' }, text: JSON.stringify(document) }
}

async function objectOf(request: Request): Promise<JsonObject> {
  const mediaType = request.headers.get('content-type') ?? ''
  if (!isJsonType(mediaType)) throw unsupportedMediaType(mediaType)
  const body = parseJson(new TextDecoder().decode(await readBytes(request)))
  return isJsonObject(body) ? body : {}
}

function projectOf({ store }: Service): ProjectRow {
  const project = store.firstProject
  if (!project) throw notFound()
  return project
}

function surroundingsOf(service: Service) {
  const { store, quirks, runtime } = service
  return { store, quirks, project: projectOf(service), now: runtime.now() }
}

function evaluationOf(service: Service, subject: Subject): PageEvaluation {
  const { store, profile } = service
  const explain = explainerFor(surroundingsOf(service), profile, subject)
  return Object.fromEntries(store.liveFlags.all(projectOf(service).id).map(flag => [flag.key, explain(flag)]))
}

function stateOf(service: Service, page: SandboxPage, log: SdkLog, since: string | null): PageState {
  const { store } = service
  const project = projectOf(service)
  const { mistakes = [], changes = [], set = {} } = page.notes?.() ?? {}
  const { revision } = store
  return {
    revision,
    canEdit: page.canEdit,
    token: tokenOf(project),
    mistakes,
    set,
    requests: log.latest,
    ...(since === String(revision)
      ? {}
      : {
          flags: store.liveFlags.all(project.id).map(flag => shownFlag(service, project, flag)),
          changes: latestChanges(service, project, changes),
        }),
  }
}

function shownFlag(service: Service, project: ProjectRow, flag: FlagRow): PageFlag {
  const { key, name, active, tags } = flag
  return { key, name, active, tags, ...describedFilters(service, project, flag) }
}

/** Conditions with the names of cohorts, group types and flags. */
function describedFilters({ store }: Service, project: ProjectRow, { filters }: FlagRow) {
  const types = groupTypesOf(project)
  const named = namedFilters(
    renameFlags(filters, id => store.flags.get(Number(id))?.key ?? id),
    (thing, number) => (thing === 'cohort' ? store.cohorts.get(number)?.name : types[number]),
  )
  const { groups = [{}], multivariate } = isJsonObject(named) ? named : {}
  const variants =
    isJsonObject(multivariate) && isJsonArray(multivariate.variants) ? multivariate.variants : []
  return {
    variants: variants.map(variant => {
      const { key = '', rollout_percentage: share = 0 } = isJsonObject(variant) ? variant : {}
      return { key: String(key), share: `${String(share)}%` }
    }),
    conditions: (isJsonArray(groups) ? groups : []).map(condition => ({
      people: describeCondition(condition),
      share: percentText(condition),
      ...(isJsonObject(condition) && condition.variant ? { variant: String(condition.variant) } : {}),
    })),
  }
}

function latestChanges(
  { store }: Service,
  project: ProjectRow,
  changes: PageNotes['changes'],
): readonly PageChange[] {
  const trail = inContainer(featureFlag.lifecycle.activity.scope, project.id)
  const logged = store.activityOf.page(trail, 0, mostShown, true).map(row => {
    const user = store.users.get(row.user_id)
    const fields = row.changes?.filter(({ field }) => field !== 'version').map(({ field }) => field) ?? []
    return {
      at: Date.parse(row.created_at),
      who: user?.first_name || user?.email || 'somebody',
      flag: row.name,
      what: [row.activity, fields.join(', ')].filter(text => text !== '').join(': '),
    }
  })
  const ofFiles = changes.map(change => ({ ...change, who: 'files' }))
  return [...logged, ...ofFiles].sort((left, right) => right.at - left.at).slice(0, mostShown)
}

/** A change as somebody else would make it in the product: with the key of the last user, through the interface. */
function changeRequest(service: Service, { key, active, condition, share }: JsonObject): Request {
  const { store } = service
  const { id } = projectOf(service)
  const flag = store.liveFlag(id, String(key))
  const user = [...store.users.all()].at(-1)
  if (!flag || !user) throw notFound()
  const filters: JsonObject = flag.filters
  const groups = (isJsonArray(filters.groups) ? filters.groups : [{}]).map((group, at) =>
    at === condition && isJsonObject(group) && isJsonNumber(share)
      ? { ...group, rollout_percentage: share }
      : group,
  )
  const body: JsonObject = typeof active === 'boolean' ? { active } : { filters: { ...filters, groups } }
  return new Request(`http://localhost/api/projects/${id}/feature_flags/${flag.id}/`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${keyOfUser(service, user)}`, 'content-type': 'application/json' },
    body: writeJson(body),
  })
}

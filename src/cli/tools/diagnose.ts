import { type ClientTarget, isServiceError, type Recognized } from '../../api/index.ts'
import { kindNamed } from '../../kinds/index.ts'
import { defaultProfile, profiles } from '../../model/connection.ts'
import { pluralTitle } from '../../model/kind.ts'
import type { Check, FoundService, OfferedKind, Permission, Verdict } from '../../report/document.ts'
import { facts, factsVersion } from '../../services/facts.ts'
import { explainFailure } from '../plan/explain-failure.ts'
import { type Resolved, shownValue, variables } from '../repository/connection.ts'
import {
  type AskedGrants,
  type AskedList,
  isMissing,
  listsOf,
  noAnswer,
  notLetIn,
  statusesOf,
} from './ask-permissions.ts'

/**
 * What the answers of the service show of each setting and list. If they show nothing, it is `not_checked`.
 *
 * | check       | ok                               | failed                              |
 * |---------------|----------------------------------|-------------------------------------|
 * | base URL      | the service answers there        | none is set, or it is no address    |
 * | connection    | the service answers              | nothing does, or something else     |
 * | key           | it was let in                    | there is none, or it was not        |
 * | project       | a list of it can be read         | none is set, or there is none such  |
 * | organization  | the same                         | only noted: plans can do without it |
 * | a list        | it can be read, and changed      | it cannot, and no plan can without  |
 */
export function connectionCheck(asked: readonly AskedList[]): Check {
  const name = 'connection'
  const silent = asked.find(({ result }) => result.is === 'silent')?.result
  if (silent?.is === 'silent') return { name, verdict: 'failed', summary: explainFailure(silent.error) }
  if (isAnswered(asked)) return { name, verdict: 'ok', summary: 'the service answers' }
  const broken = asked.find(({ result }) => result.is === 'refused')?.result
  if (broken?.is === 'refused') return { name, verdict: 'failed', summary: explainFailure(broken.error) }
  return { name, verdict: 'not_checked', summary: reasonIn(asked) }
}

/** The source of a setting without a value. */
const byDefault = 'default'

/** The check of the base URL: only an answer can confirm it. */
export function answeredCheck(name: string, resolved: Resolved, asked: readonly AskedList[]): Check {
  const about = aboutOf('baseUrl', resolved)
  if (isAnswered(asked)) return { name, verdict: verdictOf(resolved), ...about }
  return { name, verdict: 'not_checked', ...about, summary: `${about.summary}; ${reasonIn(asked)}` }
}

export function ownerCheck(
  owner: AskedList['kind']['scope'],
  resolved: Resolved | undefined,
  asked: readonly AskedList[],
): Check {
  const own = listsOf(owner, asked)
  const bad = own.some(({ isNeeded }) => isNeeded) ? 'failed' : 'note'
  if (!resolved) {
    const summary = `none is set (${variables[owner].join(', ')}, --${owner}); needed for ${own.map(({ name }) => name).join(', ')}`
    return { name: owner, verdict: bad, summary }
  }
  const about = aboutOf(owner, resolved)
  if (own.some(({ result }) => result.is === 'answered' || result.is === 'gone')) {
    return { name: owner, verdict: verdictOf(resolved), ...about }
  }
  if (isMissing(owner, asked)) {
    const refusal = own.find(({ result }) => result.is === 'refused')?.result
    const why = refusal?.is === 'refused' ? `; ${explainFailure(refusal.error)}` : ''
    return { name: owner, verdict: bad, ...about, summary: `${about.summary}${why}` }
  }
  return { name: owner, verdict: 'not_checked', ...about, summary: `${about.summary}; ${reasonIn(own)}` }
}

/** `source` is the variable, or the variable and the file that it names; the key itself is nowhere in here. */
export function keyCheck(source: string, asked: readonly AskedList[]): Check {
  const from = `from ${source}`
  const refusal = asked.find(({ result }) => result.is === 'refused' && result.error.status === 401)?.result
  if (refusal?.is === 'refused') {
    return { name: 'key', verdict: 'failed', summary: `${from}; ${explainFailure(refusal.error)}`, source }
  }
  const isLetIn =
    asked.some(({ result }) => result.is === 'answered') ||
    statusesOf(asked).some(status => [402, 403, 404].includes(status))
  if (isLetIn) return { name: 'key', verdict: 'ok', summary: from, source }
  return { name: 'key', verdict: 'not_checked', summary: `${from}; ${reasonIn(asked)}`, source }
}

export function listCheck(
  list: AskedList,
  offered: OfferedKind | undefined,
  asked: readonly AskedList[],
): Check {
  const { name, kind, isNeeded, result } = list
  switch (result.is) {
    case 'answered': {
      const count = result.count === undefined ? '' : `, ${result.count} in all`
      const summary = `readable${count}`
      if (offered?.offered !== 'read_only') return { name, verdict: 'ok', summary }
      return { name, verdict: 'note', summary: `${summary}; they cannot be changed: ${offered.reason}` }
    }
    case 'silent':
      return { name, verdict: 'not_checked', summary: noAnswer }
    case 'unasked':
      return { name, verdict: 'not_checked', summary: result.why }
    case 'gone':
      return { name, verdict: isNeeded ? 'failed' : 'note', summary: `this service has no ${name}` }
    case 'refused': {
      const { status } = result.error
      if (status === 401) return { name, verdict: 'not_checked', summary: notLetIn }
      // Then the owner is wrong, and not the list.
      if (isMissing(kind.scope, asked)) {
        const doubt = kind.lifecycle.mayBeGone === undefined ? '' : `, or this service has no ${name}`
        return { name, verdict: 'not_checked', summary: `that ${kind.scope} was not found${doubt}` }
      }
      const isNoted = !isNeeded && [402, 403, 404].includes(status)
      return { name, verdict: isNoted ? 'note' : 'failed', summary: explainFailure(result.error) }
    }
  }
}

/** Whether the service answers, and answers well. */
export function isAnswered(asked: readonly AskedList[]): boolean {
  return (
    asked.some(({ result }) => result.is === 'answered') || statusesOf(asked).some(status => status < 500)
  )
}

/** Why nothing is known, on one line. */
export function reasonIn(asked: readonly AskedList[]): string {
  for (const { result } of asked) {
    if (result.is === 'silent') return noAnswer
    if (result.is === 'unasked') return result.why
    if (result.is === 'refused') {
      return result.error.status === 401 ? notLetIn : 'nothing of it could be read'
    }
  }
  return 'nothing was asked'
}

/** A variable that wins over the settings may be intended or forgotten. */
function verdictOf({ over }: Resolved): 'ok' | 'note' {
  return over === undefined ? 'ok' : 'note'
}

function aboutOf(
  setting: 'baseUrl' | 'project' | 'organization' | 'profile',
  { value, source, over }: Resolved,
) {
  const shown = shownValue(setting, value)
  const other = over === undefined ? '' : `, over "${shownValue(setting, over)}" of the settings`
  const from = source === byDefault ? 'by default' : `from ${source}`
  return { summary: `${shown} ${from}${other}`, value: shown, source }
}

/** The service: the one in the settings, the one that the answers show, or the earliest that they allow. */
export function foundService(
  { profile, known }: Pick<ClientTarget, 'profile' | 'known'>,
  { signs, possible }: Recognized,
): FoundService {
  return { profile, known, signs, possible, facts: { ...facts[profile], version: factsVersion() } }
}

/**
 * The check of the profile.
 *
 * | set     | the answers                  | verdict                                   |
 * |---------|------------------------------|-------------------------------------------|
 * | one     | may be of it                 | ok                                        |
 * | one     | are of another               | note: requests are for the wrong service  |
 * | `auto`  | are of one                   | ok: that one, and what has shown it       |
 * | `auto`  | may be of several            | note: the earliest of them is used        |
 */
export function profileCheck(
  resolved: Resolved = { value: defaultProfile, source: byDefault },
  baseUrl: string | undefined,
  service: FoundService | undefined,
  asked: readonly AskedList[],
): Check {
  const name = 'profile'
  const about = aboutOf('profile', resolved)
  if (!service || !isAnswered(asked)) {
    return { name, verdict: 'not_checked', ...about, summary: `${about.summary}; ${reasonIn(asked)}` }
  }
  const { profile, known, possible } = service
  const shown = shownBy(service)
  if (known === 'recognized') {
    const source = 'the answers of the service'
    return { name, verdict: 'ok', summary: `${profile}, shown by ${shown}`, value: profile, source }
  }
  if (known === 'assumed') {
    const why = possible.length === profiles.length ? 'no record has shown which' : `which ${shown} leaves`
    const summary = `${about.summary}; it may be ${orWords(possible)}, ${why}; taken for ${profile}`
    return { name, verdict: 'note', ...about, summary }
  }
  if (possible.includes(profile)) {
    const check: Check = { name, verdict: verdictOf(resolved), ...about }
    return isPublic(baseUrl) && profile === 'documented' ? betterSet(check) : check
  }
  const summary = `${about.summary}, but ${shown} shows ${orWords(possible)}; set that, or \`auto\``
  return { name, verdict: 'note', ...about, summary }
}

/** Whether it is the hosted service, which the document does not describe. */
function isPublic(baseUrl: string | undefined): boolean {
  const host = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).hostname : ''
  return /(^|\.)posthog\.com$/.test(host)
}

function betterSet(check: Check): Check {
  const summary = `${check.summary}; the public service is better met with \`profile: auto\``
  return { ...check, verdict: 'note', summary }
}

/** The last sign decided: `"archived" in GET /api/projects/1/feature_flags?limit=1`. */
function shownBy({ signs }: FoundService): string {
  const sign = signs.at(-1)
  return sign ? `"${sign.member}" in ${sign.request}` : 'nothing'
}

function orWords(names: readonly string[]): string {
  return names.join(', ').replace(/, (?=[^,]*$)/, ' or ')
}

/** How old the facts in this build are. */
export function factsCheck({ facts: { title, newestSource, version } }: FoundService): Check {
  const age = newestSource === undefined ? '' : `, newest source of ${newestSource}`
  return { name: 'facts', verdict: 'ok', summary: `${title}${age}; version ${version}` }
}

/** Whether the service has objects of each kind, and whether this key can read them. */
export function offeredKinds(
  asked: readonly AskedList[],
  grants: readonly AskedGrants[],
  permissions: readonly Permission[],
): OfferedKind[] {
  return asked.flatMap(list => [
    offeredList(list, permissions),
    ...grants.filter(({ kind }) => kind.lifecycle.parent?.kind === list.kind.name).map(offeredGrants),
  ])
}

function offeredList({ kind, result }: AskedList, permissions: readonly Permission[]): OfferedKind {
  const about = { kind: kind.name }
  const to = (operation: string | undefined) =>
    permissions.find(permission => permission.operation === `${kind.name}.${operation}`)
  switch (result.is) {
    case 'answered': {
      const change = to(kind.lifecycle.update)
      // A key that lacks the scope does not show what other keys may do.
      const isClosed = change?.may === 'no' && !change.lacksScope
      return isClosed
        ? { ...about, offered: 'read_only', reason: change.reason }
        : { ...about, offered: 'yes' }
    }
    case 'gone':
      return { ...about, offered: 'no', reason: explainFailure(result.error) }
    case 'refused': {
      const { status } = result.error
      const reason = explainFailure(result.error)
      if (status === 402) return { ...about, offered: 'no', reason }
      return { ...about, offered: status === 403 ? 'refused' : 'not_known', reason }
    }
    case 'silent':
      return { ...about, offered: 'not_known', reason: explainFailure(result.error) }
    case 'unasked':
      return { ...about, offered: 'not_known', reason: result.why }
  }
}

function offeredGrants({ kind, way, outcome }: AskedGrants): OfferedKind {
  const { list, levels } = kind.lifecycle
  const route = way && kind.endpoints[way === 'levels' ? (levels?.list ?? list) : list]?.path
  const about = { kind: kind.name, ...(route === undefined ? {} : { route }) }
  switch (outcome.is) {
    case 'answered':
      return { ...about, offered: 'yes' }
    case 'unasked':
      return { ...about, offered: 'not_known', reason: outcome.why }
    case 'failed': {
      const status = isServiceError(outcome.error) ? outcome.error.status : undefined
      const offered = status === 403 ? 'refused' : status === 404 || status === 402 ? 'no' : 'not_known'
      return { ...about, offered, reason: explainFailure(outcome.error) }
    }
  }
}

/** How the service stores grants, and whether this key can read them; one line each. */
export function grantsCheck({ kind, offered, route, reason = '' }: OfferedKind): Check {
  const name = pluralTitle(kindNamed(kind))
  switch (offered) {
    case 'yes':
    case 'read_only':
      return { name, verdict: 'ok', summary: `readable, as ${route?.split('/').at(-1)}` }
    case 'refused':
    case 'no':
      return { name, verdict: 'note', summary: reason }
    case 'not_known':
      return { name, verdict: 'not_checked', summary: reason }
  }
}

/** What the key may do: a line for each scope, and for each operation without a scope. */
export function permissionChecks(permissions: readonly Permission[]): Check[] {
  const names = [...new Set(permissions.map(nameOf))]
  return names.map(name => {
    const own = permissions.filter(permission => nameOf(permission) === name)
    const may = (['no', 'not_known'] as const).find(worse => own.some(each => each.may === worse)) ?? 'yes'
    return { name, verdict: verdicts[may], summary: own.map(sentence).join('; ') }
  })
}

function nameOf({ scope, operation }: Permission): string {
  return scope ?? operation
}

const verdicts: Readonly<Record<Permission['may'], Verdict>> = {
  yes: 'ok',
  no: 'note',
  not_known: 'not_checked',
}

function sentence({ may, purpose, reason, lacksScope }: Permission): string {
  switch (may) {
    case 'yes':
      return `may ${purpose}`
    case 'no':
      return `may not ${purpose}: ${lacksScope ? 'the key lacks this scope' : reason}`
    case 'not_known':
      return `whether it may ${purpose} is not known without writing: ${reason}`
  }
}

import { type ClientTarget, isServiceError, type Recognized } from '../../../api/index.ts'
import { defaultProfile, profiles } from '../../../model/connection/profile.ts'
import type { Check, FoundService, OfferedKind, Permission } from '../../../report/document.ts'
import { facts, factsVersion } from '../../../services/facts.ts'
import { explainFailure } from '../../apply/explain-failure.ts'
import type { Resolved } from '../../connection/resolve-setting.ts'
import type { AskedList } from './ask-lists.ts'
import type { AskedGrants } from './ask-permissions.ts'
import { aboutOf, byDefault, isAnswered, reasonIn, verdictOf } from './diagnose.ts'

/** Which service it is: the one that was set, the one that the answers show, or the earliest that they leave. */
export function foundService(
  { profile, known }: Pick<ClientTarget, 'profile' | 'known'>,
  { signs, possible }: Recognized,
): FoundService {
  return { profile, known, signs, possible, facts: { ...facts[profile], version: factsVersion() } }
}

/**
 * What is said of the profile.
 *
 * | set     | the answers                  | verdict                                   |
 * |---------|------------------------------|-------------------------------------------|
 * | one     | may be of it                 | ok                                        |
 * | one     | are of another               | note: it is spoken to as what it is not   |
 * | `auto`  | are of one                   | ok: that one, and what has shown it       |
 * | `auto`  | may be of several            | note: taken for the earliest of them      |
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

/** Whether it is the hosted service, which is none of those that the document describes. */
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

/** How old the facts are that this build goes by. */
export function factsCheck({ facts: { title, newestSource, version } }: FoundService): Check {
  const age = newestSource === undefined ? '' : `, newest source of ${newestSource}`
  return { name: 'facts', verdict: 'ok', summary: `${title}${age}; version ${version}` }
}

/** Whether the service has objects of each kind, and whether this key gets at them. */
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
      // A key that lacks the scope says nothing of what others may do.
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

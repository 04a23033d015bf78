import { fromEnvironment } from '../../api/index.ts'
import { asFarAsDeclared, evaluateAt, evaluatedFlag, evaluatedRecord } from '../../core/declared-tests.ts'
import type { Declarations, Desired } from '../../core/desired.ts'
import { JsonTextError, readStrictJson } from '../../hcl/strict-json.ts'
import { declarableKind, declarableKinds } from '../../kinds/index.ts'
import { type Services, servicesOf } from '../../model/connection.ts'
import { hasTargeting } from '../../model/kind.ts'
import { canonicalText, type Json, type JsonObject } from '../../model/text/json.ts'
import { isNameGlob, meantHint } from '../../model/text/names.ts'
import type { Answer, EvaluatedFlagDocument } from '../../report/document.ts'
import { groupTypes } from '../../targeting/filter-parts.ts'
import {
  type AnySubject,
  conditionOf,
  type EvaluatedFlag,
  type Evaluation,
  type EvaluationOnServices,
  evaluationVerdict,
  KnownFlags,
} from '../../targeting/index.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { print } from '../host/output.ts'
import { addressesFitting, onlyChosen } from '../plan/target-filter.ts'
import { notePolicies, openRepository } from '../repository/repository.ts'
import type { Repository } from '../repository/repository-settings.ts'
import { type Session, usingSession } from '../repository/session.ts'

/** `vexil evaluate [FLAG]`: shows values of declared flags for a person. Only `--live` asks the service. */
export async function runEvaluate(host: Host, named: string | undefined, flags: Flags): Promise<ExitCode> {
  const repository = await openRepository(host, flags)
  notePolicies(host, repository.warnings, flags)
  const person = readPerson(flags, repository.groupTypes)
  const chosen = onlyChosen(repository.declarations, { owner: flags.owner })
  const declared = declaredFlags(chosen, named)
  const live = flags.live ? await readLiveFlags(host, flags, repository) : undefined
  const services = live?.services ?? servicesFor(host, flags, repository)
  const all = new KnownFlags(allDeclared(repository.declarations).map(evaluatedFlag))
  const evaluate = evaluator(host, person, services, flags)
  const evaluated = declared.map(desired => {
    const flag = evaluatedFlag(desired)
    const ours = asFarAsDeclared(desired, evaluate(flag, all))
    return flagDocument(flag, ours, live && liveOf(flag.key, live, evaluate, ours))
  })
  await print(host, flags, { is: 'evaluation', flags: evaluated })
  return exitCode.done
}

function allDeclared({ desired }: Declarations): readonly Desired[] {
  return desired.filter(({ kind }) => hasTargeting(declarableKind(kind)))
}

function declaredFlags(declarations: Declarations, named: string | undefined): readonly Desired[] {
  const all = allDeclared(declarations)
  if (named === undefined) return all
  const found = all.filter(({ identity, address }) => identity === named || address === named)
  if (found.length > 0) return found
  const shown = JSON.stringify(named)
  if (isNameGlob(named)) {
    const addresses = all.map(({ address }) => address)
    const fitting = new Set(addressesFitting(named, addresses))
    if (fitting.size > 0) return all.filter(({ address }) => fitting.has(address))
    throw new CommandError(`${shown} matches no declared flag`)
  }
  const keys = all.map(({ identity }) => identity)
  const listed =
    keys.length === 0 ? 'no flags are declared' : 'see `vexil validate` for the files that are read'
  throw new CommandError(`no flag ${shown} is declared here; ${meantHint(named, keys, listed)}`)
}

type Evaluate = (flag: EvaluatedFlag, flags: KnownFlags) => EvaluationOnServices

function evaluator(
  host: Host,
  person: AnySubject,
  services: Services,
  { propertyMatchingVersion }: Flags,
): Evaluate {
  const version = propertyMatchingVersion && ({ 1: 1, 2: 2 } as const)[propertyMatchingVersion]
  const place = { now: host.runtime.now(), services, version }
  return (flag, flags) => evaluateAt(place, flag, person, flags)
}

/** The services to evaluate for: the configured one, or all if only answers can show which one it is. */
function servicesFor(host: Host, flags: Flags, { connection, policy }: Repository): Services {
  const { stated, profile } = connection
  const variable = fromEnvironment(host.env, 'profile')
  return servicesOf([flags.profile ?? stated?.profile ?? variable ?? profile], policy.sdks)
}

interface LiveFlags {
  readonly byKey: ReadonlyMap<string, EvaluatedFlag>
  readonly known: KnownFlags
  readonly services: Services
}

async function readLiveFlags(host: Host, flags: Flags, repository: Repository): Promise<LiveFlags> {
  return usingSession(host, flags, repository, { readOnly: true }, async session => {
    const records: EvaluatedFlag[] = []
    for (const { name } of declarableKinds.filter(hasTargeting)) {
      for await (const record of session.client.list(name)) records.push(evaluatedRecord(record))
    }
    const byKey = new Map(records.filter(({ deleted }) => deleted !== true).map(flag => [flag.key, flag]))
    return { byKey, known: new KnownFlags(records), services: servicesSeen(session, repository) }
  })
}

function servicesSeen(
  { client: { target }, connection: { profile: setting } }: Session,
  { policy }: Repository,
): Services {
  const isKnown = target.known === 'recognized' || setting !== 'auto'
  return servicesOf([isKnown ? target.profile : 'auto'], policy.sdks)
}

function liveOf(
  key: string,
  { byKey, known }: LiveFlags,
  evaluate: Evaluate,
  ours: EvaluationOnServices,
): EvaluatedFlagDocument['live'] {
  const flag = byKey.get(key)
  if (!flag) return { is: 'missing' }
  const theirs = evaluate(flag, known)
  const isOpen = ours.undecided !== undefined || theirs.undecided !== undefined
  return {
    is: isOpen ? 'not_known' : ours.value === theirs.value ? 'same' : 'differs',
    ...answerOf(flag.filters ?? null, theirs),
  }
}

function flagDocument(
  flag: EvaluatedFlag,
  evaluation: EvaluationOnServices,
  live: EvaluatedFlagDocument['live'],
): EvaluatedFlagDocument {
  const { by, others } = evaluation
  return {
    flag: flag.key,
    verdict: evaluationVerdict(evaluation),
    ...answerOf(flag.filters ?? null, evaluation),
    by,
    others,
    ...(live ? { live } : {}),
  }
}

/** The numbers of group types, by their names in the settings. */
type GroupTypeNames = Readonly<Record<string, number>>

/** Reads the person from options. Group types are given by number, or by their name in the settings. */
export function readPerson(flags: Flags, names: GroupTypeNames): AnySubject {
  const { distinctId, deviceId, property = [], group = [], groupProperty = [] } = flags
  const groups = Object.fromEntries(
    group.map(given => {
      const [type, key] = assigned(given, '--group', 'TYPE=KEY, such as 0=acme')
      return [groupType(type, '--group', names), key]
    }),
  )
  return {
    ...(distinctId === undefined ? {} : { distinctId }),
    ...(deviceId === undefined ? {} : { deviceId }),
    properties: Object.fromEntries(
      property.map(given => {
        const [name, value] = assigned(given, '--property', 'NAME=VALUE, such as country=DE')
        return [name, propertyValue(value)]
      }),
    ),
    groups,
    groupProperties: groupPropertiesIn(groupProperty, groups, names),
  }
}

function groupPropertiesIn(
  given: readonly string[],
  groups: Readonly<Record<string, string>>,
  names: GroupTypeNames,
): Readonly<Record<string, JsonObject>> {
  const read: Record<string, JsonObject> = {}
  for (const one of given) {
    const [place, value] = assigned(one, '--group-property', 'TYPE.NAME=VALUE, such as 0.plan=pro')
    const [type = '', name = ''] = place.split(/\.(.*)/s)
    const index = groupType(type, '--group-property', names)
    if (name === '') throw usage('--group-property takes TYPE.NAME=VALUE, such as 0.plan=pro', one)
    if (!Object.hasOwn(groups, index))
      throw usage(`--group-property names a group of type ${type}, but no --group has this type`, one)
    read[index] = { ...read[index], [name]: propertyValue(value) }
  }
  return read
}

function assigned(given: string, option: string, takes: string): readonly [string, string] {
  const at = given.indexOf('=')
  if (at < 1) throw usage(`${option} takes ${takes}`, given)
  return [given.slice(0, at), given.slice(at + 1)]
}

function groupType(text: string, option: string, names: GroupTypeNames): string {
  const { from, to } = groupTypes
  const index = Number(text)
  if (/^\d$/.test(text) && index >= from && index <= to) return text
  const named = Object.hasOwn(names, text) ? names[text] : undefined
  if (named !== undefined) return String(named)
  const known = Object.keys(names)
  const listed = known.length === 0 ? '' : `, or its name: ${known.join(', ')}`
  throw usage(
    `${option} takes the number of a group type (${from} to ${to}, as in aggregation_group_type_index)${listed}`,
    text,
  )
}

/** JSON if the text is canonical JSON, else a text: 18 is a number, 1.10 and 007 are texts. */
function propertyValue(text: string): Json {
  try {
    const value = readStrictJson(text)
    return typeof value === 'string' || canonicalText(value) === text ? value : text
  } catch (error) {
    if (error instanceof JsonTextError) return text
    throw error
  }
}

function usage(takes: string, given: string): CommandError {
  return new CommandError(`${takes}; not ${JSON.stringify(given)}`, exitCode.usage)
}

/** The result of a flag for a person, in the form of documents. */
export function answerOf(filters: Json, evaluation: Evaluation): Answer {
  const { value, reason, payload, undecided } = evaluation
  return {
    value: undecided === undefined ? value : null,
    variant: undecided === undefined && typeof value === 'string' ? value : null,
    payload: undecided === undefined ? (payload ?? null) : null,
    reason,
    condition: conditionOf(filters, evaluation),
    undecided: undecided ?? null,
  }
}

import {
  isServiceError,
  isSettingError,
  isTransportError,
  isUnexpectedAnswerError,
  type ServiceError,
} from '../../api/index.ts'
import { type Performed, perform } from '../../core/apply/perform.ts'
import type { Change } from '../../core/change.ts'
import type { Live } from '../../core/live.ts'
import type { FindShadowed } from '../../core/read/find-soft-deleted.ts'
import { JsonTextError } from '../../hcl/strict-json.ts'
import type { AttributePath, ObjectValue } from '../../hcl/values.ts'
import { variables } from '../../model/connection.ts'
import { type DeclarableKind, identityField, isDeclarable, isTargeting, type Kind } from '../../model/kind.ts'
import { givenTyped } from '../../schema/terraform/terraform-attribute.ts'
import { resourceBlock } from '../../schema/terraform/terraform-schema.ts'
import { DiagnosticError, type Diagnostics, errorDiagnostic } from '../provider.ts'
import { findShadowed, type ResourceContext } from './resource-context.ts'

/** Explains an error: what was tried, what the service answered, what to do, and the attribute. */
export function explain(
  error: unknown,
  tried: string,
  kind?: DeclarableKind,
  config: ObjectValue | null = null,
): Diagnostics {
  return explained(
    error,
    tried,
    'Nothing more was written; plan again to see how things stand.',
    kind,
    config,
  )
}

/** The same for an attempt to read. */
export function explainReading(error: unknown, tried: string, kind?: Kind): Diagnostics {
  return explained(error, tried, readingFailed, kind)
}

function explained(
  error: unknown,
  tried: string,
  otherwise: string,
  kind?: Kind,
  config: ObjectValue | null = null,
): Diagnostics {
  if (error instanceof DiagnosticError) return error.diagnostics
  const summary = `cannot ${tried}`
  const message = error instanceof Error ? error.message : String(error)
  if (isServiceError(error)) {
    return [
      errorDiagnostic(
        summary,
        joined(message, remedyOf(error, otherwise, kind)),
        attributeOf(error, kind, config),
      ),
    ]
  }
  if (isTransportError(error) || isUnexpectedAnswerError(error)) {
    return [errorDiagnostic(summary, joined(message, reachability))]
  }
  if (isSettingError(error)) return [errorDiagnostic(summary, joined(message))]
  if (error instanceof JsonTextError) return [errorDiagnostic(summary, joined(message))]
  return [errorDiagnostic(summary, joined(message, otherwise))]
}

/** Reads something and turns what it throws into diagnostics that name the attempt. */
export async function trying<T>(tried: string, kind: DeclarableKind, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw new DiagnosticError(...explainReading(error, tried, kind))
  }
}

/** The same, with one more paragraph. */
export function alsoSaying(diagnostics: Diagnostics, more: string): Diagnostics {
  return diagnostics.map(diagnostic => ({
    ...diagnostic,
    detail: [diagnostic.detail, more].filter(Boolean).join('\n\n'),
  }))
}

const readingFailed = 'Reading failed, and nothing was written; run the same command again.'

const reachability =
  'Is the service reachable, and `base_url` of the provider (or VEXIL_BASE_URL) right? Then run the same command again.'

function remedyOf(
  { status, code, requestLine, changeRequest, remedy }: ServiceError,
  otherwise: string,
  kind: Kind | undefined,
): string {
  if (changeRequest !== undefined)
    return 'Nothing was written. The service does it once somebody approves that request there; plan again then.'
  // The message already names the remedy.
  if (remedy !== undefined) return ''
  const isReading = requestLine.startsWith('GET ')
  switch (status) {
    case 401:
      return `The key comes from \`api_key\` of the provider or, where that is left out, from the first that is set of ${variables.apiKey.join(', ')}.`
    case 402:
      return `The plan of this service does not include changing ${kind?.title ?? 'object'}s; take the attributes out that need it, or the resource.`
    case 403:
      return isReading
        ? `The key needs permission to read ${kind?.title ?? 'object'}s.`
        : `The key needs permission to change ${kind?.title ?? 'object'}s${kind && 'can_edit' in kind.fields ? ', and for a flag that only some may edit, a role that was granted' : ''}.`
    case 404:
      if (/\/local_evaluation\b/.test(requestLine))
        return 'Services since 2026 have no such list inside of a project; SDKs load theirs elsewhere.'
      return isReading && kind?.lifecycle?.mayBeGone !== undefined
        ? `Is \`${kind.scope}_id\` right? If it is, this service has no list of ${kind.title}s.${kind.onlyRead ? ` Write the id of the ${kind.title} itself.` : ''}`
        : `Are \`project_id\` and \`organization_id\` right, and is it still there?`
    case 400:
      if (code === 'unique')
        return `Something that no list shows may hold it. Import what is there, or take another one.`
      return 'Correct the configuration.'
    case 429:
      return 'Wait, and run the same command again; with a lower `parallelism` the provider has fewer requests under way at once.'
    default:
      if (status < 500) return ''
      return isReading ? otherwise : 'Nothing is known of what became of it; plan again before anything else.'
  }
}

/** The service names fields as the API does. It names a nested field with two underscores before it. */
function attributeOf(
  { attr }: ServiceError,
  kind: Kind | undefined,
  config: ObjectValue | null,
): AttributePath | undefined {
  const [named] = attr?.split('__') ?? []
  if (named === undefined || !kind || !isDeclarable(kind)) return undefined
  // Rows that have a level use another name for their subject than a record does.
  const name = named === kind.lifecycle.levels?.subject ? identityField(kind) : named
  if (!(name in resourceBlock(kind).attributes)) return undefined
  const [typed] = config && isTargeting(kind, name) ? givenTyped(config) : []
  return [typed ?? name]
}

function joined(message: string, remedy = ''): string {
  const ended = /[.?!]$/.test(message) ? message : `${message}.`
  return remedy === '' ? ended : `${ended}\n\n${remedy}`
}

/**
 * Carries out one change through the reconciler, without reading again what was read a moment ago. A change
 * that has begun is finished even when Terraform asks to stop, if that does not take long.
 */
export async function carryOut(
  context: ResourceContext,
  change: Change,
  seen?: Live,
  lookBehind: FindShadowed = findShadowed(context),
): Promise<Performed> {
  const { run, session, signal } = context
  // Nothing new is begun after a stop.
  signal.throwIfAborted()
  return perform(change, {
    client: run.client,
    runtime: session.runtime,
    idOf: () => undefined,
    isNew: () => false,
    attempting: async () => {},
    findShadowed: lookBehind,
    signal: session.finishing,
    ...(seen ? { seen } : {}),
  })
}

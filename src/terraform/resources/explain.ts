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
import { messageOf } from '../../model/text/message-of.ts'
import { givenTyped } from '../../schema/terraform/terraform-attribute.ts'
import { resourceBlock } from '../../schema/terraform/terraform-schema.ts'
import { DiagnosticError, type Diagnostics, errorDiagnostic } from '../provider.ts'
import { findShadowed, type ResourceContext } from './resource-context.ts'

/** Explains an error: the attempt, the service's answer, the remedy and the attribute. */
export function explain(
  error: unknown,
  tried: string,
  kind?: DeclarableKind,
  config: ObjectValue | null = null,
): Diagnostics {
  return explained(
    error,
    tried,
    'Nothing more was written; plan again to see the current state.',
    kind,
    config,
  )
}

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
  const message = messageOf(error)
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

/** Runs a read. If it throws, throws diagnostics that name the attempt instead. */
export async function trying<T>(tried: string, kind: DeclarableKind, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw new DiagnosticError(...explainReading(error, tried, kind))
  }
}

/** Adds a paragraph to the details. */
export function alsoSaying(diagnostics: Diagnostics, more: string): Diagnostics {
  return diagnostics.map(diagnostic => ({
    ...diagnostic,
    detail: [diagnostic.detail, more].filter(Boolean).join('\n\n'),
  }))
}

const readingFailed = 'Reading failed, and nothing was written. Run the same command again.'

const reachability =
  "Check that the service is reachable and that the provider's `base_url` (or VEXIL_BASE_URL) is correct. Then run the same command again."

function remedyOf(
  { status, code, requestLine, changeRequest, remedy }: ServiceError,
  otherwise: string,
  kind: Kind | undefined,
): string {
  if (changeRequest !== undefined)
    return 'Nothing was written. The service makes the change when a person approves that request; then plan again.'
  // The message already names the remedy.
  if (remedy !== undefined) return ''
  const isReading = requestLine.startsWith('GET ')
  switch (status) {
    case 401:
      return `The key comes from the provider's \`api_key\` or, if that is not set, from the first of these variables that is set: ${variables.apiKey.join(', ')}.`
    case 402:
      return `This service's plan does not include changing ${kind?.title ?? 'object'}s. Remove the attributes that need this, or the resource.`
    case 403:
      return isReading
        ? `The key needs permission to read ${kind?.title ?? 'object'}s.`
        : `The key needs permission to change ${kind?.title ?? 'object'}s${kind && 'can_edit' in kind.fields ? '. If only some roles may edit the flag, the key needs a role with a grant' : ''}.`
    case 404:
      if (/\/local_evaluation\b/.test(requestLine))
        return 'Services since 2026 have no such list inside a project. SDKs load the flags elsewhere.'
      return isReading && kind?.lifecycle?.mayBeGone !== undefined
        ? `Check \`${kind.scope}_id\`. If it is correct, this service has no list of ${kind.title}s.${kind.onlyRead ? ` Write the id of the ${kind.title} itself.` : ''}`
        : `Check \`project_id\` and \`organization_id\`, and that the object still exists.`
    case 400:
      if (code === 'unique')
        return `An object that no list shows may have it. Import that object, or use another value.`
      return 'Correct the configuration.'
    case 429:
      return 'Wait, then run the same command again. A lower `parallelism` makes the provider send fewer requests at the same time.'
    default:
      if (status < 500) return ''
      return isReading ? otherwise : 'The result is unknown; plan again before you do anything else.'
  }
}

/** The service names fields as the API does. For a nested field it joins the names with two underscores. */
function attributeOf(
  { attr }: ServiceError,
  kind: Kind | undefined,
  config: ObjectValue | null,
): AttributePath | undefined {
  const [named] = attr?.split('__') ?? []
  if (named === undefined || !kind || !isDeclarable(kind)) return undefined
  // Rows with a level use another name for their subject than a record does.
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
 * Makes one change through the reconciler, without repeating a recent read. A change that has begun is
 * finished even if Terraform asks to stop, unless it takes too long.
 */
export async function carryOut(
  context: ResourceContext,
  change: Change,
  seen?: Live,
  lookBehind: FindShadowed = findShadowed(context),
): Promise<Performed> {
  const { run, session, signal } = context
  // No change begins after a stop.
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

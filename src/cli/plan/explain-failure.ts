import { isAboutBaseUrl, isServiceError, type ServiceError } from '../../api/index.ts'
import { pathParameters } from '../../model/endpoint.ts'
import type { ChangeFailure, Fault } from '../../report/document.ts'
import { variables } from '../repository/connection.ts'

/**
 * What failed, on one line, and which option of the command line corrects it. The client quotes the service;
 * this adds the source of each setting.
 */
export function explainFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (isServiceError(error)) return `${message}${serviceHint(error)}`
  if (isAboutBaseUrl(error)) return `${message} (${whereToSet('base_url', 'baseUrl', '--base-url')})`
  return message
}

/** Explains a failed change: whether others share its reason, and whether a repeated request would fail. */
export function changeFailure(error: unknown): ChangeFailure {
  const fault = faultOf(error)
  const text = fault.message
  if (!isServiceError(error)) return { text, isFinal: false, fault }
  const { requestLine, status, retryAfterMs } = error
  // The same key gets the same answer for every request.
  const isAboutKey = status === 401 || status === 402 || status === 403
  return {
    text,
    ...(isAboutKey ? { shared: text.replace(`${requestLine} `, '') } : {}),
    isFinal: status < 500 && !passing.has(status),
    fault,
    ...(retryAfterMs === undefined ? {} : { waitMs: retryAfterMs }),
  }
}

/** Refusals that may pass: the object was missing, in use or changed, or there were too many requests. */
const passing: ReadonlySet<number> = new Set([404, 408, 409, 412, 423, 425, 429])

/** An error as a member of `errors`; with the answer of the service and its request, if there is one. */
export function faultOf(error: unknown): Fault {
  const message = explainFailure(error)
  if (!isServiceError(error)) return { code: 'failed', message }
  return { code: 'service', message, status: error.status, request: error.requestLine }
}

function serviceHint(error: ServiceError): string {
  if (error.remedy !== undefined) return ''
  switch (error.status) {
    case 400:
      // When the name of a create is taken, it was looked up before this became a failure.
      return error.code === 'unique' ? '; no list shows what holds it: something deleted, or of a survey' : ''
    case 401:
      return ` (${variables.apiKey.join(', ')}, or the variable that \`api_key_env\` names)`
    case 403:
      return `; needed here: ${permissionFor(error)}`
    case 404:
      return ownerHint(error)
    default:
      return ''
  }
}

/** The permission in words: the interface names no scopes. */
function permissionFor({ requestLine, kind }: ServiceError): string {
  const [method = ''] = requestLine.split(' ')
  return `${method === 'GET' ? 'to read' : 'to change'} ${kind ? `${kind.title}s` : 'this'}`
}

/** A list is missing only if its project or organization does not exist. */
function ownerHint({ endpoint }: ServiceError): string {
  if (!endpoint) return ''
  const parameters = pathParameters(endpoint.path)
  if (parameters.length !== 1) return ''
  return parameters[0] === 'project_id'
    ? `; is the project right? (${whereToSet('project', 'project', '--project')})`
    : `; is the organization right? (${whereToSet('organization', 'organization', '--organization')})`
}

function whereToSet(member: string, setting: keyof typeof variables, flag: string): string {
  return [`\`${member}\` in vexil.yaml`, ...variables[setting], flag].join(', ')
}

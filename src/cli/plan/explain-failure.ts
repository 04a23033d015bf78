import { isAboutBaseUrl, isServiceError, type ServiceError } from '../../api/index.ts'
import { pathParameters } from '../../model/endpoint.ts'
import { messageOf } from '../../model/text/message-of.ts'
import type { ChangeFailure, Fault } from '../../report/document.ts'
import { variables } from '../repository/connection.ts'

/** What failed, in one line, and how to correct it. Adds where each setting comes from. */
export function explainFailure(error: unknown): string {
  const message = messageOf(error)
  if (isServiceError(error)) return `${message}${serviceHint(error)}`
  if (isAboutBaseUrl(error)) return `${message} (${whereToSet('base_url', 'baseUrl', '--base-url')})`
  return message
}

/** Explains a failed change: its reason, whether others share it, and whether a retry would fail. */
export function changeFailure(error: unknown): ChangeFailure {
  const fault = faultOf(error)
  const text = fault.message
  if (!isServiceError(error)) return { text, isFinal: false, fault }
  const { requestLine, status, retryAfterMs } = error
  // These answers are about the key, so every request gets the same answer.
  const isAboutKey = status === 401 || status === 402 || status === 403
  return {
    text,
    ...(isAboutKey ? { shared: text.replace(`${requestLine} `, '') } : {}),
    isFinal: status < 500 && !passing.has(status),
    fault,
    ...(retryAfterMs === undefined ? {} : { waitMs: retryAfterMs }),
  }
}

/** Refusals after which a retry may succeed. */
const passing: ReadonlySet<number> = new Set([404, 408, 409, 412, 423, 425, 429])

/** An error as a member of `errors`, with the request and the answer of the service, if there are any. */
export function faultOf(error: unknown): Fault {
  const message = explainFailure(error)
  if (!isServiceError(error)) return { code: 'failed', message }
  return { code: 'service', message, status: error.status, request: error.requestLine }
}

function serviceHint(error: ServiceError): string {
  if (error.remedy !== undefined) return ''
  switch (error.status) {
    case 400:
      // The name was looked up before, and not found.
      return error.code === 'unique'
        ? '; no list shows which object has it: it may be deleted, or belong to a survey'
        : ''
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

/** The needed permission in words, since the API document names no scopes. */
function permissionFor({ requestLine, kind }: ServiceError): string {
  const [method = ''] = requestLine.split(' ')
  return `${method === 'GET' ? 'to read' : 'to change'} ${kind ? `${kind.title}s` : 'this'}`
}

/** The hint for a missing list: its project or organization does not exist. */
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

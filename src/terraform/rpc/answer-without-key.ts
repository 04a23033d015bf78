import type { Secrets } from '../../api/index.ts'
import { type Diagnostic, DiagnosticError, errorDiagnostic } from '../diagnostic.ts'
import { encodeMessage } from '../wire/encode.ts'
import {
  type Draft,
  type EventName,
  type ResponseName,
  type RpcName,
  responseName,
  type StreamName,
} from '../wire/messages.ts'
import { diagnosticsToWire } from './diagnostic-to-wire.ts'

/**
 * The bytes of an answer, in which no key is in clear. Terraform keeps values in its state and in plan files, and
 * prints them.
 *
 * | a key is in                          | the answer                                                                 |
 * |--------------------------------------|----------------------------------------------------------------------------|
 * | a diagnostic                         | has a mark in its place                                                    |
 * | a value that was read or is planned  | is an error instead: a mark would be a value, and a difference for ever    |
 * | a value that was applied             | has it overwritten, with a warning: the object exists, and has to be kept; |
 * |                                      | the next refresh ends in the error above                                   |
 */
export function encodeWithoutKey<Rpc extends RpcName>(
  name: Rpc,
  answer: Draft<ResponseName<Rpc>>,
  secrets: Secrets,
): Buffer {
  const response = responseName(name)
  const told = hideTexts(answer, secrets)
  const bytes = encodeMessage(response, told)
  if (!secrets.isIn(bytes.toString('latin1'))) return bytes
  if (name !== 'ApplyResourceChange') throw new DiagnosticError(errorDiagnostic(summary, remedy))
  const before = 'diagnostics' in told && Array.isArray(told.diagnostics) ? told.diagnostics : []
  const diagnostics = [...before, ...diagnosticsToWire([warning])]
  return secrets.overwrite(encodeMessage(response, { ...told, diagnostics }))
}

/** The bytes of an event, in which no key is in clear either: a value with one was read, so it is an error. */
export function encodeEventWithoutKey<Rpc extends StreamName>(
  event: EventName<Rpc>,
  draft: Draft<EventName<Rpc>>,
  secrets: Secrets,
): Buffer {
  const bytes = encodeMessage(event, hideTexts(draft, secrets))
  if (secrets.isIn(bytes.toString('latin1'))) throw new DiagnosticError(errorDiagnostic(summary, remedy))
  return bytes
}

/** The same answer with what people are told rid of keys. */
export function hideTexts<Answer extends object>(answer: Answer, secrets: Secrets): Answer {
  const isTold = Object.entries(answer).some(([name, member]) => texts.has(name) && !isEmptyList(member))
  if (!isTold) return answer
  const hidden = Object.entries(answer).map(([name, member]) =>
    texts.has(name) ? [name, hideIn(member, secrets)] : [name, member],
  )
  return Object.fromEntries(hidden)
}

/** The members of answers that hold words for people and nothing else. */
const texts = new Set(['diagnostics', 'diagnostic', 'Error', 'error'])

function isEmptyList(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0)
}

function hideIn(value: unknown, secrets: Secrets): unknown {
  if (typeof value === 'string') return secrets.hide(value)
  if (Array.isArray(value)) return value.map(each => hideIn(each, secrets))
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hideIn(member, secrets)]))
}

const summary = 'a value holds the key of the service in clear'
const remedy =
  'Terraform would keep it in its state. Make a new key, since this one has been seen there, or take it out of the value.'
const warning: Diagnostic = { severity: 'warning', summary, detail: remedy }

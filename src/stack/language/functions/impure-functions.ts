import { type Refusal, unsupported } from '../../../cty/invalid-value.ts'

const ofOpenTofu = ['is a function of OpenTofu alone', 'compute it in TypeScript'] as const

/** Why functions are not worked out here, by name: the reason, and what to do. */
const reasons: ReadonlyMap<string, readonly [string, string]> = new Map<string, readonly [string, string]>([
  ['timestamp', ['is impure: it gives another time at every run', 'give the time as a variable']],
  ['plantimestamp', ['is impure: it gives another time at every run', 'give the time as a variable']],
  ['uuid', ['is impure: it gives something else at every run', 'give the value as a variable']],
  ['bcrypt', ['is impure: it gives something else at every run', 'give the value as a variable']],
  ['rsadecrypt', ['needs a private key in the stack', 'give what it decrypts as a sensitive variable']],
  ['base64gunzip', ofOpenTofu],
  ['cidrcontains', ofOpenTofu],
  ['convert', ofOpenTofu],
  ['urldecode', ofOpenTofu],
  ['base64gzip', ['gives bytes that depend on who compresses', 'give the compressed text as a variable']],
])

/** The refusal to call a function that there is, and that is not worked out here; undefined for every other name. */
export function refusedFunction(name: string): Refusal | undefined {
  const [reason, remedy] = reasons.get(name) ?? []
  if (reason === undefined || remedy === undefined) return undefined
  return unsupported(reason, remedy)
}

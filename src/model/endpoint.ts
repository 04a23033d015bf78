/** A detail that the interface document marks as "not shown": the client works with every answer. */
export type Unstated = 'unstated'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface QueryParameter {
  readonly type: 'string' | 'integer' | 'array'
  readonly oneOf?: readonly string[]
  readonly doc: string
}
export type Query = Readonly<Record<string, QueryParameter>>

/**
 * The body of an answer.
 * - `page`: the pagination envelope around records of the kind.
 * - `record`: one record of the kind.
 * - `shape`: documented "in the shape of" the kind for an operation that is not about one record; services answer
 *   with something of their own, so it is read as any JSON.
 * - `empty`: no body.
 */
export type Answer = 'page' | 'record' | 'shape' | 'empty' | Unstated

/** `writable`: the writable fields of the kind. A list: just those fields. `unstated`: a JSON body of any members. */
export type Body = 'writable' | readonly string[] | Unstated

/** How a Terraform data source for an endpoint differs from the default. */
export interface EndpointSource {
  readonly name?: string
  readonly doc?: string
  /** The endpoint that is used if the id is absent. */
  readonly withoutId?: string
  /** The arguments of its example, in Terraform's language. */
  readonly asks?: readonly string[]
  /** The part of its answer that the example uses; `THIS` is the address of the data source. */
  readonly wants?: string
}

export interface Endpoint {
  readonly method: Method
  readonly path: string
  readonly query?: Query
  readonly body?: Body
  readonly answer: Answer
  readonly status: number | Unstated
  readonly doc: string
  /** Every GET is a data source, unless this is false. */
  readonly source?: EndpointSource | false
  /** The interface document has no such operation: newer services do. */
  readonly newer?: true
  /** The name of its subject in scopes of keys, if the kind's own name does not apply. */
  readonly keyScope?: string
  /** Keys with scopes are never allowed; or only by services with one behaviour. [service-behaviour 8] */
  readonly scopedKeys?: false | { readonly behaviour: string; readonly is: string }
}
export type Endpoints = Readonly<Record<string, Endpoint>>

/** The names in braces of a path template, as a union type. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never

/** The names in braces of a path template, in order. */
export function pathParameters(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), match => match[1] as string)
}

/** Fills a path template. Every value is escaped, so that an id can never reach into another path. */
export function fillPath(path: string, values: Readonly<Record<string, string | number>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined || value === '')
      throw new RangeError(`path parameter "${name}" of ${path} is missing`)
    // A lone dot or two survive percent-encoding and would climb the path.
    if (value === '.' || value === '..') throw new RangeError(`path parameter "${name}" cannot be "${value}"`)
    return encodeURIComponent(value)
  })
}

/** What the interface document says in words "not shown": we work whichever way it is. */
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

/** What a data source of Terraform that reads an endpoint has otherwise than follows from the endpoint. */
export interface EndpointSource {
  readonly name?: string
  readonly doc?: string
  /** The endpoint that is meant when the id is left out. */
  readonly withoutId?: string
  /** What its example is asked, as Terraform's language has it. */
  readonly asks?: readonly string[]
  /** What of its answer the example wants; `THIS` is the address of the data source. */
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
  /** What scopes of keys call what it is about, where that is not what the kind's own do. */
  readonly keyScope?: string
  /** Keys with scopes are never let in; or only by services that do so in one behaviour. [service-behaviour 8] */
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

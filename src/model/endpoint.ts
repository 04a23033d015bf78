/** The interface document marks this detail as "not shown", so the client accepts every answer. */
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
 * - `shape`: documented "in the shape of" the kind for an operation that is not about one record. Services
 *   answer with another shape, so it is read as any JSON.
 * - `empty`: no body.
 */
export type Answer = 'page' | 'record' | 'shape' | 'empty' | Unstated

/** `writable`: the kind's writable fields. A list: exactly those fields. `unstated`: any JSON members. */
export type Body = 'writable' | readonly string[] | Unstated

/** How a Terraform data source for an endpoint differs from the default. */
export interface EndpointSource {
  readonly name?: string
  readonly doc?: string
  /** The endpoint to use if the id is absent. */
  readonly withoutId?: string
  /** The arguments in its example, in Terraform's language. */
  readonly asks?: readonly string[]
  /** The part of its answer that the example uses. `THIS` is replaced with the address of the data source. */
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
  /** Every GET has a data source, unless this is false. */
  readonly source?: EndpointSource | false
  /** The interface document lacks this operation; newer services have it. */
  readonly newer?: true
  /** The object name in key scopes, if it differs from the kind's. */
  readonly keyScope?: string
  /** Scoped keys are never allowed, or only on services with one behaviour. [service-behaviour 8] */
  readonly scopedKeys?: false | { readonly behaviour: string; readonly is: string }
}
export type Endpoints = Readonly<Record<string, Endpoint>>

/** The names in the braces of a path template, as a union type. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never

/** The names in the braces of a path template, in order. */
export function pathParameters(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), match => match[1] as string)
}

/** Fills a path template. Every value is escaped, so that an id can never change the rest of the path. */
export function fillPath(path: string, values: Readonly<Record<string, string | number>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined || value === '')
      throw new RangeError(`path parameter "${name}" of ${path} is missing`)
    // One or two dots survive percent-encoding and would change the path.
    if (value === '.' || value === '..') throw new RangeError(`path parameter "${name}" cannot be "${value}"`)
    return encodeURIComponent(value)
  })
}

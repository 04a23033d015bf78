import { describe, expect, it } from 'vitest'
import { event, kinds, paging } from '../../src/kinds/index.ts'
import { type Endpoint, pathParameters } from '../../src/model/endpoint.ts'
import type { Kind } from '../../src/model/kind.ts'
import { documentTables, documentText } from './document.ts'

const sections: [string, Kind, (path: string) => boolean][] = [
  ['Feature flags, organization scoped', kinds.feature_flag, path => path.startsWith('/api/organizations/')],
  ['Feature flags, project scoped', kinds.feature_flag, path => path.startsWith('/api/projects/')],
  ['Feature flag role access', kinds.feature_flag_role_access, () => true],
  ['Plugins', kinds.plugin, () => true],
  ['Event definitions', kinds.event_definition, () => true],
  ['Events', kinds.event, () => true],
]

/** The table of endpoints under a heading; other tables may share the heading. */
function endpointTable(heading: string) {
  const table = documentTables().find(each => each.heading === heading && each.header[0] === 'Method')
  if (!table) throw new Error(`no endpoints under "${heading}"`)
  return table
}

/** How the document describes the request of an endpoint. */
function requestWords(kind: Kind, { query, body, path }: Endpoint): string[] {
  if (body === 'writable') return [`body: writable ${kind.name === 'plugin' ? 'plugin' : 'flag'} fields`]
  if (body === 'unstated') return ['JSON body']
  if (body?.length === 1) return [`body: ${body[0]} (string)`]
  if (body) return [`body: ${body.join(', ')}`]
  if (query === undefined)
    return path.includes('{feature_flag_key}') ? ['path parameters only (both strings)'] : ['none']
  if (Object.keys(query).join() === 'limit,offset') return ['limit, offset']
  return Object.keys(query).length === 1 ? [`query: ${Object.keys(query)[0]}`] : ['query parameters below']
}

/** The ways in which the document may describe the answer of an endpoint. */
function answerWords(kind: Kind, { answer, status }: Endpoint): string[] {
  const noun = kind.name === 'feature_flag_role_access' ? 'role access' : kind.name.replaceAll('_', ' ')
  const shape = kind.name === 'feature_flag' ? 'feature flag' : noun
  switch (answer) {
    case 'page':
      return [`${status}, pagination envelope of ${noun}`, `${status}, pagination envelope of ${noun}s`]
    case 'record':
      return [`${status}, ${noun}`]
    case 'shape':
      return [`${status}, body in the ${shape} shape`, `${status}, body documented in the ${shape} shape`]
    case 'empty':
      return [`${status}, no body`, `${status}, no body (hard delete is refused)`]
    case 'unstated':
      return ['status and body: not shown']
  }
}

describe('the endpoints of the interface document', () => {
  it.each(sections)('are those of the kinds: %s', (heading, kind, isOfSection) => {
    const documented = endpointTable(heading).rows
    const described = Object.values(kind.endpoints).filter(({ path, newer }) => !newer && isOfSection(path))
    expect(described.map(({ method, path }) => `${method} ${path}`)).toEqual(
      documented.map(([method, path]) => `${method} ${path}`),
    )
    for (const [index, endpoint] of described.entries()) {
      const [, , request, answer] = documented[index] ?? []
      expect(requestWords(kind, endpoint)).toContain(request)
      expect(answerWords(kind, endpoint)).toContain(answer)
    }
  })

  it('take limit and offset on every list', () => {
    const lists = Object.values<Kind>(kinds).map(({ endpoints }) => endpoints.list?.query)
    expect(documentText).toContain('Pagination query parameters (on every list endpoint): limit (integer')
    for (const query of lists) expect(query).toMatchObject(paging)
  })

  it('have the query parameters of the event list', () => {
    const described = Object.entries(event.endpoints.list.query).map(([name, { type }]) => [name, type])
    expect(described).toEqual(eventQuery())
  })

  it('have integer ids in paths where the document says so', () => {
    const integer = Object.values<Kind>(kinds).filter(kind => kind.parameters?.id === 'integer')
    expect(integer.map(({ name }) => name)).toEqual(['feature_flag', 'feature_flag_role_access', 'plugin'])
    expect(documentText.match(/id is an integer identifying/g)).toHaveLength(3)
  })

  it('fill every path parameter that the document names', () => {
    const documented = documentTables()
      .filter(({ header }) => header[0] === 'Method')
      .flatMap(({ rows }) => rows.flatMap(([, path = '']) => pathParameters(path)))
    const described = Object.values<Kind>(kinds).flatMap(({ endpoints }) =>
      Object.values(endpoints).flatMap(({ path, newer }) => (newer ? [] : pathParameters(path))),
    )
    expect(new Set(described)).toEqual(new Set(documented))
  })
})

function eventQuery() {
  const table = documentTables().find(({ heading, header }) => heading === 'Events' && header[0] === 'Name')
  return table?.rows.map(([name, type]) => [name, type])
}

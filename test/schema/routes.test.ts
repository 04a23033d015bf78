import { describe, expect, it } from 'vitest'
import { kinds } from '../../src/kinds/index.ts'
import { fillPath, pathParameters } from '../../src/model/endpoint.ts'
import type { Kind } from '../../src/model/kind.ts'
import { matchRoute } from '../../src/schema/routes.ts'

const endpoints = Object.entries<Kind>(kinds).flatMap(([kind, { endpoints }]) =>
  Object.entries(endpoints).map(([endpoint, { method, path }]) => ({ kind, endpoint, method, path })),
)

describe('a route', () => {
  it.each(endpoints)(
    'is found for $method $path, with and without a trailing slash',
    ({ kind, endpoint, method, path }) => {
      const params = Object.fromEntries(pathParameters(path).map((name, index) => [name, `value ${index}/é`]))
      const filled = fillPath(path, params)
      expect(matchRoute(method, filled)).toEqual({ kind, endpoint, params })
      expect(matchRoute(method, `${filled}/`)).toEqual({ kind, endpoint, params })
    },
  )

  it('is a literal path before a template', () => {
    expect(matchRoute('GET', '/api/projects/1/feature_flags/activity')).toMatchObject({
      endpoint: 'allActivity',
    })
    expect(matchRoute('GET', '/api/projects/1/feature_flags/7')).toMatchObject({
      endpoint: 'read',
      params: { id: '7' },
    })
    expect(matchRoute('DELETE', '/api/projects/1/feature_flags/activity')).toEqual({ allowed: ['GET'] })
  })

  it('says which methods a path takes', () => {
    expect(matchRoute('PUT', '/api/projects/1/feature_flags/7')).toEqual({
      allowed: ['GET', 'PATCH', 'DELETE'],
    })
  })

  it.each(['/', '/api', '/api/projects/1', '/api/projects/1/feature_flags/7/activity/more', '/other'])(
    'is none for %s',
    path => {
      expect(matchRoute('GET', path)).toBeUndefined()
    },
  )
})

describe('a path', () => {
  it.each([
    [{ project_id: '1', id: '../9' }, '/api/projects/1/feature_flags/..%2F9'],
    [{ project_id: '1', id: 'a?b#c' }, '/api/projects/1/feature_flags/a%3Fb%23c'],
  ])('cannot be left by the values that fill it', (values, expected) => {
    expect(fillPath('/api/projects/{project_id}/feature_flags/{id}', values)).toBe(expected)
  })

  it.each(['.', '..', ''])('refuses %j for a value', id => {
    expect(() => fillPath('/api/x/{id}', { id })).toThrow(RangeError)
  })
})

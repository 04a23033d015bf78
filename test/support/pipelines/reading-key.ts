import type { Through } from '../service.ts'

/** A second key of a service: what it asks for is done as with `key`, and nothing is written with it. */
export const withReadingKey =
  (readingKey: string, key: string): Through =>
  handle =>
  async (request, connection) => {
    if (request.headers.get('authorization') !== `Bearer ${readingKey}`) return handle(request, connection)
    if (request.method !== 'GET')
      return Response.json({ type: 'authentication_error', code: 'permission_denied' }, { status: 403 })
    const headers = new Headers(request.headers)
    headers.set('authorization', `Bearer ${key}`)
    return handle(new Request(request.url, { headers }), connection)
  }

import { describe, expect, it } from 'vitest'
import { declarableKind } from '../../../src/kinds/index.ts'
import type { Json } from '../../../src/model/text/json.ts'
import { type LiveGrant, pulledRoles } from '../../../src/yaml/write/pulled-declaration.ts'

const support = '01900000-0000-0000-0000-0000000000aa'
const growth = '01900000-0000-0000-0000-0000000000bb'
const other = '01900000-0000-0000-0000-0000000000cc'
const environment = { roles: { support, growth } }

const granted = (role: string, level?: string): LiveGrant => ({
  role,
  isLive: true,
  ...(level === undefined ? {} : { level }),
})
const taken = (role: string): LiveGrant => ({ role, isLive: false })

describe('role_access as it is live', () => {
  it.each<[string, Json | undefined, LiveGrant, Json | undefined]>([
    ['loses a role', ['support', 'growth'], taken(support), ['growth']],
    ['loses its last role', ['support'], taken(support), []],
    ['loses a role that it names by its id', [support.toUpperCase()], taken(support), []],
    ['loses a role of a map', { support: 'viewer', growth: null }, taken(support), { growth: null }],
    ['gets a role by its name', ['support'], granted(growth), ['support', 'growth']],
    ['gets a role that has no name', [], granted(other), [other]],
    ['gets a role at the usual level', ['support'], granted(growth, 'editor'), ['support', 'growth']],
    [
      'gets a role at another level',
      ['support'],
      granted(growth, 'viewer'),
      { support: 'editor', growth: 'viewer' },
    ],
    [
      'gets a role into a map',
      { support: 'viewer' },
      granted(growth, 'editor'),
      { support: 'viewer', growth: 'editor' },
    ],
    [
      'has another level in a list',
      ['support', 'growth'],
      granted(growth, 'none'),
      { support: 'editor', growth: 'none' },
    ],
    [
      'has another level in a map',
      { support: 'viewer' },
      granted(support, 'manager'),
      { support: 'manager' },
    ],
    ['has the usual level again', { support: 'viewer' }, granted(support, 'editor'), { support: 'editor' }],
    [
      'gets a role into a map without levels',
      { support: null },
      granted(growth),
      { support: null, growth: null },
    ],
    ['does not name a role that is gone', ['growth'], taken(support), undefined],
    ['does not name one in a map', { growth: null }, taken(support), undefined],
    ['is not declared', undefined, granted(growth), undefined],
  ])('%s', (_, written, grant, expected) => {
    expect(pulledRoles(declarableKind('feature_flag'), written, grant, environment)).toEqual(expected)
  })
})

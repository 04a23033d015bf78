import { describe, expect, it } from 'vitest'
import { placeTypes } from '../../../src/cdktf/generate/place-types.ts'

const compiled: Readonly<Record<string, string>> = {
  'cdktf/index.d.ts': "export * from './generated/index.ts';\nexport * from './constructs/index.ts';\n",
  'cdktf/generated/index.d.ts': "export * as plugin from './plugin/index.ts';\n",
  'cdktf/generated/plugin/index.d.ts':
    "import * as cdktf from 'cdktf';\nimport { Construct } from 'constructs';\n",
  'cdktf/constructs/index.d.ts': "export { type Flag } from './flag.ts';\n",
  'cdktf/constructs/flag.d.ts': [
    "import type { Share } from '../../targeting/share.ts';",
    'export declare const app: import("cdktf").App;',
    "export declare const plugin: import('../generated/plugin/index.ts').Plugin;\n",
  ].join('\n'),
  'targeting/share.d.ts': 'export type Share = number;\n',
  'targeting/filters.d.ts': 'export type Filters = unknown;\n',
}

describe('the types of the constructs', () => {
  it('go where the code is, with all that they name and nothing else, for their engine', () => {
    const entries = ['cdktf/index.d.ts', 'cdktf/generated/plugin/index.d.ts']
    const placed = placeTypes('cdktn', entries, path => compiled[path] ?? '')
    expect(Object.fromEntries(placed.map(({ path, text }) => [path, text]))).toEqual({
      'index.d.ts':
        "export * from './types/cdktf/generated/index.js';\nexport * from './types/cdktf/constructs/index.js';\n",
      'plugin/index.d.ts': "import * as cdktf from 'cdktn';\nimport { Construct } from 'constructs';\n",
      'types/cdktf/generated/index.d.ts': "export * as plugin from '../../../plugin/index.js';\n",
      'types/cdktf/constructs/index.d.ts': "export { type Flag } from './flag.js';\n",
      'types/cdktf/constructs/flag.d.ts': [
        "import type { Share } from '../../targeting/share.js';",
        'export declare const app: import("cdktn").App;',
        "export declare const plugin: import('../../../plugin/index.js').Plugin;\n",
      ].join('\n'),
      'types/targeting/share.d.ts': 'export type Share = number;\n',
    })
  })
})

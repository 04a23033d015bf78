import { describe, expect, it } from 'vitest'
import { placeTypes } from '../../../src/generate/place-types.ts'

const compiled: Readonly<Record<string, string>> = {
  'constructs/index.d.ts': "export * from './generated/index.ts';\nexport * from './ours.ts';\n",
  'constructs/generated/index.d.ts': "export * as plugin from './plugin/index.ts';\n",
  'constructs/generated/plugin/index.d.ts':
    "import * as cdktf from 'cdktf';\nimport { Construct } from 'constructs';\n",
  'constructs/ours.d.ts': "export { type Flag } from './flag/flag.ts';\n",
  'constructs/flag/flag.d.ts': [
    "import type { Share } from '../../targeting/share.ts';",
    'export declare const app: import("cdktf").App;',
    "export declare const plugin: import('../generated/plugin/index.ts').Plugin;\n",
  ].join('\n'),
  'targeting/share.d.ts': 'export type Share = number;\n',
  'targeting/filters.d.ts': 'export type Filters = unknown;\n',
}

describe('the types of the constructs', () => {
  it('go where the code is, with all that they name and nothing else, for their engine', () => {
    const entries = ['constructs/index.d.ts', 'constructs/generated/plugin/index.d.ts']
    const placed = placeTypes('cdktn', entries, path => compiled[path] ?? '')
    expect(Object.fromEntries(placed.map(({ path, text }) => [path, text]))).toEqual({
      'index.d.ts':
        "export * from './types/constructs/generated/index.js';\nexport * from './types/constructs/ours.js';\n",
      'plugin/index.d.ts': "import * as cdktf from 'cdktn';\nimport { Construct } from 'constructs';\n",
      'types/constructs/generated/index.d.ts': "export * as plugin from '../../../plugin/index.js';\n",
      'types/constructs/ours.d.ts': "export { type Flag } from './flag/flag.js';\n",
      'types/constructs/flag/flag.d.ts': [
        "import type { Share } from '../../targeting/share.js';",
        'export declare const app: import("cdktn").App;',
        "export declare const plugin: import('../../../plugin/index.js').Plugin;\n",
      ].join('\n'),
      'types/targeting/share.d.ts': 'export type Share = number;\n',
    })
  })
})

import type { TypedFlag } from '../../../src/code/typed-flag.ts'

const plain = { variants: [], payloads: [], schemas: [] }

/** Flags with everything that typed keys have to deal with, as the golden files have them. */
export const shopFlags: readonly TypedFlag[] = [
  { ...plain, key: '2fa' },
  {
    ...plain,
    key: 'banner',
    name: "Today's banner */ of the shop",
    payloads: [[{ text: 'Sale', days: 3 }], [{ text: 'New', link: null }]],
  },
  { ...plain, key: 'checkout-v2', name: 'New checkout' },
  {
    key: 'checkout_v2',
    variants: ['control', 'one-page', '2 pages'],
    payloads: [],
    schemas: [
      {
        type: 'object',
        required: ['steps', 'theme'],
        properties: {
          steps: { type: 'integer', minimum: 1 },
          theme: { enum: ['light', 'dark'] },
          'time-out': { type: ['number', 'null'] },
          class: { $ref: '#/$defs/address' },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
        },
        $defs: {
          address: { type: 'object', required: ['city'], properties: { city: { type: 'string' }, zip: {} } },
        },
      },
    ],
  },
  { ...plain, key: 'class', variants: ['a'], payloads: ['fast', 'slow'] },
  {
    ...plain,
    key: 'limits',
    payloads: [
      { max: 1.5, on: true, hosts: [] },
      { max: 2, none: {} },
    ],
  },
]

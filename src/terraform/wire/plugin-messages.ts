import type { MessageTable } from './field-row.ts'

/** What a plugin host and a plugin say to each other whatever the plugin does. */
export const pluginMessages = {
  Empty: {},
  StdioData: { channel: [1, 'StdioChannel'], data: [2, 'bytes'] },
  ConnInfo: {
    service_id: [1, 'uint32'],
    network: [2, 'string'],
    address: [3, 'string'],
    knock: [4, 'Knock'],
  },
  Knock: { knock: [1, 'bool'], ack: [2, 'bool'], error: [3, 'string'] },
  HealthCheckRequest: { service: [1, 'string'] },
  HealthCheckResponse: { status: [1, 'ServingStatus'] },
} as const satisfies Readonly<Record<string, MessageTable>>

export const pluginEnums = {
  StdioChannel: ['invalid', 'stdout', 'stderr'],
  ServingStatus: ['unknown', 'serving', 'not_serving', 'service_unknown'],
} as const satisfies Readonly<Record<string, readonly string[]>>

import type { JsonObject } from '../../model/json/json.ts'

/** A plugin that can be installed from an address: what a download of it would tell. */
export interface CataloguePlugin {
  readonly name: string
  readonly url: string
  readonly description: string
  readonly icon: string
  readonly tag: string
  readonly latest_tag: string
  readonly config_schema: JsonObject
}

/** The public list of plugins, as far as the sandbox knows it. The addresses lead nowhere. */
export const catalogue: readonly CataloguePlugin[] = [
  {
    name: 'Country of an event',
    url: 'https://plugins.example.com/geo',
    description: 'Adds the country that an event came from.',
    icon: 'https://plugins.example.com/geo/logo.png',
    tag: '1.2.0',
    latest_tag: '1.3.0',
    config_schema: {},
  },
  {
    name: 'Nightly export',
    url: 'https://plugins.example.com/export',
    description: 'Sends every event to a bucket.',
    icon: 'https://plugins.example.com/export/logo.png',
    tag: '0.9.1',
    latest_tag: '0.9.1',
    config_schema: { bucket: { name: 'Bucket', type: 'string', required: true } },
  },
  {
    name: 'Query string filter',
    url: 'https://plugins.example.com/query-filter',
    description: 'Leaves parts of addresses out of events.',
    icon: 'https://plugins.example.com/query-filter/logo.png',
    tag: '2.0.0',
    latest_tag: '2.0.4',
    config_schema: { names: { name: 'Parameters to leave out', type: 'string' } },
  },
]

export function catalogued(url: string | null): CataloguePlugin | undefined {
  return catalogue.find(plugin => plugin.url === url)
}

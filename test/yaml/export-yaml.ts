import {
  type Exported,
  type ExportOptions,
  exportEnvironments,
  type LiveIn,
} from '../../src/yaml/write/export.ts'

/** Exports what is live in one environment. */
export function exportYaml(
  objects: LiveIn['objects'],
  { live, naming, ...options }: ExportOptions & Pick<LiveIn, 'live' | 'naming'> = {},
): Exported {
  return exportEnvironments([{ objects, ...(live ? { live } : {}), ...(naming ? { naming } : {}) }], options)
}

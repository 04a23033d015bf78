import { type AttributePath, type PathStep, showPath } from '../../hcl/values.ts'

import type { Diagnostic, Diagnostics } from '../diagnostic.ts'
import type { Draft } from '../wire/messages.ts'

export function diagnosticsToWire(diagnostics: Diagnostics = []): Draft<'Diagnostic'>[] {
  return diagnostics.map(diagnosticToWire)
}

export function pathToWire(path: AttributePath): Draft<'AttributePath'> {
  return { steps: path.map(stepToWire) }
}

/**
 * Terraform underlines an attribute and an element of it. A longer path it does not follow and underlines the whole
 * resource, so the path ends at the element and the text names the rest.
 */
function diagnosticToWire({ severity, summary, detail = '', attribute }: Diagnostic): Draft<'Diagnostic'> {
  const said = {
    severity,
    summary: shortened(summary, longestSummary),
    detail: shortened(detail, longestDetail),
  }
  if (!attribute || attribute.length === 0) return said
  const element = attribute.findIndex(step => typeof step !== 'string')
  const followed = element === -1 ? attribute : attribute.slice(0, element + 1)
  const place = showPath(attribute)
  const isNamed = followed.length === attribute.length || detail.startsWith(place)
  return {
    ...said,
    detail: isNamed ? said.detail : [place, said.detail].filter(Boolean).join(': '),
    attribute: pathToWire(followed),
  }
}

/** A value that a person gave can be as long as a file, and what is said of it has to be read. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  return `${[...text.slice(0, most)].slice(0, -most / 10).join('')} … ${text.slice(-most / 10)}`
}

const longestSummary = 300
const longestDetail = 4000

function stepToWire(step: PathStep): Draft<'Step'> {
  if (typeof step === 'string') return { attribute_name: step }
  return typeof step === 'number' ? { element_key_int: step } : { element_key_string: step.key }
}

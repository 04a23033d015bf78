import gte from 'semver/functions/gte.js'
import valid from 'semver/functions/valid.js'
import intersects from 'semver/ranges/intersects.js'
import validRange from 'semver/ranges/valid.js'
import type { SdkVersion, SdkVersions } from '../model/connection.ts'
import { sdkNamed } from './engines.ts'
import { type SdkRange, sdks } from './sdks.ts'

/** Parses SDK versions by SDK name. For each SDK: all tested ranges that may contain its version. */
export function sdkVersions(texts: Readonly<Record<string, string>>): SdkVersions {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, versionsOf(name, text)]))
}

function versionsOf(name: string, text: string): readonly SdkVersion[] {
  const { ranges = [] } = sdkNamed(name) ?? {}
  const meant = isVersionRange(text) ? ranges.filter((_, at) => isMeant(text, ranges, at)) : []
  return meant.map(({ from }) => ({ version: valid(text) ?? from, from }))
}

/** Why an SDK version in the settings is not tested; undefined if it is. */
export function notMeasured(name: string, version: string): string | undefined {
  const sdk = sdkNamed(name)
  if (!sdk) return `${name} was never tested; known SDKs: ${Object.keys(sdks).join(', ')}`
  const { newest, ranges } = sdk
  const oldest = ranges.at(-1)?.from ?? newest
  if (intersects(rangeOf(version), `<${oldest}`))
    return `versions of ${name} before ${oldest} were never tested`
  const exact = valid(version)
  return exact !== null && !gte(newest, exact)
    ? `${name} ${exact} is newer than ${newest}, the newest tested version; its rules are used`
    : undefined
}

/** Whether a text is a version or a range: `1.5.2`, `>=7.79`, `>=7.79,<8`. */
export function isVersionRange(text: string): boolean {
  return validRange(rangeOf(text)) !== null
}

function rangeOf(text: string): string {
  return text.replaceAll(',', ' ')
}

function isMeant(text: string, ranges: readonly SdkRange[], at: number): boolean {
  const [from, next] = [ranges[at]?.from, ranges[at - 1]?.from]
  return intersects(rangeOf(text), `>=${from}${next ? ` <${next}` : ''}`)
}

import { largestFile } from '../../model/limits.ts'
import { settingsFiles } from '../read/read-settings.ts'
import type { TextFile } from './exported-object.ts'
import { withoutComment } from './write-yaml.ts'

/** By what declarations are put into files: one for each tag, owner or flag, or one for each kind. */
export const splits = ['tag', 'owner', 'flag', 'none'] as const

export type Split = (typeof splits)[number]

/** Texts of one section that go to one file, or to as many as it takes. */
export interface SectionText {
  /** What the file is to be called; two that are the same go to one file. */
  readonly label: string
  readonly section: string
  readonly texts: readonly string[]
}

/**
 * Puts sections with one label into one file, as far as it may hold them. Names are safe on every file system, and none is that of a
 * file in `taken`: what is there may be somebody's work.
 */
export function placeSections(sections: readonly SectionText[], taken: Iterable<string>): TextFile[] {
  const names = new Set([...taken].map(name => name.toLowerCase()))
  const files = new Map<string, TextFile[]>()
  for (const { label, texts } of sections) {
    const ofLabel = files.get(label) ?? []
    files.set(label, ofLabel)
    const [first = '', ...rest] = texts
    const [start] = ofLabel
    const joined = start && `${start.text}${withoutComment(first)}`
    // Parts of one section are files of their own; only the first one goes to what other sections have begun.
    if (start && joined !== undefined && Buffer.byteLength(joined) <= largestFile)
      ofLabel[0] = { ...start, text: joined }
    else ofLabel.push({ path: freeName(label, names), text: first })
    for (const text of rest) ofLabel.push({ path: freeName(label, names), text })
  }
  return [...files.values()].flat()
}

/** `payments.yaml`, `payments-2.yaml` and so on: the first one that is free, which it is no more. */
function freeName(label: string, taken: Set<string>): string {
  const stem = safeStem(label)
  for (let number = 1; ; number += 1) {
    const name = `${stem}${number === 1 ? '' : `-${number}`}.yaml`
    if (taken.has(name) || settingsFiles.some(file => file === name)) continue
    taken.add(name)
    return name
  }
}

/** A name that every file system takes as it is, and none takes for another one of these. */
function safeStem(label: string): string {
  const stem = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, longest)
    .replace(/-+$/, '')
  if (stem === '') return 'other'
  return devices.test(stem) ? `${stem}-flags` : stem
}

/** The longest name, without its end. */
const longest = 80
/** What Windows takes for a device, whatever comes after a dot. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

import { type ParsedYaml, type ParseYaml, parseYaml } from '../../yaml/index.ts'

/** Parses each text of a file once, however many commits have it. */
export function rememberingParse(): ParseYaml {
  const known = new Map<string, ParsedYaml[]>()
  return (text, file) => {
    const before = known.get(file) ?? []
    const same = before.find(parsed => parsed.text === text)
    if (same) return same
    const parsed = parseYaml(text, file)
    known.set(file, [...before, parsed])
    return parsed
  }
}

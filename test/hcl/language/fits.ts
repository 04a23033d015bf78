import type { Answer } from './terraform-answers.ts'

/** Whether our answer is Terraform's. Null has no type here, so it goes with every type that it has there. */
export function isSameAnswer(ours: Answer, theirs: Answer): boolean {
  if (ours === 'refused' || theirs === 'refused') return ours === theirs
  return ours.json === theirs.json && fits(ours.type, theirs.type)
}

function fits(ours: unknown, theirs: unknown): boolean {
  if (ours === 'dynamic' || ours === theirs) return true
  if (Array.isArray(ours) && Array.isArray(theirs))
    return ours.length === theirs.length && ours.every((each, index) => fits(each, theirs[index]))
  if (!isRecord(ours) || !isRecord(theirs)) return false
  const names = Object.keys(ours)
  return names.length === Object.keys(theirs).length && names.every(name => fits(ours[name], theirs[name]))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

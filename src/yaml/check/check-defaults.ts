import { declarableKinds } from '../../kinds/index.ts'
import { getAt, pointerOf } from '../../model/json/pointer.ts'
import type { Problem } from '../../model/problem.ts'
import { memberOfTag, tagMemberNames } from '../../model/tag-member.ts'
import { checkField } from '../../rules/check-field.ts'
import { checkTagMember } from '../../rules/check-tag-member.ts'
import type { ParsedYaml } from '../parse/parse-yaml.ts'
import { quote } from '../parse/quote.ts'
import type { Settings } from '../settings.ts'
import { unknownEnvironment } from './check-environments.ts'

/** What is wrong with the defaults of the settings, which fit their schema. */
export function checkDefaults(
  { defaults = [], environments }: Settings,
  parsed: ParsedYaml | undefined,
): Problem[] {
  const kind = declarableKinds.find(({ lifecycle }) => lifecycle.ownedBy !== undefined)
  if (!parsed || !kind) return []
  const field = kind.lifecycle.ownedBy ?? ''
  const names = environments.map(({ name }) => name)
  return defaults.flatMap((said, index) => {
    const told = (inside: string, problem: Pick<Problem, 'code' | 'message' | 'hint'>): Problem => {
      const pointer = pointerOf('defaults', index) + inside
      const written = JSON.stringify(getAt(parsed.value ?? null, pointer) ?? null)
      // What came out of the environment is never shown.
      const shown = written.includes('${env:')
        ? { code: problem.code, message: 'what the environment fills in here does not fit' }
        : {
            code: problem.code,
            message: problem.message,
            ...(problem.hint === undefined ? {} : { hint: problem.hint }),
          }
      return { severity: 'error', ...shown, source: parsed.locate(pointer) }
    }
    const { only = [], tags = [] } = said
    return [
      ...tagMemberNames.flatMap(member => {
        const value = said[member]
        return value === undefined
          ? []
          : checkTagMember(kind, member, value).map(problem => told(problem.pointer, problem))
      }),
      ...checkField(kind, field, [...tags]).map(problem =>
        told(problem.pointer.replace(pointerOf(field), pointerOf('tags')), problem),
      ),
      ...tags.flatMap((tag, at) => {
        const member = memberOfTag(tag.trim().toLowerCase())
        if (!member) return []
        const hint = `write "${member.member}: ${member.value}" beside "tags"`
        return [
          told(pointerOf('tags', at), {
            code: 'tag-conflict',
            message: `${quote(tag)} is what ${quote(member.member)} says`,
            hint,
          }),
        ]
      }),
      ...only.flatMap((name, at) =>
        names.includes(name) ? [] : [told(pointerOf('only', at), unknownEnvironment(name, names))],
      ),
    ]
  })
}
